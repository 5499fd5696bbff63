def f1():
    xs = [1, 2]
    ys = xs
    ys.append("a")
    out = []
    for x in xs:
        out.append(str(x) + "!")
    return out
def f2():
    xs = []
    for i in range(5):
        if i == 3:
            xs.append("s")
        xs.append(i)
    return [repr(x) for x in xs], len(xs)
def f3():
    d = {}
    for i in range(3):
        d[i] = [i]
    d[0].append("q")
    t = d[0]
    t.append(None)
    return d, [len(d[k]) for k in d], d[0][1]
def g(xs):
    xs.append(2.0)
def f4():
    xs = [1]
    g(xs)
    return xs[1] / 2, xs[0] + 1
def f5():
    xs = [1, 2, 3]
    total = 0
    try:
        xs.append("boom")
        xs.append(1 // 0)
    except ZeroDivisionError:
        pass
    return [x if type(x) == str else x + 1 for x in xs]
def f6():
    rows = [[1], [2]]
    a = rows[0]
    a.append("z")
    return [r[-1] for r in rows]
def f7():
    y = 0
    z = [(y := y + 0.5) for i in range(4)]
    return z, y
def f8():
    pairs = [(i, str(i)) for i in range(4)]
    s = 0
    t = ""
    for a, b in pairs:
        s += a
        t += b
    k = pairs[2]
    return s, t, k[0], k[1], k[-1], pairs[-1][-2]
def f9():
    xs = [0] * 3
    for i in range(3):
        xs[i] = "v%d" % i
    xs[-1] = None
    return xs
def f10():
    d = {"a": 1}
    d["b"] = "x"
    d[3] = 2.5
    out = []
    for k, v in d.items():
        out.append((k, v))
    return out, d.get("zz"), d.get("a", "n"), d.setdefault("w", []), len(d)
def f11():
    xs = []
    n = 0
    while len(xs) < 6:
        xs.append(n)
        n = n + 1 if n < 3 else n * 1.5
    return xs, sum(xs)
def f12():
    xs = [1]
    zs = [xs, 2]
    zs[0].append("k")
    return xs, zs
def f13():
    xs = [3, 1, 2]
    m = max(xs, [9])
    m.append("t")
    return sorted([1, 2]), m
def f14():
    xs = [1, 2]
    def h():
        xs.append("inner")
    h()
    return [x for x in xs], xs[2]
def f15():
    out = []
    for i in range(3):
        xs = [i]
        xs.append(str(i))
        out.append(xs)
    out[0][0] = "changed"
    return out
def f16():
    seed = 12345
    acc = []
    for i in range(10):
        seed = seed * 16807 % 2147483647
        acc.append(seed)
    return acc
def f17():
    a = 1
    for i in range(10):
        for j in range(3):
            a = a * 7 - j
        if a > 1000:
            a = a // 3
    return a
def f18():
    x = 5
    for i in range(4):
        x = x % 7 + i if i % 2 == 0 else x * 1.5
    return x
def f19():
    d = {True: 1}
    d[1] = "one"
    d[2.0] = 3
    return d, list(d.keys()), [k for k in d]
def f20():
    xs = [1, 2, 3]
    for x in xs:
        if len(xs) < 6:
            xs.append("g")
    return xs
def f21():
    line = "a,b,,c"
    parts = line.split(",")
    parts.append(4)
    return [str(p) for p in parts], "-".join(["x", "y"]), "b" in line, line.find("c"), line.startswith("a"), line.replace(",", "-")
def f22():
    a, b = [1, 2], "x"
    c = b if a else a
    for q in range(2):
        a, b = b, a
    return a, b, c
def f23():
    xs = [1, 2, 3, 4]
    i = xs.index(3)
    n = xs.pop()
    xs.insert(0, "first")
    return xs, i, n, xs[0], [type(x).__name__ for x in xs]
def f24():
    xs = ["1", "2"]
    xs.extend([3, 4])
    xs += (5,)
    return [repr(x) for x in xs]
def f25():
    t = 0
    for i, x in enumerate([5, "a", None]):
        t += i
        if x is None: return t, x
def f26():
    d = {i: i * i for i in range(5)}
    e = {v: k for k, v in d.items()}
    d.update({9: "n"})
    return e, sum([v for v in e.values()]), d[9], -3 // 2, 7 / 2.0, 8 / 4.0
def f27():
    xs = [1]
    ys = sum([], xs) if False else xs + [2]
    ys.append("q")
    w = xs or [3]
    w.append("alias")
    return xs, ys
def f28():
    xs = [1, 2]
    it = iter(xs)
    xs.append("late")
    return [repr(v) for v in it]
def f29():
    s = 0
    m = {}
    for i in range(300):
        k = "k%d" % (i % 7)
        m[k] = m.get(k, 0) + i
        s += m[k] - i // 3
    return s, m
def f30():
    big = []
    n = 1
    for i in range(70):
        big.append(n)
        n = n * 3
    return big[-1], big[40] + 1, str(big[60]), "%d" % big[69]
result = [f1(), f2(), f3(), f4(), f5(), f6(), f7(), f8(), f9(), f10(), f11(), f12(), f13(), f14(), f15(), f16(), f17(), f18(), f19(), f20(), f21(), f22(), f23(), f24(), f25(), f26(), f27(), f28(), f29(), f30()]
