"""Programs of expressions, chosen by a seed: the same text runs under Python and under starbind.

usage: python3 expressions.py SEED COUNT TOPIC...
Prints a list in JSON: for each topic the program and what Python prints for it.
"""

import contextlib
import io
import json
import random
import struct
import sys

R = random.Random()
lines = []


def show(expression):
    lines.append(f"show(lambda: {expression})")


def literal(x):
    if isinstance(x, float):
        return f"float({repr(x)!r})" if x != x or abs(x) == float("inf") else repr(x)
    if isinstance(x, list):
        return "[" + ", ".join(map(literal, x)) + "]"
    if isinstance(x, tuple):
        return "(" + ", ".join(map(literal, x)) + ("," if len(x) == 1 else "") + ")"
    if isinstance(x, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in x.items()) + "}"
    if isinstance(x, frozenset):
        return f"frozenset({literal(sorted(x, key=repr))})"
    if isinstance(x, set):
        return f"set({literal(sorted(x, key=repr))})"
    return repr(x)


def call(name, *args, **named):
    parts = [literal(a) for a in args] + [f"{k}={literal(v)}" for k, v in named.items()]
    return f"{name}({', '.join(parts)})"


def method(x, name, *args, **named):
    return f"({literal(x)})." + call(name, *args, **named)


def a_float():
    c = R.random()
    if c < 0.2:
        return struct.unpack("d", struct.pack("Q", R.getrandbits(64)))[0]
    if c < 0.4:
        return R.uniform(-1000, 1000)
    if c < 0.5:
        return float(R.randint(-(10 ** R.randint(0, 25)), 10 ** R.randint(0, 25)))
    if c < 0.6:
        return R.randint(-(10**6), 10**6) / 2 ** R.randint(0, 12)
    if c < 0.7:
        return R.randint(-(10**6), 10**6) / 10 ** R.randint(0, 8)
    if c < 0.8:
        return R.uniform(0, 1) * 10 ** R.randint(-12, 25)
    if c < 0.85:
        return 2.0 ** R.randint(-1074, 1023)
    return R.choice(
        [0.0, -0.0, 1.0, 0.5, 1.5, 2.5, -2.5, 0.125, 1e16, 1e15, 9999999999999998.0, 1e17, 1e22, 1e-5, 0.0001, 123456789.0]
        + [1e100, 5e-324, 1.7976931348623157e308, float("inf"), float("-inf"), float("nan"), 0.1, 2.675, 1.005, 4.35, 999999.5]
    )


def an_int():
    c = R.random()
    if c < 0.4:
        return R.randint(-20, 20)
    if c < 0.7:
        return R.randint(-(10**6), 10**6)
    return R.randint(-(10 ** R.randint(1, 40)), 10 ** R.randint(1, 40))


USUAL = "abcXYZ01 _-,.\t\n"
# One UTF-16 unit each: offsets in other characters count differently.
RARE = "äÖßſııİΣσςǅǆﬁ中文\u0301\xa0\u2003\u200bŉ²½٣Ⅷ\x1c\x85\ufeff'\"\\"


def a_str(longest=8, rare=0.3):
    return "".join(R.choice(RARE) if R.random() < rare else R.choice(USUAL) for _ in range(R.randint(0, longest)))


def a_bound():
    return R.choice([None, None, R.randint(-10, 10), R.randint(-3, 3)])


def a_value(depth=3):
    c = R.random()
    if depth == 0 or c < 0.5:
        return R.choice([None, True, False, an_int(), a_float(), a_str(6), a_str(3, 0.8)])
    if c < 0.7:
        return [a_value(depth - 1) for _ in range(R.randint(0, 4))]
    if c < 0.8:
        return tuple(a_value(depth - 1) for _ in range(R.randint(0, 3)))
    return {
        R.choice([a_str(3), an_int(), a_str(2), str(R.randint(0, 99)), 1.5, None, True]): a_value(depth - 1)
        for _ in range(R.randint(0, 4))
    }


def floats():
    x = a_float()
    show(call("repr", x))
    show(call("round", a_float(), R.randint(-5, 20)))
    show(call("round", a_float()))
    show(call("round", an_int(), R.randint(-10, 3)))
    show(call("int", a_float()))
    show(call("float", an_int()))
    show(call("hash", R.choice([a_float(), an_int(), (an_int(), an_int())])))
    for c in "eEfFgG":
        flags = R.choice(["", "+", " ", "#", "0", "-", "#0", "+-"])
        spec = "%" + flags + R.choice(["", "5", "12", "25"]) + R.choice(["", ".0", ".1", ".2", ".3", ".10", ".17", ".30", ".110"]) + c
        show(f"{spec!r} % {literal(a_float())}")


