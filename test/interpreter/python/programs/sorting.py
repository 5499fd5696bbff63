# stable in both directions, by keys of many kinds
seed = 7
def rnd(n):
    global seed
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed // 65536 % n

def pick(kind, spread):
    n = rnd(spread)
    if kind == "int":
        return n - spread // 2
    if kind == "big":
        return (n - 3) * 10**12
    if kind == "float":
        return n / 4
    if kind == "str":
        return "s%d" % n
    return n if n % 2 else n / 2

checks = []
for spread in (1, 3, 40, 1000):
    for kinds in (("int", "str"), ("str", "float", "int"), ("float", "int"), ("mixed", "big", "str"), ("big", "mixed"), ("str",)):
        for n in (2, 7, 60, 500):
            rows = [(i, tuple(pick(kind, spread) for kind in kinds)) for i in range(n)]
            for reverse in (False, True):
                done = sorted(rows, key=lambda row: row[1], reverse=reverse)
                pairs = list(zip(done, done[1:]))
                ordered = all((a[1] >= b[1]) if reverse else (a[1] <= b[1]) for a, b in pairs)
                stable = all(a[0] < b[0] for a, b in pairs if a[1] == b[1])
                same = sorted(i for i, _ in done) == list(range(n))
                if not (ordered and stable and same):
                    print("wrong", spread, kinds, n, reverse)
                checks.append(sum(position * row[0] for position, row in enumerate(done)))
print(len(checks), sum(checks))
print(sorted([(2, None), (1, None), (3, "x")]))
try:
    sorted([(1, None), (1, "x")])
except TypeError as e:
    print(e)
