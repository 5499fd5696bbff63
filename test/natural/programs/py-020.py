from datetime import datetime, timezone

PROJECT = "acme/web"
now = datetime(2024, 5, 20, 12, 0, tzinfo=timezone.utc)

mrs = gitlab_zereight.list_merge_requests(project_id=PROJECT, state="opened", per_page=100)
mrs = [m for m in mrs if not m["draft"] and not m["title"].startswith("WIP")]

waiting, ready, errors = [], [], {}
for mr in mrs:
    iid = mr["iid"]
    try:
        state = gitlab_zereight.get_merge_request_approval_state(project_id=PROJECT, merge_request_iid=iid)
    except Exception as e:
        errors[iid] = str(e)
        continue

    required = sum(r["approvals_required"] for r in state["rules"])
    approvers = {a["username"] for r in state["rules"] for a in r["approved_by"]}
    approvers.discard(mr["author"]["username"])
    age = now - datetime.fromisoformat(mr["created_at"].replace("Z", "+00:00"))
    row = {
        "iid": iid,
        "title": mr["title"],
        "author": mr["author"]["username"],
        "age_days": age.days,
        "missing": max(0, required - len(approvers)),
        "conflicts": mr["has_conflicts"],
        "urgent": "urgent" in mr["labels"],
    }
    if row["missing"] == 0 and not row["conflicts"]:
        ready.append(row)
    else:
        waiting.append(row)

waiting.sort(key=lambda r: (not r["urgent"], -r["age_days"]))
print(f"{len(ready)} ready to merge: {', '.join('!' + str(r['iid']) for r in ready)}")
print(f"{len(waiting)} waiting:")
for r in waiting:
    reasons = []
    if r["missing"]:
        reasons.append(f"{r['missing']} approval{'s' if r['missing'] > 1 else ''} missing")
    if r["conflicts"]:
        reasons.append("conflicts")
    print(f"  !{r['iid']} {r['title'][:28]:<28} {r['author']:<13} {r['age_days']:>3}d  {' + '.join(reasons)}{'  <-- urgent' if r['urgent'] else ''}")
for iid, err in errors.items():
    print(f"  !{iid}: {err}")

result = {"ready": [r["iid"] for r in ready], "waiting": [r["iid"] for r in waiting], "errors": errors}
