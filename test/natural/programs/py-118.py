LEVELS = {10: "Guest", 20: "Reporter", 30: "Developer", 40: "Maintainer", 50: "Owner"}
GROUP = "fintech"

projects = gitlab.list_group_projects(group_id=GROUP, include_subgroups=True, archived=False)
group_members = {m["username"]: m for m in gitlab.list_group_members(group_id=GROUP)}

# people who are allowed to have Maintainer or above
leads = {row["username"] for row in sqlite.read_query(query="SELECT username FROM staff WHERE role IN ('lead', 'sre') AND left_on IS NULL")}
left = {row["username"]: row["left_on"] for row in sqlite.read_query(query="SELECT username, left_on FROM staff WHERE left_on IS NOT NULL")}

findings = []
matrix = {}

for project in projects:
    path = project["path_with_namespace"]
    members = gitlab.list_project_members(project_id=str(project["id"]), include_inheritance=True)
    if not members:
        findings.append(("low", path, "-", "project has no members"))
        continue
    owners = 0
    for m in members:
        user, level = m["username"], m["access_level"]
        matrix.setdefault(user, {})[path] = level
        owners += level >= 40
        if user in left:
            findings.append(("high", path, user, f"left on {left[user]} but is {LEVELS.get(level, level)}"))
        elif m["state"] != "active":
            findings.append(("medium", path, user, f"account is {m['state']}"))
        elif level >= 40 and user not in leads and not user.endswith("-bot"):
            findings.append(("medium", path, user, f"{LEVELS[level]} without being a lead"))
        if user not in group_members and m.get("expires_at") is None and user not in left:
            findings.append(("low", path, user, "external member without expiry date"))
    if owners == 0:
        findings.append(("medium", path, "-", "nobody can administer this project"))

severity = ["high", "medium", "low"]
findings.sort(key=lambda f: (severity.index(f[0]), f[1], f[2]))

print(f"Checked {len(projects)} projects and {len(matrix)} people\n")
for sev, path, user, text in findings:
    print(f"{sev.upper():<7}{path:<28}{user:<14}{text}")

print("\nAccess matrix")
paths = [p["path_with_namespace"] for p in projects]
for user in sorted(matrix, key=str.lower):
    cells = [LEVELS.get(matrix[user].get(p), "-")[:4].ljust(5) for p in paths]
    print(f"{user:<14}" + "".join(cells))

result = {s: sum(1 for f in findings if f[0] == s) for s in severity}
