import functools
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict


def retry(times=3, on=(Exception,), fallback=None):
    """Decorator: call again up to `times` times; hand the last failure to `fallback`."""

    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            wrapper.calls += 1
            last = None
            for attempt in range(1, times + 1):
                try:
                    return fn(*args, **kwargs)
                except on as exc:
                    last = exc
                    wrapper.failures[str(exc)] += 1
            if fallback is None:
                raise last
            return fallback(last, *args, **kwargs)

        wrapper.calls = 0
        wrapper.failures = Counter()
        return wrapper

    return decorate


@retry(times=3, fallback=lambda exc, path: None)
def load(path):
    """Parsed JUnit report, or None if it cannot be read."""
    return ET.fromstring(server_filesystem.read_text_file(path=path)["content"])


@retry(times=2)
def open_issue(title, description):
    return gitlab_zereight.create_issue(project_id="42", title=title, description=description, labels=["ci", "test-failure"])


listing = server_filesystem.list_directory(path="/builds/reports")["content"]
paths = []
for line in listing.splitlines():
    kind, _, name = line.partition(" ")
    if kind == "[FILE]" and name.startswith("TEST-") and name.endswith(".xml"):
        paths.append(f"/builds/reports/{name}")
print(f"{len(paths)} report files")

suites = {}
cases = []
unreadable = []
for path in sorted(paths):
    root = load(path)
    if root is None:
        unreadable.append(path)
        continue
    nodes = [root] if root.tag == "testsuite" else root.findall("testsuite")
    for suite in nodes:
        totals = suites.setdefault(suite.get("name"), Counter())
        for case in suite.iter("testcase"):
            outcome, message, text = "passed", None, ""
            for tag, label in (("failure", "failed"), ("error", "error"), ("skipped", "skipped")):
                node = case.find(tag)
                if node is not None:
                    outcome, message, text = label, node.get("message"), (node.text or "").strip()
                    break
            totals[outcome] += 1
            totals["ms"] += round(float(case.get("time", 0)) * 1000)
            cases.append((suite.get("name"), f"{case.get('classname')}.{case.get('name')}", outcome, message, text))

header = ("suite", "passed", "failed", "error", "skipped", "time")
print("{:<22}{:>7}{:>7}{:>7}{:>8}{:>9}".format(*header))
for name, c in sorted(suites.items()):
    print(f"{name:<22}{c['passed']:>7}{c['failed']:>7}{c['error']:>7}{c['skipped']:>8}{c['ms'] / 1000:>8.2f}s")

# one issue per distinct root cause rather than per test
clusters = defaultdict(list)
for suite, test, outcome, message, text in cases:
    if outcome in ("failed", "error"):
        head = (message or (text.splitlines() or ["no message"])[0]).split(":")[0].strip()
        clusters[head].append((test, text))

open_titles = {i["title"] for i in gitlab_zereight.list_issues(project_id="42", labels=["test-failure"], state="opened")}
filed, known = [], []
for cause, tests in sorted(clusters.items(), key=lambda kv: (-len(kv[1]), kv[0])):
    title = f"CI: {cause} ({len(tests)} test{'s' if len(tests) != 1 else ''})"
    if title in open_titles:
        known.append(title)
        continue
    body = "\n".join(f"- `{t}`" for t, _ in tests)
    trace = next((x for _, x in tests if x), None)
    if trace:
        body += "\n\n```\n" + "\n".join(trace.splitlines()[:5]) + "\n```"
    try:
        issue = open_issue(title, body)
    except Exception as e:
        print(f"could not file {title!r}: {e}")
        continue
    filed.append(issue["iid"])
    print(f"filed #{issue['iid']}: {title}")

for title in known:
    print(f"already open: {title}")
print("unreadable:", unreadable, dict(load.failures))
print(load.__name__, "—", load.__doc__)

result = {
    "suites": {k: dict(v) for k, v in suites.items()},
    "clusters": {k: len(v) for k, v in clusters.items()},
    "filed": filed,
    "unreadable": unreadable,
    "calls": [load.calls, open_issue.calls],
}
