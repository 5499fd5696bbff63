from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

UTC = timezone.utc
WORK_START, WORK_END = 8, 18


def zone(name):
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, TypeError, ValueError):
        return None


members = gitlab_zereight.list_group_members(group_id="platform", include_inheritance=True)
team = {m["username"]: ZoneInfo(m["tz"] or "UTC") for m in members if m["state"] == "active"}

events, rejected = [], []
for row in sqlite_npx.read_query(query="SELECT id, title, start, tz, minutes FROM events ORDER BY id"):
    tz = zone(row["tz"])
    if tz is None:
        rejected.append(f"{row['title']}: unknown zone {row['tz']}")
        continue
    try:
        local = datetime.fromisoformat(row["start"]).replace(tzinfo=tz)
    except ValueError as err:
        rejected.append(f"{row['title']}: {err}")
        continue
    start = local.astimezone(UTC)
    events.append({"title": row["title"], "start": start, "end": start + timedelta(minutes=row["minutes"]), "tz": tz})

events.sort(key=lambda e: e["start"])


def fmt_offset(dt):
    total = int(dt.utcoffset().total_seconds() // 60)
    sign = "+" if total >= 0 else "-"
    h, m = divmod(abs(total), 60)
    return f"UTC{sign}{h:02d}:{m:02d}"


comfort = {u: 0 for u in team}
for e in events:
    print(f"{e['title']} — {e['start']:%a %d %b %Y %H:%M} UTC, {(e['end'] - e['start']).seconds // 60} min")
    for user, tz in sorted(team.items()):
        local_start = e["start"].astimezone(tz)
        local_end = e["end"].astimezone(tz)
        day_shift = (local_start.date() - e["start"].date()).days
        ok = WORK_START <= local_start.hour and (local_end.hour, local_end.minute) <= (WORK_END, 0) \
            and local_start.date() == local_end.date() and local_start.weekday() < 5
        comfort[user] += ok
        note = {1: " (+1 day)", -1: " (-1 day)"}.get(day_shift, "")
        dst = " DST" if local_start.dst() else ""
        print(f"   {user:<6}{local_start:%H:%M}–{local_end:%H:%M} {fmt_offset(local_start)}{dst}{note} {'☀' if ok else '☾'}")

overlaps = [
    (a["title"], b["title"])
    for i, a in enumerate(events)
    for b in events[i + 1:]
    if b["start"] < a["end"]
]

# does an event's wall-clock length differ from its real length? (it spans a DST switch)
spanning = []
for e in events:
    s, t = e["start"].astimezone(e["tz"]), e["end"].astimezone(e["tz"])
    if s.utcoffset() != t.utcoffset():
        spanning.append((e["title"], str(s.utcoffset() - t.utcoffset())))

print("\nRejected:", *rejected, sep="\n  ")
print("Overlaps:", overlaps)
print("Across a DST switch:", spanning)

result = {
    "order": [e["title"] for e in events],
    "first_utc": events[0]["start"].isoformat(),
    "comfort": comfort,
    "overlaps": overlaps,
    "dst": spanning,
    "rejected": rejected,
}
