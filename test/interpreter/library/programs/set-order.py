seed = [7]
def rnd(n):
    seed[0] = (seed[0] * 6364136223846793005 + 1442695040888963407) % 2**64
    return (seed[0] >> 11) * (n + 1) >> 53
for n in list(range(2, 40)) + [100, 500, 2000]:
    for hi in (10, 100, 10**6, 10**20):
        xs = [rnd(hi) - (rnd(hi) if n < 100 and i % 2 else 0) for i in range(n)]
        s = set(xs)
        print(n, hi, list(s)[:12], sum(i * (x % 1000) for i, x in enumerate(s)))
print({3, 1, 2}, {5, 9, 1, 3}, {(1, 2), (0, 5), (3, 4)}, {1.5, 2.0, 0.5}, {-1, -2, 0}, {x * x for x in range(-5, 5)}, frozenset([9, 8, 7]), {True, 5, 0})
print(list({10, 20, 30} | {5}), {1, 2, 3} & {3, 2}, {100, 3, 50} - {3}, list(set([5, 3, 9, 1])))
s = {9, 17, 1}; print(s.pop(), s)
