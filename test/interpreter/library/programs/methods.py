# Methods and builtins whose every argument form is worth seeing once.
print("a,b,,c".split(","), "a,b,c".split(",", 1), "a b  c ".split(), " a b ".rsplit(None, 1), "x".split("x"), "".split(), "".split(","))
print("abc".find("c", -2), "abcabc".rfind("b", 0, 3), "abc".index("b"), "banana".count("an"), "banana".count("", 1, 4))
print("%s|%5d|%-5s|%05.1f|%x|%e|%%|%r" % ("a", 3, "b", 2.25, 255, 12345.678, "q"))
print("{0}{1}{0} {x!r:>5} {y.real} {z[0]} {z[k]}".format(1, "b", x="v", y=3, z={"k": 5, 0: 9}), "{:{w}.{p}f}".format(3.14159, w=8, p=2))
print(f"{3.5!s:>6}|{'x':*^7}|{1234567.891:,.2f}|{255:#06x}|{0.256:.1%}|{-7:+}|{1e10:g}|{True:>6}|{None}|{[1]!r:>5}")
print("a-b_c".translate(str.maketrans("-_", "  ")), "abc".translate({97: "X", 98: None}), "ABC".swapcase(), "hello world".title(), "ß".upper(), "ǆ".title())
print("abc".partition("b"), "abc".rpartition("x"), "a.b.c".removeprefix("a."), "a.b.c".removesuffix(".c"), "  x ".strip(), "xxabcxx".strip("x"))
print("7".zfill(3), "-7".zfill(4), "x".center(6, "*"), "x".ljust(3) + "|", "x".rjust(3), "a\tb".expandtabs(4), "l1\nl2\r\nl3".splitlines(True))
print("abc".isalpha(), "ab1".isalnum(), "12".isdigit(), "½".isnumeric(), "Ab Cd".istitle(), "".isspace(), "_a1".isidentifier())
xs = [3, 1, 2]
xs.sort(reverse=True)
xs.extend("ab")
xs.insert(-1, "z")
print(xs, xs.pop(), xs.pop(0), xs.index("a"), xs.count(1), xs.copy(), list(reversed(xs)))
words = ["bb", "a", "ccc", "dd"]
words.sort(key=len)
print(words, sorted(words, key=lambda w: (-len(w), w)), max(words, key=len), min([], default="none"), sorted([("b", 2), ("a", 2), ("a", 1)]))
d = {"a": 1, "b": 2}
print(d.get("z"), d.get("z", 0), d.setdefault("c", 3), d.pop("a"), d.popitem(), d, dict.fromkeys("ab", 0), dict([("x", 1)], y=2), dict(zip("ab", [1, 2])))
d.update([("q", 5)], r=6)
print(d, list(d), d.keys(), d.values(), d.items(), {**d, "b": 0}, d | {"b": 9}, "q" in d, len(d))
s = {3, 1} | {2}
s.add(1)
s.discard(9)
print(sorted(s), s & {1, 2}, s - {1}, s ^ {1, 9} == {2, 3, 9}, s.issuperset({1}), frozenset([1]) | {2}, sorted(s.union([7], (8,))), {1, 2} < {1, 2, 3}, set("hello") == set("ehlo"))
print((1, 2, 1).count(1), (1, 2).index(2), (1,) + (2,), (1, 2) * 2, (1, 2) < (1, 3))
print(divmod(-7, 2), divmod(7.5, 2), pow(2, 10), pow(2, -1), pow(3, -1, 11), round(2.5), round(-2.5), round(2.675, 2), round(1234, -2), abs(-3), abs(-3.5))
print(int("0x1f", 16), int("-12"), int(" 42 "), int("1_000"), int(-3.9), float("1e3"), float("-inf"), int("z", 36), bin(10), oct(8), hex(-255), chr(8364), ord("€"))
print(sum([1, 2.5, True]), sum([[1], [2]], []), any([]), all([]), list(zip([1, 2], "ab", strict=True)), list(enumerate("ab", 1)), list(map(max, [1, 5], [3, 2])), list(filter(None, [0, 1, ""])))
it = iter([1, 2, 3])
print(next(it), next(it), list(it), next(it, "end"), list(range(10, 0, -3)), range(5)[1:3], 3 in range(5), list(iter(lambda c=iter("abx"): next(c), "x")))
print((255).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "little"), (10).bit_length(), (2.5).is_integer(), (0.1).as_integer_ratio(), (1.5).hex(), float.fromhex("0x1.8p+0"))
print(b"ab" + b"c", b"abc"[1], b"abc"[1:], bytes([65, 66]), "é".encode(), b"\xc3\xa9".decode(), b"a,b".split(b","), bytes(3), b"x".hex(), bytes.fromhex("ff00"), b"a" in b"ab")
print(repr("it's"), repr('"'), repr("'\""), ascii("é"), str(b"x"), [1.0, 1e16, 1e-5, -0.0, float("nan")], {1: "a"}, (None, True), {1}, set(), frozenset())
for bad in [
    lambda: [].pop(),
    lambda: {}["k"],
    lambda: [1].index(5),
    lambda: "a".index("b"),
    lambda: int("x"),
    lambda: float("y"),
    lambda: "a" + 1,
    lambda: [1] + (2,),
    lambda: {[]: 1},
    lambda: sorted([1, "a"]),
    lambda: max([]),
    lambda: "{}".format(),
    lambda: "%d" % "x",
    lambda: "%s %s" % (1,),
    lambda: ",".join([1]),
    lambda: len(5),
    lambda: chr(-1),
    lambda: "abc".split(""),
    lambda: next(iter([])),
    lambda: set().pop(),
    lambda: {}.popitem(),
    lambda: bytes([256]),
    lambda: "é".encode("ascii"),
    lambda: b"\xff".decode(),
    lambda: range(1, 2, 0),
    lambda: int(float("nan")),
    lambda: round("x"),
    lambda: sum(["a"]),
    lambda: list(zip([1], [1, 2], strict=True)),
    lambda: pow(2, -1, 4),
    lambda: [1, 2].remove(3),
    lambda: (1).foo,
    lambda: "x".nope(),
    lambda: None.get("a"),
    lambda: [][0],
    lambda: (1, 2)[5],
    lambda: "abc"[9],
    lambda: 1 / 0,
    lambda: 1 // 0,
    lambda: 1 % 0,
    lambda: 2.0 ** 10000,
    lambda: format("x", "d"),
    lambda: "a".center("b"),
    lambda: dict([1]),
    lambda: dict(["abc"]),
    lambda: abs("x"),
]:
    try:
        print("no error", bad())
    except Exception as e:
        print(type(e).__name__, e)
