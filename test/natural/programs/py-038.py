"""Plan the migration of a SQLite schema towards the Postgres one, then try to apply it."""
import re
from dataclasses import dataclass, replace
from typing import Literal, Union

AFFINITY = [
    (r"INT", "INTEGER"), (r"CHAR|CLOB|TEXT", "TEXT"), (r"BLOB|BYTEA", "BLOB"), (r"REAL|FLOA|DOUB", "REAL"), (r"", "NUMERIC"),
]


@dataclass(frozen=True, order=True)
class Column:
    name: str
    type: str
    nullable: bool = True
    default: str | None = None
    primary: bool = False

    @property
    def affinity(self) -> str:
        return next(a for pattern, a in AFFINITY if re.search(pattern, self.type.upper()))

    def ddl(self) -> str:
        constraint = "PRIMARY KEY" if self.primary else "" if self.nullable else "NOT NULL"
        default = f"DEFAULT {self.default}" if self.default is not None else ""
        return " ".join(filter(None, [f'"{self.name}"', self.affinity, constraint, default]))


@dataclass(frozen=True)
class CreateTable:
    table: str
    columns: tuple[Column, ...]

    def sql(self):
        body = ",\n  ".join(c.ddl() for c in self.columns)
        return f'CREATE TABLE "{self.table}" (\n  {body}\n)'


@dataclass(frozen=True)
class AddColumn:
    table: str
    column: Column

    def sql(self):
        return f'ALTER TABLE "{self.table}" ADD COLUMN {self.column.ddl()}'


@dataclass(frozen=True)
class DropTable:
    table: str

    def sql(self):
        return f'DROP TABLE "{self.table}"'


@dataclass(frozen=True)
class Manual:
    table: str
    column: str
    why: Literal["type", "nullability", "extra"]

    def sql(self):
        return f"-- manual: {self.table}.{self.column} ({self.why})"


Step = Union[CreateTable, AddColumn, DropTable, Manual]
Schema = dict[str, dict[str, Column]]


def current() -> Schema:
    names = [t["name"] for t in sqlite_npx.list_tables()]
    return {
        t: {c["name"]: Column(c["name"], c["type"], not c["notnull"], c["dflt_value"], bool(c["pk"])) for c in sqlite_npx.describe_table(table_name=t)}
        for t in names if not t.startswith("sqlite_")
    }


def desired() -> Schema:
    rows = postgres_reference.query(sql="SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position")
    schema: Schema = {}
    for r in rows:
        col = Column(r["column_name"], r["data_type"], r["is_nullable"] == "YES", r["column_default"])
        schema.setdefault(r["table_name"], {})[col.name] = replace(col, primary=True) if col.name == "id" else col
    return schema


def plan(have: Schema, want: Schema) -> list[Step]:
    steps: list[Step] = [CreateTable(t, tuple(want[t].values())) for t in sorted(want.keys() - have.keys())]
    for t in sorted(want.keys() & have.keys()):
        a, b = have[t], want[t]
        steps += [AddColumn(t, b[n]) for n in b if n not in a]
        steps += [Manual(t, n, "extra") for n in sorted(a.keys() - b.keys())]
        for n in sorted(a.keys() & b.keys()):
            if a[n].affinity != b[n].affinity:
                steps.append(Manual(t, n, "type"))
            elif a[n].nullable != b[n].nullable:
                steps.append(Manual(t, n, "nullability"))
    return steps + [DropTable(t) for t in sorted(have.keys() - want.keys())]


log: list[tuple[str, str]] = []
for step in plan(current(), desired()):
    print(step.sql() + ";")
    try:
        match step:
            case CreateTable():
                outcome = sqlite_npx.create_table(query=step.sql())
            case AddColumn(column=Column(nullable=False, default=None)):
                outcome = "skipped: NOT NULL without default"
            case AddColumn() | DropTable():
                outcome = f"{sqlite_npx.write_query(query=step.sql())[0]['affected_rows']} rows"
            case Manual(why=why):
                outcome = f"left to a human ({why})"
    except Exception as e:
        outcome = f"FAILED: {e}"
    log.append((type(step).__name__, f"{step.table}: {outcome}"))

for kind, text in log:
    print(f"{kind:<12} {text}")
result = {"log": log, "failed": sum("FAILED" in t for _, t in log)}
