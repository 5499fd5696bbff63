import csv
import json

budget = json.loads(filesystem.read_text_file(path="/finance/2025/budget.json"))
text = filesystem.read_text_file(path="/finance/2025/q1_actuals.csv")

months = ["Jan", "Feb", "Mar"]
actual = {}
for row in csv.DictReader(text.splitlines()):
    cat = row["category"].strip().title()
    month = months[int(row["date"].split("-")[1]) - 1]
    amount = row["amount"].replace(",", "").strip()
    negative = amount.startswith("(") and amount.endswith(")")
    value = float(amount.strip("()") or 0)
    actual.setdefault(cat, dict.fromkeys(months, 0.0))[month] += -value if negative else value


def money(x):
    return f"({abs(x):,.0f})" if x < 0 else f"{x:,.0f}"


header = ["Category", *months, "Q1 actual", "Q1 budget", "Variance", "%", ""]
rows = []
for category in sorted(set(budget) | set(actual)):
    spent = actual.get(category, dict.fromkeys(months, 0.0))
    q1 = sum(spent.values())
    plan = (budget.get(category) or 0) * 3
    variance = plan - q1
    pct = f"{q1 / plan:.0%}" if plan else "n/a"
    if plan == 0 and q1:
        flag = "unbudgeted"
    elif plan and q1 > plan * 1.1:
        flag = "OVER"
    elif q1 == 0:
        flag = "unused"
    else:
        flag = ""
    rows.append([category, *(money(spent[m]) for m in months), money(q1), money(plan), money(variance), pct, flag])

total_actual = sum(sum(v.values()) for v in actual.values())
total_plan = sum((v or 0) * 3 for v in budget.values())
rows.append(["**Total**", *(money(sum(v[m] for v in actual.values())) for m in months),
             money(total_actual), money(total_plan), money(total_plan - total_actual), f"{total_actual / total_plan:.0%}", ""])

widths = [max(len(str(r[i])) for r in [header] + rows) for i in range(len(header))]


def line(cells):
    out = []
    for i, (cell, w) in enumerate(zip(cells, widths)):
        out.append(cell.ljust(w) if i in (0, len(cells) - 1) else cell.rjust(w))
    return "| " + " | ".join(out) + " |"


table = [line(header)]
table.append("|" + "|".join(("-" * (w + 1) + ":") if 0 < i < len(widths) - 1 else "-" * (w + 2) for i, w in enumerate(widths)) + "|")
table.extend(line(r) for r in rows)
md = "\n".join(table)
print(md)

filesystem.write_file(path="/finance/2025/q1_report.md", content=f"# Q1 2025\n\n{md}\n")
over = [r[0] for r in rows if r[-1] == "OVER"]
print("\nOver budget by more than 10%:", ", ".join(over) or "none")
result = {"total_actual": round(total_actual, 2), "total_budget": total_plan, "over": over}
