"""How long did customers wait in business hours? SLA report per support tier."""
from datetime import datetime, date, time, timedelta
from typing import NamedTuple, Optional
from zoneinfo import ZoneInfo


class Office(NamedTuple):
    name: str
    tz: ZoneInfo
    opens: time
    closes: time
    holidays: frozenset
    weekend: frozenset = frozenset({5, 6})

    def working_day(self, d: date) -> bool:
        return d.weekday() not in self.weekend and d not in self.holidays

    def business_time(self, start: datetime, end: datetime) -> timedelta:
        """Working time between two aware datetimes, exact over DST changes."""
        total = timedelta()
        day = start.astimezone(self.tz).date()
        last = end.astimezone(self.tz).date()
        while day <= last:
            if self.working_day(day):
                lo = max(start, datetime.combine(day, self.opens, self.tz))
                hi = min(end, datetime.combine(day, self.closes, self.tz))
                if hi > lo:
                    # subtract in UTC: same-zone subtraction would ignore DST
                    total += hi.astimezone(UTC) - lo.astimezone(UTC)
            day += timedelta(days=1)
        return total

    def deadline(self, start: datetime, budget: timedelta) -> datetime:
        day = start.astimezone(self.tz).date()
        while True:
            if self.working_day(day):
                lo = max(start, datetime.combine(day, self.opens, self.tz))
                hi = datetime.combine(day, self.closes, self.tz)
                if hi > lo:
                    room = hi.astimezone(UTC) - lo.astimezone(UTC)
                    if room >= budget:
                        return (lo.astimezone(UTC) + budget).astimezone(self.tz)
                    budget -= room
            day += timedelta(days=1)


class Ticket(NamedTuple):
    iid: int
    title: str
    tier: str
    office: Office
    opened: datetime
    answered: Optional[datetime]
    paused: tuple


UTC = ZoneInfo("UTC")
NOW = datetime(2024, 4, 5, 15, 0, tzinfo=UTC)
TARGETS = {"gold": timedelta(hours=2), "silver": timedelta(hours=8), "bronze": timedelta(days=1)}


def hm(td):
    minutes = round(td.total_seconds() / 60)
    sign = "-" if minutes < 0 else ""
    return f"{sign}{abs(minutes) // 60}:{abs(minutes) % 60:02}"


offices = {}
for row in postgres_reference.query(sql="SELECT name, tz, opens, closes, holidays, weekend FROM offices"):
    extra = {"weekend": frozenset(row["weekend"])} if row.get("weekend") else {}
    offices[row["name"]] = Office(
        row["name"], ZoneInfo(row["tz"]), time.fromisoformat(row["opens"]), time.fromisoformat(row["closes"]),
        frozenset(map(date.fromisoformat, row["holidays"] or [])), **extra,
    )

tickets = []
page = 1
while page is not None:
    issues = gitlab_zereight.list_issues(project_id="support/desk", labels=["sla"], created_after="2024-03-25T00:00:00Z", page=page, per_page=15)
    for issue in issues:
        labels = dict(l.split("::", 1) for l in issue["labels"] if "::" in l)
        tier = labels.get("tier", "bronze")
        office = offices.get(labels.get("office"), offices["Lisboa"])
        answered, waits, opened_at = None, [], datetime.fromisoformat(issue["created_at"])
        if issue["user_notes_count"]:
            since = None
            for note in gitlab_zereight.list_issue_discussions(project_id="support/desk", issue_iid=issue["iid"]):
                at = datetime.fromisoformat(note["created_at"])
                if note["system"]:
                    if "added ~waiting" in note["body"]:
                        since = at
                    elif "removed ~waiting" in note["body"] and since:
                        waits.append((since, at))
                        since = None
                elif answered is None and note["author"] != issue["author"]["username"]:
                    answered = at
        tickets.append(Ticket(issue["iid"], issue["title"], tier, office, opened_at, answered, tuple(waits)))
    page = page + 1 if len(issues) == 15 else None

print(f"{'ticket':<8}{'tier':<8}{'office':<10}{'opened (local)':<20}{'waited':>8}{'target':>8}  state")
stats = {}
for t in sorted(tickets, key=lambda t: (list(TARGETS).index(t.tier), t.opened)):
    end = t.answered or NOW
    waited = t.office.business_time(t.opened, end)
    for a, b in t.paused:
        waited -= t.office.business_time(max(a, t.opened), min(b, end)) if a < end else timedelta()
    target = TARGETS[t.tier]
    due = t.office.deadline(t.opened, target)
    if t.answered:
        state = "met" if waited <= target else "BREACHED"
    else:
        state = "OVERDUE" if waited > target else f"due {due:%a %H:%M %Z}"
    s = stats.setdefault(t.tier, {"met": 0, "missed": 0, "open": 0, "sum": timedelta()})
    s["met" if state == "met" else "missed" if state.isupper() else "open"] += 1
    s["sum"] += waited
    local = t.opened.astimezone(t.office.tz)
    print(f"#{t.iid:<7}{t.tier:<8}{t.office.name:<10}{local:%a %d %b %H:%M}{'':<4} {hm(waited):>8}{hm(target):>8}  {state}")

print()
summary = {}
for tier, s in stats.items():
    n = s["met"] + s["missed"] + s["open"]
    judged = s["met"] + s["missed"]
    summary[tier] = {"tickets": n, "met": s["met"], "missed": s["missed"], "average": hm(s["sum"] / n)}
    print(f"{tier:<8}{n:>3} tickets, {s['met'] / judged if judged else 1:.0%} met, average wait {hm(s['sum'] / n)}")

spring = offices["Lisboa"].business_time(datetime(2024, 3, 29, 16, tzinfo=UTC), datetime(2024, 4, 1, 9, tzinfo=UTC))
print("Lisboa over the DST weekend:", spring, "and wall clock", datetime(2024, 4, 1, 9) - datetime(2024, 3, 29, 16))
result = summary
