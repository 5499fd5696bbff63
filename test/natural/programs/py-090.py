from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import OrderedDict
from decimal import Decimal
from functools import singledispatch, cached_property, total_ordering
from statistics import NormalDist, mean, stdev
from typing import ClassVar

@total_ordering
class Money:
    __slots__ = ("cents",)

    def __init__(self, amount=0):
        self.cents = int(round(Decimal(str(amount)) * 100))

    def __add__(self, other):
        if other == 0:
            return self
        if not isinstance(other, Money):
            return NotImplemented
        return Money(Decimal(self.cents + other.cents) / 100)

    __radd__ = __add__

    def __mul__(self, n):
        return Money(Decimal(self.cents) / 100 * Decimal(str(n)))

    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, Money) and self.cents == other.cents

    def __lt__(self, other):
        return self.cents < other.cents

    def __format__(self, spec):
        return format(f"€{self.cents / 100:,.2f}", spec)

    __repr__ = lambda self: f"Money({self.cents / 100:.2f})"

class Item(ABC):
    registry: ClassVar[dict[str, type[Item]]] = {}
    service_level = 0.95

    def __init_subclass__(cls, kind, **kw):
        super().__init_subclass__(**kw)
        Item.registry[kind] = cls

    def __init__(self, row):
        self.sku, self.title = row["sku"], row["title"]
        self.stock, self.on_order = row["stock"] or 0, row["on_order"] or 0
        self.cost, self.lead = Money(row["cost"]), row["lead_days"]
        self.demand = row["demand"]

    @classmethod
    def from_row(cls, row):
        return cls.registry.get(row["kind"], Regular)(row)

    @cached_property
    def daily(self):
        return mean(self.demand) if self.demand else 0.0

    @cached_property
    def safety(self):
        if len(self.demand) < 2:
            return 0
        z = NormalDist().inv_cdf(self.service_level)
        return math.ceil(z * stdev(self.demand) * math.sqrt(self.lead))

    @property
    def position(self):
        return self.stock + self.on_order

    @property
    def reorder_point(self):
        return math.ceil(self.daily * self.lead) + self.safety

    @abstractmethod
    def quantity(self) -> int: ...

    @property
    def days_left(self):
        return self.stock / self.daily if self.daily else math.inf

    def __lt__(self, other):
        return (self.days_left, self.sku) < (other.days_left, other.sku)

class Regular(Item, kind="regular"):
    def quantity(self):
        if self.position >= self.reorder_point:
            return 0
        eoq = math.sqrt(2 * self.daily * 365 * 40 / (self.cost.cents / 100 * 0.2))
        return max(math.ceil(eoq), self.reorder_point - self.position)

class Perishable(Item, kind="perishable"):
    service_level = 0.8

    def quantity(self):
        return max(0, math.floor(self.daily * 5) - self.position)

class Seasonal(Regular, kind="seasonal"):
    @cached_property
    def daily(self):
        return max(super().daily, mean(self.demand[-7:] or [0]))

class Discontinued(Item, kind="discontinued"):
    def quantity(self):
        return 0

@singledispatch
def comment(item) -> str:
    return ""

@comment.register
def _(item: Perishable):
    return "fresh" if item.days_left < 5 else "WASTE RISK"

@comment.register
def _(item: Discontinued):
    return f"sell off {item.stock}" if item.stock else "done"

@comment.register(Seasonal)
def _(item):
    return "peak" if item.daily > 1.3 * mean(item.demand or [1]) else ""

rows = sqlite_npx.read_query(query="SELECT sku, title, kind, stock, on_order, cost, lead_days FROM items ORDER BY sku")
demand = OrderedDict()
for r in postgres_reference.query(sql="SELECT sku, day, sold FROM daily_sales WHERE day >= '2024-11-01' ORDER BY sku, day"):
    demand.setdefault(r["sku"], []).append(r["sold"] or 0)
items = sorted(Item.from_row({**r, "demand": demand.get(r["sku"], [])}) for r in rows)

orders, spend = [], Money()
print(f"{'sku':<7}{'title':<18}{'class':<14}{'stock':>6}{'days':>7}{'point':>6}{'order':>6}{'cost':>13}  note")
for it in items:
    n = it.quantity()
    cost = n * it.cost
    spend += cost
    if n:
        orders.append((it.sku, n))
    print(f"{it.sku:<7}{it.title:<18}{type(it).__name__:<14}{it.stock:>6}{it.days_left:>7.1f}{it.reorder_point:>6}{n:>6}{cost:>13}  {comment(it)}")

print(f"\nspend {spend} of {(BUDGET := Money('2500.00'))}")
if spend > BUDGET:
    by_cost = sorted(((dict(orders)[i.sku] * i.cost, i) for i in items if i.sku in dict(orders)), key=lambda p: (p[0], p[1].sku), reverse=True)
    print("largest:", ", ".join(f"{i.sku} {m}" for m, i in by_cost[:3]))
stock_value = sum(i.stock * i.cost for i in items)
sqlite_npx.write_query(query="INSERT INTO reorders (sku, qty) VALUES " + ", ".join(f"('{s}', {n})" for s, n in orders))
result = {"orders": orders, "spend": repr(spend), "stock_value": f"{stock_value:>14}", "kinds": sorted(Item.registry), "mro": [c.__name__ for c in Seasonal.__mro__[:-1]]}
