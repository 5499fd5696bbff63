from collections import Counter
from datetime import date

week_start, week_end = date(2025, 5, 5), date(2025, 5, 11)


def in_week(stamp):
    return stamp is not None and week_start <= date.fromisoformat(stamp[:10]) <= week_end


# GitHub
prs = github.list_pull_requests(owner="acme", repo="web", state="all", sort="updated", direction="desc", per_page=50)
merged = [p for p in prs if in_week(p.get("merged_at"))]
opened = [p for p in prs if in_week(p["created_at"])]

# GitLab
issues = gitlab.list_issues(project_id="acme/backend", updated_after=week_start.isoformat(), per_page=100)
closed = [i for i in issues if i["state"] == "closed" and in_week(i.get("closed_at"))]
created = [i for i in issues if in_week(i["created_at"])]
pipelines = gitlab.list_pipelines(project_id="acme/backend", ref="main", updated_after=week_start.isoformat())
statuses = Counter(p["status"] for p in pipelines)
finished = statuses["success"] + statuses["failed"]
rate = statuses["success"] / finished * 100 if finished else 0.0

# support numbers
tickets = postgres.query(
    "SELECT priority, count(*) AS total, count(*) FILTER (WHERE closed_at IS NOT NULL) AS closed, "
    "avg(first_reply_minutes) AS avg_reply FROM tickets "
    f"WHERE opened_at BETWEEN '{week_start}' AND '{week_end}' GROUP BY priority ORDER BY priority"
)

report = [f"*Weekly report {week_start:%d %b} – {week_end:%d %b %Y}*", ""]
report.append(f"*Web*: {len(merged)} PRs merged, {len(opened)} opened")
for p in sorted(merged, key=lambda p: p["merged_at"]):
    report.append(f"  • #{p['number']} {p['title']} ({p['user']['login']})")

report.append(f"*Backend*: {len(closed)} issues closed, {len(created)} created, main green {rate:.0f}% of {finished} runs")
top = Counter(label for i in closed for label in i["labels"]).most_common(3)
if top:
    report.append("  • top labels: " + ", ".join(f"{name} ({n})" for name, n in top))

report.append("*Support*")
for t in tickets:
    reply = f"{float(t['avg_reply']):.0f} min" if t["avg_reply"] is not None else "n/a"
    report.append(f"  • {t['priority']}: {t['closed']}/{t['total']} closed, first reply {reply}")

authors = Counter(p["user"]["login"] for p in merged)
if authors:
    star, n = authors.most_common(1)[0]
    report.append(f"Most merges: {star} ({n})")

text = "\n".join(report)
print(text)

posted = slack.slack_post_message(channel_id="C0WEEKLY", text=text)
print("posted:", posted["ok"], posted.get("ts"))
result = {"merged": len(merged), "closed": len(closed), "success_rate": round(rate, 1), "posted": posted["ok"]}
