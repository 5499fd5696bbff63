from collections import Counter
from statistics import median

report = {}
for table in sqlite_npx.list_tables():
    columns = sqlite_npx.describe_table(table_name=table)
    rows = sqlite_npx.read_query(query=f'SELECT * FROM "{table}"')
    print(f"{table}: {len(rows)} rows, {len(columns)} columns")
    if not rows:
        report[table] = "empty"
        continue

    stats = {}
    for col in columns:
        name = col["name"]
        values = [r[name] for r in rows]
        present = [v for v in values if v is not None and v != ""]
        s = {"missing": len(values) - len(present), "distinct": len(set(present))}
        if col["type"] in ("INTEGER", "REAL") and not col["pk"]:
            s["min"], s["median"], s["max"] = min(present), median(present), max(present)
            s["negative"] = sum(v < 0 for v in present)
            # robust outliers: far away from the median absolute deviation
            mad = median(abs(v - s["median"]) for v in present) or 1
            s["outliers"] = sorted({v for v in present if abs(v - s["median"]) / mad > 10})
        elif col["type"] == "TEXT":
            s["untrimmed"] = sum(v != v.strip() for v in present)
            normal = Counter(v.strip().upper() for v in present)
            s["duplicates"] = [v for v, n in normal.items() if n > 1] if col["notnull"] else []
            s["variants"] = s["distinct"] - len(normal)
        if col["notnull"] and s["missing"]:
            s["violates_not_null"] = True
        stats[name] = s
    report[table] = stats

    for name, s in stats.items():
        details = ", ".join(f"{k}={v}" for k, v in s.items() if v not in (0, [], False))
        print(f"  {name:<10} {details}")

bad = [
    f"{t}.{c}"
    for t, stats in report.items() if isinstance(stats, dict)
    for c, s in stats.items()
    if s.get("negative") or s.get("outliers") or s.get("duplicates") or s.get("untrimmed")
]
print("needs attention:", ", ".join(bad))
result = {"report": report, "bad": bad}
