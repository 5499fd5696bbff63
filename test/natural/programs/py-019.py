"""Pivot the sales CSV by product and month and compare with the targets."""
import csv
import io
import re
from collections import defaultdict
from datetime import date, datetime
from decimal import Decimal, InvalidOperation

SRC = "/data/sales.csv"


def parse_date(text):
    for fmt in ("%Y-%m-%d", "%d/%m/%Y"):
        try:
            return datetime.strptime(text, fmt).date()
        except ValueError:
            continue
    raise ValueError(f"bad date {text!r}")


def parse_eu_decimal(text):
    return Decimal(text.replace(".", "").replace(",", "."))


info = dict(line.split(": ", 1) for line in server_filesystem.get_file_info(path=SRC).splitlines())
text = server_filesystem.read_text_file(path=SRC)
assert int(info["size"]) == len(text.encode("utf-8")), "file changed while reading"

reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=";")
sales, rejects = [], []
for row in reader:
    try:
        sales.append({
            "id": int(row["order_id"]),
            "date": parse_date(row["date"]),
            "region": row["region"].strip() or "Unknown",
            "product": re.sub(r'"', "", row["product"]).strip(),
            "units": int(row["units"]),
            "price": parse_eu_decimal(row["unit_price"]),
            "notes": (row["notes"] or "").replace("\n", " / "),
        })
    except (ValueError, InvalidOperation) as exc:
        rejects.append((row["order_id"], str(exc), reader.line_num))

pivot = defaultdict(lambda: defaultdict(Decimal))
units = defaultdict(int)
for s in sales:
    pivot[s["product"]][s["date"].strftime("%Y-%m")] += s["units"] * s["price"]
    units[s["product"]] += s["units"]

targets = {r["product"]: int(r["target_units"]) for r in csv.DictReader(io.StringIO(server_filesystem.read_text_file(path="/data/targets.csv")))}
months = sorted({m for row in pivot.values() for m in row})

out = io.StringIO()
writer = csv.writer(out, quoting=csv.QUOTE_MINIMAL, lineterminator="\n")
writer.writerow(["product", *months, "total", "units", "target", "status"])
for product in sorted(pivot):
    row = pivot[product]
    target = targets.get(product)
    status = "-" if target is None else ("met" if units[product] >= target else f"short by {target - units[product]}")
    writer.writerow([product, *(f"{row.get(m, Decimal()):.2f}" for m in months), f"{sum(row.values()):.2f}", units[product], target, status])
for product in sorted(targets.keys() - pivot.keys()):
    writer.writerow([product] + [""] * len(months) + ["0.00", 0, targets[product], "no sales"])

print(out.getvalue())
print("rejected rows:")
for order_id, why, line in rejects:
    print(f"  line {line:>3}  order {order_id or '?'}: {why}")

returns = [s["id"] for s in sales if s["units"] < 0]
with_notes = [s for s in sales if s["notes"]]
print(f"{len(returns)} returns, {len(with_notes)} rows with notes, e.g. {with_notes[0]['notes']!r}")

by_region = defaultdict(Decimal)
for s in sales:
    by_region[s["region"]] += s["price"] * s["units"]

ack = server_filesystem.write_file(path="/data/pivot.csv", content=out.getvalue())
result = {
    "rows": len(sales),
    "rejects": [r[:2] for r in rejects],
    "by_region": {k: str(v) for k, v in sorted(by_region.items())},
    "units": dict(sorted(units.items())),
    "returns": returns,
    "first_day": min(s["date"] for s in sales),
    "written": ack.startswith("Successfully"),
}
