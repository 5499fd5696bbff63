from bisect import bisect_right
from collections import deque
from datetime import datetime, timedelta
from math import isnan, nan, sqrt

RESOURCE, NS = "plan-prod", "microsoft.web/serverfarms"
WINDOW = 12
THRESHOLD = 3.0


class Rolling:
    """Mean and standard deviation over the last n values (NaN ignored)."""

    def __init__(self, n):
        self.values = deque(maxlen=n)

    def push(self, x):
        if not isnan(x):
            self.values.append(x)

    @property
    def mean(self):
        return sum(self.values) / len(self.values)

    @property
    def std(self):
        m = self.mean
        return sqrt(sum((v - m) ** 2 for v in self.values) / (len(self.values) - 1))

    def zscore(self, x):
        if len(self.values) < 6 or isnan(x):
            return nan
        return (x - self.mean) / (self.std or 1e-9)


def ewma(xs, alpha=0.3):
    level = None
    for x in xs:
        if not isnan(x):
            level = x if level is None else alpha * x + (1 - alpha) * level
        yield level


definitions = azure.monitor_metrics_definitions(**{"resource": RESOURCE, "metric-namespace": NS})
deployments = gitlab_zereight.list_deployments(project_id="web", environment="production", order_by="created_at", sort="asc")
deploy_times = [datetime.fromisoformat(d["created_at"]) for d in deployments]


def blame(when):
    """The deployment within two hours before `when`, if any."""
    i = bisect_right(deploy_times, when) - 1
    if i >= 0 and when - deploy_times[i] <= timedelta(hours=2):
        return deployments[i]["ref"]
    return None


anomalies, skipped, summary = [], [], {}
for metric in definitions:
    name = metric["name"]
    reply = azure.monitor_metrics_query(**{
        "resource": RESOURCE,
        "metric-names": name,
        "metric-namespace": NS,
        "interval": "PT15M",
        "aggregation": "Average",
    })
    points = reply["timeSeries"]
    if not points:
        skipped.append(name)
        continue
    times = [datetime.fromisoformat(p["timeStamp"]) for p in points]
    values = [nan if p["average"] is None else p["average"] for p in points]

    roll = Rolling(WINDOW)
    found = []
    for t, v in zip(times, values):
        z = roll.zscore(v)
        if abs(z) > THRESHOLD:
            found.append({"metric": name, "at": t, "value": v, "z": round(z, 2), "after": blame(t)})
            continue  # do not let outliers into the baseline
        roll.push(v)
    # neighbouring anomalies are one incident
    merged = []
    for a in found:
        if merged and a["at"] - merged[-1]["until"] <= timedelta(minutes=15):
            merged[-1]["until"] = a["at"]
            merged[-1]["z"] = max(merged[-1]["z"], a["z"], key=abs)
        else:
            merged.append({**a, "until": a["at"]})
    anomalies += merged

    good = [v for v in values if not isnan(v)]
    *_, last = ewma(values)
    summary[name] = {"n": len(good), "missing": len(values) - len(good), "min": min(good), "max": max(good), "ewma": round(last, 3)}

    print(f"{name} ({metric['unit']})")
    top = max(good)
    for t, v in list(zip(times, values))[::4]:
        mark = " ◀" if any(a["metric"] == name and a["at"] <= t <= a["until"] for a in merged) else ""
        bar = "(no data)" if isnan(v) else "▪" * round(v / top * 30)
        print(f"  {t:%H:%M} {bar}{mark}")

print()
for a in anomalies:
    span = f"{a['at']:%H:%M}" if a["at"] == a["until"] else f"{a['at']:%H:%M}–{a['until']:%H:%M}"
    print(f"{a['metric']}: {span} value {a['value']} (z={a['z']:+}), {'after ' + a['after'] if a['after'] else 'no deployment nearby'}")

result = {
    "summary": summary,
    "skipped": skipped,
    "anomalies": [{**a, "at": a["at"].isoformat(), "until": a["until"].isoformat()} for a in anomalies],
}
