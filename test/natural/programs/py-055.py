"""Evaluate an A/B/C test: z-tests with Holm correction, Wilson intervals, Simpson check."""
from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import NormalDist, mean, stdev

SQL = "SELECT segment, variant, week, visitors, conversions, revenue FROM ab_results WHERE experiment = 'checkout-42'"
STD = NormalDist()


@dataclass
class Cell:
    n: int = 0
    k: int = 0
    revenue: float = 0.0

    def __iadd__(self, row: dict) -> Cell:
        self.n += row["visitors"]
        self.k += row["conversions"]
        self.revenue += float(row["revenue"])
        return self

    def __or__(self, other: Cell) -> Cell:
        return Cell(self.n + other.n, self.k + other.k, self.revenue + other.revenue)

    def __bool__(self) -> bool:
        return self.n > 0

    @property
    def rate(self) -> float:
        return self.k / self.n

    def wilson(self, conf: float) -> tuple[float, float]:
        z = STD.inv_cdf(0.5 + conf / 2)
        centre = self.k + z * z / 2
        spread = z * math.sqrt(self.k * (self.n - self.k) / self.n + z * z / 4)
        return (centre - spread) / (self.n + z * z), (centre + spread) / (self.n + z * z)


def z_test(a: Cell, b: Cell) -> tuple[float, float]:
    pooled = (a | b).rate
    se = math.sqrt(pooled * (1 - pooled) * (1 / a.n + 1 / b.n))
    z = (b.rate - a.rate) / se
    return z, math.erfc(abs(z) / math.sqrt(2))


def holm(pvalues: dict[str, float], alpha: float) -> dict[str, bool]:
    ordered = sorted(pvalues.items(), key=lambda kv: kv[1])
    verdict, alive = {}, True
    for i, (name, p) in enumerate(ordered):
        alive = alive and p <= alpha / (len(ordered) - i)
        verdict[name] = alive
    return verdict


def sample_size(base: float, lift: float, alpha: float, power: float = 0.8) -> int:
    p2 = base * (1 + lift)
    za, zb = STD.inv_cdf(1 - alpha / 2), STD.inv_cdf(power)
    var = base * (1 - base) + p2 * (1 - p2)
    return math.ceil((za + zb) ** 2 * var / (p2 - base) ** 2)


[experiment] = server_memory.open_nodes(names=["checkout-42"])["entities"]
params = dict(o.split("=", 1) for o in experiment["observations"])
alpha, control = float(params["alpha"]), params["control"]

total: defaultdict[str, Cell] = defaultdict(Cell)
segments: defaultdict[tuple[str, str], Cell] = defaultdict(Cell)
weekly: defaultdict[str, list[float]] = defaultdict(list)
dropped = []
for row in postgres_reference.query(sql=SQL):
    if row["segment"] is None or row["conversions"] > row["visitors"] or row["revenue"] is None:
        dropped.append(row)
        continue
    total[row["variant"]] += row
    segments[row["segment"], row["variant"]] += row
    if row["visitors"]:
        weekly[row["variant"]].append(row["conversions"] / row["visitors"])

need = sample_size(total[control].rate, float(params["min_effect"]), alpha)
print(f"{experiment['name']} (owner {params['owner']}): need {need:,} visitors per variant\n")
print("variant  visitors    conv    rate        95 % interval    uplift        p")
pvalues, uplift = {}, {}
for name, cell in sorted(total.items()):
    lo, hi = cell.wilson(1 - alpha)
    line = f"{name:<9}{cell.n:>8,}{cell.k:>8}{cell.rate:>8.2%}   [{lo:.2%}, {hi:.2%}]"
    if name != control:
        z, pvalues[name] = z_test(total[control], cell)
        uplift[name] = cell.rate / total[control].rate - 1
        line += f"{uplift[name]:>+10.1%}{pvalues[name]:>10.2g}"
    print(line)

significant = holm(pvalues, alpha)
paradox, empty = [], []
for seg in sorted({s for s, _ in segments}):
    cells = {v: segments[seg, v] for v in total}
    for v, cell in cells.items():
        if not cell:
            empty.append(f"{seg}/{v}")
        elif v != control and (cell.rate > cells[control].rate) != (uplift[v] > 0):
            paradox.append(f"{seg}/{v}")
print(f"\nsignificant: {significant}\nopposite direction in: {paradox or 'no segment'}; empty: {empty}; dropped rows: {len(dropped)}")
noise = {v: round(stdev(w) / mean(w), 4) for v, w in sorted(weekly.items())}
winner = max((v for v, yes in significant.items() if yes), key=lambda v: uplift[v], default=control)
enough = all(c.n >= need for c in total.values())
server_memory.add_observations(observations=[{"entityName": experiment["name"], "contents": [f"winner={winner}", f"enough_data={enough}"]}])
result = {"winner": winner, "enough": enough, "need": need, "uplift": {k: round(v, 5) for k, v in uplift.items()}, "paradox": paradox, "noise": noise,
          "revenue_per_visitor": {v: round(c.revenue / c.n, 3) for v, c in sorted(total.items())}, "p": {k: f"{p:.3e}" for k, p in pvalues.items()}}
