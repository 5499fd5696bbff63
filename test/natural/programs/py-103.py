import re
from datetime import datetime

NS = "payments"

pods = kubernetes.kubectl_get(resourceType="pods", namespace=NS, output="json")["items"]
events = kubernetes.kubectl_get(resourceType="events", namespace=NS, output="json")["items"]
deploys = postgres.query(
    "SELECT service, version, deployed_by, deployed_at FROM deployments "
    "WHERE deployed_at >= '2025-05-14' AND deployed_at < '2025-05-15' ORDER BY deployed_at"
)

timeline = []
for d in deploys:
    timeline.append((datetime.fromisoformat(d["deployed_at"]), "deploy", f"{d['service']} {d['version']} by {d['deployed_by'] or 'unknown'}"))

broken = []
for pod in pods:
    restarts = 0
    reasons = []
    for cs in pod["status"].get("containerStatuses", []):
        restarts += cs["restartCount"]
        waiting = cs["state"].get("waiting")
        if waiting:
            reasons.append(waiting["reason"])
        last = cs.get("lastState", {}).get("terminated")
        if last:
            reasons.append(f"{last['reason']} (exit {last['exitCode']})")
    if restarts > 2 or reasons:
        broken.append({"name": pod["metadata"]["name"], "restarts": restarts, "reasons": reasons})

for e in events:
    if e["type"] != "Warning":
        continue
    when = datetime.fromisoformat(e["lastTimestamp"].replace("Z", "+00:00"))
    timeline.append((when.replace(tzinfo=None), "event", f"{e['reason']} x{e.get('count', 1)} {e['involvedObject']['name']}: {e['message']}"))

error_re = re.compile(r"^(\S+)\s+(ERROR|FATAL)\s+(.*)$")
for b in broken:
    try:
        logs = kubernetes.kubectl_logs(resourceType="pod", name=b["name"], namespace=NS, tail=100, previous=True)
    except Exception as exc:
        print(f"no logs for {b['name']}: {exc}")
        b["errors"] = []
        continue
    b["errors"] = []
    for line in logs.splitlines():
        m = error_re.match(line)
        if m:
            stamp, level, msg = m.groups()
            when = datetime.fromisoformat(stamp.rstrip("Z"))
            b["errors"].append(msg)
            timeline.append((when, "log", f"{level} {b['name']}: {msg}"))

timeline.sort()
print(f"Incident summary for namespace {NS}")
print(f"{len(broken)} of {len(pods)} pods unhealthy")
for b in sorted(broken, key=lambda b: -b["restarts"]):
    print(f"- {b['name']}: {b['restarts']} restarts, {'; '.join(b['reasons']) or 'no reason recorded'}")

print("\nTimeline (UTC)")
for when, kind, text in timeline:
    print(f"{when:%H:%M:%S} [{kind:<6}] {text}")

first_error = next((t for t in timeline if t[1] == "log"), None)
suspect = None
if first_error:
    before = [t for t in timeline if t[1] == "deploy" and t[0] <= first_error[0]]
    if before:
        suspect = before[-1]
        gap = first_error[0] - suspect[0]
        print(f"\nLikely trigger: {suspect[2]} ({gap.total_seconds() / 60:.0f} min before the first error)")

result = {
    "unhealthy": broken,
    "suspect": suspect[2] if suspect else None,
    "events": len(timeline),
}
