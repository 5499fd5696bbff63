"""Summarise an nginx access log: traffic, errors, latency percentiles per route."""
from __future__ import annotations

import re
import statistics
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

LOG = "/var/log/nginx/access.log"
CHUNK = 25

LINE = re.compile(
    r'(?P<ip>\S+) \S+ (?P<user>\S+) \[(?P<when>[^\]]+)\] '
    r'"(?P<method>[A-Z]+) (?P<path>\S+) HTTP/[\d.]+" '
    r'(?P<status>\d{3}) (?P<size>\d+|-) "(?P<ref>[^"]*)" "(?P<ua>[^"]*)" (?P<rt>[\d.]+|-)$'
)


@dataclass
class Route:
    name: str
    hits: int = 0
    bytes: int = 0
    times: list[float] = field(default_factory=list)
    statuses: Counter = field(default_factory=Counter)

    def add(self, status: int, size: int, rt: float | None) -> None:
        self.hits += 1
        self.bytes += size
        self.statuses[status // 100] += 1
        if rt is not None:
            self.times.append(rt)

    @property
    def error_rate(self) -> float:
        return self.statuses[5] / self.hits if self.hits else 0.0

    def pct(self, p: int) -> float | None:
        if len(self.times) < 2:
            return self.times[0] if self.times else None
        return statistics.quantiles(self.times, n=100, method="inclusive")[p - 1]


def read_lines(path: str):
    offset = 0
    while True:
        chunk = desktop_commander.read_file(path=path, offset=offset, length=CHUNK)
        rows = chunk.splitlines()
        yield from rows
        if len(rows) < CHUNK:
            return
        offset += CHUNK


def normalise(path: str) -> str:
    path = path.split("?", 1)[0]
    path = re.sub(r"/[0-9a-f]{8}-[0-9a-f-]{27}(?=/|$)", "/:uuid", path)
    return re.sub(r"/\d+(?=/|$)", "/:id", path)


def human(n: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if n < 1024 or unit == "GiB":
            return f"{n:.0f} {unit}" if unit == "B" else f"{n:.1f} {unit}"
        n /= 1024


routes: dict[str, Route] = {}
per_minute: Counter = Counter()
clients: Counter = Counter()
rejected: list[str] = []

for raw in read_lines(LOG):
    if not raw.strip():
        continue
    m = LINE.match(raw)
    if m is None:
        rejected.append(raw)
        continue
    when = datetime.strptime(m["when"], "%d/%b/%Y:%H:%M:%S %z")
    name = f"{m['method']} {normalise(m['path'])}"
    size = 0 if m["size"] == "-" else int(m["size"])
    rt = None if m["rt"] == "-" else float(m["rt"])
    routes.setdefault(name, Route(name)).add(int(m["status"]), size, rt)
    per_minute[when.replace(second=0)] += 1
    clients[m["ip"]] += 1

print(f"{'route':<34}{'hits':>5}{'5xx%':>7}{'p50':>8}{'p95':>8}{'p99':>8}{'sent':>12}")
print("-" * 82)
ordered = sorted(routes.values(), key=lambda r: (-r.hits, r.name))
for r in ordered:
    cells = [f"{v:.3f}" if v is not None else "-" for v in map(r.pct, (50, 95, 99))]
    print(f"{r.name:<34}{r.hits:>5}{r.error_rate:>7.1%}" + "".join(f"{c:>8}" for c in cells) + f"{human(r.bytes):>12}")

first, last = min(per_minute), max(per_minute)
print(f"\nwindow {first:%H:%M} – {last:%H:%M} {first.tzname()}")
minute = first
while minute <= last:
    print(f"{minute:%H:%M} {'#' * per_minute[minute]} {per_minute[minute]}")
    minute += timedelta(minutes=1)

# is the noisiest client one we know?
top_ip, top_hits = clients.most_common(1)[0]
known = postgres_reference.query(sql=f"SELECT ip, owner FROM known_clients WHERE ip = '{top_ip}'")
owner = known[0]["owner"] if known else "unknown"
print(f"\nbusiest client {top_ip} ({owner}): {top_hits} requests")
print(f"unparsed lines: {len(rejected)}")
for line in rejected:
    print("   ", line[:60])

result = {
    "routes": {r.name: {"hits": r.hits, "p95": r.pct(95), "error_rate": round(r.error_rate, 4)} for r in ordered},
    "rejected": len(rejected),
    "busiest": {"ip": top_ip, "hits": top_hits, "owner": owner},
    "peak_minute": per_minute.most_common(1)[0][0].isoformat(),
}
