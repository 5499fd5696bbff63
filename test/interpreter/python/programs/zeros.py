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
