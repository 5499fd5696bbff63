import calendar
import json
from collections import Counter, defaultdict
from datetime import date, datetime, timedelta, timezone
from itertools import count

REPO = ("acme", "app", "main")
SHADES = " ░▒▓█"


def commits():
    for page in count(1):
        batch = github_reference.list_commits(*REPO, page=page, perPage=25)
        yield from batch
        if len(batch) < 25:
            return


def shade(n, top):
    if not n:
        return SHADES[0]
    return SHADES[min(len(SHADES) - 1, 1 + (n - 1) * (len(SHADES) - 1) // top)]


holidays = {date.fromisoformat(d): name for d, name in json.loads(server_filesystem.read_text_file(path="/reports/holidays.json")).items()}
rows = []
for c in commits():
    stamp = datetime.fromisoformat(c["commit"]["author"]["date"])
    rows.append({
        "who": c["author"]["login"] if c["author"] else f"({c['commit']['author']['name']})",
        "local": stamp,
        "utc": stamp.astimezone(timezone.utc),
        "subject": c["commit"]["message"].split("\n", 1)[0],
    })
rows.sort(key=lambda r: r["utc"])

out = []
emit = out.append

# weekday × hour
grid = defaultdict(Counter)
for r in rows:
    grid[r["local"].weekday()][r["local"].hour // 2] += 1
top = max(max(c.values()) for c in grid.values())
emit("local time     " + "".join(f"{h:02d}" for h in range(0, 24, 2)))
for d, name in enumerate(calendar.day_abbr):
    emit(f"{name} {sum(grid[d].values()):>4}       " + "".join(shade(grid[d][b], top) * 2 for b in range(12)))

# calendar of the whole range, one row per weekday, one column per ISO week
days = Counter(r["local"].date() for r in rows)
first, last = min(days), max(days)
monday = first - timedelta(days=first.weekday())
weeks = (last - monday).days // 7 + 1
busiest = max(days.values())
emit("")
header = [" "] * weeks
for w in range(weeks):
    start = monday + timedelta(weeks=w)
    if start.day <= 7:
        header[w] = calendar.month_abbr[start.month][0]
emit("    " + "".join(header))
for d in range(7):
    cells = []
    for w in range(weeks):
        day = monday + timedelta(weeks=w, days=d)
        if not first <= day <= last:
            cells.append(" ")
        elif day in holidays:
            cells.append("H")
        else:
            cells.append(shade(days[day], busiest) if days[day] else "·")
    emit(f"{calendar.day_abbr[d]} " + "".join(cells))

# streaks
best = run = 0
best_end = None
day = first
while day <= last:
    run = run + 1 if days[day] else 0
    if run > best:
        best, best_end = run, day
    day += timedelta(days=1)
gap, gap_start = max(((b - a).days, a) for a, b in zip(sorted(days), sorted(days)[1:]))
emit("")
emit(f"longest streak: {best} days until {best_end:%d %b}; longest gap: {gap} days from {gap_start:%d %b}")

by_week = Counter("{0}-W{1:02d}".format(*r["local"].isocalendar()) for r in rows)
by_author = Counter(r["who"] for r in rows)
weekend = sum(r["local"].weekday() >= 5 for r in rows)
on_holidays = sorted({holidays[r["local"].date()] for r in rows if r["local"].date() in holidays})
quarters = Counter(f"Q{(r['utc'].month - 1) // 3 + 1}" for r in rows)
night = [r for r in rows if not 6 <= r["local"].hour < 22]

for who, n in by_author.most_common():
    mine = [r["local"].hour for r in rows if r["who"] == who]
    emit(f"{who:<10}{n:>3}  average hour {sum(mine) / len(mine):05.2f}  {min(mine):02d}h–{max(mine):02d}h")

text = "\n".join(line.rstrip() for line in out)
print(text)
print(server_filesystem.write_file(path="/reports/heatmap.txt", content=text + "\n"))
result = {
    "commits": len(rows),
    "weekend": f"{weekend / len(rows):.1%}",
    "night": len(night),
    "quarters": dict(quarters),
    "busiest_week": max(by_week.items(), key=lambda kv: (kv[1], kv[0])),
    "holidays": on_holidays,
    "streak": best,
    "span": (last - first).days,
    "different_day_in_utc": sum(r["utc"].date() != r["local"].date() for r in rows),
}