def specs():
    spec = (
        R.choice(["", "", "<", ">", "^", "=", "*<", "x>", "0=", "é^"])
        + R.choice(["", "", "", "+", "-", " "])
        + R.choice(["", "", "", "", "z"])
        + R.choice(["", "", "", "#"])
        + R.choice(["", "", "", "0"])
        + R.choice(["", "", "3", "8", "15", "20"])
        + R.choice(["", "", "", ",", "_"])
        + R.choice(["", "", ".0", ".1", ".2", ".3", ".10", ".20"])
    )
    show(call("format", an_int(), spec + R.choice(["", "", "d", "b", "o", "x", "X", "c", "n", "e", "f", "g", "%", "s", "q"])))
    show(call("format", a_float(), spec + R.choice(["", "", "e", "E", "f", "F", "g", "G", "%", "n", "d"])))
    show(call("format", a_str(), spec + R.choice(["", "", "s", "d"])))
    show(call("format", R.choice([True, False]), spec + R.choice(["", "", "s", "d", "f"])))
    show(call("format", R.choice([None, [1], (1,), {1: 2}]), R.choice(["", "5"])))
    show(f"f\"{{{literal(an_int())}:{R.choice(['', '>8', '08', '+,', 'x', '#b'])}}}\"")


def percents():
    text, args = "", []
    for _ in range(R.randint(1, 3)):
        text += R.choice(["", "a", "%%", " "])
        c = R.choice("diouxXeEfFgGcrsas")
        part = "%" + R.choice(["", "", "", "-", "+", "0", "#", " ", "-0", "+ "]) + R.choice(["", "", "3", "10", "*"])
        part += R.choice(["", "", ".2", ".0", ".", ".5", ".*"])
        args += [R.randint(-5, 10) for _ in range(part.count("*"))]
        text += part + c
        if R.random() < 0.3:
            args.append(R.choice([an_int(), a_float(), a_str(), None, True, [1, "a"], {"k": 1}]))
        elif c in "sra":
            args.append(a_str())
        elif c == "c":
            args.append(R.choice([65, "x", 0x1F600]))
        else:
            args.append(an_int() if c in "dioxXu" else a_float())
    if R.random() < 0.1:
        args = args[:-1]
    if R.random() < 0.05:
        args.append(1)
    show(f"{text!r} % {literal(tuple(args))}")


def strings():
    s = a_str(12)
    for name in (
        "upper lower title capitalize swapcase casefold isalpha isalnum isdigit isdecimal isnumeric isspace islower isupper istitle "
        "isascii isprintable isidentifier split rsplit splitlines strip lstrip rstrip expandtabs encode"
    ).split():
        show(method(s, name))
    show(call("repr", s))
    show(call("ascii", s))
    t = s[R.randint(0, 5) : R.randint(0, 8)] if R.random() < 0.7 else a_str(2)
    for name in "find rfind index rindex count startswith endswith".split():
        show(method(s, name, t))
        show(method(s, name, t, a_bound(), a_bound()))
    for name in "partition rpartition removeprefix removesuffix strip lstrip rstrip split rsplit".split():
        show(method(s, name, t))
    for name in "split rsplit".split():
        show(method(s, name, R.choice([None, t]), R.randint(-1, 4)))
    show(method(s, "splitlines", True))
    show(method(s, "replace", t, a_str(2)))
    show(method(s, "replace", t, a_str(2), R.randint(-1, 4)))
    for name in "center ljust rjust".split():
        show(method(s, name, R.randint(0, 20)))
        show(method(s, name, R.randint(0, 20), R.choice("*é")))
    show(method(R.choice(["", "+", "-"]) + s, "zfill", R.randint(0, 20)))
    show(method(t, "join", [a_str(3) for _ in range(R.randint(0, 4))]))
    show(method(s, "expandtabs", R.randint(0, 5)))
    show(method(s, "translate", {97: "b", 98: None, 99: 100}))
    show(method(s, "startswith", tuple(a_str(2) for _ in range(2))))
    show(call("sorted", [a_str(3) for _ in range(6)]))
    show(call("ord", a_str(2)))
    show(method(a_str(5), "encode", R.choice(["ascii", "latin-1", "utf-16", "utf-8", "utf-16-le", "utf-32", "bogus"]), R.choice(["strict", "ignore", "replace", "xmlcharrefreplace", "backslashreplace"])))


