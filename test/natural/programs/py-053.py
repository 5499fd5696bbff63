# Monthly retention cohorts
from collections import defaultdict
from datetime import date

users = {r["user_id"]: date.fromisoformat(r["signed_up"]) for r in postgres_reference.query(sql="SELECT user_id, signed_up FROM users")}
activity = postgres_reference.query(sql="SELECT user_id, day FROM activity")


def month_index(d):
    return d.year * 12 + d.month - 1


cohort_size = defaultdict(int)
for signed_up in users.values():
    cohort_size[month_index(signed_up)] += 1

active = defaultdict(set)  # (cohort, months later) -> users
unknown = 0
for row in activity:
    signed_up = users.get(row["user_id"])
    if signed_up is None or row["day"] is None:
        unknown += 1
        continue
    cohort = month_index(signed_up)
    age = month_index(date.fromisoformat(row["day"])) - cohort
    active[cohort, age].add(row["user_id"])

cohorts = sorted(cohort_size)
ages = range(max(age for _, age in active) + 1)
table = []
print("cohort    size " + "".join(f"{'M' + str(a):>7}" for a in ages))
for c in cohorts:
    label = f"{c // 12}-{c % 12 + 1:02d}"
    shares = [len(active.get((c, a), ())) / cohort_size[c] for a in ages]
    table.append({"cohort": label, "size": cohort_size[c], "retention": [round(s, 3) for s in shares]})
    print(f"{label:<9}{cohort_size[c]:>5} " + "".join(f"{s:>7.0%}" if s else f"{'·':>7}" for s in shares))

weighted = []
for a in ages:
    total = sum(cohort_size.values())
    weighted.append(sum(len(active.get((c, a), ())) for c in cohorts) / total)
print("average       " + "".join(f"{w:>7.1%}" for w in weighted))

never = sorted(set(users) - {u for s in active.values() for u in s})
print(f"{len(never)} users were never active: {never}; {unknown} rows ignored")
result = {"table": table, "never": never, "ignored": unknown, "average": [round(w, 4) for w in weighted]}
