import re
from collections import Counter, defaultdict

log = filesystem.read_text_file(path="/var/log/nginx/access.log", tail=5000)

LINE = re.compile(
    r'(?P<ip>\S+) \S+ \S+ \[(?P<time>[^\]]+)\] "(?P<method>[A-Z]+) (?P<path>\S+) [^"]*" '
    r'(?P<status>\d{3}) (?P<size>\d+|-) "(?P<ref>[^"]*)" "(?P<agent>[^"]*)"(?: (?P<rt>[\d.]+))?'
)

statuses = Counter()
ips = Counter()
paths = defaultdict(list)
errors = Counter()
by_hour = Counter()
bad = 0
total_bytes = 0

for line in log.splitlines():
    m = LINE.match(line)
    if not m:
        bad += 1
        continue
    path = m["path"].split("?")[0]
    path = re.sub(r"/\d+(?=/|$)", "/:id", path)
    statuses[m["status"][0] + "xx"] += 1
    ips[m["ip"]] += 1
    by_hour[m["time"].split(":")[1]] += 1
    total_bytes += int(m["size"]) if m["size"] != "-" else 0
    if m["rt"]:
        paths[path].append(float(m["rt"]))
    if m["status"] >= "500":
        errors[(m["method"], path, m["status"])] += 1

requests = sum(statuses.values())
print(f"{requests} requests, {bad} unparsable lines, {total_bytes / 1024:.1f} KiB sent")
print("Status:", dict(sorted(statuses.items())))
print("Top clients:", ips.most_common(3))
print("Busiest hour: %s:00 (%d requests)" % by_hour.most_common(1)[0])

print("\nSlowest endpoints")
slow = sorted(paths.items(), key=lambda kv: sum(kv[1]) / len(kv[1]), reverse=True)
for path, times in slow[:5]:
    print(f"  {path:<28} n={len(times):<3} avg={sum(times) / len(times):.3f}s max={max(times):.3f}s")

print("\nServer errors")
for (method, path, status), n in errors.most_common():
    print(f"  {status} {method} {path}: {n}")

result = {
    "requests": requests,
    "bad_lines": bad,
    "error_rate": round(statuses["5xx"] / requests * 100, 2),
    "slowest": [p for p, _ in slow[:5]],
}
