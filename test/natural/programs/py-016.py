import heapq
from dataclasses import dataclass, field
from itertools import count


@dataclass(order=True)
class Ready:
    priority: int
    deadline: float
    seq: int
    task: dict = field(compare=False)


@dataclass(order=True)
class Worker:
    free_at: float
    name: str
    speed: float = field(compare=False)
    done: list = field(default_factory=list, compare=False, repr=False)
    busy: float = field(default=0.0, compare=False)


assert {"tasks", "task_deps", "workers"} <= set(sqlite_npx.list_tables())
tasks = {t["id"]: t for t in sqlite_npx.read_query("SELECT * FROM tasks")}
deps = {}
ignored = []
for d in sqlite_npx.read_query("SELECT * FROM task_deps"):
    if d["depends_on"] in tasks and d["task_id"] in tasks:
        deps.setdefault(d["task_id"], set()).add(d["depends_on"])
    else:
        ignored.append(d)
workers = [Worker(0.0, w["name"], w["speed"]) for w in sqlite_npx.read_query("SELECT * FROM workers")]
heapq.heapify(workers)

INF = float("inf")
seq = count()
arrivals = [(t["arrives_min"], t["id"]) for t in tasks.values()]
heapq.heapify(arrivals)
ready: list[Ready] = []
waiting: dict[int, set[int]] = {}
finish: dict[int, float] = {}
running: list[tuple[float, int]] = []
schedule = []
now = 0.0


def push(task):
    prio = task["priority"] if task["priority"] is not None else 9
    dl = task["deadline_min"] if task["deadline_min"] is not None else INF
    heapq.heappush(ready, Ready(prio, dl, next(seq), task))


while arrivals or ready or waiting or running:
    # things which happened up to now
    while running and running[0][0] <= now:
        end, tid = heapq.heappop(running)
        finish[tid] = end
        for other in [w for w, need in waiting.items() if tid in need]:
            waiting[other].discard(tid)
            if not waiting[other]:
                del waiting[other]
                push(tasks[other])
    while arrivals and arrivals[0][0] <= now:
        _, tid = heapq.heappop(arrivals)
        open_deps = deps.get(tid, set()) - finish.keys()
        if open_deps:
            waiting[tid] = set(open_deps)
        else:
            push(tasks[tid])
    # give work to the free workers
    while ready and workers[0].free_at <= now:
        w = heapq.heappop(workers)
        item = heapq.heappop(ready)
        length = item.task["duration_min"] / w.speed
        schedule.append((now, now + length, w.name, item.task))
        w.free_at = now + length
        w.busy += length
        w.done.append(item.task["id"])
        heapq.heappush(running, (w.free_at, item.task["id"]))
        heapq.heappush(workers, w)
    # jump to the next moment of interest
    nexts = [x for x in (
        arrivals[0][0] if arrivals else None,
        running[0][0] if running else None,
    ) if x is not None and x > now]
    if not nexts:
        if waiting:
            raise RuntimeError(f"deadlock: {sorted(waiting)}")
        break
    now = min(nexts)

makespan = max(end for _, end, _, _ in schedule)
for start, end, who, task in schedule[:12]:
    late = task["deadline_min"] is not None and end > task["deadline_min"]
    print(f"{start:6.1f} → {end:6.1f}  {who:<8} {task['name']:<12} p{task['priority'] or '-'}{'  LATE' if late else ''}")
print(f"... {len(schedule) - 12} more\n")
for w in sorted(workers, key=lambda w: w.name):
    print(f"{w.name:<8} {w.busy / makespan:6.1%} busy, {len(w.done)} tasks: {w.done}")

late = [t["name"] for _, end, _, t in schedule if t["deadline_min"] and end > t["deadline_min"]]
ack = sqlite_npx.write_query(query=f"INSERT INTO runs(makespan, late) VALUES ({makespan:.1f}, {len(late)})")
result = {"makespan": makespan, "late": late, "ignored_deps": ignored, "order": [t["id"] for *_, t in schedule], "saved": ack[0]["affected_rows"]}
