# Data to text and back, in every style.
import json

data = {"a": [1, 2.0, -0.0, 1e100, 12345678901234567890, True, None], "é": "\u20ac\n\"\\/", "n": {"x": {}, "y": []}, "t": (1, (2,))}
print(json.dumps(data))
print(json.dumps(data, ensure_ascii=False, indent=2))
print(json.dumps(data, separators=(",", ":"), sort_keys=True))
print(json.dumps({1: "a", 2.5: "b", None: "c", True: "d"}), json.dumps([float("inf"), float("nan")]), json.dumps("\x7f\u2028😀"))
print(json.dumps([{1, 2}], default=sorted), json.dumps({(1, 2): 3}, skipkeys=True), json.dumps([], indent=2), json.dumps({"b": [1]}, indent="\t"))
print(json.loads('{"b": 1, "2": [1.0, 1, -0.0, 1e3, 12345678901234567890123, 0.1], "1": null, "a": "\\u00e9\\ud83d\\ude00\\n"}'))
print(json.loads(" [1 , 2.50, \"x\"] "), json.loads("NaN"), json.loads("-Infinity"), json.loads(b'{"k": [true, false]}'), json.loads("12345678901234567890"))
print(json.loads('{"a": 1, "a": 2}'), json.loads('{"__proto__": 1, "constructor": 2, "10": 3, "9": 4}'), json.loads('[1.0, 10.5, 100, 1E2, 3.00]'))
print(json.loads('{"a": {"b": 1.5}}', parse_float=str, object_hook=lambda d: sorted(d.items())), json.loads("[1]", parse_int=float), json.loads('{"x": 1}', object_pairs_hook=list))
for text in ["", "[1,", "{1: 2}", '{"a" 1}', '"abc', '"\\x"', "[1] x", "tru", '"a\nb"', '{"a": 1,}', "[1 2]", "01", "1.", "-", '{"a": }', '"\\u12"', "'a'"]:
    try:
        print(json.loads(text))
    except json.JSONDecodeError as e:
        print(e, e.pos, e.lineno, e.colno, e.msg)
for bad in [lambda: json.dumps({1, 2}), lambda: json.dumps({(1,): 2}), lambda: json.dumps(float("nan"), allow_nan=False), lambda: json.dumps(lambda: 1), lambda: json.loads(5)]:
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
loop = []
loop.append(loop)
try:
    json.dumps(loop)
except ValueError as e:
    print(e)
