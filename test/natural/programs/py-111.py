import json
from decimal import Decimal, ROUND_HALF_UP

BASE = "EUR"
CENT = Decimal("0.01")

rates_doc = json.loads(fetch.fetch(url="https://api.frankfurter.app/2025-04-30?from=EUR"))
rates = {code: Decimal(str(value)) for code, value in rates_doc["rates"].items()}
rates[BASE] = Decimal(1)
print(f"Rates of {rates_doc['date']}: {len(rates)} currencies")

invoices = sqlite.read_query(
    query="SELECT id, client, currency, amount, status FROM invoices WHERE issued_on LIKE '2025-04-%'"
)


def to_base(amount, currency):
    rate = rates[currency.upper()]
    return (Decimal(str(amount)) / rate).quantize(CENT, rounding=ROUND_HALF_UP)


totals = {}
unknown = []
for inv in invoices:
    if inv["status"] == "void" or inv["amount"] is None:
        continue
    currency = (inv["currency"] or BASE).strip()
    try:
        value = to_base(inv["amount"], currency)
    except KeyError:
        unknown.append((inv["id"], currency))
        continue
    entry = totals.setdefault(inv["client"], {"invoices": 0, "total": Decimal(0), "currencies": set()})
    entry["invoices"] += 1
    entry["total"] += value
    entry["currencies"].add(currency.upper())

print(f"\n{'Client':<22}{'#':>3}{'EUR':>14}  currencies")
print("-" * 55)
grand = Decimal(0)
for client, entry in sorted(totals.items(), key=lambda kv: kv[1]["total"], reverse=True):
    grand += entry["total"]
    print(f"{client:<22}{entry['invoices']:>3}{entry['total']:>14,.2f}  {', '.join(sorted(entry['currencies']))}")
print("-" * 55)
print(f"{'Total':<25}{grand:>14,.2f}")

for inv_id, currency in unknown:
    print(f"! invoice {inv_id}: no rate for {currency!r}")

result = {
    "base": BASE,
    "total": str(grand),
    "clients": {c: str(e["total"]) for c, e in totals.items()},
    "unknown": unknown,
}
