import math
from statistics import StatisticsError, correlation, fmean, linear_regression, quantiles, stdev

COLUMNS = ["cpu", "mem", "latency_ms", "rps", "errors"]


class Matrix:
    def __init__(self, rows):
        self.rows = [list(r) for r in rows]
        self.shape = (len(self.rows), len(self.rows[0]) if self.rows else 0)

    @classmethod
    def identity(cls, n):
        return cls([[float(i == j) for j in range(n)] for i in range(n)])

    @property
    def T(self):
        return Matrix(zip(*self.rows))

    def __matmul__(self, other):
        return Matrix([[sum(a * b for a, b in zip(row, col)) for col in zip(*other.rows)] for row in self.rows])

    def __getitem__(self, ij):
        i, j = ij
        return self.rows[i][j]

    def solve(self, b):
        """Gaussian elimination with partial pivoting."""
        n = self.shape[0]
        a = [row[:] + [b.rows[i][0]] for i, row in enumerate(self.rows)]
        for col in range(n):
            pivot = max(range(col, n), key=lambda r: abs(a[r][col]))
            if math.isclose(a[pivot][col], 0, abs_tol=1e-12):
                raise ZeroDivisionError("singular matrix")
            a[col], a[pivot] = a[pivot], a[col]
            for r in range(col + 1, n):
                factor = a[r][col] / a[col][col]
                for c in range(col, n + 1):
                    a[r][c] -= factor * a[col][c]
        x = [0.0] * n
        for r in reversed(range(n)):
            x[r] = (a[r][n] - sum(a[r][c] * x[c] for c in range(r + 1, n))) / a[r][r]
        return Matrix([[v] for v in x])


def load(host):
    sql = f"SELECT ts, {', '.join(COLUMNS)} FROM host_metrics WHERE host = '{host}' ORDER BY ts"
    rows = postgres_reference.query(sql=sql)
    return [r for r in rows if None not in r.values()]


rows = load("web-1")
series = {c: [float(r[c]) for r in rows] for c in COLUMNS}

print(" " * 12 + "".join(f"{c:>12}" for c in COLUMNS))
corr = {}
for a in COLUMNS:
    cells = []
    for b in COLUMNS:
        corr[a, b] = correlation(series[a], series[b])
        cells.append(f"{corr[a, b]:>12.3f}")
    print(f"{a:<12}" + "".join(cells))

strongest = max(((a, b) for a in COLUMNS for b in COLUMNS if a < b), key=lambda p: abs(corr[p]))
slope, intercept = linear_regression(series["cpu"], series["latency_ms"])
print(f"\nlatency ≈ {slope:.3f}·cpu + {intercept:.1f}")

# the same with two regressors, via the normal equations
X = Matrix([[1.0, c, r] for c, r in zip(series["cpu"], series["rps"])])
y = Matrix([[v] for v in series["latency_ms"]])
beta = (X.T @ X).solve(X.T @ y)
b0, b1, b2 = (beta[i, 0] for i in range(3))
predicted = [b0 + b1 * c + b2 * r for c, r in zip(series["cpu"], series["rps"])]
mean_y = fmean(series["latency_ms"])
ss_res = math.fsum((p - v) ** 2 for p, v in zip(predicted, series["latency_ms"]))
ss_tot = math.fsum((v - mean_y) ** 2 for v in series["latency_ms"])
r2 = 1 - ss_res / ss_tot
print(f"latency ≈ {b0:.1f} {b1:+.3f}·cpu {b2:+.3f}·rps   R²={r2:.3f}")

outliers = [
    (r["ts"], round(p - v, 1))
    for r, p, v in zip(rows, predicted, series["latency_ms"])
    if abs(p - v) > 1.7 * math.sqrt(ss_res / len(rows))
]
print("outliers:", *outliers, sep="\n  ")
q1, q2, q3 = quantiles(series["latency_ms"], n=4)
print(f"quartiles {q1:.1f} / {q2:.1f} / {q3:.1f}, sd {stdev(series['latency_ms']):.2f}")

try:
    fmean([r["cpu"] for r in load("web-2")])
except StatisticsError as e:
    web2 = f"no data: {e}"
else:
    web2 = "ok"
print("web-2:", web2)

result = {
    "n": len(rows),
    "strongest": strongest,
    "slope": round(slope, 6),
    "beta": [round(b, 6) for b in (b0, b1, b2)],
    "r2": round(r2, 6),
    "outliers": outliers,
    "web2": web2,
    "identity_ok": (Matrix.identity(3) @ beta).rows == beta.rows,
}
