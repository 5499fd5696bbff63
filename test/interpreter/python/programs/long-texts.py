# JSON read with marks
import json
def read(text):
    try:
        return json.loads(text)
    except ValueError as e:
        return str(e)
texts = ['1.0', '-0.0', '1e400', '123456789012345678901', '{"1": 2, "a": 3.0, "0": [1.50, 2.0]}',
         '{"\\u0031": 4.0, "b": 1}', '{1.0: 2}', '{12: 2.0}', '"\\ufdd05"', '"\\u009f5"', '["\x9f5", 1.0]', '["\ufdd05", "\x9f5", 1.0]',
         '01.0', '[1.0 2.0]', '{"__proto__": 1, "a": 1.0}', '{"a":1.0,"a":2.0}', '["\\"1.0\\"", 1E2]', '[1.0, NaN]',
         '"x\\\\" 1.0', '', '[1.0,]', '["1.0: 2", "10:30", "[1.0, 2.0]", 1.0]', '{"k 1.0": "1.0", "1": "1"}', '1.0 "unclosed \\" 2.0']
for text in texts:
    print(repr(read(text)))
nested = [{"id": i, "price": i * 0.25, "tags": ["%d.0" % i, "\\"], "10": {"2": None, "1": 10 ** (i % 25)}} for i in range(300)]
print(json.loads(json.dumps(nested)) == nested, [type(r["price"]).__name__ for r in json.loads(json.dumps(nested))][:3])
# --- JSON written with marks
import json
values = [1.0, -0.0, 2.5e-7, 1e300, 10 ** 30, [1.0, "a\nb", None, True], (1, 2.0, ("x",)), {}, [], [[]], [{}], {"a": []},
          {"b": 1, "a": {"d": 2.0, "c": [{"z": 1, "y": "é\x7f"}]}}, {"10": 1, "9": 2, "b": 3}, {"\ud7ff": 1, "\U0001f600": 2, "\uffff": 3},
          "line\nbreak, \u2028 \x01 ,\n x", {"toJSON": 3, "constructor": "x", "b": 1}, {"__proto__": 2, "a": 1}, {1: 2, 3.0: None},
          [{"a": 1, "b": 2}, {"b": 1, "a": 2}, {"c": 3}], "\ufdd0\ufdd1", "\x9f\x9e5", [2.0, "\x9f\x9e5", '"\x9f\x9e'], float("nan"), [float("inf"), 1.0]]
for value in values:
    print(json.dumps(value), json.dumps(value, separators=(",", ":"), ensure_ascii=False))
    print(json.dumps(value, indent=1))
    try:
        print(json.dumps(value, sort_keys=True), json.dumps(value, indent="\t", sort_keys=True))
    except TypeError as e:
        print(e)
few = [{"b": i, "a": {"d": i / 2, "c": None}, "10": i, "9": str(i)} for i in range(3)]
many = {"k%d" % (i * 7 % 300): {"b": i, "%d" % i: 1.0} for i in range(300)}
print(json.dumps(few, sort_keys=True))
print(json.dumps(many, sort_keys=True)[:200], len(json.dumps(many, sort_keys=True)), json.loads(json.dumps(many)) == many)
for bad in [{"a": lambda: 1}, [{1, 2}], {(1, 2): 3}, {"toJSON": print}]:
    try:
        print(json.dumps(bad, sort_keys=True))
    except TypeError as e:
        print(e)
# --- words of long texts
words = ["w%d" % (i * 7919 % 997) for i in range(3000)]
for space in [" ", "\n", "\t \r\n", "\x1c\x85", "\u2003", " \u3000é "]:
    text = space + space.join(words) + space
    print(len(text.split()), text.split() == [w for w in " ".join(words).split(" ") for w in ([w, "é"] if "é" in space else [w])][: len(text.split())], text.split()[-2:], len(text.split(None, 3)))
print((" " * 5000).split(), ("\n" * 5000).split(), ("x" * 5000).split() == ["x" * 5000], len(("\ufeff x \x1f" * 1000).split()))
# --- what is stripped
spaces = ["", " ", "\t\n", "\x1c", "\x1f\x85", "\ufeff", "\u2003", " \x1c \u3000", "\x00", "\x0b\x0c", "\u200b", "\x85 ", " \ufeff"]
for a in spaces:
    for b in spaces:
        for text in [a + "x y" + b, a + b]:
            if [text.strip(), text.lstrip(), text.rstrip()] != [text.strip(None), text.lstrip(None), text.rstrip(None)]:
                print("different", ascii(text))
            print(ascii(text.strip()), ascii(text.lstrip()), ascii(text.rstrip()), end=" ")
print()
rows = ["12345,a1,678", "1,", ",", "", "1111111", "x", "-]^\\1-2", "00012,34", "é12"]
for chars in ["0123456789", "01", "-]^\\", ".*", "", "é1,", "\\d", "^1"]:
    for _ in range(2):
        print([(row.strip(chars), row.lstrip(chars), row.rstrip(chars), ("1" * 9 + row + "1" * 9).strip(chars)) for row in rows])
print(sorted(["b", "\U0001f600", "\uffff", "a"]), sorted([3, 1, 2], key=lambda n: ["\U0001f600", "\uffff", "a"][n - 1]), sorted([("\uffff", 1), ("\U0001f600", 0)], reverse=True))
