import csv
import io
import re
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime, date
from decimal import Decimal
from difflib import get_close_matches
from itertools import combinations


@dataclass(eq=False)
class Line:
    day: date
    amount: Decimal
    text: str
    ref: str | None = None
    matched: list = field(default_factory=list)
    how: str = ""

    def __str__(self):
        return f"{self.day} {self.amount:>11,.2f}  {self.text[:40]}"


def parse_amount(text):
    text = text.replace("\u00a0", "").replace(" ", "").replace("€", "")
    negative = text.startswith(("-", "(", "−")) or text.endswith("-")
    digits = re.sub(r"[^\d,.]", "", text)
    if "," in digits and digits.rfind(",") > digits.rfind("."):
        digits = digits.replace(".", "").replace(",", ".")
    else:
        digits = digits.replace(",", "")
    return -Decimal(digits) if negative else Decimal(digits)


class BankDialect(csv.excel):
    delimiter = ";"
    skipinitialspace = True


def read_statement(text):
    head, _, body = text.partition("\n\n")
    meta = dict(line.split(":", 1) for line in head.lstrip("\ufeff").splitlines() if ":" in line)
    reader = csv.DictReader(io.StringIO(body, newline=""), dialect=BankDialect, restkey="extra")
    lines = []
    for row in reader:
        if not row["Buchungstag"]:
            continue
        try:
            day = datetime.strptime(row["Buchungstag"], "%d.%m.%y").date()
            amount = parse_amount(row["Betrag"])
        except (ValueError, ArithmeticError) as e:
            rejected.append((reader.line_num, str(e)))
            continue
        text = " ".join(f"{row['Empfänger']} {row['Verwendungszweck']}".split())
        ref = re.search(r"\b(R-\d{4}-\d+|PO\d{4,})\b", text)
        lines.append(Line(day, amount, text, ref and ref[1]))
    return {k.strip(): v.strip() for k, v in meta.items()}, lines


rejected = []
meta, bank = read_statement(server_filesystem.read_text_file(path="/finance/2024-11.csv")["content"])
ledger = [
    Line(date.fromisoformat(r["booked"]), Decimal(r["amount"]), f"{r['party'] or '?'} {r['memo'] or ''}".strip(), r["ref"])
    for r in postgres_reference.query(sql="SELECT booked, amount, party, memo, ref FROM ledger WHERE account = '1200' AND booked BETWEEN '2024-10-28' AND '2024-12-03' ORDER BY booked, id")
]
print(f"account {meta.get('Konto')}: {len(bank)} bank lines, {len(ledger)} ledger lines, {len(rejected)} rejected")


def pair(b, ls, how):
    b.matched, b.how = list(ls), how
    for l in ls:
        l.matched, l.how = [b], how


def open_(lines):
    return [x for x in lines if not x.matched]


# 1. reference and amount
by_ref = defaultdict(list)
for l in ledger:
    if l.ref:
        by_ref[l.ref].append(l)
for b in bank:
    for l in by_ref.get(b.ref, []):
        if not l.matched and l.amount == b.amount:
            pair(b, [l], "reference")
            break

# 2. same amount, at most four days apart, closest first
candidates = sorted(
    ((abs((b.day - l.day).days), i, j) for i, b in enumerate(bank) for j, l in enumerate(ledger) if b.amount == l.amount),
)
for gap, i, j in candidates:
    if gap <= 4 and not bank[i].matched and not ledger[j].matched:
        pair(bank[i], [ledger[j]], f"amount ±{gap}d")

# 3. one payment for up to three ledger lines of the same party
for b in open_(bank):
    words = set(re.findall(r"\w{4,}", b.text.casefold()))
    pool = [l for l in open_(ledger) if words & set(re.findall(r"\w{4,}", l.text.casefold()))]
    for n in (2, 3):
        found = next((c for c in combinations(pool, n) if sum(l.amount for l in c) == b.amount), None)
        if found:
            pair(b, found, f"sum of {n}")
            break

# 4. nearly the same amount: bank fees or typing errors
for b in open_(bank):
    texts = {l.text: l for l in open_(ledger) if l.amount and abs(l.amount - b.amount) / abs(l.amount) < Decimal("0.03")}
    close = get_close_matches(b.text, texts, n=1, cutoff=0.35)
    if close:
        l = texts[close[0]]
        pair(b, [l], f"difference {b.amount - l.amount:+}")

print("\nMATCHED")
for b in bank:
    if b.matched:
        print(f"  {b}   [{b.how}]")
print("\nONLY IN THE BANK")
for b in open_(bank):
    print(f"  {b}")
print("\nONLY IN THE LEDGER")
for l in open_(ledger):
    print(f"  {l}")
for n, why in rejected:
    print(f"rejected line {n}: {why}")

opening = parse_amount(meta["Anfangssaldo"])
closing = parse_amount(meta["Endsaldo"])
computed = opening + sum(b.amount for b in bank)
print(f"\nopening {opening:,} + movements {computed - opening:,} = {computed:,}, statement says {closing:,} (difference {closing - computed:,})")

out = io.StringIO()
w = csv.DictWriter(out, fieldnames=["day", "amount", "text"], quoting=csv.QUOTE_NONNUMERIC, extrasaction="ignore", lineterminator="\n")
w.writeheader()
for b in open_(bank):
    w.writerow({"day": b.day.isoformat(), "amount": float(b.amount), "text": b.text, "ref": b.ref})
server_filesystem.write_file(path="/finance/2024-11-open.csv", content=out.getvalue())
print(out.getvalue())

ways = defaultdict(int)
for b in bank:
    ways[b.how.split()[0] if b.how else "open"] += 1
result = {"ways": dict(sorted(ways.items())), "open_ledger": len(open_(ledger)), "difference": closing - computed, "rejected": rejected}
