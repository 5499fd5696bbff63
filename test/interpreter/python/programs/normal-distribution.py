from statistics import NormalDist, StatisticsError, fmean, stdev

# Marks of a class as a normal distribution: questions to it, arithmetic, and what it refuses.
marks = NormalDist(mu=1060, sigma=195)
share = marks.cdf(1200 + 0.5) - marks.cdf(1100 - 0.5)
print(marks, marks.mean, marks.median, marks.mode, marks.stdev, marks.variance)
print(round(share, 3), [round(q) for q in marks.quantiles()], [round(q) for q in marks.quantiles(n=10)])
for p in (1e-9, 0.01, 0.25, 0.5, 0.8, 0.975, 0.999999):
    print(f"{p:<10} {marks.inv_cdf(p):>10.4f} {NormalDist().inv_cdf(p):+.6f}")
print(round(marks.pdf(1000), 8), marks.zscore(1255), round(NormalDist().cdf(1.96), 4))
celsius = NormalDist(5, 2.5)
print(celsius * (9 / 5) + 32, 3 * celsius, celsius / 2, celsius - 1, 10 - celsius, -celsius, +celsius)
print(NormalDist(1, 3) + NormalDist(2, 4), NormalDist(1, 3) - NormalDist(2, 4))
print(NormalDist(1, 2) == NormalDist(1.0, 2), NormalDist() != NormalDist(0, 2), {NormalDist(): "unit"}[NormalDist(0, 1)])
print(round(NormalDist(2.4, 1.6).overlap(NormalDist(3.2, 2.0)), 4), round(NormalDist(0, 1).overlap(NormalDist(1, 1)), 4))
heights = [180.0, 172.5, 165, 191, 178.5]
fitted = NormalDist.from_samples(heights)
print(fitted, fitted.mean == fmean(heights), fitted.stdev == stdev(heights), isinstance(fitted, NormalDist))
for attempt in (
    lambda: NormalDist(0, -1),
    lambda: marks.inv_cdf(0),
    lambda: NormalDist(1, 0).cdf(1),
    lambda: NormalDist(1, 0).zscore(1),
    lambda: NormalDist.from_samples([1]),
):
    try:
        print(attempt())
    except StatisticsError as e:
        print("StatisticsError:", e)
print([round(x, 9) for x in NormalDist(170, 9.5).samples(4, seed=7)])
