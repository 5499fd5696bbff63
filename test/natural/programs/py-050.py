"""Effective permissions per project, with inherited group membership."""
from collections import ChainMap
from datetime import date
from enum import IntFlag, auto, unique

TODAY = date(2024, 6, 1)


@unique
class Right(IntFlag):
    READ = auto()
    ISSUES = auto()
    PUSH = auto()
    MERGE = auto()
    ADMIN = auto()
    OWN = auto()

    GUEST = READ | ISSUES
    DEVELOPER = GUEST | PUSH
    MAINTAINER = DEVELOPER | MERGE | ADMIN
    OWNER = MAINTAINER | OWN


ROLES = {10: Right.GUEST, 20: Right.GUEST, 30: Right.DEVELOPER, 40: Right.MAINTAINER, 50: Right.OWNER}
NAMES = {10: "Guest", 20: "Reporter", 30: "Developer", 40: "Maintainer", 50: "Owner"}
_groups = {}


def active(members):
    """username → level, dropping blocked and expired members."""
    return {
        m["username"]: m["access_level"]
        for m in members
        if m["state"] == "active" and (m["expires_at"] is None or date.fromisoformat(m["expires_at"]) > TODAY)
    }


def group_members(path):
    if path not in _groups:
        _groups[path] = active(gitlab_zereight.list_group_members(group_id=path))
    return _groups[path]


def ancestors(path):
    """'a/b/c' → 'a/b/c', 'a/b', 'a'"""
    while path:
        yield path
        path = path.rpartition("/")[0]


def effective(project):
    layers = [active(gitlab_zereight.list_project_members(project_id=str(project["id"])))]
    layers += [group_members(g) for g in ancestors(project["namespace"])]
    nearest = ChainMap(*layers)
    # GitLab uses the highest level of all layers, not the nearest one
    return {
        user: (max(layer[user] for layer in layers if user in layer), nearest[user])
        for user in sorted(nearest)
    }


projects = gitlab_zereight.list_group_projects(group_id="acme", include_subgroups=True, per_page=100)
matrix, problems = {}, []
for p in projects:
    if p["archived"]:
        print(f"skipping archived {p['path_with_namespace']}")
        continue
    try:
        levels = effective(p)
    except Exception as e:
        problems.append(f"{p['path_with_namespace']}: {e}")
        continue
    rights = {u: ROLES[level] for u, (level, _) in levels.items()}
    for branch in gitlab_zereight.list_protected_branches(project_id=str(p["id"])):
        needed = min((l["access_level"] for l in branch["push_access_levels"]), default=0)
        pushers = sorted(u for u, (level, _) in levels.items() if needed and level >= needed)
        problems += [f"{p['path_with_namespace']}@{branch['name']}: nobody may push"] if not pushers else []
        problems += [f"{p['path_with_namespace']}@{branch['name']}: nobody may merge"] if not branch["merge_access_levels"] else []
    if not any(Right.OWN in r for r in rights.values()):
        problems.append(f"{p['path_with_namespace']}: no owner")
    matrix[p["path_with_namespace"]] = (levels, rights)

users = sorted({u for levels, _ in matrix.values() for u in levels})
width = max(map(len, matrix))
print(" " * width + "".join(f"{u:>7}" for u in users))
for path, (levels, rights) in matrix.items():
    cells = []
    for u in users:
        r = rights.get(u, Right(0))
        letters = "".join(flag.name[0] for flag in (Right.READ, Right.ISSUES, Right.PUSH, Right.MERGE, Right.ADMIN, Right.OWN) if flag in r)
        cells.append(f"{letters or '-':>7}")
    print(f"{path:<{width}}" + "".join(cells))

lowered = [
    f"{u} in {path}: {NAMES[near]} here, but {NAMES[top]} by inheritance"
    for path, (levels, _) in matrix.items()
    for u, (top, near) in levels.items()
    if near != top
]
print(*lowered, *problems, sep="\n")

everything = Right.OWNER
masks = {path: f"{int(max(rights.values(), default=Right(0))):06b}" for path, (_, rights) in matrix.items()}
result = {
    "matrix": {path: {u: NAMES[level] for u, (level, _) in levels.items()} for path, (levels, _) in matrix.items()},
    "shadowed": lowered,
    "problems": problems,
    "masks": masks,
    "not_guest": sorted(f.name for f in Right if f & everything & ~Right.GUEST and f.value & (f.value - 1) == 0),
    "groups_loaded": list(_groups),
}