def numbers():
    tokens = "0|1|9|12|007|0x1F|0b101|0o17|1_000|_1|1_|1__0|+|-| |\n|a|F|z|1.5|.5|5.|1e5|1E-3|e|inf|nan|Infinity|-inf|٣|１２||0_0|00|1e400".split("|")
    s = "".join(R.choice(tokens) for _ in range(R.randint(0, 3)))
    show(call("int", s))
    show(call("float", s))
    show(call("int", s, R.choice([0, 2, 8, 10, 16, 36, 3, 1, 37, -1])))
    show(call("int", str(an_int())))
    a, b = an_int(), an_int()
    show(call("divmod", a, b))
    show(call("pow", a, R.randint(-3, 50), b))
    show(call("pow", an_int() % 100, R.randint(0, 60)))
    for name in "bin hex oct".split():
        show(call(name, a))
    show(method(a, "bit_length"))
    show(method(a, "bit_count"))
    show(method(a_float(), "as_integer_ratio"))
    show(method(a_float(), "is_integer"))
    show(method(a_float(), "hex"))
    show(call("divmod", a_float(), a_float()))
    show(method(a, "to_bytes", R.randint(0, 20), R.choice(["big", "little"])))
    show(call("sum", [R.choice([an_int(), a_float(), True]) for _ in range(R.randint(0, 5))]))
    show(call("max", [an_int(), an_int(), float(R.randint(-5, 5))]))
    show(call("sorted", [R.choice([an_int(), float(R.randint(-99, 99))]) for _ in range(6)], reverse=R.choice([True, False])))
    show(call("sorted", [(a_str(1, 0), R.randint(0, 3)) for _ in range(8)], reverse=R.choice([True, False])))
    wrong = R.choice([None, [], "x", 1.5, True, b"12", {}])
    show(call(R.choice("int float abs bin chr round".split()), wrong))


def texts():
    v = a_value()
    for name in "repr str list len sorted max min dict set sum bool tuple all any".split():
        show(f"sorted(set({literal(v)}), key=repr)" if name == "set" else call(name, v))
    show(f"list({call('reversed', v)})")
    show(f"list({call('enumerate', v)})")
    show(f"list({call('zip', v, v)})")


def jsons():
    import json

    v = a_value()
    named = {}
    if R.random() < 0.3:
        named["indent"] = R.choice([None, 0, 2, "\t"])
    if R.random() < 0.3:
        named["ensure_ascii"] = False
    if R.random() < 0.2:
        named["sort_keys"] = True
    if R.random() < 0.2:
        named["separators"] = R.choice([(",", ":"), (", ", " : ")])
    show(call("json.dumps", v, **named))
    try:
        s = json.dumps(v, indent=R.choice([None, 2]), ensure_ascii=R.random() < 0.5)
    except (TypeError, ValueError):
        return
    show(call("json.loads", s))
    at = R.randint(0, len(s))
    show(call("json.loads", s[:at] + R.choice(["", ",", '"', "}", "1", "\\", " ", ".", "e", "\n"]) + s[at + R.randint(0, 2) :]))


def binaries():
    b = bytes(R.choice([97, 98, 65, 32, 10, 13, 0, 255, 48, 9, 44]) for _ in range(R.randint(0, 10)))
    t = b[R.randint(0, 4) : R.randint(0, 6)]
    show(call("repr", b))
    for name in (
        "upper lower title capitalize swapcase isalpha isalnum isdigit isspace islower isupper istitle isascii split rsplit splitlines strip lstrip rstrip hex"
    ).split():
        show(method(b, name))
    for name in "find rfind index rindex count startswith endswith partition rpartition removeprefix removesuffix strip split rsplit lstrip".split():
        show(method(b, name, t))
    for name in "split rsplit".split():
        show(method(b, name, R.choice([None, t]), R.randint(-1, 3)))
    show(method(b, "replace", t, b"zz", R.randint(-1, 3)))
    show(method(b, "center", R.randint(0, 15)))
    show(method(b, "zfill", R.randint(0, 15)))
    show(method(b, "decode", R.choice(["latin-1", "utf-8", "ascii"])))
    show(method(bytes(R.getrandbits(8) for _ in range(4)), "decode", "utf-8", R.choice(["replace", "ignore", "strict", "backslashreplace"])))
    show(method(b, "hex", ":", R.randint(-3, 3)))
    show(method(t, "join", [b, b]))
    show(method("aé😀".encode("utf-16"), "decode", "utf-16"))


