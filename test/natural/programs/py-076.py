from __future__ import annotations

import math
from datetime import date, timedelta
from fractions import Fraction
from typing import Iterable, Sequence


class Matrix:
    """Exact matrices, good enough for small least-squares problems."""

    def __init__(self, rows: Iterable[Iterable]):
        self.rows = tuple(tuple(Fraction(x) for x in r) for r in rows)
        if len({len(r) for r in self.rows}) != 1:
            raise ValueError("ragged matrix")

    @classmethod
    def identity(cls, n: int) -> Matrix:
        return cls([[int(i == j) for j in range(n)] for i in range(n)])

    @property
    def shape(self):
        return len(self.rows), len(self.rows[0])

    @property
    def T(self) -> Matrix:
        return Matrix(zip(*self.rows))

    def __matmul__(self, other: Matrix) -> Matrix:
        if self.shape[1] != other.shape[0]:
            return NotImplemented
        cols = list(zip(*other.rows))
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in cols] for r in self.rows])

    def __add__(self, other):
        return Matrix([[a + b for a, b in zip(r, s)] for r, s in zip(self.rows, other.rows)])

    def __rmul__(self, k):
        return Matrix([[k * a for a in r] for r in self.rows])

    def __getitem__(self, ij):
        return self.rows[ij[0]][ij[1]]

    def __eq__(self, other):
        return isinstance(other, Matrix) and self.rows == other.rows

    __hash__ = None

    def inverse(self) -> Matrix:
        n = len(self.rows)
        work = [list(r) + list(i) for r, i in zip(self.rows, Matrix.identity(n).rows)]
        for col in range(n):
            pivot = next((r for r in range(col, n) if work[r][col]), None)
            if pivot is None:
                raise ZeroDivisionError("singular matrix")
            work[col], work[pivot] = work[pivot], work[col]
            p = work[col][col]
            work[col] = [x / p for x in work[col]]
            for r in range(n):
                if r != col and (k := work[r][col]):
                    work[r] = [a - k * b for a, b in zip(work[r], work[col])]
        return Matrix(r[n:] for r in work)

    def __repr__(self):
        return "Matrix(" + "; ".join(" ".join(f"{float(x):.4g}" for x in r) for r in self.rows) + ")"


def least_squares(features: Sequence[Sequence], y: Sequence) -> list[Fraction]:
    X, Y = Matrix(features), Matrix([[v] for v in y])
    beta = (X.T @ X).inverse() @ X.T @ Y
    return [beta[i, 0] for i in range(beta.shape[0])]


def r_squared(y, fitted):
    mean = sum(y) / len(y)
    return 1 - sum((a - b) ** 2 for a, b in zip(y, fitted)) / sum((a - mean) ** 2 for a in y)


rows = postgres_reference.query(sql="SELECT day, volume, used_gb FROM disk_usage ORDER BY volume, day")
limits = {r["volume"]: r["capacity_gb"] for r in sqlite_npx.read_query(query="SELECT volume, capacity_gb FROM volumes")}

series: dict[str, list] = {}
for r in rows:
    if r["used_gb"] is not None:
        series.setdefault(r["volume"], []).append((date.fromisoformat(r["day"]), r["used_gb"]))

START = date(2024, 9, 1)
forecast = {}
for volume, points in sorted(series.items()):
    xs = [(d - START).days for d, _ in points]
    ys = [Fraction(str(v)) for _, v in points]
    models = {
        "linear": lambda x: [1, x],
        "quadratic": lambda x: [1, x, x * x],
        "weekly": lambda x: [1, x, int((START + timedelta(days=x)).weekday() >= 5)],
    }
    best = None
    for name, feats in models.items():
        try:
            beta = least_squares([feats(x) for x in xs], ys)
        except ZeroDivisionError as e:
            print(f"{volume}: {name} model skipped ({e})")
            continue
        fitted = [sum(b * f for b, f in zip(beta, feats(x))) for x in xs]
        k, n = len(beta), len(xs)
        if n - k - 1 <= 0:
            continue
        r2 = float(r_squared(ys, fitted))
        adj = 1 - (1 - r2) * (n - 1) / (n - k - 1)
        if best is None or adj > best[1]:
            best = (name, adj, beta, feats)
    if best is None:
        print(f"{volume}: not enough data ({len(points)} points)")
        continue
    name, adj, beta, feats = best
    capacity = limits.get(volume)
    full = None
    if capacity is not None:
        for x in range(xs[-1], xs[-1] + 400):
            if sum(b * f for b, f in zip(beta, feats(x))) >= capacity:
                full = START + timedelta(days=x)
                break
    growth = sum(b * (f1 - f0) for b, f0, f1 in zip(beta, feats(xs[-1]), feats(xs[-1] + 7)))
    forecast[volume] = {"model": name, "adj_r2": round(adj, 4), "weekly_gb": round(float(growth), 2), "full": full}
    print(f"{volume:<10} {name:<10} adj R² {adj:.3f}  {float(growth):+7.2f} GB/week  full: {full or ('never' if capacity else 'no capacity known')}")

P = Matrix([["0.9", "0.08", "0.02"], ["0.3", "0.6", "0.1"], ["0", "0.5", "0.5"]])
state = Matrix([[1, 0, 0]])
for _ in range(12):
    state = state @ P
print("share of ok/degraded/down after 12 steps:", state)
assert P @ P.inverse() == Matrix.identity(3)

soonest = min((f["full"], v) for v, f in forecast.items() if f["full"])
sqlite_npx.write_query(query=f"UPDATE volumes SET warn_on = '{soonest[0] - timedelta(days=30)}' WHERE volume = '{soonest[1]}'")
result = {"forecast": forecast, "soonest": soonest, "steady": [float(round(x, 6)) for x in state.rows[0]], "log10": round(math.log10(float(state[0, 2])), 3)}
