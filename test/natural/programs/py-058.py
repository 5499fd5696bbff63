"""Reconstruct an incident timeline from Kubernetes events, logs, deployments and the Azure activity log."""
import heapq
import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

UTC = timezone.utc
LOG_ZONE = ZoneInfo("America/New_York")  # the application logs local time, without offset
START = datetime(2024, 6, 3, 12, 0, tzinfo=UTC)


@dataclass(frozen=True, order=True)
class Entry:
    at: datetime
    source: str
    text: str
    severity: int = 0


def stamp(text):
    """ISO 8601 in several flavours → aware UTC datetime."""
    text = re.sub(r"\.(\d{1,6})\d*", lambda m: "." + m[1].ljust(6, "0"), text)
    return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(UTC)


def kubernetes():
    found = kubernetes_flux159.kubectl_get(resourceType="events", namespace="shop", output="json", sortBy=".lastTimestamp")
    for e in found["items"]:
        who = f"{e['involvedObject']['kind']}/{e['involvedObject']['name']}"
        bad = 2 if e["type"] == "Warning" else 0
        first = stamp(e.get("firstTimestamp") or e["eventTime"])
        yield Entry(first, "k8s", f"{e['reason']} {who}: {e['message']}", bad)
        if e["count"] > 1:
            yield Entry(stamp(e["lastTimestamp"]), "k8s", f"{e['reason']} {who}: last of {e['count']}", bad)


def logs():
    text = kubernetes_flux159.kubectl_logs(resourceType="deployment", name="checkout", namespace="shop", since="6h")
    pattern = re.compile(r"^(\S+ \S+),(\d{3}) \[(\w+)\] (.*)$")
    levels = {"ERROR": 3, "WARN": 1}
    for line in text.splitlines():
        if m := pattern.match(line):
            local = datetime.strptime(m[1], "%Y-%m-%d %H:%M:%S").replace(microsecond=int(m[2]) * 1000, tzinfo=LOG_ZONE)
            yield Entry(local.astimezone(UTC), "log", m[4], levels.get(m[3], 0))


def deployments():
    for d in gitlab_zereight.list_deployments(project_id="shop/checkout", environment="production", order_by="created_at", sort="desc", per_page=10):
        by = (d["user"] or {}).get("username", "automation")
        yield Entry(stamp(d["finished_at"]), "deploy", f"{d['ref']} {d['status']} by {by}", 1)


def activity():
    for a in azure.monitor_activitylog_list(**{"resource-name": "checkout-app", "hours": 6, "top": 50}):
        yield Entry(stamp(a["eventTimestamp"]), "azure", f"{a['operationName']} by {a['caller']}: {a['status']}", 2 if a["level"] == "Error" else 0)


streams = [sorted(source()) for source in (kubernetes, logs, deployments, activity)]
timeline = [e for e in heapq.merge(*streams) if e.at >= START]
before = sum(map(len, streams)) - len(timeline)

errors = [e for e in timeline if e.severity >= 2]
detected, last_error = errors[0], errors[-1]
cause = max((e for e in timeline if e.source == "deploy" and e.at < detected.at), default=None)
fix = next((e for e in timeline if e.source == "deploy" and e.at > last_error.at), None)
recovered = next((e for e in timeline if e.at > last_error.at and "recovered" in e.text), None)


def span(td):
    m, s = divmod(int(td.total_seconds()), 60)
    return f"{m}m{s:02d}s"


marks = {cause: "⟵ cause?", detected: "⟵ first symptom", fix: "⟵ fix", recovered: "⟵ end"}
t0 = cause.at
rows = []
for e in timeline:
    sign = "-" if e.at < t0 else "+"
    rows.append(f"{e.at:%H:%M:%S} {sign + span(abs(e.at - t0)):>8}  {e.source:<7}{'!' * e.severity:<4}{e.text} {marks.get(e, '')}".rstrip())
print("\n".join(rows))

quiet = max(zip(timeline, timeline[1:]), key=lambda p: p[1].at - p[0].at)
minute_counts = Counter(e.at.replace(second=0, microsecond=0) for e in timeline)
suspects = [e.text for e in timeline if e.source == "azure" and timedelta(0) <= detected.at - e.at <= timedelta(minutes=10)]

body = "\n".join(["## Timeline", "```", *rows, "```", "", f"* time to detect: {span(detected.at - cause.at)}", f"* time to recover: {span(recovered.at - detected.at)}"])
issue = gitlab_zereight.create_issue(project_id="shop/checkout", title=f"Incident {detected.at:%Y-%m-%d}: {detected.text[:40]}", description=body, labels=["incident"])

result = {
    "entries": len(timeline),
    "ignored": before,
    "cause": cause.text,
    "first": detected.at.isoformat(),
    "detect": span(detected.at - cause.at),
    "recover": recovered.at - detected.at,
    "fix": fix.text,
    "quietest": [span(quiet[1].at - quiet[0].at), quiet[0].text[:30]],
    "busiest_minute": [f"{m:%H:%M}" for m, n in minute_counts.items() if n == max(minute_counts.values())],
    "suspects": suspects,
    "issue": issue["iid"],
}
