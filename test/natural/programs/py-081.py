"""Streaming anomaly detection with coroutines (generators driven by send)."""
import math
from collections import deque
from functools import wraps
from datetime import datetime, timezone


def coroutine(fn):
    @wraps(fn)
    def start(*args, **kwargs):
        gen = fn(*args, **kwargs)
        next(gen)
        return gen

    return start


@coroutine
def ewma(alpha):
    """Send a value, get (mean, deviation) *before* the value was absorbed."""
    mean = variance = None
    answer = None
    while True:
        x = yield answer
        if mean is None:
            answer, mean, variance = (x, 0.0), float(x), 0.0
            continue
        answer = (mean, math.sqrt(variance))
        delta = x - mean
        mean += alpha * delta
        variance = (1 - alpha) * (variance + alpha * delta * delta)


@coroutine
def sliding_median(size):
    window = deque(maxlen=size)
    answer = None
    while True:
        window.append((yield answer))
        s = sorted(window)
        mid = len(s) // 2
        answer = s[mid] if len(s) % 2 else (s[mid - 1] + s[mid]) / 2


@coroutine
def streaks(sink, minimum=2):
    """Group consecutive anomalies; closing the coroutine flushes the last group."""
    group = []
    try:
        while True:
            when, score = yield
            if score is None:
                if len(group) >= minimum:
                    sink.append(list(group))
                group.clear()
            else:
                group.append((when, score))
    except GeneratorExit:
        if len(group) >= minimum:
            sink.append(list(group))


@coroutine
def detector(name, out, threshold=3.0, warmup=5):
    smooth, median = ewma(0.3), sliding_median(5)
    outages = []
    groups = streaks(outages)
    seen = skipped = 0
    try:
        while True:
            try:
                row = yield
                value = row["value"]
                if value is None:
                    skipped += 1
                    continue
                if not isinstance(value, (int, float)):
                    raise TypeError("not a number")
                seen += 1
                mid = median.send(value)
                mean, dev = smooth.send(value)
                when = datetime.fromtimestamp(row["ts"], timezone.utc)
                score = abs(value - mean) / dev if dev else 0.0
                if seen > warmup and score > threshold:
                    out.append({"metric": name, "at": when, "value": value, "expected": round(mean, 2), "median": mid, "score": round(score, 2)})
                    groups.send((when, score))
                else:
                    groups.send((when, None))
            except (TypeError, KeyError) as e:
                skipped += 1
                print(f"  {name}: dropped {row!r} ({type(e).__name__})")
            except LookupError:
                print(f"  {name}: reset after {seen} samples")
                smooth, median, seen = ewma(0.3), sliding_median(5), 0
    finally:
        groups.close()
        summary[name] = {"seen": seen, "skipped": skipped, "outages": [len(o) for o in outages]}


summary, anomalies = {}, []
detectors = {}
deploys = sqlite_npx.read_query(query="SELECT ts, service, version FROM deploys ORDER BY ts")
metrics = postgres_reference.query(sql="SELECT ts, metric, value FROM samples WHERE ts >= 1733011200 ORDER BY ts, metric")

pending = deque(deploys)
for row in metrics:
    while pending and isinstance(row["ts"], int) and pending[0]["ts"] <= row["ts"]:
        deploy = pending.popleft()
        print(f"deploy of {deploy['service']} {deploy['version']}")
        for name, det in detectors.items():
            if name.startswith(deploy["service"] + "."):
                det.throw(LookupError("deployed"))
    name = row["metric"]
    if name not in detectors:
        detectors[name] = detector(name, anomalies)
    detectors[name].send(row)

for det in detectors.values():
    det.close()

print()
for a in anomalies:
    arrow = "↑" if a["value"] > a["expected"] else "↓"
    print(f"{a['at']:%H:%M} {a['metric']:<18} {arrow} {a['value']:>8} expected {a['expected']:>8} median {a['median']:>7} score {a['score']}")


def accumulate_by():
    total = {}
    while (item := (yield total)) is not None:
        total[item["metric"]] = total.get(item["metric"], 0) + 1
    return total


def delegate(store):
    store["totals"] = yield from accumulate_by()


box = {}
d = delegate(box)
next(d)
for a in anomalies:
    d.send(a)
try:
    d.send(None)
except StopIteration:
    print("totals:", box["totals"])

result = {"anomalies": [{**a, "at": a["at"].isoformat()} for a in anomalies], "summary": summary, "totals": box["totals"]}
