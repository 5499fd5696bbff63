import json
import re
from collections import Counter, defaultdict

LOG_LINE = re.compile(r"^(?P<ts>\d{4}-\d\d-\d\dT\S+)\s+(?P<level>[A-Z]+)\s+(?P<msg>.*)$")
# things that vary between otherwise identical messages
NOISE = [
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b"), "<addr>"),
    (re.compile(r"\[\d+\]"), "[<n>]"),
    (re.compile(r"\b\d+s\b"), "<dur>"),
]


def normalize(msg):
    for pattern, repl in NOISE:
        msg = pattern.sub(repl, msg)
    return msg


def get_logs(ns, pod, container):
    """Logs of the previous (crashed) container; falls back to the current one."""
    common = dict(resourceType="pod", name=pod, namespace=ns, container=container, tail=50)
    try:
        return kubernetes_flux159.kubectl_logs(**common, previous=True)
    except Exception as e:
        if "previous terminated container" in str(e):
            return kubernetes_flux159.kubectl_logs(**common)
        raise


def classify(pod):
    status = pod["status"]
    statuses = status.get("containerStatuses") or []
    for c in statuses:
        reason = c["state"].get("waiting", {}).get("reason")
        if reason:
            return reason
    if status["phase"] == "Running" and not all(c["ready"] for c in statuses):
        return "NotReady"
    return status["phase"]


pods = json.loads(kubernetes_flux159.kubectl_get(resourceType="pods", allNamespaces=True, output="json"))["items"]

health = defaultdict(Counter)
restarts = Counter()
crashing = []
for pod in pods:
    meta = pod["metadata"]
    state = classify(pod)
    health[meta["namespace"]][state] += 1
    for c in pod["status"].get("containerStatuses", []):
        restarts[f"{meta['namespace']}/{meta['name']}"] += c["restartCount"]
        if state == "CrashLoopBackOff" and "waiting" in c["state"]:
            crashing.append((meta["namespace"], meta["name"], c["name"]))

states = sorted({s for counter in health.values() for s in counter})
header = f"{'namespace':<14}" + "".join(f"{s:>18}" for s in states)
print(header)
print("=" * len(header))
for ns in sorted(health):
    print(f"{ns:<14}" + "".join(f"{health[ns][s] or '-':>18}" for s in states))

print("\nMost restarts:")
for name, n in restarts.most_common(5):
    if n:
        print(f"  {n:>4}  {name}")

signatures = Counter()
first_seen = {}
for ns, name, container in crashing:
    text = get_logs(ns, name, container)
    for line in text.splitlines():
        if not (m := LOG_LINE.match(line)):
            continue  # stack trace continuation
        if m["level"] != "ERROR":
            continue
        sig = normalize(m["msg"])
        signatures[sig] += 1
        if sig not in first_seen or m["ts"] < first_seen[sig]:
            first_seen[sig] = m["ts"]

print("\nError signatures in crashing containers:")
for sig, n in sorted(signatures.items(), key=lambda p: (-p[1], p[0])):
    print(f"  {n:>3}x  since {first_seen[sig][11:19]}  {sig}")

result = {
    "pods": len(pods),
    "crashing": ["/".join(c) for c in sorted(crashing)],
    "signatures": dict(signatures),
    "unscheduled": sorted(p["metadata"]["name"] for p in pods if not p["spec"].get("nodeName")),
    "no_labels": sum(1 for p in pods if not p["metadata"].get("labels")),
}
