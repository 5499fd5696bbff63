# Which CI jobs are flaky? A job is flaky when it failed and then passed on retry in the same pipeline,
# or when the same commit has both outcomes across pipelines.
from collections import defaultdict
from statistics import fmean, pstdev

PROJECT = "42"


def pipelines():
    page = 1
    while batch := gitlab_zereight.list_pipelines(project_id=PROJECT, page=page, per_page=10, order_by="id", sort="asc"):
        yield from batch
        page += 1


stats = defaultdict(lambda: {"runs": 0, "failed": 0, "flaky": 0, "durations": [], "reasons": defaultdict(int)})
by_commit = defaultdict(set)  # (sha, job) -> statuses
errors = []
seen = 0

for p in pipelines():
    seen += 1
    if p["status"] == "canceled":
        continue
    try:
        jobs = gitlab_zereight.list_pipeline_jobs(project_id=PROJECT, pipeline_id=p["id"], include_retried=True)
    except Exception as e:
        errors.append((p["id"], str(e)))
        continue

    attempts = defaultdict(list)
    for job in sorted(jobs, key=lambda j: j["id"]):
        attempts[job["name"]].append(job)

    for name, tries in attempts.items():
        real = [t for t in tries if t["status"] != "skipped"]
        if not real:
            continue
        s = stats[name]
        s["runs"] += len(real)
        s["failed"] += sum(t["status"] == "failed" for t in real)
        s["durations"].extend(t["duration"] for t in real if t["duration"] is not None)
        for t in real:
            by_commit[p["sha"], name].add(t["status"])
            if t["failure_reason"]:
                s["reasons"][t["failure_reason"]] += 1
        outcomes = [t["status"] for t in real]
        if "failed" in outcomes and outcomes[-1] == "success":
            s["flaky"] += 1

print(f"{seen} pipelines, {len(errors)} could not be read\n")
cols = [("job", 14), ("runs", 6), ("fail%", 8), ("flaky", 7), ("avg", 9), ("σ", 9)]
print("".join(f"{c:>{w}}" if i else f"{c:<{w}}" for i, (c, w) in enumerate(cols)))
print("".join("-" * w for _, w in cols))

ranking = sorted(stats.items(), key=lambda kv: (-kv[1]["flaky"], -kv[1]["failed"] / kv[1]["runs"], kv[0]))
for name, s in ranking:
    m, sec = divmod(round(fmean(s["durations"])), 60)
    print(
        f"{name:<14}{s['runs']:>6}{s['failed'] / s['runs']:>8.1%}{s['flaky']:>7}"
        f"{f'{m}m{sec:02}s':>9}{pstdev(s['durations']):>8.1f}s"
    )

print("\nFailure reasons:")
for name, s in ranking:
    if s["reasons"]:
        print(f"  {name}: " + ", ".join(f"{k.replace('_', ' ')} ×{v}" for k, v in sorted(s["reasons"].items())))

same_commit = sorted({job for (sha, job), st in by_commit.items() if {"failed", "success"} <= st})
for pid, why in errors:
    print(f"! pipeline {pid}: {why}")

result = {
    "flaky_by_retry": [n for n, s in ranking if s["flaky"]],
    "flaky_by_commit": same_commit,
    "worst": ranking[0][0],
    "unreadable": [pid for pid, _ in errors],
}
