import json
import re
import traceback

NS = "shop"
items = json.loads(kubernetes_flux159.kubectl_get(resourceType="deployments", namespace=NS, output="json"))["items"]

summary = {}
for d in items:
    name = d["metadata"]["name"]
    want = d["spec"]["replicas"]
    ready = d["status"].get("readyReplicas", 0)
    updated = d["status"].get("updatedReplicas", 0)
    if want == 0:
        state = "scaled to zero"
    elif ready == updated == want:
        state = "ok"
    elif ready == 0:
        state = "down"
    else:
        state = "rolling" if ready == want else "degraded"
    summary[name] = state
    print(f"{name:<14}{ready}/{want} ready, {updated}/{want} updated: {state}")


def last_good_revision(name):
    text = kubernetes_flux159.kubectl_rollout(subCommand="history", resourceType="deployment", name=name, namespace=NS)
    revisions = [(int(n), cause) for n, cause in re.findall(r"^(\d+)\s+(.+)$", text, re.M)]
    stable = [n for n, cause in revisions[:-1] if cause != "<none>" and "-rc" not in cause]
    return max(stable) if stable else None


actions = []
for name, state in summary.items():
    if state not in ("degraded", "down", "rolling"):
        continue
    try:
        if state == "down":
            text = kubernetes_flux159.kubectl_describe(resourceType="deployment", name=name, namespace=NS)
            reasons = re.findall(r"^\s+\w+\s+False\s+(\w+)", text, re.M)
            warning = re.search(r"Warning\s+(\w+)\s+(.*)", text)
            actions.append(f"{name}: {', '.join(reasons)}" + (f" ({warning[2]})" if warning else ""))
        else:
            rev = last_good_revision(name)
            actions.append(kubernetes_flux159.kubectl_rollout(
                subCommand="undo", resourceType="deployment", name=name, namespace=NS, toRevision=rev))
    except Exception as e:
        last_line = traceback.format_exception_only(e)[-1].strip()
        print("could not handle", name, "-", last_line.split(": ", 1)[-1])
        actions.append(f"{name}: failed")

print("\n".join(actions))
result = {"summary": summary, "actions": actions}
