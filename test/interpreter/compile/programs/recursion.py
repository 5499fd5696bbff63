def ack(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ack(m - 1, 1)
    return ack(m - 1, ack(m, n - 1))
def fact(n):
    return 1 if n < 2 else n * fact(n - 1)
def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)
def half(x, d):
    if d < 1:
        return x
    return half(x / 2, d - 1)
def down(n):
    if n > 0:
        return down(n - 1.5)
    return n
def cnt(n):
    if n < 0: return "neg"
    if n == 0: return None
    return cnt(n - 2)
def tot(n):
    if n <= 0: return 0.5
    return tot(n - 1) + 1
def big(n, k):
    if k < 1: return n
    return big(n * 3, k - 1)
def w(n):
    i = 0
    while i < n:
        i = i * 2 + 1
    if not (i < 100 or i > 200): return -i
    return i
def coll(n, s):
    if n == 1: return s
    return coll(n // 2 if n % 2 == 0 else 3 * n + 1, s + 1)
def strrec(s, n):
    if n < 1: return s
    return strrec(s + "x", n - 1)
result = [ack(2, 3), fact(30), fact(5), gcd(1071, 462), gcd(2**80, 6**30), half(1, 3), half(7, 0), down(5), down(2), cnt(7), cnt(8), tot(4), big(1, 60), big(0.5, 3), big("a", 3), w(5), w(150), w(1000), coll(27, 0), strrec("a", 3), fact(2.0), fact(True), big(2147483647, 1), big(-2147483648, 2)]
