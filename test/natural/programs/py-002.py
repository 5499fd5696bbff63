from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from statistics import mean, median
from typing import Optional

REPO = dict(owner="acme", repo="platform")


@dataclass
class Review:
    reviewer: str
    state: str
    at: datetime


@dataclass
class PullRequest:
    number: int
    title: str
    author: str
    created: datetime
    merged: Optional[datetime] = None
    reviews: list[Review] = field(default_factory=list)

    @classmethod
    def from_api(cls, raw: dict) -> "PullRequest":
        merged = raw.get("merged_at")
        return cls(
            number=raw["number"],
            title=raw["title"],
            author=raw["user"]["login"],
            created=datetime.fromisoformat(raw["created_at"].replace("Z", "+00:00")),
            merged=datetime.fromisoformat(merged.replace("Z", "+00:00")) if merged else None,
        )

    @property
    def is_bot(self) -> bool:
        return self.author.endswith("[bot]")

    @property
    def first_response(self) -> Optional[timedelta]:
        others = [r.at for r in self.reviews if r.reviewer != self.author]
        return min(others) - self.created if others else None


def hours(td: timedelta) -> float:
    return td.total_seconds() / 3600


def load_reviews(pr: PullRequest) -> bool:
    try:
        raw = github_reference.get_pull_request_reviews(**REPO, pull_number=pr.number)
    except Exception as exc:
        print(f"warning: reviews of #{pr.number} unavailable: {exc}")
        return False
    for r in raw:
        login = r["user"]["login"] if r.get("user") else "ghost"
        pr.reviews.append(Review(login, r["state"], datetime.fromisoformat(r["submitted_at"].replace("Z", "+00:00"))))
    return True


raw_prs = github_reference.list_pull_requests(**REPO, state="all", per_page=50)
prs = [PullRequest.from_api(p) for p in raw_prs if not p.get("draft")]
incomplete = [pr.number for pr in prs if not load_reviews(pr)]

human = [pr for pr in prs if not pr.is_bot]
latencies = [hours(pr.first_response) for pr in human if pr.first_response is not None]

print(f"{'PR':>5}  {'author':<12} {'first review':>14}  {'cycle':>8}  title")
print("-" * 64)
for pr in sorted(human, key=lambda p: p.created):
    first = f"{hours(pr.first_response):.1f} h" if pr.first_response else "-"
    cycle = f"{hours(pr.merged - pr.created):.0f} h" if pr.merged else "open"
    print(f"{pr.number:>5}  {pr.author:<12} {first:>14}  {cycle:>8}  {pr.title}")

verdicts: dict[str, dict[str, int]] = {}
for pr in prs:
    for review in pr.reviews:
        row = verdicts.setdefault(review.reviewer, {"APPROVED": 0, "CHANGES_REQUESTED": 0, "COMMENTED": 0})
        row[review.state] += 1

print()
for reviewer, row in sorted(verdicts.items()):
    total = sum(row.values())
    bar = "#" * row["APPROVED"] + "!" * row["CHANGES_REQUESTED"] + "." * row["COMMENTED"]
    print(f"{reviewer:<10} {total:>2}  {bar}")

result = {
    "prs": len(prs),
    "bots": sum(pr.is_bot for pr in prs),
    "median_first_review_h": round(median(latencies), 2),
    "mean_first_review_h": round(mean(latencies), 2),
    "never_reviewed": [pr.number for pr in prs if not pr.reviews and pr.number not in incomplete],
    "incomplete": incomplete,
    "approval_rate": {k: round(v["APPROVED"] / max(1, sum(v.values())), 3) for k, v in verdicts.items()},
}
