from datetime import datetime, date, time, timedelta, timezone
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

CONN = mongodb.connect(connectionString="mongodb://calendar.internal:27017")["connectionId"]
DAYS = [date(2024, 10, 25), date(2024, 10, 28), date(2024, 10, 29), date(2024, 10, 30)]  # around the end of DST in Europe
LENGTH = timedelta(minutes=45)
STEP = timedelta(minutes=15)


class Slot(NamedTuple):
    start: datetime
    end: datetime

    def overlaps(self, other):
        return self.start < other.end and other.start < self.end


class Person:
    def __init__(self, doc):
        self.email = doc["_id"]
        self.name = doc.get("name") or self.email.split("@")[0]
        hours = doc.get("hours") or {"from": "09:00", "to": "17:00"}
        self.opens, self.closes = time.fromisoformat(hours["from"]), time.fromisoformat(hours["to"])
        self.off = {date.fromisoformat(d) for d in doc.get("days_off", [])}
        self.optional = doc.get("optional", False)
        self.busy = []
        try:
            self.tz = ZoneInfo(doc["tz"])
        except (KeyError, ZoneInfoNotFoundError):
            self.tz = timezone.utc

    def works(self, slot):
        a, b = slot.start.astimezone(self.tz), slot.end.astimezone(self.tz)
        if a.weekday() > 4 or a.date() in self.off or a.date() != b.date():
            return False
        return self.opens <= a.time() and b.time() <= self.closes

    def free(self, slot):
        return not any(slot.overlaps(b) for b in self.busy)

    def comfort(self, slot):
        """0 at the middle of the day, up to 1 at its edges."""
        local = slot.start.astimezone(self.tz)
        mid = (self.opens.hour + self.closes.hour) / 2
        return abs(local.hour + local.minute / 60 - mid) / max(1, (self.closes.hour - self.opens.hour) / 2)


def parse(ts, tz):
    dt = datetime.fromisoformat(ts.replace("Z", "+00:00"))
    return dt if dt.tzinfo else dt.replace(tzinfo=tz)


people = [
    Person(d)
    for d in mongodb.find(
        connectionId=CONN, database="calendar", collection="people", filter={"team": "atlas"}, limit=50
    )["documents"]
]
by_email = {p.email: p for p in people}

events = mongodb.find(
    connectionId=CONN,
    database="calendar",
    collection="events",
    filter={"attendee": {"$in": sorted(by_email)}},
    sort={"start": 1},
    limit=500,
)["documents"]
for ev in events:
    person = by_email.get(ev["attendee"])
    if person is None or ev.get("status") == "declined":
        continue
    start = parse(ev["start"], person.tz)
    end = parse(ev["end"], person.tz) if ev.get("end") else start + timedelta(hours=1)
    person.busy.append(Slot(start, end))

required = [p for p in people if not p.optional]
optional = [p for p in people if p.optional]

candidates = []
for day in DAYS:
    cursor = datetime.combine(day, time(0), timezone.utc)
    stop = cursor + timedelta(days=1)
    while cursor < stop:
        slot = Slot(cursor, cursor + LENGTH)
        if all(p.works(slot) and p.free(slot) for p in required):
            guests = [p for p in optional if p.works(slot) and p.free(slot)]
            pain = sum(p.comfort(slot) for p in required) / len(required)
            candidates.append((-len(guests), round(pain, 3), slot, guests))
        cursor += STEP

candidates.sort(key=lambda c: (c[0], c[1], c[2]))
print(f"{len(people)} people, {len(events)} events, {len(candidates)} possible slots\n")
for _, pain, slot, guests in candidates[:5]:
    print(f"{slot.start:%a %d %b %H:%M} UTC  discomfort {pain:.2f}  optional: {', '.join(g.name for g in guests) or '-'}")
    for p in required:
        a = slot.start.astimezone(p.tz)
        print(f"    {p.name:<18} {a:%a %H:%M} {a.tzname():<5} (UTC{a:%z})")

load = {p.name: round(sum((b.end - b.start).total_seconds() for b in p.busy) / 3600, 2) for p in people}
busiest = max(load, key=lambda n: (load[n], n))
print("\nhours in meetings:", load)

if candidates:
    best = candidates[0][2]
    booked = mongodb.insert_many(
        connectionId=CONN,
        database="calendar",
        collection="events",
        documents=[
            {"attendee": p.email, "start": best.start.isoformat(), "end": best.end.isoformat(), "title": "Atlas planning"}
            for p in required + candidates[0][3]
        ],
    )
    result = {"start": best.start, "end": best.end, "booked": booked["insertedCount"], "alternatives": [c[2].start.isoformat() for c in candidates[1:4]], "busiest": busiest}
else:
    result = {"start": None, "busiest": busiest}
