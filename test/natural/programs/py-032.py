# Combine CircleCI results, flaky list and BrowserStack failures into one view of broken tests.
import json
import re

SLUG = "gh/acme/shop"

raw = circleci.get_job_test_results(params={"projectSlug": SLUG, "branch": "main"})
truncated = "<MCPTruncationWarning>" in raw
if truncated:
    print("WARNING: The test results have been truncated.")

tests = []
job = None
for line in raw.splitlines():
    if line.startswith("Job:"):
        name, number = re.match(r"Job: (\S+) \(#(\d+)\)", line).groups()
        job = {"name": name, "number": int(number)}
    elif line.startswith("Result:"):
        _, status, *rest = re.split(r":\s+|\s{3,}", line)
        file, title, seconds = rest
        tests.append({
            "source": f"circleci/{job['name']}",
            "file": file,
            "title": title,
            "status": {"failure": "failed", "success": "passed"}.get(status, status),
            "seconds": None if seconds == "-" else float(seconds.rstrip("s")),
            "error": None,
        })
    elif line.startswith("    ") and tests:
        tests[-1]["error"] = line.strip()


def flatten(node, trail=()):
    """Depth-first over suites; yields the tests with their full title."""
    match node:
        case {"type": "test", "name": name, **rest}:
            yield {
                "source": "browserstack/" + (rest.get("device") or "unknown device"),
                "id": rest["id"],
                "file": None,
                "title": " › ".join((*trail, name)),
                "status": rest["status"],
                "seconds": rest["durationMs"] / 1000 if rest["durationMs"] else None,
                "error": rest.get("failure", {}).get("message"),
            }
        case {"type": "suite", "children": []}:
            print(f"(suite {node['name']!r} is empty)")
        case {"type": "suite", "name": name, "children": [*children]}:
            for child in children:
                yield from flatten(child, (*trail, name))
        case {"hierarchy": nodes}:
            for n in nodes:
                yield from flatten(n, trail)
        case other:
            raise TypeError(f"what is {other!r}?")


build = browserstack.getBuildId(browserStackProjectName="Shop", browserStackBuildName="nightly")
tree = json.loads(browserstack.listTestIds(buildId=build, status="failed", includeFailureDetail=True))
tests.extend(flatten(tree))

flaky = {}
for m in re.finditer(r"^\d+\. (?P<title>.+?)\s+— flaked (?P<n>\d+) times?$", circleci.find_flaky_tests(params={"projectSlug": SLUG}), re.M):
    flaky[m["title"]] = int(m["n"])


def key(title):
    parts = title.split(" › ")
    return f"{parts[0]} › {parts[-1]}".lower()


broken = {}
for t in tests:
    if t["status"] != "failed":
        continue
    entry = broken.setdefault(key(t["title"]), {"titles": set(), "where": [], "errors": set(), "flaked": 0, "rca": None})
    entry["titles"].add(t["title"])
    entry["where"].append(t["source"])
    entry["flaked"] = max(entry["flaked"], flaky.get(t["title"], 0))
    if t["error"]:
        entry["errors"].add(t["error"])
    if "id" in t:
        try:
            rca = browserstack.fetchRCA(testId=[t["id"]])[str(t["id"])]
            entry["rca"] = f"{rca['category']}: {rca['rca']}"
        except Exception as e:
            entry["rca"] = entry["rca"] or f"({e})"

for k, e in sorted(broken.items(), key=lambda kv: (-len(kv[1]["where"]), kv[0])):
    print(f"\n{max(e['titles'], key=len)}  [{len(e['where'])}×{', flaky ' + str(e['flaked']) if e['flaked'] else ''}]")
    print("  in:   ", ", ".join(sorted(e["where"])))
    for err in sorted(e["errors"]):
        print("  error:", err)
    if e["rca"]:
        print("  cause:", e["rca"])

slowest = max((t for t in tests if t["seconds"]), key=lambda t: t["seconds"])
unmatched = sorted(set(flaky) - {t["title"] for t in tests})
passed = sum(t["status"] == "passed" for t in tests)
result = {
    "truncated": truncated,
    "passed": passed,
    "broken": {k: len(v["where"]) for k, v in broken.items()},
    "slowest": [slowest["title"], slowest["seconds"]],
    "flaky_unmatched": unmatched,
    "verdict": "red" if any(not e["flaked"] for e in broken.values()) else "amber",
}
