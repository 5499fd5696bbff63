"""Next runs of all active pipeline schedules (cron expressions with time zones)."""
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

NOW = datetime(2024, 2, 27, 22, 50, tzinfo=timezone.utc)
HORIZON = timedelta(days=5 * 366)
MONTHS = {m: i for i, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
DAYS = {d: i for i, d in enumerate("sun mon tue wed thu fri sat".split())}


class CronError(ValueError):
    pass


def parse_field(text, lo, hi, names=None):
    values = set()

    def number(token):
        token = token.lower()
        if names and token in names:
            return names[token]
        try:
            n = int(token)
        except ValueError:
            raise CronError(f"bad token {token!r}") from None
        if not lo <= n <= hi:
            raise CronError(f"{n} is outside {lo}-{hi}")
        return n

    for part in text.split(","):
        body, _, step = part.partition("/")
        if body == "*":
            first, last = lo, hi
        elif "-" in body:
            first, last = map(number, body.split("-"))
        else:
            first = number(body)
            last = hi if step else first
        values.update(range(first, last + 1, int(step) if step else 1))
    return frozenset(values)


@dataclass(frozen=True)
class Cron:
    minutes: frozenset
    hours: frozenset
    days: frozenset
    months: frozenset
    weekdays: frozenset
    any_day: bool
    any_weekday: bool

    @classmethod
    def parse(cls, text):
        fields = text.split()
        if len(fields) != 5:
            raise CronError(f"expected 5 fields, got {len(fields)}")
        m, h, d, mon, wd = fields
        return cls(
            parse_field(m, 0, 59), parse_field(h, 0, 23), parse_field(d, 1, 31), parse_field(mon, 1, 12, MONTHS),
            frozenset(n % 7 for n in parse_field(wd, 0, 7, DAYS)), d == "*", wd == "*",
        )

    def day_matches(self, day):
        if day.month not in self.months:
            return False
        dom = day.day in self.days
        dow = day.isoweekday() % 7 in self.weekdays
        if self.any_day or self.any_weekday:
            return dom and dow
        return dom or dow  # both restricted: either is enough

    def upcoming(self, after):
        """Wall-clock times strictly after `after`, in its time zone."""
        day = after.date()
        end = (after + HORIZON).date()
        while day <= end:
            if self.day_matches(day):
                for hour in sorted(self.hours):
                    for minute in sorted(self.minutes):
                        t = datetime(day.year, day.month, day.day, hour, minute, tzinfo=after.tzinfo)
                        if t > after:
                            yield t
            day += timedelta(days=1)


schedules = gitlab_zereight.list_pipeline_schedules(project_id="31", page=1, per_page=50)
agenda, broken = [], {}
for s in schedules:
    if not s["active"]:
        continue
    tz = ZoneInfo(s["cron_timezone"] or "UTC")
    try:
        cron = Cron.parse(s["cron"])
    except CronError as e:
        broken[s["description"]] = str(e)
        continue
    runs = cron.upcoming(NOW.astimezone(tz))
    first_three = [t for t, _ in zip(runs, range(3))]
    try:
        scope = gitlab_zereight.get_pipeline_schedule_variable(project_id="31", pipeline_schedule_id=s["id"], key="SCOPE")["value"]
    except Exception:
        scope = "default"
    agenda.append((first_three[0].astimezone(timezone.utc), s["description"], first_three, scope))

agenda.sort(key=lambda a: a[0])
for first, name, runs, scope in agenda:
    wait = first - NOW
    h, rest = divmod(wait.seconds, 3600)
    print(f"{name:<14} in {wait.days:>3}d {h:02d}h{rest // 60:02d}  [{scope}]")
    for t in runs:
        print(f"{'':<17}{t:%a %d %b %Y %H:%M %Z}  =  {t.astimezone(timezone.utc):%d %b %H:%M}Z")
print("broken:", broken)

result = {"next": [[n, f.isoformat()] for f, n, _, _ in agenda], "broken": broken,
          "inactive": [s["description"] for s in schedules if not s["active"]]}
