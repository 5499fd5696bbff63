# Operands that a later operand assigns (by `:=`, or in a function), and operands that none can assign.
count = 1


def bump():
    global count
    count += 10
    return count


def named():
    n = 5
    return [n + (n := 2), n * [n := 3][0], n - len([n := x for x in [7, 8]]), max(n, (n := 6)), n]


def enclosing():
    v = 3

    def inner():
        nonlocal v
        v += 4
        return v

    return [v + inner(), v - inner(), max(v, inner()), v]


def same(x):
    return x


def unchanged(s):
    total = 0
    big = 2**60
    for i in range(len(s)):
        total = total + int(s[i]) * same(i)
        total = total - same(total) // 2
        big = big * same(i - 9) + same(i)
    return [total, big, big * 0, big * -3]


def receiver(d):
    return [d.get("a", (d := {"b": 9})["b"]), d.get("b", 4), d.get("a", same(5))]


result = [count + bump(), count * bump(), max(count, bump()), named(), enclosing(), unchanged("90817263"), receiver({"a": 1})]
