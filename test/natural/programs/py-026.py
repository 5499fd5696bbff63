import calendar
from datetime import date, datetime, timedelta, timezone
from enum import IntEnum
from typing import NamedTuple, Optional

TODAY = datetime(2024, 6, 10, 9, 0, tzinfo=timezone.utc)
VAULT = "kv-prod"


class Severity(IntEnum):
    OK = 0
    NOTICE = 1
    WARNING = 2
    CRITICAL = 3
    EXPIRED = 4


class Finding(NamedTuple):
    severity: Severity
    days: Optional[int]
    kind: str
    name: str
    note: str


def severity(days):
    if days is None:
        return Severity.NOTICE
    for limit, level in ((0, Severity.EXPIRED), (14, Severity.CRITICAL), (45, Severity.WARNING), (120, Severity.NOTICE)):
        if days < limit:
            return level
    return Severity.OK


def add_months(day: date, n: int) -> date:
    y, m0 = divmod(day.year * 12 + day.month - 1 + n, 12)
    last = calendar.monthrange(y, m0 + 1)[1]
    return date(y, m0 + 1, min(day.day, last))


def previous_business_day(day: date) -> date:
    while day.weekday() >= calendar.SATURDAY:
        day -= timedelta(days=1)
    return day


findings: list[Finding] = []
for name in azure.keyvault_certificate_get(vault=VAULT):
    try:
        cert = azure.keyvault_certificate_get(vault=VAULT, certificate=name)
    except Exception as e:
        findings.append(Finding(Severity.WARNING, None, "cert", name, f"unreadable: {e}"))
        continue
    expires = datetime.fromisoformat(cert["expiresOn"]).astimezone(timezone.utc)
    days = (expires - TODAY).days
    notes = [f"expires {expires:%d %b %Y %H:%M}Z"]
    if cert["keySize"] < 2048:
        notes.append(f"weak key ({cert['keySize']})")
    if not cert["enabled"]:
        notes.append("disabled")
    level = severity(days)
    if not cert["enabled"]:
        level = min(level, Severity.NOTICE)
    elif cert["keySize"] < 2048:
        level = max(level, Severity.WARNING)
    findings.append(Finding(level, days, "cert", name, ", ".join(notes)))

for name in azure.keyvault_secret_get(vault=VAULT):
    s = azure.keyvault_secret_get(vault=VAULT, secret=name)
    updated = datetime.fromisoformat(s["updatedOn"]).date()
    if s["expiresOn"]:
        days = (datetime.fromisoformat(s["expiresOn"]) - TODAY).days
        findings.append(Finding(severity(days), days, "secret", name, f"expires {s['expiresOn'][:10]}"))
    else:
        due = previous_business_day(add_months(updated, 13))
        days = (due - TODAY.date()).days
        findings.append(Finding(max(severity(days), Severity.NOTICE), days, "secret", name, f"no expiry, rotate by {due:%a %d %b %Y}"))

findings.sort(key=lambda f: (-f.severity, f.days if f.days is not None else -1, f.name))
for f in findings:
    left = "  ?  " if f.days is None else f"{f.days:+5d}"
    print(f"{f.severity.name:<9}{left} d  {f.kind:<7}{f.name:<14}{f.note}")

urgent = [f for f in findings if f.severity >= Severity.CRITICAL]
issue = None
if urgent:
    body = "\n".join(f"- [ ] `{f.name}` ({f.kind}): {f.note}" for f in urgent)
    month = calendar.TextCalendar(firstweekday=0).formatmonth(TODAY.year, TODAY.month)
    body += f"\n\n```\n{month}```"
    issue = github_reference.create_issue(owner="acme", repo="ops", title=f"{len(urgent)} credentials need attention", body=body, labels=["security"])
    print(body)

result = {
    "counts": {s.name: n for s in Severity if (n := sum(f.severity is s for f in findings))},
    "urgent": [f.name for f in urgent],
    "issue": issue and issue["number"],
    "next": min((f.days, f.name) for f in findings if f.days is not None and f.days >= 0),
    "end_of_feb": [add_months(date(2024, 1, 31), n).isoformat() for n in (1, 13, -2)],
}
