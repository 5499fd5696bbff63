from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import Callable, Generic, Optional, TypeVar

T = TypeVar("T")


@dataclass(eq=False)
class Employee:
    id: int
    name: str
    title: str
    salary: Optional[int]
    boss: Optional[Employee] = field(default=None, repr=False)
    reports: list[Employee] = field(default_factory=list, repr=False)
    skills: set[str] = field(default_factory=set, repr=False)

    def __iter__(self) -> Iterator[Employee]:
        """Depth-first, this employee first."""
        yield self
        for r in self.reports:
            yield from r

    def __len__(self):
        return sum(1 for _ in self)

    def __contains__(self, other):
        return any(e is other for e in self)

    def chain(self) -> list[Employee]:
        return [self] + (self.boss.chain() if self.boss else [])

    @cached_property
    def cost(self) -> int:
        return sum(e.salary or 0 for e in self)

    @property
    def depth(self) -> int:
        return 1 + max((r.depth for r in self.reports), default=0)

    def accept(self, visitor: Visitor[T]) -> T:
        return visitor.visit(self, [r.accept(visitor) for r in self.reports])


class Visitor(Generic[T]):
    def visit(self, node: Employee, below: list[T]) -> T:
        raise NotImplementedError


class Renderer(Visitor[list[str]]):
    def __init__(self, label: Callable[[Employee], str]):
        self.label = label

    def visit(self, node, below):
        lines = [self.label(node)]
        for i, block in enumerate(below):
            first, rest = ("└─ ", "   ") if i == len(below) - 1 else ("├─ ", "│  ")
            lines += [(rest if j else first) + line for j, line in enumerate(block)]
        return lines


class WidestSpan(Visitor[tuple]):
    def visit(self, node, below):
        return max([(len(node.reports), node.name), *below])


columns = [c["name"] for c in sqlite_npx.describe_table(table_name="employees")]
rows = sqlite_npx.read_query(query=f"SELECT {', '.join(columns)} FROM employees")
staff = {r["id"]: Employee(r["id"], r["name"], r["title"], r["salary"]) for r in rows}

detached = []
for r in rows:
    e, boss = staff[r["id"]], staff.get(r["manager_id"])
    if boss is None:
        if r["manager_id"] is not None:
            detached.append(f"{e.name} → #{r['manager_id']}")
        continue
    if boss in e:
        detached.append(f"{e.name} ↔ {boss.name} (cycle)")
        continue
    e.boss = boss
    boss.reports.append(e)

unknown_people = []
for entity in server_memory.search_nodes(query="skill")["entities"]:
    people = [e for e in staff.values() if e.name == entity["name"]]
    if not people:
        unknown_people.append(entity["name"])
    for p in people:
        p.skills |= {o.partition(":")[2] for o in entity["observations"] if o.startswith("skill:")}

ceo = next(e for e in staff.values() if e.boss is None and e.title == "CEO")
show = Renderer(lambda e: f"{e.name} ({e.title}){' ' + '/'.join(sorted(e.skills)) if e.skills else ''} — {len(e) - 1} below, {e.cost / 1000:,.0f}k")
print("\n".join(ceo.accept(show)))
print("\nothers:", *(f"{e.name} ({e.title}, {len(e)})" for e in staff.values() if e.boss is None and e is not ceo))
print("detached:", detached)

inverted = [(e.name, b.name) for e in ceo if (b := e.boss) and (e.salary or 0) > (b.salary or 0) * 0.76]
katherine = next(e for e in ceo if e.name == "Katherine")
print("chain:", " → ".join(e.name for e in katherine.chain()))
names = [e.name for e in staff.values()]
print(repr(ceo), len(ceo), katherine in ceo, ceo in katherine)

result = {
    "headcount": len(ceo),
    "depth": ceo.depth,
    "cost": ceo.cost,
    "cached": "cost" in vars(ceo),
    "median": median(e.salary for e in ceo if e.salary is not None),
    "widest": ceo.accept(WidestSpan()),
    "almost_inverted": inverted,
    "detached": detached,
    "namesakes": sorted({n for n in names if names.count(n) > 1}),
    "unknown": unknown_people,
    "skills": sorted(set().union(*(e.skills for e in ceo))),
}
