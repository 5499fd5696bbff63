from bisect import bisect_right
from dataclasses import dataclass
from datetime import date

TODAY = date(2025, 5, 31)

rows = postgres.query(
    sql="""
    SELECT c.id, c.name, max(o.ordered_at)::date AS last_order,
           count(o.id) AS orders, coalesce(sum(o.total), 0) AS revenue
    FROM customers c LEFT JOIN orders o ON o.customer_id = c.id
    GROUP BY c.id, c.name
    """
)


@dataclass
class Customer:
    id: int
    name: str
    days_since: int | None
    orders: int
    revenue: float
    score: int = 0
    segment: str = ""


customers = []
for r in rows:
    last = date.fromisoformat(r["last_order"]) if r["last_order"] else None
    customers.append(
        Customer(r["id"], r["name"].strip(), (TODAY - last).days if last else None, int(r["orders"]), float(r["revenue"]))
    )

active = [c for c in customers if c.orders > 0]
print(f"{len(customers)} customers, {len(active)} with orders")


def quintiles(values):
    ordered = sorted(values)
    n = len(ordered)
    return [ordered[min(n - 1, n * k // 5)] for k in range(1, 5)]


r_cuts = quintiles([c.days_since for c in active])
f_cuts = quintiles([c.orders for c in active])
m_cuts = quintiles([c.revenue for c in active])

for c in active:
    r = 5 - bisect_right(r_cuts, c.days_since)
    f = 1 + bisect_right(f_cuts, c.orders)
    m = 1 + bisect_right(m_cuts, c.revenue)
    c.score = r * 100 + f * 10 + m
    if r >= 4 and f >= 4:
        c.segment = "champion"
    elif f >= 4:
        c.segment = "loyal but quiet"
    elif r >= 4:
        c.segment = "new"
    elif r <= 2 and m >= 4:
        c.segment = "at risk"
    else:
        c.segment = "regular"

ranked = sorted(active, key=lambda c: (-c.revenue, c.name))
total = sum(c.revenue for c in ranked)
running = 0.0

print(f"{'#':>2} {'Customer':<22}{'Revenue':>12}{'Cum %':>8}  RFM  Segment")
for i, c in enumerate(ranked, start=1):
    running += c.revenue
    print(f"{i:>2} {c.name:<22}{c.revenue:>12,.2f}{running / total:>8.1%}  {c.score}  {c.segment}")

segments = {}
for c in active:
    segments.setdefault(c.segment, []).append(c.name)
for seg in sorted(segments):
    print(f"{seg}: {len(segments[seg])}")

never = [c.name for c in customers if not c.orders]
print("Never ordered:", never)
result = {"top": [c.name for c in ranked[:5]], "segments": segments, "never": never}
