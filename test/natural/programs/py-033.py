"""Simulate thirty days of stock movements with a seeded generator and suggest reorder points."""
import math
import random
from collections import deque
from dataclasses import asdict, dataclass, field, replace

DAYS = 30


@dataclass(frozen=True)
class Policy:
    reorder_point: int
    quantity: int
    lead: int


@dataclass
class Item:
    sku: str
    name: str
    stock: int
    policy: Policy
    mean: float
    incoming: deque = field(default_factory=deque, repr=False)
    lost: int = 0
    sold: int = 0
    orders: int = 0
    trace: list = field(default_factory=list, repr=False)

    def step(self, day, demand):
        while self.incoming and self.incoming[0][0] <= day:
            _, qty = self.incoming.popleft()
            self.stock += qty
        served = min(self.stock, demand)
        self.stock -= served
        self.sold += served
        self.lost += demand - served
        on_order = sum(q for _, q in self.incoming)
        if self.stock + on_order <= self.policy.reorder_point:
            self.incoming.append((day + self.policy.lead, self.policy.quantity))
            self.orders += 1
        self.trace.append(self.stock)

    @property
    def service_level(self):
        wanted = self.sold + self.lost
        return self.sold / wanted if wanted else 1.0


def poisson(rng, lam):
    """Knuth's method."""
    if lam <= 0:
        return 0
    limit, k, p = math.exp(-lam), 0, 1.0
    while True:
        p *= rng.random()
        if p <= limit:
            return k
        k += 1


def simulate(item, factors, seed):
    rng = random.Random(seed)
    for day in range(DAYS):
        item.step(day, poisson(rng, item.mean * factors[day % 7]))
    return item


def build(doc, **overrides):
    policy = Policy(doc["reorderPoint"], doc["reorderQty"], doc["leadDays"] if doc["leadDays"] is not None else 3)
    return Item(doc["sku"], doc["name"], doc["stock"], replace(policy, **overrides), doc["dailyMean"])


def sparkline(values):
    ticks = "▁▂▃▄▅▆▇█"
    hi = max(values) or 1
    return "".join(ticks[min(7, v * 8 // (hi + 1))] for v in values)


where = dict(connectionId="wh", database="warehouse")
docs = mongodb.find(**where, collection="inventory", filter={"active": True}, limit=50)
factors = {r["_id"]: r["factor"] for r in mongodb.aggregate(
    **where, collection="sales", pipeline=[{"$group": {"_id": "$weekday", "factor": {"$avg": "$ratio"}}}])}

items = [simulate(build(d), factors, seed=42) for d in docs]
print(f"{'sku':<8}{'name':<10}{'sold':>5}{'lost':>5}{'svc':>7}  stock over {DAYS} days")
for it in items:
    print(f"{it.sku:<8}{it.name:<10}{it.sold:>5}{it.lost:>5}{it.service_level:>7.1%}  {sparkline(it.trace)}")

# raise the reorder point until the service level is good enough
advice = {}
for doc, it in zip(docs, items):
    if it.service_level >= 0.97:
        continue
    for extra in range(1, 40):
        trial = simulate(build(doc, reorder_point=doc["reorderPoint"] + extra), factors, seed=42)
        if trial.service_level >= 0.97:
            advice[it.sku] = (doc["reorderPoint"], doc["reorderPoint"] + extra, round(trial.service_level, 4))
            break
    else:
        advice[it.sku] = (doc["reorderPoint"], None, round(trial.service_level, 4))

for sku, (old, new, level) in advice.items():
    print(f"{sku}: reorder point {old} → {new if new is not None else 'not enough, shorten the lead time'} ({level:.1%})")

stored = mongodb.insert_many(**where, collection="advice", documents=[
    {"sku": s, "from": o, "to": n} for s, (o, n, _) in advice.items()
])
result = {
    "service": {i.sku: round(i.service_level, 4) for i in items},
    "advice": advice,
    "policy": asdict(items[0].policy),
    "end_stock": [i.trace[-1] for i in items],
    "stored": stored["insertedCount"],
}
