import re
from collections import Counter, namedtuple
from datetime import datetime
from urllib.parse import urlsplit, parse_qs

LOG = "/var/log/nginx/access.log"
CHUNK = 25

PATTERN = re.compile(
    r"""
    (?P<ip>\S+)\s\S+\s(?P<user>\S+)\s
    \[(?P<time>[^\]]+)\]\s
    "(?P<method>[A-Z]+)\s(?P<target>\S+)\s[^"]*"\s
    (?P<status>\d{3})\s(?P<size>\d+|-)\s
    "(?P<referer>[^"]*)"\s"(?P<agent>[^"]*)"\s
    (?P<rt>\d+\.\d+)
    """,
    re.VERBOSE,
)
Hit = namedtuple("Hit", "ip when method path query status size agent rt")


def read_lines(path):
    total = desktop_commander.get_file_info(path)["lineCount"]
    for offset in range(0, total, CHUNK):
        chunk = desktop_commander.read_file(path=path, offset=offset, length=CHUNK)
        yield from chunk.split("\n")


bad_lines = []


def parse(lines):
    for n, line in enumerate(lines, start=1):
        m = PATTERN.match(line)
        if m is None:
            bad_lines.append((n, line))
            continue
        url = urlsplit(m["target"])
        yield Hit(
            m["ip"],
            datetime.strptime(m["time"], "%d/%b/%Y:%H:%M:%S %z"),
            m["method"],
            re.sub(r"/\d+(?=/|$)", "/:id", re.sub(r"\.[0-9a-f]+\.js$", ".*.js", url.path)),
            parse_qs(url.query),
            int(m["status"]),
            0 if m["size"] == "-" else int(m["size"]),
            m["agent"],
            float(m["rt"]),
        )


def percentile(values, p):
    """Linear interpolation between closest ranks."""
    xs = sorted(values)
    k = (len(xs) - 1) * p / 100
    lo = int(k)
    hi = min(lo + 1, len(xs) - 1)
    return xs[lo] + (xs[hi] - xs[lo]) * (k - lo)


hits = list(parse(read_lines(LOG)))
print(f"parsed {len(hits)} hits, {len(bad_lines)} bad lines: {[n for n, _ in bad_lines]}")
print(f"from {hits[0].when:%Y-%m-%d %H:%M:%S} to {hits[-1].when:%H:%M:%S} ({hits[-1].when - hits[0].when})")

per_path = {}
for h in hits:
    per_path.setdefault(h.path, []).append(h)

print("\n%-18s %5s %6s %8s %8s %10s" % ("path", "hits", "err%", "p50", "p95", "bytes"))
for path, group in sorted(per_path.items(), key=lambda kv: -len(kv[1])):
    errs = sum(h.status >= 500 for h in group)
    rts = [h.rt for h in group]
    print("%-18s %5d %5.1f%% %7.3fs %7.3fs %10s" % (
        path, len(group), 100 * errs / len(group), percentile(rts, 50), percentile(rts, 95),
        format(sum(h.size for h in group), ","),
    ))

classes = Counter(f"{h.status // 100}xx" for h in hits)
print("\nstatus:", " ".join(f"{k}={v}" for k, v in sorted(classes.items())))

bots = {h.agent.split("/")[0] for h in hits if "bot" in h.agent.lower()}
searches = Counter(q for h in hits for q in h.query.get("q", []))
suspicious = sorted({h.ip for h in hits if h.path.endswith(".php")})

buckets = Counter(h.when.replace(minute=h.when.minute // 5 * 5, second=0) for h in hits)
for bucket in sorted(buckets):
    print(f"{bucket:%H:%M} {'▇' * buckets[bucket]} {buckets[bucket]}")

result = {
    "hits": len(hits),
    "bad": len(bad_lines),
    "classes": classes,
    "bots": sorted(bots),
    "searches": dict(searches),
    "suspicious": suspicious,
    "p95": round(percentile([h.rt for h in hits], 95), 4),
    "top_ip": Counter(h.ip for h in hits).most_common(1)[0],
}