def containers():
    def some():
        return [R.randint(0, 5) for _ in range(R.randint(0, 6))]

    a, b = set(some()), set(some())
    for name in "union intersection difference symmetric_difference".split():
        show(f"sorted({method(a, name, R.choice([b, list(b)]))})")
    for name in "issubset issuperset isdisjoint".split():
        show(method(frozenset(a), name, b))
    x = some()
    show(method(x, "index", R.randint(0, 5)))
    show(method(x, "index", R.randint(0, 5), R.randint(-6, 6), R.randint(-6, 6)))
    show(method(tuple(x), "index", R.randint(0, 5)))
    show(method(x, "count", R.randint(0, 5)))
    show(method(x, "pop", R.randint(-7, 7)))
    show(method(x, "pop"))
    show(method(x, "remove", R.randint(0, 5)))
    d = {R.choice(["a", "b", 1, 2]): R.randint(0, 5) for _ in range(3)}
    show(method(d, "get", "a"))
    show(method(d, "get", "a", 7))
    show(method(d, "get", []))
    show(method(d, "pop", "a"))
    show(method(d, "pop", "b", 3))
    show(method(d, "setdefault", "a", 9))
    show(method(d, "popitem"))
    show(method({}, "popitem"))
    for name in "items keys values copy".split():
        show(method(d, name))
    show(f"{literal(d)} | {literal({'a': 1, 3: 4})}")
    show(f"sorted({literal(d)}.keys() & {literal({'a', 1})}, key=repr)")


def a_pattern(depth=2):
    c = R.random()
    if depth == 0 or c < 0.45:
        return R.choice(["a", "b", "c", ".", r"\d", r"\w", r"\s", "[ab]", "[^a]", r"\b", "é", "[a-c1]", r"\W", r"\.", "x", r"[\d_]", r"[^\w ]"])
    if c < 0.6:
        return a_pattern(depth - 1) + a_pattern(depth - 1)
    if c < 0.7:
        return a_pattern(depth - 1) + "|" + a_pattern(depth - 1)
    if c < 0.8:
        return "(" + a_pattern(depth - 1) + ")"
    if c < 0.85:
        # What is repeated here is never empty: how often nothing is matched differs between engines.
        return "(?:" + R.choice(["a", "ab", "[ab]c?", r"\d\w", "a|b", "(b)"]) + ")" + R.choice(["*", "+", "?", "{1,2}", "*?", "+?"])
    if c < 0.9:
        return R.choice(["(?=", "(?!", "(?i:"]) + a_pattern(depth - 1) + ")"
    return R.choice(["a", "b", r"\d", r"\w", "[ab]"]) + R.choice(["*", "+", "?", "{2}", "{,2}", "{1,}", "*?", "+?", "??"])


def patterns():
    p = a_pattern() + R.choice(["", "", a_pattern()])
    s = "".join(R.choice("aabbc1 _éX.\n") for _ in range(R.randint(0, 10)))
    flags = R.choice([0, 0, 0, 2, 8, 16, 10])
    show(call("re.findall", p, s, flags))
    show(f"[(m.span(), m.groups()) for m in {call('re.finditer', p, s, flags)}]")
    show(call("re.split", p, s, R.randint(0, 2), flags))
    show(call("re.sub", p, R.choice(["-", r"<\g<0>>", ""]), s, R.randint(0, 2), flags))
    show(f"bool({call('re.fullmatch', p, s, flags)})")
    show(f"getattr({call('re.match', p, s, flags)}, 'group', lambda: None)()")
    broken = "".join(R.choice(list("ab()[]{}*+?|\\^$.-,1") + ["(?", "\\d", "(?P<n>"]) for _ in range(R.randint(1, 6)))
    show(f"kind(lambda: {call('re.search', broken, s)})")
    show(call("re.escape", s))


