# Powers of constants are exact at any size.
import math
def f(x): return x
print(f(10**30), math.isqrt(10**30), 10**30 % 7, int(10**30), range(3)[10**30 - 10**30], 10**30 // 3)
print(-5 // 10**30, -5 // f(10**30), -5 % 10**30, 5 // 10**30, 5 - 10**30, (5 - 10**30) // 10**29)
print(2**53, 2**53 + 1, 3**33, 3**34, 2**62, 2**64, 7**0, 1**1000, 2**-1, (-2)**3, 0**0)
for i in range(3):
    print(10**i, i**10, 10**(i + 20), [k**i for k in (1, 3, 10**10)])
