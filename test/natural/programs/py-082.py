import heapq
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo

INCIDENT = "INC-4411"
LOCAL = ZoneInfo("Europe/Lisbon")


@dataclass(order=True)
class Entry:
    at: datetime
    rank: int
    source: str = field(compare=False)
    text: str = field(compare=False)
    tags: set = field(compare=False, default_factory=set)


def when(text, *, default_tz=timezone.utc):
    text = text.strip()
    if re.fullmatch(r"\d{10}(\.\d+)?", text):
        return datetime.fromtimestamp(float(text), timezone.utc)
    if re.fullmatch(r"\d{13}", text):
        return datetime.fromtimestamp(int(text) / 1000, timezone.utc)
    for fmt in ("%d.%m.%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%b %d %H:%M:%S %Y"):
        try:
            return datetime.strptime(text, fmt).replace(tzinfo=default_tz)
        except ValueError:
            pass
    try:
        dt = datetime.fromisoformat(text)
    except ValueError:
        dt = parsedate_to_datetime(text)
    return dt if dt.tzinfo else dt.replace(tzinfo=default_tz)


def from_kubernetes():
    events = kubernetes_flux159.kubectl_get(resourceType="events", namespace="shop", sortBy="lastTimestamp")["items"]
    for e in events:
        stamp = e.get("lastTimestamp") or e.get("eventTime")
        if stamp is None:
            skipped.append(f"k8s event {e['reason']} has no time")
            continue
        obj = f"{e['involvedObject']['kind'].lower()}/{e['involvedObject']['name']}"
        times = f" (×{e['count']})" if e.get("count", 1) > 1 else ""
        tags = {"warning"} if e["type"] == "Warning" else set()
        yield Entry(when(stamp), 2, "k8s", f"{e['reason']} {obj}: {e['message']}{times}", tags)


def from_gitlab():
    for d in gitlab_zereight.list_deployments(project_id="shop", environment="production", updated_after="2024-11-29T06:00:00Z", order_by="updated_at", sort="asc"):
        name = (d.get("user") or {}).get("name", "someone")
        yield Entry(when(d["updated_at"]), 0, "deploy", f"{d['ref']} {d['status']} by {name} ({d['sha'][:8]})", {"change"} if d["status"] == "success" else set())


def from_notes():
    node = server_memory.open_nodes(names=[INCIDENT])["entities"][0]
    for obs in node["observations"]:
        m = re.match(r"\[(?P<at>[^\]]+)\]\s*(?:(?P<who>[\w.\-]+):\s+)?(?P<what>.+)", obs, re.S)
        if not m:
            skipped.append(f"note without time: {obs[:30]!r}")
            continue
        try:
            at = when(m["at"], default_tz=LOCAL)
        except (ValueError, TypeError):
            skipped.append(f"unreadable time {m['at']!r}")
            continue
        what = " ".join(m["what"].split())
        tags = {w.lower() for w in re.findall(r"#(\w+)", what)}
        yield Entry(at, 1, m["who"] or "note", what, tags)


skipped = []
streams = [sorted(f()) for f in (from_kubernetes, from_gitlab, from_notes)]
timeline = list(heapq.merge(*streams))

# collapse repeats of the same line within five minutes
collapsed = []
for e in timeline:
    if collapsed and collapsed[-1].text == e.text and e.at - collapsed[-1].at < timedelta(minutes=5):
        collapsed[-1].tags.add("repeated")
        continue
    collapsed.append(e)

marks = {}
for e in collapsed:
    for name in ("detected", "mitigated", "resolved"):
        if name in e.tags:
            marks.setdefault(name, e.at)
suspects = [e for e in collapsed if "change" in e.tags and e.at < marks["detected"]]
cause = suspects[-1] if suspects else None


def short(td):
    minutes, seconds = divmod(int(td.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}h{minutes:02}m" if hours else f"{minutes}m{seconds:02}s"


print(f"{INCIDENT} timeline ({LOCAL.key})")
day, previous = None, None
for e in collapsed:
    local = e.at.astimezone(LOCAL)
    if local.date() != day:
        day = local.date()
        print(f"\n{day:%A %d %B %Y}")
    gap = f"+{short(e.at - previous)}" if previous else ""
    flag = "!" if "warning" in e.tags else "*" if e is cause else "…" if "repeated" in e.tags else " "
    print(f"  {local:%H:%M:%S} {gap:>8} {flag} {e.source:<8} {e.text}")
    previous = e.at

if cause:
    print("\nlikely cause:", cause.text)
    print("time to detect:", short(marks["detected"] - cause.at))
for name in ("mitigated", "resolved"):
    if name in marks:
        print(f"time until {name}:", short(marks[name] - marks["detected"]))
for s in skipped:
    print("skipped:", s)

server_memory.add_observations(observations=[{"entityName": INCIDENT, "contents": [f"timeline has {len(collapsed)} entries"]}])
result = {
    "entries": len(collapsed),
    "collapsed": len(timeline) - len(collapsed),
    "cause": cause and cause.text,
    "marks": {k: v.isoformat() for k, v in marks.items()},
    "skipped": len(skipped),
}
