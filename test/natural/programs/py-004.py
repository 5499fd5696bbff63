"""Join customers (Postgres) with orders (SQLite) by fuzzy company name."""
import difflib
import re
import unicodedata
from collections import defaultdict
from decimal import Decimal, ROUND_HALF_UP
from functools import lru_cache

SUFFIXES = {"gmbh", "corp", "corporation", "inc", "as", "ltd", "llc"}
TRANSLIT = str.maketrans({"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "ß": "ss", "&": " and "})
CENT = Decimal("0.01")


@lru_cache(maxsize=None)
def canon(name):
    s = name.translate(TRANSLIT).casefold()
    s = re.sub(r"ue", "u", s)  # Mueller / Müller
    s = "".join(ch for ch in unicodedata.normalize("NFKD", s) if not unicodedata.combining(ch))
    s = re.sub(r"[^\w\s]", "", s)
    words = [w for w in s.split() if w not in SUFFIXES]
    return " ".join(words)


customers = postgres_reference.query(sql="SELECT id, name, country, credit_limit FROM customers ORDER BY id")
rates = {
    row["currency"]: Decimal(row["rate_to_usd"])
    for row in postgres_reference.query(sql="SELECT currency, rate_to_usd FROM fx_rates")
}
orders = sqlite_npx.read_query(query="SELECT * FROM orders WHERE amount IS NOT NULL OR 1=1")

index = {canon(c["name"]): c for c in customers}


def match(name):
    key = canon(name)
    if key in index:
        return index[key], 1.0
    close = difflib.get_close_matches(key, list(index), n=1, cutoff=0.75)
    if close:
        return index[close[0]], difflib.SequenceMatcher(None, key, close[0]).ratio()
    return None, 0.0


totals = defaultdict(Decimal)
counts = defaultdict(int)
aliases = defaultdict(set)
orphans = []
skipped = 0
for o in orders:
    if o["amount"] is None:
        skipped += 1
        continue
    customer, score = match(o["customer"])
    usd = Decimal(o["amount"]) * rates[o["currency"]]
    if customer is None:
        orphans.append({"order": o["order_id"], "customer": o["customer"], "usd": str(usd.quantize(CENT, ROUND_HALF_UP))})
        continue
    totals[customer["id"]] += usd
    counts[customer["id"]] += 1
    if o["customer"] != customer["name"]:
        aliases[customer["id"]].add((o["customer"], round(score, 2)))

print(f"{'customer':<22}{'orders':>7}{'total USD':>14}{'limit':>14}  flag")
for c in customers:
    total = totals[c["id"]].quantize(CENT, rounding=ROUND_HALF_UP)
    limit = Decimal(c["credit_limit"]) if c["credit_limit"] is not None else None
    flag = "over limit" if limit is not None and total > limit else ""
    shown = f"{limit:,.2f}" if limit is not None else "n/a"
    print(f"{c['name']:<22}{counts[c['id']]:>7}{total:>14,}{shown:>14}  {flag}".rstrip())

print("\nAliases used in orders:")
for cid in sorted(aliases):
    original = next(c["name"] for c in customers if c["id"] == cid)
    print(f"  {original}: " + "; ".join(f"{a} ({s:.2f})" for a, s in sorted(aliases[cid])))

grand_total = sum(totals.values(), Decimal(0)).quantize(CENT, ROUND_HALF_UP)
print(f"\nGrand total: ${grand_total:,}   orphans: {len(orphans)}   skipped: {skipped}")

result = {
    "totals": {c["name"]: str(totals[c["id"]].quantize(CENT, ROUND_HALF_UP)) for c in customers},
    "grand_total": str(grand_total),
    "orphans": orphans,
    "skipped": skipped,
}
