"""Rebuild account balances from an event log, with invariants and projections."""
import json
from collections import defaultdict
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Generator

SQL = "SELECT seq, type, version, payload, at FROM events WHERE seq > {} ORDER BY seq LIMIT 20"


class Rejected(Exception):
    """The event violates an invariant."""


@dataclass
class Account:
    owner: str
    limit: int = 0
    balance: int = 0
    open: bool = True
    history: list[tuple[str, int]] = field(default_factory=list)

    def move(self, at: str, amount: int, *, force: bool = False) -> None:
        if not self.open:
            raise Rejected("account is closed")
        if not force and self.balance + amount < -self.limit:
            raise Rejected(f"insufficient funds: {self.balance} {amount:+d} (limit {self.limit})")
        self.balance += amount
        self.history.append((at, self.balance))


State = dict[str, Account]


def stream() -> Generator[dict[str, Any], None, None]:
    snapshots = mongodb.find(connectionId="snap", database="bank", collection="snapshots", sort={"seq": -1}, limit=1)
    last = snapshots[0]["seq"] if snapshots else 0
    while rows := postgres_reference.query(sql=SQL.format(last)):
        for row in rows:
            if row["seq"] == last:
                yield {**row, "type": "Duplicate"}
                continue
            last = row["seq"]
            payload = row["payload"]
            yield {**row, "payload": json.loads(payload) if isinstance(payload, str) else payload}


def apply(state: State, event: dict[str, Any]) -> State:
    """Pure transition: works on a copy, so a rejected event leaves no traces."""
    new = deepcopy(state)
    at = event["at"]

    def account(name: str) -> Account:
        if name not in new:
            raise Rejected(f"unknown account {name}")
        return new[name]

    match event:
        case {"type": "AccountOpened", "payload": {"account": name, "owner": owner, **rest}}:
            new[name] = Account(owner, rest.get("limit") or 0)
        case {"type": "Deposited", "payload": {"account": name, "amount": int(amount)}} if amount > 0:
            account(name).move(at, amount)
        case {"type": "Withdrawn", "payload": {"account": name, "amount": amount}}:
            account(name).move(at, -amount)
        case {"type": "FeeCharged", "payload": {"account": name, "amount": amount}}:
            account(name).move(at, -amount, force=True)
        case {"type": "Transferred", "payload": {"from": a, "to": b}} if a == b:
            raise Rejected("transfer to itself")
        case {"type": "Transferred", "payload": {"from": a, "to": b, "amount": amount, "memo": _}}:
            account(a).move(at, -amount)
            account(b).move(at, amount)
        case {"type": "AccountClosed", "payload": {"account": name}}:
            account(name).open = False
        case {"type": "Renamed", "version": v, "payload": {"owner": owner, "account": name}} if v >= 2:
            account(name).owner = owner
        case {"type": "Duplicate"}:
            raise Rejected("duplicate delivery")
        case {"type": str(kind)}:
            raise Rejected(f"no handler for {kind}")
    return new


state: State = {}
rejected: list[tuple[int, str]] = []
volume: defaultdict[str, int] = defaultdict(int)
count = 0
for event in stream():
    count += 1
    try:
        state = apply(state, event)
    except Rejected as r:
        rejected.append((event["seq"], str(r)))
    else:
        volume[event["type"]] += event["payload"].get("amount", 0)

print(f"{count} events, {len(rejected)} rejected")
for seq, why in rejected:
    print(f"  {seq:>3}: {why}")
print()
for name, acc in sorted(state.items()):
    low = min(acc.history, key=lambda h: h[1])
    print(f"{name} {acc.owner:<10} {acc.balance:>6} {'open' if acc.open else 'CLOSED':<7} low {low[1]} on {low[0]}")

cash_in = volume["Deposited"] - volume["Withdrawn"] - volume["FeeCharged"]
assert cash_in == sum(a.balance for a in state.values()), "money appeared or vanished"
by_month = {n: {at[:7]: b for at, b in a.history} for n, a in sorted(state.items())}
print("month ends:", by_month)

result = {
    "balances": {n: a.balance for n, a in state.items()},
    "owners": [a.owner for a in state.values()],
    "rejected": rejected,
    "volume": dict(volume),
    "by_month": by_month,
}
