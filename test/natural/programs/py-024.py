"""Next version number and CHANGELOG from conventional commits."""
from __future__ import annotations

import re
from collections import defaultdict
from datetime import datetime, timezone
from functools import total_ordering

SEMVER = re.compile(r"^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$")
COMMIT = re.compile(r"^(?P<type>\w+)(?:\((?P<scope>[^)]+)\))?(?P<bang>!)?:\s+(?P<text>.+)$")
SECTIONS = {"feat": "Features", "fix": "Bug Fixes", "perf": "Performance"}


@total_ordering
class Version:
    __slots__ = ("core", "pre", "build")

    def __init__(self, core, pre=(), build=None):
        self.core, self.pre, self.build = tuple(core), tuple(pre), build

    @classmethod
    def parse(cls, text) -> Version | None:
        m = SEMVER.match(text)
        if not m:
            return None
        *core, pre, build = m.groups()
        return cls(map(int, core), (int(p) if p.isdigit() else p for p in pre.split(".")) if pre else (), build)

    def _key(self):
        # a pre-release sorts before the release; numbers before words
        pre = tuple((0, p, "") if isinstance(p, int) else (1, 0, p) for p in self.pre)
        return self.core, not self.pre, pre

    def __eq__(self, other):
        return self._key() == other._key()

    def __lt__(self, other):
        return self._key() < other._key()

    def __hash__(self):
        return hash(self._key())

    def bump(self, part: str) -> Version:
        major, minor, patch = self.core
        return {
            "major": lambda: Version((major + 1, 0, 0)),
            "minor": lambda: Version((major, minor + 1, 0)),
            "patch": lambda: Version((major, minor, patch + 1)),
        }[part]()

    def __str__(self):
        return "v" + ".".join(map(str, self.core)) + ("-" + ".".join(map(str, self.pre)) if self.pre else "")


git_cyanheads.git_set_working_dir(path="/repo")
tags = [t["name"] for t in git_cyanheads.git_tag(mode="list")["tags"]]
versions = sorted({v for v in map(Version.parse, tags) if v is not None})
print("versions:", *versions)
current = max(v for v in versions if not v.pre)

log = git_cyanheads.git_log(since=str(current), maxCount=100)["commits"]
log.sort(key=lambda c: c["timestamp"])
reverted = {m[1] for c in log if (m := re.search(r"This reverts commit ([0-9a-f]{7,})\.", c["body"]))}

sections: dict[str, list[str]] = defaultdict(list)
breaking: list[str] = []
skipped: list[str] = []
once = set()
bump = None
rank = {None: 0, "patch": 1, "minor": 2, "major": 3}
contributors = set()

for c in log:
    m = COMMIT.match(c["subject"])
    if not m or m["type"] == "revert" or c["shortHash"] in reverted:
        skipped.append(c["subject"])
        continue
    is_breaking = bool(m["bang"]) or "BREAKING CHANGE:" in c["body"]
    level = "major" if is_breaking else {"feat": "minor", "fix": "patch", "perf": "patch"}.get(m["type"])
    bump = max(bump, level, key=rank.__getitem__)
    if not c["author"].endswith("[bot]"):
        contributors.add(c["author"])
    contributors.update(re.findall(r"^Co-authored-by: ([^<]+?) <", c["body"], re.M))
    if is_breaking:
        note = re.search(r"BREAKING CHANGE: (.+)", c["body"])
        breaking.append(note[1] if note else m["text"])
    if m["type"] not in SECTIONS or c["subject"] in once:
        continue
    once.add(c["subject"])
    text = re.sub(r"\s*\(#(\d+)\)", r" ([#\1](../pull/\1))", m["text"])
    closes = re.findall(r"closes #(\d+)", c["body"], re.I)
    line = (f"**{m['scope']}:** " if m["scope"] else "") + text + f" ({c['shortHash']})"
    sections[SECTIONS[m["type"]]].append(line + (f", closes {', '.join('#' + n for n in closes)}" if closes else ""))

new = current.bump(bump)
day = datetime.fromtimestamp(log[-1]["timestamp"], tz=timezone.utc)
lines = [f"## {new} ({day:%Y-%m-%d})"]
if breaking:
    lines += ["", "### ⚠ BREAKING CHANGES", "", *(f"* {b}" for b in breaking)]
for title in SECTIONS.values():
    if sections.get(title):
        lines += ["", f"### {title}", ""] + [f"* {l}" for l in sorted(sections[title])]
lines += ["", f"Thanks to {', '.join(sorted(contributors))}."]
print("\n".join(lines))

result = {"from": str(current), "to": str(new), "bump": bump, "entries": {k: len(v) for k, v in sections.items()},
          "skipped": skipped, "contributors": sorted(contributors)}