def iterations():
    x = [R.randint(0, 4) for _ in range(R.randint(0, 6))]
    n = R.randint(0, 3)
    for e in [
        call("itertools.accumulate", x),
        call("itertools.accumulate", x, initial=5),
        call("itertools.chain", x, "ab"),
        call("itertools.combinations", x, n),
        call("itertools.combinations_with_replacement", x[:4], n),
        call("itertools.permutations", x[:4], R.choice([None, n])),
        call("itertools.product", x[:3], "ab"),
        call("itertools.product", x[:2], repeat=n),
        call("itertools.compress", x, [1, 0, 1]),
        call("itertools.zip_longest", x, "abc", fillvalue="-"),
        call("itertools.pairwise", x),
        f"itertools.takewhile(lambda v: v < 3, {x})",
        f"itertools.dropwhile(lambda v: v < 3, {x})",
        f"itertools.filterfalse(lambda v: v % 2, {x})",
        f"itertools.starmap(lambda a, b: a - b, zip({x}, {x[1:]}))",
        f"itertools.islice({call('itertools.cycle', x)}, 7)",
        f"itertools.islice({call('itertools.count', R.randint(-3, 3), R.choice([1, 2, 0.5]))}, {R.randint(0, 5)})",
        call("itertools.islice", x, *R.choice([(2,), (1, 4), (0, None, 2), (1, 6, 3)])),
        f"((k, list(g)) for k, g in itertools.groupby({x}, key=lambda v: v // 2))",
        f"map(lambda a, b: a * b, {x}, {x[::-1]})",
        f"filter(None, {x})",
    ]:
        show(f"list({e})")
    show(f"functools.reduce(lambda a, b: a * 2 + b, {x})")
    show(f"sorted({x}, key=functools.cmp_to_key(lambda a, b: b - a))")
    show(call("collections.Counter", x))
    show(f"collections.Counter({x}) - collections.Counter({x[::2]})")
    show(f"collections.Counter({x}).most_common({n})")
    show(f"collections.deque({x}, maxlen={n})")
    show(f"heapq.nsmallest({n}, {x})")
    show(f"bisect.bisect_left({sorted(x)}, {n})")


def samples():
    ints = [R.randint(-50, 50) for _ in range(R.randint(0, 7))]
    mixed = [R.choice([R.randint(-5, 5), round(R.uniform(-9, 9), 3)]) for _ in range(R.randint(1, 7))]
    for x in (ints, mixed):
        for name in "mean median median_low median_high mode multimode stdev pstdev variance pvariance".split():
            show(call(f"statistics.{name}", x))
        show(call("statistics.quantiles", x, n=R.randint(1, 5), method=R.choice(["inclusive", "exclusive"])))
    show(call("statistics.fmean", mixed))
    show(call("statistics.harmonic_mean", [abs(v) for v in ints]))
    show(call("math.fsum", mixed))
    show(call("math.prod", ints))
    show(call("math.gcd", *ints[:3]))
    show(call("math.comb", R.randint(0, 30), R.randint(0, 30)))
    show(call("math.isqrt", abs(an_int())))
    show(call("math.frexp", a_float()))
    show(call("math.ldexp", a_float(), R.randint(-1100, 1100)))
    show(call("math.modf", a_float()))
    show(call("math.floor", a_float()))
    show(call("math.ceil", a_float()))
    show(call("math.sqrt", a_float()))
    show(call("math.fmod", a_float(), a_float()))
    show(call("math.remainder", a_float(), a_float()))
    show(call("math.nextafter", a_float(), a_float()))
    show(call("math.ulp", a_float()))
    show(call("math.isclose", R.uniform(0, 1), R.uniform(0, 1), rel_tol=0.5))


def a_moment():
    zone = R.choice(["", "", ", tzinfo=timezone.utc", f", tzinfo=timezone(timedelta(minutes={R.randint(-800, 800)}))"])
    year = R.choice([R.randint(1, 9999), R.randint(1970, 2040)])
    micros = R.choice([0, 0, R.randint(0, 999999)])
    return f"datetime({year}, {R.randint(1, 12)}, {R.randint(1, 28)}, {R.randint(0, 23)}, {R.randint(0, 59)}, {R.randint(0, 59)}, {micros}{zone})"


def a_delta():
    parts = {
        "days": R.randint(-400, 400),
        "seconds": R.choice([R.randint(-90000, 90000), R.uniform(-99, 99)]),
        "hours": R.choice([R.randint(-30, 30), 1.5]),
        "microseconds": R.randint(-(10**6), 10**6),
    }
    chosen = R.sample(sorted(parts), R.randint(1, 3))
    return f"timedelta({', '.join(f'{k}={parts[k]}' for k in chosen)})"


