from enum import IntFlag, IntEnum
from typing import Protocol, Iterable, runtime_checkable
from datetime import date


class Can(IntFlag):
    NONE = 0
    READ = 1
    COMMENT = 2
    PUSH = 4
    MERGE = 8
    DEPLOY = 16
    ADMIN = 32
    WRITE = PUSH | MERGE
    ALL = READ | COMMENT | WRITE | DEPLOY | ADMIN


class Level(IntEnum):
    GUEST = 10
    REPORTER = 20
    DEVELOPER = 30
    MAINTAINER = 40
    OWNER = 50

    @property
    def rights(self) -> Can:
        table = {
            Level.GUEST: Can.READ,
            Level.REPORTER: Can.READ | Can.COMMENT,
            Level.DEVELOPER: Can.READ | Can.COMMENT | Can.PUSH,
            Level.MAINTAINER: Can.ALL & ~Can.ADMIN,
            Level.OWNER: Can.ALL,
        }
        return table[self]


@runtime_checkable
class Check(Protocol):
    severity: int

    def __call__(self, user: dict, project: str, rights: Can) -> Iterable[str]: ...


class LeaversHaveNothing:
    severity = 3

    def __call__(self, user, project, rights):
        if user.get("left_on") and rights:
            yield f"left on {user['left_on']} but still has {rights!r}"


class ContractorsExpire:
    severity = 2

    def __init__(self, today):
        self.today = today

    def __call__(self, user, project, rights):
        if user["kind"] != "contractor":
            return
        if rights & (Can.MERGE | Can.DEPLOY):
            yield "contractor may merge or deploy"
        expiry = user.get("expires_at")
        if expiry is None:
            yield "contractor without expiry date"
        elif date.fromisoformat(expiry) < self.today:
            yield f"access expired {(self.today - date.fromisoformat(expiry)).days} days ago"


class TeamPolicy:
    severity = 1

    def __init__(self, policy):
        self.policy = policy

    def __call__(self, user, project, rights):
        allowed = self.policy.get((user["team"], project), self.policy.get((user["team"], "*"), Can.READ))
        excess = rights & ~allowed
        if excess:
            names = [c.name for c in Can if c in excess and c.value.bit_count() == 1]
            yield f"team {user['team']} should not {'/'.join(names).lower()}"


PROJECTS = ["shop/web", "shop/payments", "infra/terraform"]
directory = {
    u["username"]: u
    for u in postgres_reference.query(sql="SELECT username, name, team, kind, left_on FROM people ORDER BY username")
}
policy = {}
for row in sqlite_npx.read_query(query="SELECT team, project, rights FROM access_policy"):
    rights = Can.NONE
    for word in row["rights"].split("|"):
        try:
            rights |= Can[word.strip().upper()]
        except KeyError:
            print(f"policy for {row['team']}/{row['project']}: unknown right {word!r}")
    policy[row["team"], row["project"]] = rights

checks = [LeaversHaveNothing(), ContractorsExpire(date(2024, 12, 1)), TeamPolicy(policy)]
assert all(isinstance(c, Check) for c in checks)

findings, matrix = [], {}
for project in PROJECTS:
    page = 1
    while page:
        members = gitlab_zereight.list_project_members(project_id=project, include_inheritance=True, per_page=12, page=page)
        for m in members:
            if m["state"] == "blocked":
                continue
            level = Level(m["access_level"])
            user = {"kind": "unknown", "team": "-", **directory.get(m["username"], {}), "expires_at": m.get("expires_at")}
            matrix.setdefault(m["username"], {})[project] = level
            if m["username"] not in directory:
                findings.append((3, m["username"], project, f"not in the directory ({level.name.lower()})"))
                continue
            for check in checks:
                for text in check(user, project, level.rights):
                    findings.append((check.severity, m["username"], project, text))
        page = page + 1 if len(members) == 12 else None

print(f"{'user':<14}" + "".join(f"{p:<18}" for p in PROJECTS))
for username in sorted(matrix):
    cells = [matrix[username].get(p) for p in PROJECTS]
    print(f"{username:<14}" + "".join(f"{c.name.title() if c else '·':<18}" for c in cells))

print()
for severity, username, project, text in sorted(findings, key=lambda f: (-f[0], f[1], f[2])):
    print(f"{'!' * severity:<4}{username:<14}{project:<18}{text}")

owners = {p: sum(1 for u in matrix if matrix[u].get(p) == Level.OWNER) for p in PROJECTS}
lonely = [p for p, n in owners.items() if n < 2]
strongest = max(max(m.values()) for m in matrix.values()).rights
print("projects with fewer than two owners:", lonely)
print("union of all rights in use:", f"{int(strongest)}/{int(Can.ALL)}", Can.WRITE in strongest)

issue = gitlab_zereight.create_issue(
    project_id="infra/terraform",
    title=f"Access review: {len(findings)} findings",
    description="\n".join(f"- [{s}] @{u} in {p}: {t}" for s, u, p, t in findings),
)
result = {
    "findings": len(findings),
    "by_severity": {s: sum(1 for f in findings if f[0] == s) for s in (3, 2, 1)},
    "owners": owners,
    "issue": issue["iid"],
}
