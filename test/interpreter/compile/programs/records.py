# Reads of dicts that may be records: keys that JavaScript's objects have of their own, and keys in dicts of other forms.
import json


def failure(act):
    try:
        return act()
    except (AttributeError, KeyError, TypeError) as e:
        return type(e).__name__


def read(d):
    return [d.get("a"), d.get("a", 1), d.get("name", 2), d.get("toString", 3), "a" in d, "name" in d, "valueOf" not in d]


def read_by(d, keys):
    return [(d.get(k, "none"), k in d) for k in keys]


NAMES = ["a", "name", "constructor", "__proto__", "toString", "hasOwnProperty", "1", 1, None, (1, 2)]
parsed = json.loads('{"__proto__": null, "constructor": {"a": 1}, "toString": null, "1": 2, "name": "x"}')
shrunk = {"a": 1, "name": 2}
del shrunk["name"]
grown = {"a": 1}
grown[1] = 2
dicts = [{}, {"a": None}, {"name": 5}, {"toString": 1, "a": 2}, {"constructor": 3}, {1: 1, "a": 4}, parsed, shrunk, grown]


def add_all(items):
    total = 0
    for x in items:
        total += x
    return total


def extremes(a, b):
    return [max(a, b), min(a, b), max(b, a), min(b, a)]


def ordered():
    i = 5
    seen = []

    def noted(x):
        seen.append(x)
        return x

    return [max(i, (i := 7)), min(noted(3), noted(1)), max(noted(2), i), seen]


def replaced(d):
    return [d.get("a", (d := {"a": 2})), d.get("b", (d := {"b": 3})), d]


def has_original(c):
    return "original" in c


def has_name(x):
    return ["name" in x, "length" in x]


def walked(d, grows):
    out = []
    other = {}
    try:
        for k, v in d.items():
            out.append(v)
            other[k] = v
            if grows and v == 3:
                d["new"] = 0
    except RuntimeError as e:
        out.append(str(e))
    return [out, len(other), d["k2"], d.get("k3"), "k4" in d, list(d)[:3], len(d), other == d, json.dumps(d)[:30]]


def large(n):
    return json.loads("{" + ", ".join('"k%d": %d' % (i, i) for i in range(n)) + "}")


result = [
    [walked(large(n), grows) for n in [5, 32, 33, 40] for grows in [False, True]],
    [failure(lambda: has_name(failure)), failure(lambda: has_name(len)), failure(lambda: failure.get("name", 1))],
    [read(d) for d in dicts],
    [read_by(d, NAMES) for d in dicts],
    ["a" in x for x in ["abc", "b", ["a"], ("a",), {"a"}]],
    [failure(lambda: None.get("a")), failure(lambda: (1).get("a", 2)), failure(lambda: "a" in 5), failure(lambda: {}["toString"])],
    [add_all(x) for x in [[1, 2.5, True], [2**53, 1], [0.1] * 3, [1.5, 1.5], [-0.0, -0.0]]],
    extremes(1, 2) + extremes(2, 2.0) + extremes(2.0, 2) + extremes(1, True) + extremes(2**70, 3) + extremes("a", "b"),
    extremes(0, -0.0) + extremes(-0.0, 0) + [failure(lambda: max(1, "a"))],
    ordered(),
    replaced({"a": 1}) + replaced({}),
    [has_original(c) for c in [{True: 1}, {1.0, "x"}, {1.5: 2}, {"original": 1}]] + [{True: 1}.get("original", 0)],
    [s.strip("ab") for s in ["", "a", "ab", "aca", "cc", "abc", "bbb"]],
    [s.strip() + "." + s.lstrip() + "." + s.rstrip() for s in ["", " ", "  a ", "\t\n", "\x1c a\x85", "\u3000x\u2003", "a b"]],
    f"{1234.5678:,.2f} {0.125:.2f} {1e30:,.0f} {-0.0:.1f} {float('inf'):.2f} {12.5:.1%} {1e-7:e} {1e300:g} {1234.5:012.2f} {1e16:}",
]
