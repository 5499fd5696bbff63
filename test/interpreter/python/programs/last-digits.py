# compound interest to the last digit
balance = 1000.0
for year in range(1, 17):
    balance = 1000.0 * (1 + 0.0475) ** year
    print(year, balance, balance ** 0.5, 1.07 ** -year, (year * 1.7) ** (year / 13))
rate, n, principal = 0.065 / 12, 360, 250000
print(principal * rate * (1 + rate) ** n / ((1 + rate) ** n - 1))
print(pow(2.5, 3.5), 10 ** -3, 0.1 ** 3, (-8.0) ** 3, 1e-200 ** 1.5, 1.0000001 ** 1e7, 2.0 ** -1074, 5 ** 0.5)

# --- logarithms and circles to the last digit
import math
for i in [n for n in range(1, 37) if n not in (27, 33, 37)]:
    x = i * 0.37
    print(math.log(x), math.log10(x * 1000), math.sin(x), math.cos(x), math.tan(x), math.atan(x), math.asin(i / 40), math.acos(i / 41))
    print(math.sin(math.radians(i * 9)), math.atan2(x, 3.3), math.atan2(-x, -1.1), math.log(i, 3), math.pow(x, 1.3))

def haversine(lat1, lon1, lat2, lon2):
    p1, p2 = math.radians(lat1), math.radians(lat2)
    a = math.sin((p2 - p1) / 2) ** 2 + math.cos(p1) * math.cos(p2) * math.sin(math.radians(lon2 - lon1) / 2) ** 2
    return 2 * 6371 * math.asin(math.sqrt(a))

print(haversine(52.52, 13.405, 48.8566, 2.3522), haversine(40.7128, -74.006, 51.5074, -0.1278))
print(math.sin(math.pi), math.cos(math.pi / 2), math.tan(math.pi / 4), math.sin(1e15), math.asin(1), math.acos(-1), math.atan2(0.0, -1.0))
print(-sum(p * math.log2(p) for p in (0.1, 0.2, 0.3, 0.4)), [math.log10(10 ** k) for k in range(12)])
