"""Tidy up the knowledge graph: merge entities that differ only in case, fix relations and observations."""
graph = server_memory.read_graph()

canonical = {}      # casefolded name -> entity we keep
rename = {}
for e in graph["entities"]:
    key = e["name"].casefold()
    if key in canonical:
        rename[e["name"]] = canonical[key]["name"]
    else:
        canonical[key] = e

# 1. observations: duplicates and blanks
deletions = []
for e in graph["entities"]:
    seen, drop = set(), []
    for o in e["observations"]:
        text = o.strip()
        if not text or text in seen or text.upper().startswith("TODO"):
            drop.append(o)
        seen.add(text)
    if drop:
        deletions.append({"entityName": e["name"], "observations": drop})
if deletions:
    print(server_memory.delete_observations(deletions=deletions))

# 2. merge the duplicates into the canonical entity
for old, new in rename.items():
    moved = next(e["observations"] for e in graph["entities"] if e["name"] == old)
    server_memory.add_observations(observations=[{"entityName": new, "contents": moved}])
    print(f"{old} -> {new}: moved {len(moved)} observation(s)")

# 3. relations
names = {e["name"] for e in graph["entities"]} - rename.keys()
keep, bad = set(), []
for r in graph["relations"]:
    src, dst = (rename.get(r[end], r[end]) for end in ("from", "to"))
    rel = (src, dst, r["relationType"].strip().lower().replace(" ", "_"))
    original = (r["from"], r["to"], r["relationType"])
    if src == dst or not {src, dst} <= names or rel in keep or rel != original:
        bad.append(r)
    if src != dst and {src, dst} <= names:
        keep.add(rel)
existing = {(r["from"], r["to"], r["relationType"]) for r in graph["relations"]}
missing = sorted(keep - existing)
for e in graph["entities"]:
    for o in e["observations"]:
        employer = o.removeprefix("works at ")
        if employer != o and (e["name"], employer, "works_at") not in keep:
            print(f"hint: {e['name']} works at {employer}, " + ("relation missing" if employer in names else "unknown company"))

server_memory.delete_relations(relations=bad)
server_memory.create_relations(relations=[{"from": a, "to": b, "relationType": t} for a, b, t in missing])
server_memory.delete_entities(entityNames=list(rename))

print(f"relations: {len(bad)} removed, {len(missing)} created, {len(keep)} in total")
result = {"rename": rename, "removed": [tuple(r.values()) for r in bad], "created": missing,
          "deleted_observations": {d["entityName"]: len(d["observations"]) for d in deletions}}
