import inspect
from collections import Counter

class Field:
    """Descriptor with validation and change tracking."""

    def __init__(self, kind, *, default=None, choices=None):
        self.kind, self.default, self.choices = kind, default, choices

    def __set_name__(self, owner, name):
        self.name, self.slot = name, f"_{name}"

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        return getattr(obj, self.slot, self.default)

    def __set__(self, obj, value):
        if value is not None and not isinstance(value, self.kind):
            raise TypeError(f"{self.name}: expected {self.kind.__name__}, got {type(value).__name__}")
        if self.choices and value not in self.choices:
            raise ValueError(f"{self.name}: {value!r} is not allowed")
        if (old := self.__get__(obj)) != value:
            obj.__dict__.setdefault("changes", []).append((self.name, old, value))
        setattr(obj, self.slot, value)

def transition(source, target, guard=None):
    """Mark a method as a transition of the state machine."""

    def mark(fn):
        fn.__dict__.setdefault("edges", []).extend((s, target, guard) for s in (source if isinstance(source, tuple) else (source,)))
        return fn

    return mark

class MachineMeta(type):
    def __new__(mcls, name, bases, ns, **kw):
        cls = super().__new__(mcls, name, bases, ns, **kw)
        cls.table = {}
        for base in reversed(cls.__mro__):
            for attr, fn in vars(base).items():
                for s, t, guard in getattr(fn, "edges", ()):
                    cls.table[s, attr] = (t, guard)
        return cls

class TransitionError(RuntimeError):
    pass

class Machine(metaclass=MachineMeta):
    initial = None

    def __init__(self):
        self.state = self.initial
        self.trail = [self.initial]

    def fire(self, event, **payload):
        try:
            target, guard = self.table[self.state, event]
        except KeyError:
            allowed = sorted(e for s, e in self.table if s == self.state)
            raise TransitionError(f"{event} is impossible in {self.state} (possible: {', '.join(allowed) or 'nothing'})") from None
        if guard and not guard(self):
            raise TransitionError(f"{event} refused in {self.state}: {inspect.getdoc(guard) or guard.__name__}")
        method = getattr(self, event)
        wanted = inspect.signature(method).parameters
        method(**{k: v for k, v in payload.items() if k in wanted})
        self.state = target
        self.trail.append(target)

    @classmethod
    def reachable(cls):
        seen, todo = {cls.initial}, [cls.initial]
        while todo:
            here = todo.pop()
            for (s, _), (t, _) in cls.table.items():
                if s == here and t not in seen:
                    seen.add(t)
                    todo.append(t)
        return seen

def fully_paid(order):
    """the order is not fully paid"""
    return order.paid >= order.total

class Order(Machine):
    initial = "draft"
    total = Field(int, default=0)
    paid = Field(int, default=0)
    carrier = Field(str, choices=(None, "DHL", "CTT", "GLS"))
    reason = Field(str)

    def __init__(self, number, total):
        super().__init__()
        self.number = number
        self.total = total

    @transition("draft", "placed")
    def place(self): ...

    @transition(("placed", "paid"), "paid")
    def pay(self, amount):
        self.paid += amount

    @transition("paid", "shipped", guard=fully_paid)
    def ship(self, carrier):
        self.carrier = carrier

    @transition("shipped", "delivered")
    def deliver(self): ...

    @transition(("draft", "placed", "paid"), "cancelled")
    def cancel(self, reason=None):
        self.reason = reason or "unknown"

class MarketplaceOrder(Order):
    initial = "placed"

    @transition("delivered", "returned")
    @transition("shipped", "returned")
    def give_back(self, reason):
        self.reason = reason
        self.paid = 0

rows = postgres_reference.query(sql="SELECT number, channel, total_cents FROM orders WHERE placed_on = '2024-11-29' ORDER BY number")
orders = {r["number"]: (MarketplaceOrder if r["channel"] == "marketplace" else Order)(r["number"], r["total_cents"]) for r in rows}
log = mongodb.find(connectionId="ev", database="shop", collection="order_events", filter={"day": "2024-11-29"}, sort={"at": 1}, limit=500)["documents"]

errors = []
for e in log:
    order = orders.get(e["order"])
    if order is None:
        errors.append((e["order"], "no such order"))
        continue
    try:
        order.fire(e["event"], **(e.get("data") or {}))
    except (TransitionError, TypeError, ValueError) as exc:
        errors.append((order.number, f"{type(exc).__name__}: {exc}"))

for cls in (Order, MarketplaceOrder):
    print(f"{cls.__name__}: {len(cls.table)} transitions, unreachable: {sorted({t for t, _ in cls.table.values()} - cls.reachable())}")
for o in orders.values():
    print(f"{o.number} {type(o).__name__:<17} {' → '.join(o.trail):<46} {o.paid / 100:>9.2f}/{o.total / 100:<9.2f} {o.carrier or ''} {o.reason or ''}".rstrip())
print()
for number, why in errors:
    print(f"{number}: {why}")

states = Counter(o.state for o in orders.values())
changes = Counter(name for o in orders.values() for name, _, _ in o.changes)
print(states.most_common(), changes)
result = {"states": dict(states), "errors": len(errors), "changes": dict(changes), "members": [n for n, _ in inspect.getmembers(Order, inspect.isfunction) if not n.startswith("_")]}
