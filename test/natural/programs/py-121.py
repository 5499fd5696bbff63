import math
import statistics
from collections import defaultdict

conn = mongodb.list_connections()["connections"][0]["connectionId"]
resp = mongodb.find(
    connectionId=conn,
    database="telemetry",
    collection="requests",
    filter={"day": "2025-05-20"},
    projection={"route": 1, "ms": 1, "status": 1, "region": 1, "_id": 0},
    limit=1000,
)
docs = resp["documents"]
if resp.get("appliedLimits"):
    print("Note: result was limited:", resp["appliedLimits"])

SLO_MS = {"/checkout": 400, "/search": 250}
DEFAULT_SLO = 500


def percentile(values, p):
    values = sorted(values)
    k = (len(values) - 1) * p / 100
    lo, hi = math.floor(k), math.ceil(k)
    if lo == hi:
        return values[lo]
    return values[lo] + (values[hi] - values[lo]) * (k - lo)


groups = defaultdict(list)
errors = defaultdict(int)
dropped = 0
for d in docs:
    ms = d.get("ms")
    if not isinstance(ms, (int, float)) or ms < 0:
        dropped += 1
        continue
    groups[d["route"]].append(ms)
    if d["status"] >= 500:
        errors[d["route"]] += 1

print(f"{len(docs)} samples, {dropped} dropped\n")
print(f"{'route':<14}{'n':>4}{'mean':>9}{'p50':>9}{'p90':>9}{'p95':>9}{'p99':>9}{'stdev':>9}  err%  SLO")
summary = {}
for route, values in sorted(groups.items()):
    p50, p90, p95, p99 = (percentile(values, p) for p in (50, 90, 95, 99))
    stdev = statistics.stdev(values) if len(values) > 1 else float("nan")
    slo = SLO_MS.get(route, DEFAULT_SLO)
    within = sum(v <= slo for v in values) / len(values)
    mark = "ok" if p95 <= slo else "MISS"
    print(f"{route:<14}{len(values):>4}{statistics.fmean(values):>9.1f}{p50:>9.1f}{p90:>9.1f}{p95:>9.1f}{p99:>9.1f}{stdev:>9.1f}{errors[route] / len(values):>6.1%}  {mark} ({within:.0%} under {slo})")
    summary[route] = {"n": len(values), "p50": round(p50, 1), "p95": round(p95, 1), "p99": round(p99, 1), "slo": mark}

everything = [v for vs in groups.values() for v in vs]
q = statistics.quantiles(everything, n=20, method="inclusive")
print(f"\nOverall p50 {statistics.median(everything):.1f} ms, p95 {q[18]:.1f} ms")

buckets = [50, 100, 200, 400, 800, 1600]
counts = [0] * (len(buckets) + 1)
for v in everything:
    for i, b in enumerate(buckets):
        if v <= b:
            counts[i] += 1
            break
    else:
        counts[-1] += 1
for label, n in zip([f"<= {b}" for b in buckets] + [f"> {buckets[-1]}"], counts):
    print(f"{label:>8} ms | {'█' * n} {n}")

result = summary
