import csv
import io
from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal, ROUND_HALF_EVEN, ROUND_HALF_UP, localcontext

BASE = "EUR"
CENT = Decimal("0.01")
MINOR_UNITS = {"JPY": 0, "KWD": 3}


def quantum(currency):
    return Decimal(1).scaleb(-MINOR_UNITS.get(currency, 2))


class RateTable:
    """Daily fixing rates; looks back at most a week for weekends and holidays."""

    def __init__(self, rows, base):
        self.base = base
        self._rates = {}
        for row in rows:
            self._rates[row["currency"], date.fromisoformat(row["day"])] = Decimal(row["rate"])

    def rate(self, currency, day):
        if currency == self.base:
            return Decimal(1)
        for back in range(8):
            found = self._rates.get((currency, day - timedelta(days=back)))
            if found is not None:
                return found
        raise LookupError(f"no {currency} rate within a week of {day}")

    def to_base(self, amount, currency, day):
        with localcontext() as ctx:
            ctx.prec = 34
            return (amount / self.rate(currency, day)).quantize(CENT, rounding=ROUND_HALF_EVEN)


invoices = postgres_reference.query(
    sql="SELECT number, customer, currency, net, vat_rate, issued, paid FROM invoices WHERE issued >= '2024-10-01' ORDER BY issued, number"
)
currencies = sorted({i["currency"] for i in invoices} - {BASE})
rates = RateTable(
    sqlite_npx.read_query(
        query="SELECT currency, day, rate FROM fixings WHERE currency IN (%s) ORDER BY day" % ", ".join(f"'{c}'" for c in currencies)
    ),
    BASE,
)

out = io.StringIO()
writer = csv.writer(out, lineterminator="\n")
writer.writerow(["number", "customer", "issued", "gross", "currency", "gross_eur"])

totals = defaultdict(Decimal)
vat_total = Decimal(0)
open_total = Decimal(0)
skipped = []
aging = {"0-30": Decimal(0), "31-60": Decimal(0), ">60": Decimal(0)}
TODAY = date(2024, 12, 31)

for inv in invoices:
    issued = date.fromisoformat(inv["issued"])
    try:
        net = Decimal(inv["net"])
        vat_rate = Decimal(inv["vat_rate"] or "0")
        vat = (net * vat_rate / 100).quantize(quantum(inv["currency"]), rounding=ROUND_HALF_UP)
        gross = net + vat
        eur = rates.to_base(gross, inv["currency"], issued)
        vat_eur = rates.to_base(vat, inv["currency"], issued)
    except (LookupError, ArithmeticError) as exc:
        skipped.append((inv["number"], f"{type(exc).__name__}: {exc}"))
        continue
    writer.writerow([inv["number"], inv["customer"], inv["issued"], str(gross), inv["currency"], str(eur)])
    totals[inv["customer"]] += eur
    vat_total += vat_eur
    if not inv["paid"]:
        open_total += eur
        age = (TODAY - issued).days
        bucket = "0-30" if age <= 30 else "31-60" if age <= 60 else ">60"
        aging[bucket] += eur

print(out.getvalue())
grand = sum(totals.values(), Decimal(0))
print(f"{'customer':<24}{'EUR':>14}{'share':>8}")
for customer, value in sorted(totals.items(), key=lambda kv: kv[1], reverse=True):
    print(f"{customer:<24}{value:>14,.2f}{value / grand * 100:>7.1f}%")
print(f"{'total':<24}{grand:>14,.2f}")
print(f"VAT {vat_total:,} EUR, open {open_total:,} EUR, aging:", {k: str(v) for k, v in aging.items()})
for number, why in skipped:
    print(f"skipped {number}: {why}")

sqlite_npx.write_query(
    query=f"INSERT INTO closings (day, gross_eur, vat_eur, open_eur) VALUES ('{TODAY}', '{grand}', '{vat_total}', '{open_total}')"
)

result = {
    "grand_total": grand,
    "vat": vat_total,
    "open": open_total,
    "aging": {k: str(v) for k, v in aging.items()},
    "rows": out.getvalue().count("\n") - 1,
    "skipped": skipped,
    "normalized": str((grand * 100).normalize()),
}
