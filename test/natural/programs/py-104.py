SQL = "SELECT id, email, name, plan, mrr FROM customers ORDER BY id"

pg_rows = postgres.query(sql=SQL)
lite_rows = sqlite.read_query(query=SQL)

source = {row["id"]: row for row in pg_rows}
target = {row["id"]: row for row in lite_rows}

missing = sorted(source.keys() - target.keys())
extra = sorted(target.keys() - source.keys())


def normalise(value):
    if isinstance(value, str):
        return value.strip().lower() or None
    if isinstance(value, (int, float)):
        return round(float(value), 2)
    return value


changed = {}
cosmetic = 0
for key in sorted(source.keys() & target.keys()):
    diffs = {}
    for column in source[key]:
        a, b = source[key][column], target[key].get(column)
        if a == b:
            continue
        if normalise(a) == normalise(b):
            cosmetic += 1
            continue
        diffs[column] = (a, b)
    if diffs:
        changed[key] = diffs

print(f"Postgres: {len(pg_rows)} rows, SQLite: {len(lite_rows)} rows")
if len(lite_rows) != len(target):
    print(f"Warning: SQLite has {len(lite_rows) - len(target)} duplicate id(s)")
print(f"Missing in SQLite: {missing or 'none'}")
print(f"Only in SQLite:    {extra or 'none'}")
print(f"Rows with real differences: {len(changed)} (ignored {cosmetic} cosmetic ones)")

for key, diffs in changed.items():
    for column, (old, new) in diffs.items():
        print(f"  id={key} {column}: {old!r} -> {new!r}")

totals = {
    "postgres_mrr": sum(r["mrr"] or 0 for r in pg_rows),
    "sqlite_mrr": sum(r["mrr"] or 0 for r in lite_rows),
}
print("MRR difference: {:+.2f}".format(totals["sqlite_mrr"] - totals["postgres_mrr"]))

result = {"missing": missing, "extra": extra, "changed": changed, **totals}
