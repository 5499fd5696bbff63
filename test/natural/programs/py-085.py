import math
import statistics as st
from collections import defaultdict
from itertools import groupby
from operator import itemgetter

PROJECT = "gh/acme/shop"


class RetriesExhausted(Exception):
    def __init__(self, attempts):
        super().__init__(f"gave up after {len(attempts)} attempts")
        self.attempts = attempts


def with_backoff(call, *variants, base=0.5, factor=2):
    """Try the argument variants in order; collect the delays we would have slept."""
    attempts, delay = [], base
    for kwargs in variants:
        try:
            return call(**kwargs), attempts
        except Exception as exc:
            attempts.append((delay, str(exc)))
            delay *= factor
    raise RetriesExhausted(attempts) from None


def wilson(successes, n, z=1.96):
    if n == 0:
        return 0.0, 1.0
    p = successes / n
    denominator = 1 + z * z / n
    centre = (p + z * z / (2 * n)) / denominator
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / denominator
    return max(0.0, centre - half), min(1.0, centre + half)


waited = 0.0
runs = []
for branch in ["main", "develop", "release/24.11", "gone"]:
    try:
        answer, attempts = with_backoff(
            circleci.get_job_test_results,
            {"params": {"projectSlug": PROJECT, "branch": branch}},
            {"params": {"projectSlug": PROJECT, "branch": branch, "filterByTestsResult": "failure"}},
            {"params": {"projectURL": f"https://app.circleci.com/pipelines/{PROJECT}", "branch": branch}},
        )
    except RetriesExhausted as exc:
        print(f"{branch}: {exc}")
        for delay, text in exc.attempts:
            print(f"    after {delay}s: {text}")
            waited += delay
        continue
    waited += sum(a[0] for a in attempts)
    note = f" ({len(attempts)} retries)" if attempts else ""
    print(f"{branch}: {len(answer)} results{note}")
    runs += [{**r, "branch": branch} for r in answer]

runs.sort(key=itemgetter("test", "commit"))
tests = {}
for name, group in groupby(runs, key=itemgetter("test")):
    group = list(group)
    flips = 0
    per_commit = defaultdict(set)
    for r in group:
        per_commit[r["commit"]].add(r["result"])
    mixed = [c for c, results in per_commit.items() if {"success", "failure"} <= results]
    counted = [r for r in group if r["result"] != "skipped"]
    failures = sum(r["result"] == "failure" for r in counted)
    times = [r["run_time"] for r in counted if r.get("run_time") is not None]
    low, high = wilson(failures, len(counted))
    tests[name] = {
        "runs": len(counted),
        "failures": failures,
        "low": low,
        "high": high,
        "mixed": mixed,
        "median": st.median(times) if times else None,
        "spread": st.pstdev(times) if len(times) > 1 else 0.0,
        "owner": next((r["owner"] for r in reversed(group) if r.get("owner")), None),
    }

known = {t["test"] for t in circleci.find_flaky_tests(params={"projectSlug": PROJECT})}

print(f"\n{'test':<34}{'runs':>5}{'fail':>5}  {'95% interval':<16}{'median':>8}  verdict")
verdicts = defaultdict(list)
for name, t in sorted(tests.items(), key=lambda kv: (-kv[1]["low"], kv[0])):
    if t["runs"] == 0:
        verdict = "never runs"
    elif t["low"] > 0.9 or (t["failures"] == t["runs"] and t["runs"] > 2):
        verdict = "broken"
    elif t["mixed"]:
        verdict = "flaky" if name in known else "newly flaky"
    elif t["failures"]:
        verdict = "regressed"
    elif t["median"] and t["spread"] > t["median"]:
        verdict = "unstable time"
    else:
        verdict = "ok"
    verdicts[verdict].append(name)
    median = f"{t['median']:.2f}s" if t["median"] is not None else "-"
    print(f"{name:<34}{t['runs']:>5}{t['failures']:>5}  {t['low']:>6.1%} – {t['high']:<7.1%}{median:>8}  {verdict}")

stale = sorted(known - {n for n, t in tests.items() if t["mixed"]})
print("\nno longer flaky:", stale or "none")

costs = [t["median"] for t in tests.values() if t["median"]]
print(
    f"median test {st.median(costs):.2f}s, mean {st.fmean(costs):.2f}s, geometric mean {st.geometric_mean(costs):.2f}s, "
    f"quartiles {[round(q, 2) for q in st.quantiles(costs, n=4)]}"
)
xs = [t["median"] for t in tests.values() if t["median"] and t["runs"]]
ys = [t["failures"] / t["runs"] for t in tests.values() if t["median"] and t["runs"]]
slope, intercept = st.linear_regression(xs, ys)
print(f"failure rate ≈ {intercept:.3f} + {slope:.3f} × seconds (r = {st.correlation(xs, ys):.2f})")

quarantine = verdicts["flaky"] + verdicts["newly flaky"]
issue = github_reference.create_issue(
    owner="acme", repo="shop", title=f"Quarantine {len(quarantine)} flaky tests",
    body="\n".join(f"- [ ] `{n}` – @{tests[n]['owner'] or 'nobody'}" for n in sorted(quarantine)), labels=["flaky"],
)
result = {"verdicts": {k: sorted(v) for k, v in verdicts.items()}, "waited": waited, "stale": stale, "issue": issue["number"]}
