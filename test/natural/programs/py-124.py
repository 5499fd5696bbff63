import xml.etree.ElementTree as ET
from collections import defaultdict

RUNS = [f"/ci/artifacts/run-{n}/junit.xml" for n in range(1, 6)]

history = defaultdict(list)
durations = defaultdict(list)
messages = {}
missing = []

for path in RUNS:
    try:
        xml = filesystem.read_text_file(path=path)
    except Exception:
        missing.append(path)
        continue
    root = ET.fromstring(xml)
    run = path.split("/")[-2]
    for case in root.iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        if case.find("skipped") is not None:
            outcome = "s"
        elif (failure := case.find("failure")) is not None or (failure := case.find("error")) is not None:
            outcome = "F"
            first_line = (failure.get("message") or failure.text or "").strip().splitlines()
            messages[name] = first_line[0] if first_line else "(no message)"
        else:
            outcome = "."
        history[name].append((run, outcome))
        durations[name].append(float(case.get("time", 0)))

flaky, broken = [], []
for name, runs in history.items():
    outcomes = [o for _, o in runs if o != "s"]
    if not outcomes:
        continue
    fails = outcomes.count("F")
    if fails == len(outcomes):
        broken.append(name)
    elif fails:
        flips = sum(a != b for a, b in zip(outcomes, outcomes[1:]))
        flaky.append((fails / len(outcomes), flips, name))

flaky.sort(key=lambda f: (-f[0], -f[1], f[2]))

print(f"{len(RUNS) - len(missing)} runs read, {len(history)} tests")
if missing:
    print("missing:", *missing)

print("\nFlaky tests")
for rate, flips, name in flaky:
    marks = "".join(o for _, o in history[name])
    print(f"  {marks:<6} {rate:>4.0%} fail, {flips} flips  {name}")
    print(f"         last message: {messages[name][:70]}")

print("\nAlways failing")
for name in sorted(broken):
    print(f"  {name}: {messages[name][:70]}")

print("\nSlowest (average)")
avg = {name: sum(t) / len(t) for name, t in durations.items()}
for name in sorted(avg, key=avg.get, reverse=True)[:3]:
    print(f"  {avg[name]:6.2f}s  {name}")

result = {"flaky": [n for _, _, n in flaky], "broken": sorted(broken), "runs": len(RUNS) - len(missing)}
