from datetime import datetime, timedelta
from itertools import accumulate, groupby, pairwise, takewhile
from statistics import median

GAP = timedelta(minutes=30)
FUNNEL = ["view", "add_to_cart", "checkout", "purchase"]

where = dict(connectionId="a", database="web", collection="events")
fields = mongodb.collection_schema(**where)["fields"]
assert {"user", "type", "ts"} <= fields.keys()

raw = mongodb.aggregate(**where, pipeline=[{"$match": {"ts": {"$gte": "2024-06-01"}}}, {"$limit": 500}])
unique = {e["_id"]: e for e in raw}
events = [
    {**e, "at": datetime.fromisoformat(e["ts"]), "props": e["props"] or {}}
    for e in unique.values()
    if e["user"] is not None
]
anonymous = len(unique) - len(events)
events.sort(key=lambda e: (e["user"], e["at"], e["_id"]))


def sessions(stream):
    """Split the events of one user wherever the silence is longer than GAP."""
    current = []
    for event in stream:
        if current and event["at"] - current[-1]["at"] > GAP:
            yield current
            current = []
        current.append(event)
    if current:
        yield current


def funnel_depth(session):
    """How many funnel steps happened, in order."""
    wanted = iter(FUNNEL)
    step = next(wanted)
    depth = 0
    for e in session:
        if e["type"] == step:
            depth += 1
            step = next(wanted, None)
            if step is None:
                break
    return depth


all_sessions = []
for user, stream in groupby(events, key=lambda e: e["user"]):
    for n, s in enumerate(sessions(stream), 1):
        duration = s[-1]["at"] - s[0]["at"]
        all_sessions.append({
            "id": f"{user}/{n}",
            "events": len(s),
            "duration": duration,
            "depth": funnel_depth(s),
            "value": sum(e["props"].get("value", 0) for e in s if e["type"] == "purchase"),
            "bounce": len(s) == 1,
            "path": "".join(e["type"][0] for e in s),
        })

print("session      n  duration  depth  value  path")
for s in all_sessions:
    print(f"{s['id']:<10}{s['events']:>4}  {str(s['duration']):>8}  {'■' * s['depth'] + '□' * (len(FUNNEL) - s['depth']):<5}{s['value']:>7}  {s['path']}")

reached = [sum(s["depth"] >= i + 1 for s in all_sessions) for i in range(len(FUNNEL))]
print("\nfunnel:")
for (step, n), previous in zip(zip(FUNNEL, reached), [len(all_sessions), *reached]):
    rate = n / previous if previous else 0
    print(f"  {step:<12}{n:>3}  {rate:>6.1%} {'▬' * n}")

transitions = {}
for _, stream in groupby(events, key=lambda e: e["user"]):
    for s in sessions(stream):
        for a, b in pairwise(s):
            key = f"{a['type']}→{b['type']}"
            transitions[key] = transitions.get(key, 0) + 1
top = sorted(transitions.items(), key=lambda kv: (-kv[1], kv[0]))[:5]

lengths = sorted((s["duration"].total_seconds() for s in all_sessions), reverse=True)
half = sum(lengths) / 2
n_half = len(list(takewhile(lambda c: c < half, accumulate(lengths)))) + 1
print(f"\n{n_half} of {len(lengths)} sessions make up half of the time; median {timedelta(seconds=median(lengths))}")

server_memory.create_entities(entities=[
    {"name": s["id"], "entityType": "session", "observations": [f"funnel depth {s['depth']}"]}
    for s in all_sessions if s["depth"] == max(x["depth"] for x in all_sessions)
])

result = {
    "sessions": len(all_sessions),
    "anonymous": anonymous,
    "duplicates": len(raw) - len(unique),
    "funnel": dict(zip(FUNNEL, reached)),
    "bounces": [s["id"] for s in all_sessions if s["bounce"]],
    "top_transitions": top,
    "revenue": sum(s["value"] for s in all_sessions),
    "longest": max(all_sessions, key=lambda s: s["duration"])["duration"],
}
