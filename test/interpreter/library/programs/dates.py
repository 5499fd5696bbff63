from datetime import datetime, date, timedelta, timezone, time
import datetime as dt
d = date(2024, 2, 29); t = datetime(2024, 1, 2, 3, 4, 5, 678)
print(d, repr(d), t, repr(t), d.weekday(), d.isocalendar(), d.strftime("%d %b %Y, %A %j %U %W %V"))
print(t + timedelta(days=1, hours=2), t - datetime(2023, 1, 1), d - date(2024, 1, 1), d + timedelta(weeks=1))
print(timedelta(days=-1, seconds=30), repr(timedelta(hours=1.5)), timedelta(seconds=90).total_seconds(), timedelta(days=3) / timedelta(hours=5), timedelta(days=1) * 1.5, -timedelta(1), timedelta(minutes=5) // 2)
print(datetime.strptime("2024-03-01 12:30", "%Y-%m-%d %H:%M"), datetime.fromisoformat("2024-01-02T03:04:05.123Z"), datetime.fromisoformat("2024-01-02"), date.fromisoformat("20240102"))
print(datetime.strptime("Mon, 05 Feb 2024 10:11:12 +0200", "%a, %d %b %Y %H:%M:%S %z"), datetime.fromtimestamp(1700000000, tz=timezone.utc), datetime.fromtimestamp(1.5, timezone.utc).isoformat())
print(t.isoformat(), t.isoformat(" ", "minutes"), t.date(), t.time(), t.replace(year=2020), t.timetuple()[:6], t.timestamp() > 0)
print(sorted([date(2024,5,1), date(2023,1,1)]), max(t, datetime(2025,1,1)), {d: 1}[date(2024,2,29)], d == date(2024,2,29), t.date() == d, d in {date(2024,2,29)})
print(f"{t:%Y/%m/%d} {d:%B}", t.tzinfo, timezone.utc, timezone(timedelta(hours=5, minutes=30)), repr(timezone(timedelta(hours=-3))), t.replace(tzinfo=timezone.utc).astimezone(timezone(timedelta(hours=2))))
for f in [lambda: date(2024, 2, 30), lambda: datetime.strptime("x", "%Y"), lambda: t < t.replace(tzinfo=timezone.utc), lambda: datetime.fromisoformat("nope"), lambda: t < d, lambda: t + 1, lambda: datetime.strptime("2024-01-01x", "%Y-%m-%d"), lambda: date(2024), lambda: timedelta("1")]:
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
print(isinstance(t, date), isinstance(d, datetime), type(t).__name__, dt.date(1,1,1), date.min, datetime.max, time(1,2), repr(time(1,2,3)), datetime.combine(d, time(5)), (t - t).days, str(timedelta(0)), t.strftime("%-d/%-m/%y %I:%M %p %%"))
print(d.replace(day=1), d.toordinal(), date.fromordinal(1), t.ctime(), (date(2024,12,25) - d).days, t.strftime("%c|%x|%X|%f|%z|%Z"))