def moments():
    m, n, d = a_moment(), a_moment(), a_delta()
    show(m)
    show(f"str({m})")
    show(f"{m}.isoformat({R.choice(['', repr(' '), 'timespec=' + repr('minutes'), 'timespec=' + repr('milliseconds')])})")
    show(f"{m} + {d}")
    show(f"{m} - {d}")
    show(f"{m} - {n}")
    show(f"{m} < {n}")
    show(f"{m} == {n}")
    show(d)
    show(f"str({d})")
    show(f"{d}.total_seconds()")
    show(f"{d} * {R.choice([2, -3, 0.5, 1.7])}")
    show(f"{d} / {R.choice([2, 3, -7, 0.3])}")
    show(f"{d} // {a_delta()}")
    show(f"{d} % {a_delta()}")
    show(f"{m}.strftime('%Y|%m|%d|%H|%M|%S|%f|%j|%a|%A|%b|%B|%p|%I|%y|%U|%W|%w|%u|%V|%G|%z|%Z|%%|%e|%-d')")
    show(f"{m}.isocalendar()")
    show(f"({m}.weekday(), {m}.toordinal(), {m}.date(), {m}.time(), {m}.timetz())")
    show(f"datetime.fromisoformat({m}.isoformat())")
    show(f"{m}.replace(tzinfo=timezone.utc).timestamp()")
    show(f"datetime.fromtimestamp({R.uniform(-1e9, 4e9)}, timezone.utc)")
    show(f"{m}.replace(tzinfo=timezone.utc).astimezone(timezone(timedelta(hours={R.randint(-12, 14)})))")
    form = R.choice(["%Y-%m-%d %H:%M:%S", "%d/%m/%y %I:%M %p", "%b %d, %Y", "%A %d %B %Y", "%Y%m%dT%H%M%S.%f", "%j %Y", "%H:%M"])
    show(f"datetime.strptime({m}.strftime({form!r}), {form!r})")
    broken = R.choice(["2024-13-01", "2024-02-30", "24-1-1", "x", "2024-01-01T25:00", "2024-1-01", "20240101", "2024-01-01T10:20:30.5+02:00"])
    show(f"datetime.fromisoformat({broken!r})")
    show(f"date.fromisoformat({broken!r})")
    show(f"date({R.randint(2000, 2030)}, {R.randint(0, 13)}, {R.randint(1, 31)})")


def addresses():
    parts = ["http:", "//", "a", "b.c", "/", "?", "#", "=", "&", ":", "@", "x y", "%20", "é", "..", ".", ";", "80", "+"]
    u = R.choice(["http://", "https://h.com/", "", "//", "mailto:", "a/b"]) + "".join(R.choice(parts) for _ in range(R.randint(0, 8)))
    show(call("urllib.parse.urlsplit", u))
    show(call("urllib.parse.urlparse", u))
    show(f"urllib.parse.urlunsplit({call('urllib.parse.urlsplit', u)})")
    show(call("urllib.parse.parse_qs", u, keep_blank_values=R.choice([True, False])))
    show(call("urllib.parse.quote", u))
    show(call("urllib.parse.quote_plus", u))
    show(call("urllib.parse.unquote", u))
    show(call("urllib.parse.unquote_plus", u))
    show(call("urllib.parse.urlencode", {a_str(2): a_str(3), "k": [1, "é"]}, doseq=R.choice([True, False])))
    path = R.choice(["/a/b/c", "x", "../y", "../../z", "./w", "?q=1", "#f", "", "//h/p", "/", "..", "g/../h", "http:g"])
    show(call("urllib.parse.urljoin", R.choice(["http://a/b/c/d;p?q", "http://a", "http://a/b/", "a/b"]), path))
    t = "".join(R.choice(["<", "&", ";", "amp", "lt", "#39", "#x41", "é", "copy", "x", " "]) for _ in range(6))
    show(call("html.escape", t))
    show(call("html.unescape", t))
    words = " ".join(R.choice(["word", "a", "longerword", "hyphen-ated", "x.", "--", "co-op's"]) for _ in range(R.randint(0, 14)))
    show(call("textwrap.wrap", words, R.randint(1, 30)))
    show(call("textwrap.shorten", words, R.randint(6, 30)))
    show(call("textwrap.fill", words, R.randint(8, 30), initial_indent="* ", subsequent_indent="  "))
    show(call("textwrap.dedent", "".join(R.choice([" ", "  ", "\t", "a\n", "b\n", "\n"]) for _ in range(8))))
    show(call("textwrap.indent", words.replace(" ", "\n"), "> "))
    row = [R.choice([a_str(4), "a,b", 'q"', 1, None, 2.5, "", "x\ny"]) for _ in range(R.randint(0, 4))]
    show(f"written({literal(row)})")
    line = "".join(R.choice(["a", ",", '"', '""', "\n", " ", "b", "\r\n"]) for _ in range(8))
    show(f"list(csv.reader(io.StringIO({line!r})))")
    show(f"list(csv.DictReader(io.StringIO({line!r})))")
    b = bytes(R.getrandbits(8) for _ in range(R.randint(0, 12)))
    for name in "b64encode urlsafe_b64encode b32encode b16encode".split():
        show(call(f"base64.{name}", b))
    show(call("base64.b64decode", "".join(R.choice("AZaz09+/=-_ ") for _ in range(R.randint(0, 9)))))
    for name in "md5 sha1 sha224 sha256 sha384 sha512".split():
        show(f"hashlib.{name}({b * R.randint(0, 30)!r}).hexdigest()")
    show(call("fnmatch.fnmatch", R.choice(["abc", "a.b", "[x]"]), "".join(R.choice("ab*?[]!.x") for _ in range(4))))
    show(call("shlex.split", "".join(R.choice(["a", " ", "'", '"', "\\", "b"]) for _ in range(6))))
    show(f"pprint.pformat({literal(a_value())}, width={R.randint(10, 80)}, compact={R.choice([True, False])})")
    show(f"string.Template({'$a ${b} $$ ' + R.choice(['', '$', '$c'])!r}).safe_substitute(a=1, b='x')")
    show(call("string.capwords", words))


