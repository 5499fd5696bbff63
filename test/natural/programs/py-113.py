import csv
from io import StringIO

FOLDER = "/exports/sales"

listing = filesystem.list_directory(path=FOLDER)
names = sorted(
    line.removeprefix("[FILE] ").strip()
    for line in listing.splitlines()
    if line.startswith("[FILE]") and line.endswith(".csv")
)
print("Files:", names)

ALIASES = {
    "order_id": {"order_id", "order id", "orderid", "id"},
    "date": {"date", "order_date", "datum"},
    "customer": {"customer", "customer_name", "kunde"},
    "total": {"total", "amount", "betrag"},
    "country": {"country", "country_code", "land"},
}


def canonical(header):
    header = header.strip().lower()
    for name, options in ALIASES.items():
        if header in options:
            return name
    return None


merged = {}
stats = []
for name in names:
    text = filesystem.read_text_file(path=f"{FOLDER}/{name}")
    if not text.strip():
        stats.append((name, 0, 0, 0))
        continue
    dialect = csv.Sniffer().sniff(text.splitlines()[0], delimiters=",;\t")
    rows = list(csv.reader(StringIO(text), dialect))
    header = [canonical(h) for h in rows[0]]
    ignored = [h for h, c in zip(rows[0], header) if c is None]
    if ignored:
        print(f"{name}: ignoring column(s) {ignored}")
    added = duplicate = 0
    for row in rows[1:]:
        if not any(cell.strip() for cell in row):
            continue
        record = {c: v.strip() for c, v in zip(header, row) if c}
        total = record["total"]
        if dialect.delimiter == ";":
            total = total.replace(".", "").replace(",", ".")
        record["total"] = float(total or 0)
        record["country"] = record.get("country", "").upper() or "??"
        record["source"] = name
        key = record["order_id"].lstrip("#0")
        if key in merged:
            duplicate += 1
            continue
        merged[key] = record
        added += 1
    stats.append((name, len(rows) - 1, added, duplicate))

for name, total, added, duplicate in stats:
    print(f"{name:<22} {total:>3} rows, {added:>3} added, {duplicate} duplicates")

fields = ["order_id", "date", "customer", "country", "total", "source"]
out = StringIO()
writer = csv.DictWriter(out, fieldnames=fields, extrasaction="ignore")
writer.writeheader()
for key in sorted(merged, key=int):
    writer.writerow({**merged[key], "order_id": key, "total": f"{merged[key]['total']:.2f}"})

filesystem.write_file(path=f"{FOLDER}/merged/all_orders.csv", content=out.getvalue())
print(out.getvalue())

by_country = {}
for r in merged.values():
    by_country[r["country"]] = by_country.get(r["country"], 0) + r["total"]
result = {
    "orders": len(merged),
    "revenue": round(sum(r["total"] for r in merged.values()), 2),
    "by_country": {k: round(v, 2) for k, v in sorted(by_country.items())},
}
