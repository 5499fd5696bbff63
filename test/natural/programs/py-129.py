from datetime import datetime, timedelta
from itertools import pairwise
from operator import itemgetter

conn = mongodb.connect(connectionString="mongodb://ops-db:27017")["connectionId"]
docs = mongodb.find(
    connectionId=conn, database="ops", collection="oncall",
    filter={"team": "platform", "start": {"$lt": "2025-06-09T00:00:00"}, "end": {"$gt": "2025-06-02T00:00:00"}},
    sort={"start": 1},
)["documents"]

period_start = datetime(2025, 6, 2)
period_end = period_start + timedelta(days=7)

shifts = []
for d in docs:
    if d.get("cancelled"):
        continue
    start = max(datetime.fromisoformat(d["start"]), period_start)
    end = min(datetime.fromisoformat(d["end"]), period_end)
    if end <= start:
        print(f"skipping shift {d['_id']}: ends before it starts")
        continue
    shifts.append({"who": d.get("engineer") or "UNASSIGNED", "start": start, "end": end})
shifts.sort(key=itemgetter("start", "end"))


def hours(delta):
    return delta / timedelta(hours=1)


gaps = []
overlaps = []
covered_until = period_start
for s in shifts:
    if s["start"] > covered_until:
        gaps.append((covered_until, s["start"]))
    covered_until = max(covered_until, s["end"])
if covered_until < period_end:
    gaps.append((covered_until, period_end))

for i, a in enumerate(shifts):
    for b in shifts[i + 1:]:
        if b["start"] >= a["end"]:
            break
        overlaps.append((a["who"], b["who"], b["start"], min(a["end"], b["end"])))

load = {}
nights = {}
for s in shifts:
    load[s["who"]] = load.get(s["who"], 0) + hours(s["end"] - s["start"])
    t = s["start"]
    while t < s["end"]:
        if t.hour >= 22 or t.hour < 6:
            nights[s["who"]] = nights.get(s["who"], 0) + 1
        t += timedelta(hours=1)

print(f"On-call plan {period_start:%a %d %b} – {period_end - timedelta(days=1):%a %d %b %Y}")
for s in shifts:
    print(f"  {s['start']:%a %H:%M} – {s['end']:%a %H:%M}  {s['who']} ({hours(s['end'] - s['start']):g} h)")

print("\nGaps:")
for a, b in gaps:
    print(f"  {a:%a %d %H:%M} to {b:%a %d %H:%M} ({hours(b - a):.1f} h)")
print("Overlaps:")
for x, y, a, b in overlaps:
    note = " (same person twice)" if x == y else ""
    print(f"  {x} and {y}: {a:%a %H:%M}–{b:%H:%M}{note}")

own = {}
for s in shifts:
    own.setdefault(s["who"], []).append(s)
tight = []
for who, mine in own.items():
    for a, b in pairwise(mine):
        rest = hours(b["start"] - a["end"])
        if 0 <= rest < 11:
            tight.append((who, rest))
            print(f"Only {rest:g} h rest for {who} before {b['start']:%a %H:%M}")

print("\nLoad:")
for who, h in sorted(load.items(), key=itemgetter(1), reverse=True):
    print(f"  {who:<12}{h:>6.1f} h, {nights.get(who, 0)} night hours")

result = {"gaps": [[str(a), str(b)] for a, b in gaps], "overlaps": len(overlaps), "load": load, "tight": tight}
