x = 1


class K:
    def __init__(self, v):
        self.v = v

    def go(self, w):
        return w


print(K((x := 2**62)).go(x * x))
# ---
x = 1
print(str((x := 2**53)).replace("9", str(x + 1)))
print({"a": (x := 2**53)}.get("b", x + 1))
print((lambda v: (lambda w: w))((x := 2**53))(x * x))
# ---
x = 1


class K:
    def __init__(self, v):
        self.v = v

    def go(self, *w):
        return w


print(K((x := [0])).go(len(x)))
print(K((x := "t")).go(x + "u", x * 2))
print([x := 3.0, 4][0].is_integer(), "a".join([x := "b", x]), len((x := [1, 2])), max(x, key=lambda v: (x := v)))
# ---
x = 5
print(min(x, (x := 2**60) * x, x + 1), abs((x := -7)), x, sorted([(x := 4), x * 2], key=lambda v: -v))
