import re
import time

BRANCH = "main"
MAX_POLLS = 3

projects = dict(re.findall(r"\d+\. (\S+) \(projectSlug: (\S+?)\)", circleci.list_followed_projects()))
print("projects:", ", ".join(projects))


def parse_status(text):
    flows = []
    for block in text.split("---"):
        fields = dict(re.findall(r"^(\w+): (.*)$", block, re.M))
        if fields:
            flows.append({"name": fields["Workflow"], "status": fields["Status"],
                          "minutes": int(m.group()) if (m := re.match(r"\d+", fields["Duration"])) else None})
    return flows


def wait(slug):
    for attempt in range(MAX_POLLS):
        flows = parse_status(circleci.get_latest_pipeline_status(params={"projectSlug": slug, "branch": BRANCH}))
        if all(f["status"] not in ("running", "on_hold") for f in flows):
            return flows, True
        time.sleep(0.01 * 2 ** attempt)
    return flows, False


states, failures = {}, {}
for name, slug in projects.items():
    try:
        flows, finished = wait(slug)
    except Exception as e:
        states[name] = f"error: {e}"
        continue
    if not finished:
        pending = [f["name"] for f in flows if f["status"] == "running"]
        states[name] = f"timeout waiting for {', '.join(pending)}"
    elif any(f["status"] == "failed" for f in flows):
        states[name] = "failed"
        logs = circleci.get_build_failure_logs(params={"projectSlug": slug, "branch": BRANCH})
        for job in re.split(r"^Job: ", logs, flags=re.M)[1:]:
            title, _, body = job.partition("\n")
            failures[f"{name}/{title}"] = [l.strip() for l in body.splitlines() if re.search(r"✖|●|Expected|Received", l)]
    else:
        states[name] = "success"

for name, state in states.items():
    print(f"{name:<6} {state}")
for job, lines in failures.items():
    print(job)
    for line in lines:
        print("   ", line)

result = {"states": states, "failures": failures}
