tables = sqlite.list_tables()
names = [t["name"] if isinstance(t, dict) else t for t in tables]
names = sorted(n for n in names if not n.startswith("sqlite_"))

doc = ["# Data dictionary", ""]
overview = []
details = []
warnings = []

for name in names:
    columns = sqlite.describe_table(table_name=name)
    count = sqlite.read_query(query=f'SELECT COUNT(*) AS n FROM "{name}"')[0]["n"]
    pks = [c["name"] for c in sorted(columns, key=lambda c: c["pk"]) if c["pk"]]
    if not pks:
        warnings.append(f"`{name}` has no primary key")

    details += [f"## {name}", "", "| Column | Type | Null | Default | Key |", "|---|---|---|---|---|"]
    for c in columns:
        ctype = c["type"] or "*any*"
        null = "no" if c["notnull"] or c["pk"] else "yes"
        default = "" if c["dflt_value"] is None else f"`{c['dflt_value']}`"
        key = "PK" if c["pk"] else ""
        if c["name"].endswith("_id") and not c["pk"]:
            stem = c["name"][:-3]
            target = next((t for t in names if t in (stem, stem + "s", stem + "es", stem[:-1] + "ies")), None)
            if target:
                key = f"→ {target}"
            else:
                warnings.append(f"`{name}.{c['name']}` looks like a foreign key but no matching table was found")
        details.append(f"| {c['name']} | {ctype.upper()} | {null} | {default} | {key} |")

    if count:
        nullable = [c["name"] for c in columns if not c["notnull"] and not c["pk"]]
        if nullable:
            exprs = ", ".join(f'SUM("{c}" IS NULL) AS "{c}"' for c in nullable)
            nulls = sqlite.read_query(query=f'SELECT {exprs} FROM "{name}"')[0]
            mostly = [f"{c} ({n / count:.0%})" for c, n in nulls.items() if n and n / count > 0.5]
            if mostly:
                details += ["", "Mostly empty: " + ", ".join(mostly)]
    details.append("")
    overview.append((name, len(columns), count, ", ".join(pks) or "—"))

doc += ["| Table | Columns | Rows | Primary key |", "|---|---:|---:|---|"]
doc += [f"| [{n}](#{n.lower()}) | {c} | {r:,} | {pk} |" for n, c, r, pk in overview]
doc.append("")
doc += details
if warnings:
    doc += ["## Warnings", ""] + [f"- {w}" for w in warnings]

text = "\n".join(doc)
print(text)
filesystem.write_file(path="/docs/data-dictionary.md", content=text + "\n")
result = {"tables": len(names), "rows": sum(o[2] for o in overview), "warnings": warnings}
