def f(n, stop):
    r = 1
    s = 0
    for i in range(1, n):
        s += i
        r *= i * i - 7
        if i == stop:
            break
    return r, s
def g(n):
    r = 3
    for i in range(n):
        r *= i - 5
    return r
def h(n):
    r = 2 ** 70
    for i in range(n):
        r *= -1
        if i == 2:
            return i
    return r
result = [f(60, 100), f(60, 30), f(1, 1), g(4), g(9), g(0), h(2), h(0), h(5)]
