# a zone's own clock
from datetime import datetime, timedelta, timezone, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError
b = ZoneInfo("Europe/Berlin"); ny = ZoneInfo("America/New_York")
d = datetime(2024, 3, 30, 12, 30, tzinfo=b)
print(d, d.tzname(), d.utcoffset(), d.dst(), repr(d))
e = d + timedelta(days=1)
print(e, e - d, e.astimezone(timezone.utc) - d.astimezone(timezone.utc))
print(d.astimezone(ny), d.astimezone(ny).strftime("%Y-%m-%d %H:%M %Z %z"))
# ---
# a time that a clock shows twice, and one that it never shows
from datetime import datetime, timedelta, timezone, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError
b = ZoneInfo("Europe/Berlin"); ny = ZoneInfo("America/New_York")
f = datetime(2024, 10, 27, 2, 30, tzinfo=b)
print(f, f.replace(fold=1), f == f.replace(fold=1), f.astimezone(timezone.utc), f.replace(fold=1).astimezone(timezone.utc))
g = datetime(2024, 3, 31, 2, 30, tzinfo=b)
print(g, g.replace(fold=1), g.astimezone(timezone.utc), g.astimezone(timezone.utc).astimezone(b))
u = datetime(2024, 10, 27, 0, 30, tzinfo=timezone.utc)
for i in range(3):
    x = (u + timedelta(hours=i)).astimezone(b)
    print(x, x.fold, x.timestamp())
# ---
# zones of the world
from datetime import datetime, timedelta, timezone, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError
b = ZoneInfo("Europe/Berlin"); ny = ZoneInfo("America/New_York")
for z in ["Asia/Kolkata", "Asia/Tokyo", "Australia/Sydney", "America/Sao_Paulo", "UTC", "Asia/Singapore", "Europe/London", "US/Pacific", "Africa/Lagos", "Asia/Shanghai", "GMT", "Asia/Kathmandu"]:
    for m in (1, 7):
        x = datetime(2024, m, 1, tzinfo=timezone.utc).astimezone(ZoneInfo(z))
        print(z, x.isoformat(), x.tzname(), x.dst(), x.utcoffset())
# ---
# a zone that is not there, times without a day, far years
from datetime import datetime, timedelta, timezone, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError
b = ZoneInfo("Europe/Berlin"); ny = ZoneInfo("America/New_York")
try:
    ZoneInfo("Europe/Ber" + "ln")
except ZoneInfoNotFoundError as e:
    print(type(e).__name__, e)
print(time(12, 0, tzinfo=b).utcoffset(), time(12, tzinfo=ZoneInfo("UTC")).utcoffset(), time(9, tzinfo=b).isoformat())
print(datetime(1890, 1, 1, tzinfo=b), datetime(1,1,2,tzinfo=ny), datetime(2500,7,1,tzinfo=ny), b, ny.key, b is ZoneInfo("Europe/Berlin"))
# ---
# comparing across zones
from datetime import datetime, timedelta, timezone, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError
b = ZoneInfo("Europe/Berlin"); ny = ZoneInfo("America/New_York")
print(datetime(2024,1,1,12,tzinfo=b) == datetime(2024,1,1,11,tzinfo=timezone.utc), datetime(2024,1,1,12,tzinfo=b) < datetime(2024,1,1,7,tzinfo=ny), {datetime(2024,1,1,12,tzinfo=b): 1}[datetime(2024,1,1,11,tzinfo=timezone.utc)])
print(datetime.fromtimestamp(1720000000, tz=b), datetime.fromtimestamp(1720000000, ZoneInfo("Asia/Kolkata")))
print(datetime.combine(datetime(2024,7,1).date(), time(9,30), tzinfo=b).isoformat())
print(datetime(2024, 1, 1, tzinfo=b).timetuple().tm_isdst, datetime(2024,7,1,tzinfo=b).timetuple().tm_isdst)
