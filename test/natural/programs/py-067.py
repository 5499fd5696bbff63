"""Rebuild stock levels from the event log and find where the projection disagrees."""
from collections import defaultdict
from dataclasses import dataclass, field, replace
from enum import Enum, auto


class Problem(Enum):
    NEGATIVE = auto()
    UNKNOWN_EVENT = auto()
    OUT_OF_ORDER = auto()
    DUPLICATE = auto()
    BAD_PAYLOAD = auto()


@dataclass(frozen=True)
class Stock:
    on_hand: int = 0
    reserved: int = 0
    version: int = 0
    discontinued: bool = False

    @property
    def available(self):
        return self.on_hand - self.reserved


@dataclass
class Projection:
    stocks: dict = field(default_factory=lambda: defaultdict(Stock))
    problems: list = field(default_factory=list)
    history: dict = field(default_factory=lambda: defaultdict(list))
    _seen: set = field(default_factory=set, repr=False)

    def flag(self, kind, event, detail=""):
        self.problems.append((kind, event.get("id"), detail))

    def apply(self, event):
        if event["id"] in self._seen:
            self.flag(Problem.DUPLICATE, event)
            return
        self._seen.add(event["id"])
        sku = event["sku"]
        before = self.stocks[sku]
        if event["seq"] <= before.version:
            self.flag(Problem.OUT_OF_ORDER, event, f"seq {event['seq']} after {before.version}")
        match event:
            case {"type": "received", "data": {"qty": int(n)}} if n > 0:
                after = replace(before, on_hand=before.on_hand + n)
            case {"type": "reserved", "data": {"qty": int(n), "order": str(order)}}:
                after = replace(before, reserved=before.reserved + n)
                self.history[order].append((sku, n))
            case {"type": "released", "data": {"order": str(order)}}:
                n = sum(q for s, q in self.history[order] if s == sku)
                self.history[order] = [(s, q) for s, q in self.history[order] if s != sku]
                after = replace(before, reserved=before.reserved - n)
            case {"type": "shipped", "data": {"lines": [*lines]}}:
                n = sum(line["qty"] for line in lines)
                after = replace(before, on_hand=before.on_hand - n, reserved=max(0, before.reserved - n))
            case {"type": "counted", "data": {"qty": int(n), **extra}}:
                after = replace(before, on_hand=n)
                if extra.get("by"):
                    print(f"  recount of {sku} by {extra['by']}: {before.on_hand} → {n}")
            case {"type": "discontinued"}:
                after = replace(before, discontinued=True)
            case {"type": "received" | "reserved" | "released" | "shipped" | "counted" as kind, "data": data}:
                self.flag(Problem.BAD_PAYLOAD, event, f"{kind}: {data!r}")
                return
            case {"type": other}:
                self.flag(Problem.UNKNOWN_EVENT, event, other)
                return
        after = replace(after, version=max(before.version, event["seq"]))
        if after.available < 0 <= before.available:
            self.flag(Problem.NEGATIVE, event, f"{sku} available {after.available}")
        self.stocks[sku] = after


def stream(batch=40):
    last = 0
    while rows := sqlite_npx.read_query(
        query=f"SELECT id, seq, sku, type, data FROM events WHERE rowid > {last} ORDER BY rowid LIMIT {batch}"
    ):
        yield from rows
        last += batch
        if len(rows) < batch:
            return


projection = Projection()
count = 0
for count, event in enumerate(stream(), 1):
    projection.apply(event)
print(f"replayed {count} events")

table = {r["sku"]: r for r in postgres_reference.query(sql="SELECT sku, on_hand, reserved, title FROM stock ORDER BY sku")}
print(f"{'sku':<10}{'on hand':>9}{'reserved':>10}{'avail':>7}  note")
mismatches = []
for sku in sorted(projection.stocks.keys() | table.keys()):
    s = projection.stocks.get(sku)
    row = table.get(sku)
    match s, row:
        case None, _:
            note = "only in table"
        case Stock(), None:
            note = "missing from table"
        case Stock(on_hand=a, reserved=b), {"on_hand": c, "reserved": d} if (a, b) != (c, d):
            note = f"table says {c}/{d}"
        case Stock(discontinued=True), _:
            note = "discontinued"
        case _:
            note = ""
    if note and note != "discontinued":
        mismatches.append(sku)
    s = s or Stock()
    print(f"{sku:<10}{s.on_hand:>9}{s.reserved:>10}{s.available:>7}  {note}")

by_kind = defaultdict(int)
for kind, event_id, detail in projection.problems:
    by_kind[kind.name] += 1
    print(f"{kind.name.lower().replace('_', ' ')}: event {event_id} {detail}".rstrip())

result = {"events": count, "mismatches": mismatches, "problems": dict(by_kind)}
