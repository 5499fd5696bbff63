import io
import json
import logging
from collections import Counter, defaultdict
from itertools import islice

buffer = io.StringIO()
handler = logging.StreamHandler(buffer)
handler.setFormatter(logging.Formatter("%(levelname)-8s %(name)s: %(message)s"))
log = logging.getLogger("lint")
log.setLevel(logging.DEBUG)
log.propagate = False
log.addHandler(handler)
scan_log = log.getChild("scan")


class SkipDeclarations(logging.Filter):
    def filter(self, record):
        return ".d.ts" not in record.getMessage()


handler.addFilter(SkipDeclarations())


def chunks(iterable, size):
    it = iter(iterable)
    while chunk := list(islice(it, size)):
        yield chunk


def discover():
    for path in server_filesystem.search_files(path="/app/src", pattern="**/*.{ts,tsx,js}").split("\n"):
        if path.endswith(".d.ts"):
            scan_log.info("skipping %s", path)
            continue
        scan_log.debug("found %s", path)
        yield path


def lint(paths):
    """Some versions of the server answer JSON lines instead of a list."""
    reply = eslint.lint_files(filePaths=paths)
    if isinstance(reply, str):
        scan_log.warning("text reply for %d files, parsing JSON lines", len(paths))
        reply = [json.loads(line) for line in reply.splitlines() if line]
    return reply


weights = json.loads(server_filesystem.read_text_file(path="/app/.eslintpriority.json"))
results = [r for group in chunks(discover(), 3) for r in lint(group)]

rule_counts = Counter()
fixable = Counter()
ranking = []
for r in results:
    rel = r["filePath"].removeprefix("/app/")
    history = git_cyanheads.git_log(path="/app", filePath=rel, maxCount=50)
    churn = history["totalCount"]
    score = 0
    for m in r["messages"]:
        rule = m["ruleId"] or "parse-error"
        rule_counts[rule] += 1
        fixable[rule] += m["fix"] is not None
        if m["ruleId"] is None:
            log.error("%s:%d:%d %s", rel, m["line"], m["column"], m["message"])
        score += weights.get(rule, 1) * m["severity"]
    if r["errorCount"] != sum(m["severity"] == 2 for m in r["messages"]):
        log.critical("inconsistent counts in %s", rel)
    ranking.append((score * (1 + churn / 10), rel, r["errorCount"], r["warningCount"], churn))

ranking.sort(key=lambda t: (-t[0], t[1]))
print(f"{'file':<22}{'err':>5}{'warn':>6}{'commits':>9}{'priority':>10}")
for score, rel, err, warn, churn in ranking:
    print(f"{rel:<22}{err:>5}{warn:>6}{churn:>9}{score:>10.1f}")

print("\nrules:")
for rule, n in sorted(rule_counts.items(), key=lambda kv: (-kv[1], kv[0])):
    auto = f" ({fixable[rule]} auto-fixable)" if fixable[rule] else ""
    print(f"  {n:>2} {rule}{auto}")

lines_by_rule = defaultdict(list)
for r in results:
    for m in sorted(r["messages"], key=lambda m: (m["line"], m["column"])):
        lines_by_rule[m["ruleId"] or "parse-error"].append(f"{r['filePath'].rsplit('/', 1)[1]}:{m['line']}")

try:
    worst = ranking[0][1]
    git_cyanheads.git_log(path="/app", filePath=worst + ".bak", maxCount=50)
except Exception:
    log.exception("no history for backup of %s", worst)

text = buffer.getvalue()
print("\nlog:")
for line in text.splitlines():
    if line.startswith(("DEBUG", "INFO", "WARNING", "ERROR")):
        print("  " + line)

result = {
    "rules": dict(rule_counts),
    "fixable": sum(fixable.values()),
    "order": [r[1] for r in ranking],
    "where": {k: v[:3] for k, v in sorted(lines_by_rule.items())},
    "levels": Counter(l.split()[0] for l in text.splitlines() if l.startswith(("DEBUG ", "WARNING ", "ERROR "))),
    "traceback_logged": "Traceback (most recent call last):" in text,
}
