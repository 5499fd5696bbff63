import re
from collections import defaultdict

text = desktop_commander.list_processes()
header, *lines = text.rstrip("\n").split("\n")

procs = []
for line in lines:
    m = re.match(r"(\d+)\s+(.+?)\s{2,}([\d.]+)\s+([\d.]+)$", line)
    if not m:
        print("ignored:", repr(line))
        continue
    pid, name, cpu, mem = m.groups()
    procs.append({"pid": int(pid), "name": name, "cpu": float(cpu), "mem": float(mem)})

groups = defaultdict(lambda: {"n": 0, "cpu": 0.0, "mem": 0.0})
for p in procs:
    g = groups[re.split(r"[:\s]", p["name"].strip("[]"))[0]]
    g["n"] += 1
    g["cpu"] += p["cpu"]
    g["mem"] += p["mem"]

print("%-12s %3s %8s %7s" % ("program", "n", "cpu %", "mem %"))
for name, g in sorted(groups.items(), key=lambda kv: kv[1]["cpu"], reverse=True):
    print("%-12s %3d %8.1f %7.2f" % (name, g["n"], g["cpu"], g["mem"]))

sessions = [
    {"pid": int(pid), "blocked": blocked == "true", "runtime": int(runtime)}
    for pid, blocked, runtime in re.findall(r"PID: (\d+), Blocked: (\w+), Runtime: (\d+)s", desktop_commander.list_sessions())
]
by_pid = {p["pid"]: p for p in procs}
killed = []
for s in sessions:
    p = by_pid.get(s["pid"])
    out = desktop_commander.read_process_output(pid=s["pid"], timeout_ms=1000)
    losses = [float(x) for x in re.findall(r"loss=(\S+)", out)]
    diverged = any(x != x for x in losses)  # NaN
    h, rest = divmod(s["runtime"], 3600)
    print(f"session {s['pid']} ({p['name'] if p else '?'}): {h}h{rest // 60:02d}m, {'blocked, ' if s['blocked'] else ''}losses {losses}")
    if diverged and p and p["cpu"] > 100:
        print("  ", desktop_commander.force_terminate(pid=s["pid"]))
        killed.append(s["pid"])

result = {
    "groups": {k: {kk: round(vv, 2) for kk, vv in v.items()} for k, v in groups.items()},
    "killed": killed,
    "hungry": max(procs, key=lambda p: p["mem"])["name"],
}