def a_decimal():
    c = R.random()
    if c < 0.15:
        return R.choice(["0", "-0", "0.00", "0E+3", "1", "-1", "1E+5", "1E-10", "Infinity", "-Infinity", "NaN"])
    digits = str(R.randint(0, 10 ** R.randint(1, 32)))
    if c < 0.7:
        at = R.randint(0, len(digits))
        digits = (digits[:at] or "0") + ("." + digits[at:] if at < len(digits) else "")
    elif c < 0.85:
        digits += f"E{R.randint(-12, 12)}"
    return R.choice(["", "", "-"]) + digits


def decimals():
    a, b = (f"D({a_decimal()!r})" for _ in range(2))
    for op in R.sample(["+", "-", "*", "/", "//", "%", "<", "==", ">="], 4):
        show(f"{a} {op} {b}")
    rounding = R.choice("HALF_EVEN HALF_UP HALF_DOWN UP DOWN CEILING FLOOR 05UP".split())
    show(f"{a}.quantize(D('1E{R.randint(-8, 3)}'), decimal.ROUND_{rounding})")
    show(f"({a}).{R.choice(['normalize()', 'to_integral_value()', 'sqrt()', 'as_tuple()', 'adjusted()', 'to_eng_string()', 'is_signed()', 'copy_abs()'])}")
    show(f"{R.choice(['abs', 'int', 'float', 'str', 'round', 'bool', '-', '+', 'hash'])}({a})")
    show(f"round({a}, {R.randint(-3, 6)})")
    spec = R.choice(["", "*>", "0", "<", "^+", " "]) + str(R.randint(1, 20)) + R.choice(["", ","]) + R.choice(["", ".0", ".2", ".5"]) + R.choice("feg%")
    show(f"format({a}, {spec!r})")
    show(f"{a} {R.choice(['+', '*', '<', '=='])} {R.choice([an_int(), 7, 3])}")
    show(f"{a} == {R.choice([0.5, 1.0, 0.1])!r}")
    show(f"D('{R.randint(-20, 20)}.{R.randint(0, 99)}') ** {R.randint(-6, 12)}")
    show(f"D('{R.randint(1, 300)}.{R.randint(0, 99)}').{R.choice(['ln', 'log10', 'sqrt'])}()")
    show(f"D('{R.randint(-50, 50)}.{R.randint(0, 999)}').exp()")
    show(f"D({R.uniform(-100, 100)!r})")
    show(f"sum([{a}, {b}, D('0.1')])")


def rationals():
    def a():
        return R.choice([f"F({R.randint(-50, 50)}, {R.randint(1, 30)})", f"F('{R.randint(-9, 9)}.{R.randint(0, 999)}')", f"F({R.randint(-99, 99)})", f"F({R.uniform(-3, 3)!r})"])

    show(f"{a()} {R.choice(['+', '-', '*', '/', '//', '%', '<', '=='])} {R.choice([a(), str(R.randint(-5, 5)), '0.5'])}")
    show(f"{R.randint(-5, 5)} {R.choice(['+', '-', '*', '/'])} {a()}")
    show(f"{a()} ** {R.randint(-3, 4)}")
    show(f"{R.choice(['round', 'int', 'float', 'abs', 'str', 'math.floor', 'math.ceil', 'hash'])}({a()})")
    show(f"round({a()}, {R.randint(-2, 4)})")
    show(f"{a()}.limit_denominator({R.randint(1, 200)})")
    show(f"F({R.choice(['1/3', ' 2 ', '1e3', '.5', 'x', '1/0', '3/-4', '1.5e-2', ''])!r})")


