# An int has one zero, also as a float.
import math
print(round(float((0 * -13)), 1), float(0 * -13), 0 * -13)
n = -4
z = 0
print(float(z * n), float(-0.0), z * n / 1, round(0 * -1.0, 1), float(n * 0), float(0 % -4), float(0 // -4), -0 / 1, float(-z))
print(float(int(-0.0)), float(int("-0")), float(round(-0.4)), float(sum([0, -0])), float(abs(0)), float(z ** 3 * n), float(-1 * z), float(z / -4) )
print(str(z * n), f"{z*n:.1f}", "%.1f" % (z * n), format(z * n, ".2f"), [float(x * n) for x in range(2)])
def f(a, b): return a * b, float(a * b), float(a % 4), float(a % b) if b else None, a % 4 * 1.5
print(f(0, -3), f(-3, 0), f(-4, -2), f(-8, 3))
for i in range(-4, 1):
    print(float(i % 4), float(i * 0), float(i % 2), math.copysign(1, i % 4), i * 0 + 0.0, (i * 0) * 1.5)
print(float(math.ceil(-0.5)), float(math.trunc(-0.3)), float(int(-0.5)), float(math.floor(-0.0)), float(round(-0.3)), float(-7 // 10 + 1), float(divmod(-4, 4)[1]), float(pow(-2, 2, 4)), float(sum(x * -1 for x in [0])), float(-len([])), float(0 * -len("a")))
x = -3
x *= 0
print(float(x), float(min(0, -0)), float(True * -0), float(False * -1), float(-False))
d = {"a": 0}
d["a"] *= -1
print(float(d["a"]), float(max(0 * -1, -1)))
# --- powers of constants, around the largest safe int, and with bounds that are known
print(2 ** 53, 2 ** 53 - 1, 3 ** 33, 3 ** 34, 2 ** 70, 10 ** 9, 1 ** 1000, 7 ** 0, (2 ** 70) % 1000, 10 ** 400 > 5, -2 ** 2, 2 ** -1)
print([n ** 2 for n in range(1, 4)], [10 ** n for n in range(0, 20, 6)], [n ** n for n in range(1, 16, 7)], 2 ** 0.5)
print(sum(2 ** i for i in range(60)), [i ** 40 for i in range(1, 4)], 2 ** 31 - 1, 2 ** 62 // 3, float(2 ** 53), type(2 ** 70) == int)
# --- spaces after separators, and what only looks like that layout
import json
print(json.dumps({"a": [1, [], {}, {"b": [[2], {"c": ",\n\u0001 x"}]}], "k,\n": ": ,"}), json.dumps([[[[]]]]), json.dumps("\n\u0001"))
