from collections import defaultdict
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, getcontext, localcontext
from fractions import Fraction

getcontext().prec = 28
CENT = Decimal("0.01")


def money(text):
    return Decimal(text).quantize(CENT, rounding=ROUND_HALF_EVEN) if text is not None else Decimal(0)


accounts = {a["code"]: a for a in postgres_reference.query(sql="SELECT code, name, kind FROM accounts ORDER BY code")}
entries = postgres_reference.query(sql="SELECT journal, account, debit, credit FROM entries ORDER BY journal")

journals = defaultdict(list)
for e in entries:
    journals[e["journal"]].append(e)

balances = defaultdict(Decimal)
unbalanced, unknown = [], set()
rounding_gap = Decimal(0)
for number, lines in journals.items():
    debit = sum(money(l["debit"]) for l in lines)
    credit = sum((money(l["credit"]) for l in lines), start=Decimal())
    if debit != credit:
        unbalanced.append((number, str(debit - credit)))
        continue
    for l in lines:
        if l["account"] not in accounts:
            unknown.add(l["account"])
        balances[l["account"]] += money(l["debit"]) - money(l["credit"])
        raw = Decimal(l["debit"] or l["credit"])
        rounding_gap += raw.quantize(CENT, ROUND_HALF_UP) - money(raw)

assert sum(balances.values()) == 0, "ledger does not balance"
print(f"{'':6}{'account':<14}{'debit':>14}{'credit':>14}")
for code in sorted(balances):
    bal = balances[code]
    name = accounts[code]["name"] if code in accounts else "?? unknown"
    debit, credit = (f"{bal:,}", "") if bal >= 0 else ("", f"{-bal:,}")
    print(f"{code:<6}{name:<14}{debit:>14}{credit:>14}")

by_kind = defaultdict(Decimal)
for code, bal in balances.items():
    by_kind[accounts[code]["kind"] if code in accounts else "unknown"] += bal
profit = -(by_kind["income"] + by_kind["expense"])
with localcontext() as ctx:
    ctx.prec = 6
    margin = profit / -by_kind["income"] if by_kind["income"] else None
print(f"profit {profit:,.2f}, margin {margin}")

# --- settle the trip expenses exactly, with fractions -------------------
expenses = sqlite_npx.read_query(query="SELECT payer, amount, participants FROM trip_expenses")
share = defaultdict(Fraction)
for x in expenses:
    people = x["participants"].split(",")
    amount = Fraction(x["amount"])
    share[x["payer"]] += amount
    for p in people:
        share[p] -= amount / len(people)
assert sum(share.values()) == 0


def to_cents(shares):
    """Largest remainder method, so that the rounded values still add up to zero."""
    floors = {p: (v * 100).__floor__() for p, v in shares.items()}
    missing = -sum(floors.values())
    by_rest = sorted(shares, key=lambda p: (floors[p] - shares[p] * 100, p))
    return {p: floors[p] + (1 if p in by_rest[:missing] else 0) for p in shares}


def settle(cents):
    pay = []
    left = dict(cents)
    while any(left.values()):
        debtor = min(left, key=lambda p: (left[p], p))
        creditor = max(left, key=lambda p: (left[p], p))
        amount = min(-left[debtor], left[creditor])
        left[debtor] += amount
        left[creditor] -= amount
        pay.append((debtor, creditor, amount))
    return pay


cents = to_cents(share)
print("\nexact shares:")
for p in sorted(share):
    print(f"  {p:<5}{str(share[p]):>12}  ≈ {float(share[p]):>9.4f}  → {cents[p] / 100:>8.2f}")
payments = settle(cents)
for debtor, creditor, amount in payments:
    print(f"  {debtor} pays {creditor} {amount // 100}.{amount % 100:02d}")

result = {
    "balances": {k: str(v) for k, v in sorted(balances.items())},
    "unbalanced": unbalanced,
    "unknown": sorted(unknown),
    "profit": str(profit),
    "rounding_gap": str(rounding_gap),
    "shares": {p: str(v) for p, v in sorted(share.items())},
    "payments": payments,
    "approx": str(Fraction(3.14159).limit_denominator(120)),
}