def differences():
    def text():
        return "".join(R.choice("abcd ") for _ in range(R.randint(0, 14)))

    a, b = text(), text()
    show(f"difflib.SequenceMatcher(None, {a!r}, {b!r}).ratio()")
    show(f"difflib.SequenceMatcher(None, {a!r}, {b!r}).get_opcodes()")
    show(f"difflib.SequenceMatcher(lambda c: c == ' ', {a!r}, {b!r}).get_matching_blocks()")
    show(f"difflib.get_close_matches({a!r}, {[text() for _ in range(6)]!r}, cutoff={R.choice([0.3, 0.5, 0.6])})")
    lines = [R.choice(["one", "two", "three", "four"]) for _ in range(R.randint(0, 12))]
    other = [x for x in lines if R.random() < 0.8] + [R.choice(["one", "new"]) for _ in range(R.randint(0, 2))]
    show(f"list(difflib.unified_diff({lines!r}, {other!r}, 'a', 'b', n={R.randint(0, 3)}, lineterm=''))")


def inheriting():
    d = {R.choice("abcd"): R.randint(0, 9) for _ in range(R.randint(0, 4))}
    x = [R.randint(0, 9) for _ in range(R.randint(0, 5))]
    s = a_str(5)
    for expression in (
        f"(lambda d: (d, d | {{'z': 1}}, len(d), list(d), d == {d!r}, d.get('a'), 'a' in d, sorted(d.items())))(Dict({d!r}))",
        f"Dict({d!r}).{R.choice(['pop(' + repr('a') + ')', 'popitem()', 'copy()', 'setdefault(' + repr('q') + ', 5)', 'keys()', 'update(w=1)'])}",
        f"(lambda x: (x, x + [1], x[::-1], x * 2, x < {x[1:]!r}, sorted(x), sum(x), 3 in x))(List({x!r}))",
        f"List({x!r}).{R.choice(['index(3)', 'count(1)', 'pop()', 'copy()', 'remove(2)', 'sort()'])}",
        f"(lambda s: (s, s + 'x', s.upper(), s[::-1], len(s), s == {s!r}, {{s: 1}}, f'{{s:>8}}', [s], s * 2))(Str({s!r}))",
        f"(lambda i: (i, i + 1, -i, i * 2.5, i // 3, i % 3, i < 4, {{i: 1}}, f'{{i:05d}}', divmod(i, 4), float(i)))(Int({R.randint(-99, 99)}))",
        f"json.dumps([Dict({d!r}), List({x!r}), Str({s!r}), Int(3)], sort_keys=True)",
        f"(Perm({R.randint(0, 8)}), Perm({R.randint(0, 7)}) {R.choice('|&^')} Perm({R.randint(0, 7)}), list(Perm({R.randint(0, 7)})), ~Perm({R.randint(0, 7)}))",
    ):
        show(expression)


topics = {f.__name__: f for f in (floats, specs, percents, strings, numbers, texts, jsons, binaries, containers, patterns, iterations, samples, moments, addresses, decimals, rationals, differences, inheriting)}

HEAD = """import base64, bisect, decimal, difflib, enum, collections, csv, fnmatch, functools, hashlib, heapq, html, io, itertools, json, math, pprint, re, shlex, statistics, string, textwrap
import urllib.parse
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal as D
from fractions import Fraction as F


class Dict(dict):
    pass


class List(list):
    pass


class Str(str):
    pass


class Int(int):
    pass


class Perm(enum.Flag):
    R = enum.auto()
    W = enum.auto()
    X = enum.auto()


def show(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ": " + str(e))


def kind(f):
    try:
        f()
    except Exception as e:
        return type(e).__name__


def written(row):
    out = io.StringIO()
    csv.writer(out).writerow(row)
    return out.getvalue()

"""


def program(topic, seed, count):
    R.seed(f"{topic} {seed}")
    lines.clear()
    while len(lines) < count:
        topics[topic]()
    return HEAD + "\n" + "\n".join(lines[:count]) + "\n"


def printed(text):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(text, "<program>", "exec"), {"__name__": "__main__"})
    return out.getvalue()


seed, count = int(sys.argv[1]), int(sys.argv[2])
programs = [program(topic, seed, count) for topic in sys.argv[3:]]
print(json.dumps([[text, printed(text)] for text in programs]))
