import csv
import io
from collections import defaultdict
from fractions import Fraction

text = filesystem.read_text_file(path="/shared/lisbon-trip.csv")
people = ["Ana", "Ben", "Chloé", "Dávid"]

balances = defaultdict(Fraction)
spent = defaultdict(Fraction)
by_category = defaultdict(Fraction)
ignored = []

for i, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
    payer = row["paid_by"].strip()
    amount = row["amount"].strip().replace("€", "")
    if payer not in people or not amount:
        ignored.append((i, row["what"] or "?"))
        continue
    amount = Fraction(amount)
    who = row["for"].strip()
    if who.lower() in ("", "all", "everyone"):
        shares = {p: 1 for p in people}
    elif who.lower().startswith("all except"):
        absent = {n.strip() for n in who[len("all except"):].split("+")}
        shares = {p: 1 for p in people if p not in absent}
    else:
        shares = {}
        for part in who.split("+"):
            name, _, weight = part.strip().partition("*")
            shares[name.strip()] = int(weight or 1)
    unit = amount / sum(shares.values())
    balances[payer] += amount
    for p, w in shares.items():
        balances[p] -= unit * w
        spent[p] += unit * w
    by_category[row["category"].strip().lower() or "other"] += amount


def eur(x):
    return f"{float(x):.2f} €"


total = sum(by_category.values())
print(f"Total spent: {eur(total)}")
for cat, amount in sorted(by_category.items(), key=lambda kv: kv[1], reverse=True):
    print(f"  {cat:<12}{eur(amount):>12}  {float(amount / total):.0%}")

print("\nPerson    consumed      balance")
for p in people:
    print(f"{p:<8}{eur(spent[p]):>11}{eur(balances[p]):>13}")

# settle: biggest debtor pays biggest creditor
transfers = []
open_balances = {p: round(balances[p] * 100) for p in people}
while True:
    debtor = min(open_balances, key=open_balances.get)
    creditor = max(open_balances, key=open_balances.get)
    amount = min(-open_balances[debtor], open_balances[creditor])
    if amount <= 0:
        break
    open_balances[debtor] += amount
    open_balances[creditor] -= amount
    transfers.append((debtor, creditor, amount / 100))

print("\nTransfers")
for debtor, creditor, amount in transfers:
    print(f"  {debtor} -> {creditor}: {amount:.2f} €")
for line, what in ignored:
    print(f"(line {line} ignored: {what})")
result = {"total": float(total), "transfers": transfers, "ignored": len(ignored)}
