import heapq
import itertools
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Optional


class Priority(IntEnum):
    HOTFIX = 0
    RELEASE = 1
    MAIN = 2
    REVIEW = 3
    BOT = 4

    @classmethod
    def of(cls, ref: str, source: str) -> "Priority":
        if ref.startswith("hotfix/"):
            return cls.HOTFIX
        if ref.startswith(("release/", "v")):
            return cls.RELEASE
        if ref == "main":
            return cls.MAIN
        return cls.BOT if source == "schedule" or ref.startswith("renovate/") else cls.REVIEW


@dataclass(order=True)
class Job:
    priority: Priority
    queued: int
    seq: int
    id: int = field(compare=False)
    name: str = field(compare=False)
    tags: frozenset = field(compare=False, default=frozenset())
    duration: int = field(compare=False, default=60)
    needs: tuple = field(compare=False, default=())
    started: Optional[int] = field(compare=False, default=None)
    runner: Optional[str] = field(compare=False, default=None)

    @property
    def waited(self):
        return None if self.started is None else self.started - self.queued


@dataclass
class Runner:
    name: str
    tags: frozenset
    speed: float = 1.0
    busy_until: int = 0
    worked: int = 0


runners = [
    Runner(r["name"], frozenset(r["tags"] or ()), r.get("speed") or 1.0)
    for r in postgres_reference.query(sql="SELECT name, tags, speed FROM runners WHERE active ORDER BY name")
]
seq = itertools.count()
jobs = {}
for pid in (9001, 9002, 9003, 9004):
    try:
        pipeline = gitlab_zereight.get_pipeline(project_id="7", pipeline_id=pid)
    except Exception as e:
        print(f"pipeline {pid}: {e}")
        continue
    prio = Priority.of(pipeline["ref"], pipeline["source"])
    by_stage = {}
    for j in gitlab_zereight.list_pipeline_jobs(project_id="7", pipeline_id=pid, per_page=100):
        if j["status"] == "manual":
            continue
        by_stage.setdefault(j["stage"], []).append(j)
    previous = ()
    for stage in ("build", "test", "deploy"):
        for j in by_stage.get(stage, []):
            jobs[j["id"]] = Job(
                priority=prio, queued=pipeline["queued_at"], seq=next(seq), id=j["id"],
                name=f"{pid}:{j['name']}", tags=frozenset(j.get("tag_list") or ()),
                duration=round(j["duration"] or 45), needs=previous,
            )
        previous = tuple(j["id"] for j in by_stage.get(stage, [])) or previous
print(f"{len(jobs)} jobs, {len(runners)} runners")

starved = [j for j in jobs.values() if not any(j.tags <= r.tags for r in runners)]
for j in starved:
    print(f"no runner for {j.name}: needs {', '.join(sorted(j.tags))}")

doomed = {j.id for j in starved}
changed = True
while changed:
    more = {j.id for j in jobs.values() if j.id not in doomed and doomed & set(j.needs)}
    changed = bool(more)
    doomed |= more

pending = {j.id: set(j.needs) for j in jobs.values() if j.id not in doomed}
arrivals = [(jobs[i].queued, jobs[i]) for i, needs in pending.items() if not needs]
heapq.heapify(arrivals)
ready, running, clock = [], [], 0
timeline = []

while arrivals or ready or running:
    while arrivals and arrivals[0][0] <= clock:
        heapq.heappush(ready, heapq.heappop(arrivals)[1])
    postponed = []
    while ready:
        job = heapq.heappop(ready)
        free = [r for r in runners if r.busy_until <= clock and job.tags <= r.tags]
        if not free:
            postponed.append(job)
            continue
        # prefer the least specialised, then the fastest machine
        runner = min(free, key=lambda r: (len(r.tags), -r.speed, r.name))
        took = max(1, round(job.duration / runner.speed))
        job.started, job.runner = clock, runner.name
        runner.busy_until = clock + took
        runner.worked += took
        heapq.heappush(running, (clock + took, job.seq, job))
        timeline.append(job)
    for job in postponed:
        heapq.heappush(ready, job)
    upcoming = [t for t in (running[0][0] if running else None, arrivals[0][0] if arrivals else None) if t is not None]
    if not upcoming:
        break
    clock = min(upcoming)
    while running and running[0][0] <= clock:
        _, _, done = heapq.heappop(running)
        for i, needs in pending.items():
            if done.id in needs:
                needs.discard(done.id)
                if not needs:
                    heapq.heappush(arrivals, (max(clock, jobs[i].queued), jobs[i]))

for job in timeline:
    print(f"{job.started:>5}s  {job.runner:<8} {job.priority.name:<8} {job.name:<22} waited {job.waited}s")

waits = {}
for p in Priority:
    mine = [j.waited for j in timeline if j.priority is p]
    if mine:
        waits[p.name] = round(sum(mine) / len(mine), 1)
print("\naverage wait:", waits)
for r in runners:
    print(f"{r.name:<8} {r.worked / clock:>5.0%} busy {'█' * round(20 * r.worked / clock)}")

result = {"makespan": clock, "waits": waits, "starved": [j.name for j in starved], "never_ran": len(doomed), "utilisation": {r.name: round(r.worked / clock, 3) for r in runners}}
