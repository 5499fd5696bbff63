"""Replay deployment events through a state machine and report illegal transitions."""
from datetime import datetime
from enum import Enum, auto


class Status(Enum):
    NEW = auto()
    CREATED = auto()
    BLOCKED = auto()
    RUNNING = auto()
    SUCCESS = auto()
    FAILED = auto()
    CANCELED = auto()
    SKIPPED = auto()

    @property
    def terminal(self):
        return self in {Status.SUCCESS, Status.CANCELED, Status.SKIPPED}

    @classmethod
    def parse(cls, text):
        try:
            return cls[text.upper()]
        except KeyError:
            raise ValueError(f"unknown status {text!r}") from None


class IllegalTransition(Exception):
    def __init__(self, current, target):
        super().__init__(f"{current.name} → {target.name}")
        self.current, self.target = current, target


class Deployment:
    def __init__(self, id, environment):
        self.id = id
        self.environment = environment
        self.status = Status.NEW
        self.history = []
        self.retries = 0

    def apply(self, target, at):
        match (self.status, target):
            case (Status.NEW, Status.CREATED):
                pass
            case (Status.CREATED, Status.RUNNING | Status.BLOCKED | Status.CANCELED | Status.SKIPPED):
                pass
            case (Status.BLOCKED, Status.RUNNING | Status.CANCELED):
                pass
            case (Status.RUNNING, Status.SUCCESS | Status.FAILED | Status.CANCELED):
                pass
            case (Status.FAILED, Status.RUNNING):
                self.retries += 1
            case (current, _):
                raise IllegalTransition(current, target)
        self.history.append((target, at))
        self.status = target

    def __str__(self):
        trail = " ▸ ".join(s.name.lower() for s, _ in self.history) or "(nothing)"
        return f"#{self.id} [{self.environment}] {trail}"

    @property
    def elapsed(self):
        if len(self.history) < 2:
            return None
        return self.history[-1][1] - self.history[0][1]


def load_events():
    page, events = 1, []
    while True:
        batch = gitlab_zereight.get_project_events("7", target_type="deployment", sort="asc", page=page, per_page=15)
        events += batch
        if len(batch) < 15:
            return events
        page += 1


events = sorted(load_events(), key=lambda e: (e["at"], e["id"]))
deployments: dict[int, Deployment] = {}
violations = []

for e in events:
    d = deployments.setdefault(e["deployment_id"], Deployment(e["deployment_id"], e["environment"]))
    try:
        d.apply(Status.parse(e["status"]), datetime.fromisoformat(e["at"]))
    except (IllegalTransition, ValueError) as err:
        violations.append((d.id, type(err).__name__, str(err)))

for d in sorted(deployments.values(), key=lambda d: d.id):
    took = f" in {d.elapsed}" if d.elapsed else ""
    print(f"{d}{took}{' ✔' if d.status.terminal else ''}")

print("\nviolations:")
for id_, kind, text in violations:
    print(f"  {id_}: {kind}({text})")

stuck = [d for d in deployments.values() if not d.status.terminal]
details = {}
for d in sorted(stuck, key=lambda d: d.id):
    info = gitlab_zereight.get_deployment("7", d.id)
    details[d.id] = f"{d.status.name.lower()} on {info['ref']}@{info['sha'][:8]}"
    print(f"stuck {d.id}: {details[d.id]}")

tally = {s.name: sum(d.status is s for d in deployments.values()) for s in Status}
result = {"tally": {k: v for k, v in tally.items() if v}, "violations": violations, "stuck": details,
          "retries": sum(d.retries for d in deployments.values())}
