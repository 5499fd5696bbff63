import json
from datetime import datetime, timedelta, time
from zoneinfo import ZoneInfo

DAY = datetime(2025, 3, 12).date()
DURATION = timedelta(minutes=45)
STEP = timedelta(minutes=15)
WORK_START, WORK_END = time(9, 0), time(18, 0)
UTC = ZoneInfo("UTC")

people = json.loads(filesystem.read_text_file(path="/calendars/people.json"))

busy = {}
windows = {}
for person in people:
    tz = ZoneInfo(person["timezone"])
    start = datetime.combine(DAY, person_start if (person_start := person.get("starts_at") and time.fromisoformat(person["starts_at"])) else WORK_START, tzinfo=tz)
    end = datetime.combine(DAY, WORK_END, tzinfo=tz)
    windows[person["name"]] = (start.astimezone(UTC), end.astimezone(UTC))

    try:
        events = json.loads(filesystem.read_text_file(path=f"/calendars/{person['calendar']}"))
    except Exception as e:
        print(f"No calendar for {person['name']} ({e}); assuming free")
        events = []

    blocks = []
    for ev in events:
        if ev.get("status") == "cancelled" or ev.get("transparency") == "transparent":
            continue
        s = datetime.fromisoformat(ev["start"])
        e = datetime.fromisoformat(ev["end"])
        if s.tzinfo is None:
            s, e = s.replace(tzinfo=tz), e.replace(tzinfo=tz)
        blocks.append((s.astimezone(UTC), e.astimezone(UTC)))
    busy[person["name"]] = sorted(blocks)

earliest = max(w[0] for w in windows.values())
latest = min(w[1] for w in windows.values())
print(f"Common working window: {earliest:%H:%M}–{latest:%H:%M} UTC")

slots = []
cursor = earliest
while cursor + DURATION <= latest:
    end = cursor + DURATION
    conflict = [name for name, blocks in busy.items() if any(s < end and cursor < e for s, e in blocks)]
    if not conflict:
        slots.append(cursor)
    cursor += STEP

print(f"{len(slots)} possible start times for {int(DURATION.total_seconds() // 60)} minutes\n")
for s in slots:
    local = ", ".join(f"{p['name']} {s.astimezone(ZoneInfo(p['timezone'])):%H:%M}" for p in people)
    print(f"{s:%H:%M} UTC  ({local})")


def comfort(slot):
    # prefer times near the middle of everyone's day
    return sum(abs(slot.astimezone(ZoneInfo(p["timezone"])).hour - 13) for p in people)


best = min(slots, key=comfort) if slots else None
if best:
    print(f"\nSuggested: {best.isoformat()}")
result = {"slots": [s.isoformat() for s in slots], "best": best.isoformat() if best else None}
