import csv
import io
import re
from datetime import datetime

raw = filesystem.read_text_file(path="/data/imports/leads.csv")
reader = csv.DictReader(io.StringIO(raw.lstrip("\ufeff")))

DATE_FORMATS = ["%Y-%m-%d", "%d/%m/%Y", "%d.%m.%Y", "%b %d, %Y"]


def clean_date(value):
    value = (value or "").strip()
    for fmt in DATE_FORMATS:
        try:
            return datetime.strptime(value, fmt).date().isoformat()
        except ValueError:
            pass
    return ""


def clean_phone(value):
    digits = re.sub(r"[^\d+]", "", value or "")
    if digits.startswith("00"):
        digits = "+" + digits[2:]
    elif digits.startswith("0"):
        digits = "+44" + digits[1:]
    return digits if len(digits) >= 8 else ""


def clean_amount(value):
    value = re.sub(r"[£$€\s]", "", value or "")
    if not value or value.lower() in ("n/a", "-"):
        return None
    if "," in value and "." in value:
        value = value.replace(",", "")
    elif re.search(r",\d{2}$", value):
        value = value.replace(",", ".")
    else:
        value = value.replace(",", "")
    return float(value)


seen = set()
rows, problems = [], []
for n, row in enumerate(reader, start=2):
    row = {(k or "").strip().lower().replace(" ", "_"): (v or "").strip() for k, v in row.items()}
    email = row["email"].lower()
    if not email and not row["name"]:
        problems.append((n, "empty row"))
        continue
    if "@" not in email:
        problems.append((n, f"bad email {row['email']!r}"))
        continue
    if email in seen:
        problems.append((n, f"duplicate {email}"))
        continue
    seen.add(email)
    name = " ".join(w.capitalize() if w.islower() or w.isupper() else w for w in row["name"].split())
    signup = clean_date(row["signup_date"])
    if not signup:
        problems.append((n, f"unreadable date {row['signup_date']!r}"))
    rows.append({
        "name": name,
        "email": email,
        "phone": clean_phone(row["phone"]),
        "signup_date": signup,
        "amount": clean_amount(row["amount"]),
    })

rows.sort(key=lambda r: (r["signup_date"] or "9999", r["name"]))
out = io.StringIO()
writer = csv.DictWriter(out, fieldnames=["name", "email", "phone", "signup_date", "amount"], lineterminator="\n")
writer.writeheader()
for r in rows:
    writer.writerow({**r, "amount": "" if r["amount"] is None else f"{r['amount']:.2f}"})

print(filesystem.write_file(path="/data/imports/leads_clean.csv", content=out.getvalue()))
print(f"Kept {len(rows)} rows, {len(problems)} problems")
for n, why in problems:
    print(f"  line {n}: {why}")
print(out.getvalue())
total = sum(r["amount"] for r in rows if r["amount"] is not None)
result = {"kept": len(rows), "problems": problems, "total_amount": round(total, 2)}
