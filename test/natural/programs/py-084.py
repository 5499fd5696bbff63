from collections import deque
from decimal import Decimal, getcontext
from functools import lru_cache, partial, reduce
import operator

getcontext().prec = 20


def make_book(rows):
    """Closure over the quotes: returns (rate, stats, legs)."""
    quotes = {}
    rejected = []
    for r in rows:
        try:
            bid, ask = Decimal(r["bid"]), Decimal(r["ask"])
        except Exception:
            rejected.append(r["pair"])
            continue
        base, _, term = r["pair"].partition("/")
        if bid > ask or bid <= 0:
            rejected.append(r["pair"])
            continue
        quotes[base, term] = bid, ask
        quotes.setdefault((term, base), (1 / ask, 1 / bid))
    neighbours = {}
    for a, b in sorted(quotes):
        neighbours.setdefault(a, []).append(b)
    searches = 0

    @lru_cache(maxsize=None)
    def legs(src, dst):
        nonlocal searches
        searches += 1
        if src not in neighbours:
            raise KeyError(src)
        previous, queue = {src: None}, deque([src])
        while queue:
            here = queue.popleft()
            if here == dst:
                break
            for there in neighbours[here]:
                if there not in previous:
                    previous[there] = here
                    queue.append(there)
        if dst not in previous:
            raise LookupError(f"no path from {src} to {dst}")
        path = [dst]
        while previous[path[-1]] is not None:
            path.append(previous[path[-1]])
        return tuple(reversed(path))

    @lru_cache(maxsize=256)
    def rate(src, dst, side="mid"):
        path = legs(src, dst)
        pick = {"bid": lambda q: q[0], "ask": lambda q: q[1], "mid": lambda q: (q[0] + q[1]) / 2}[side]
        return reduce(operator.mul, (pick(quotes[step]) for step in zip(path, path[1:])), Decimal(1))

    def stats():
        info = rate.cache_info()
        return {"searches": searches, "hits": info.hits, "misses": info.misses, "size": info.currsize, "rejected": rejected}

    return rate, stats, legs


rate, stats, legs = make_book(postgres_reference.query(sql="SELECT pair, bid, ask FROM quotes WHERE day = '2024-11-29'"))
to_eur = partial(rate, dst="EUR")
sell = partial(rate, side="bid")

wallets = mongodb.find(connectionId="treasury", database="fin", collection="wallets", filter={"closed": False}, limit=50)["documents"]
places = {"JPY": 0, "KRW": 0, "BHD": 3}

rows, unpriced = [], {}
for w in wallets:
    amount = Decimal(str(w.get("balance") or 0))
    ccy = w["currency"]
    try:
        mid, bid = amount * to_eur(ccy), amount * sell(ccy, "EUR")
    except LookupError as e:
        unpriced.setdefault(ccy, []).append(f"{w['_id']}: {e}")
        continue
    rows.append((w["_id"], ccy, amount, mid, mid - bid, "→".join(legs(ccy, "EUR"))))

print(f"{'wallet':<8}{'ccy':<5}{'balance':>18}{'EUR':>16}{'spread':>11}  path")
for wid, ccy, amount, mid, cost, path in sorted(rows, key=lambda r: -r[3]):
    print(f"{wid:<8}{ccy:<5}{amount:>18,.{places.get(ccy, 2)}f}{mid:>16,.2f}{cost:>11,.2f}  {path}")

exposure = {}
for _, ccy, _, mid, *_ in rows:
    exposure[ccy] = exposure.get(ccy, Decimal(0)) + mid
total = sum(exposure.values())
print(f"\ntotal {total:,.2f} EUR")

limits = {r["currency"]: Decimal(r["max_share"]) for r in sqlite_npx.read_query(query="SELECT currency, max_share FROM exposure_limits")}
breaches = {}
for ccy, value in sorted(exposure.items(), key=operator.itemgetter(1), reverse=True):
    share = value / total
    cap = limits.get(ccy)
    mark = ""
    if cap is not None and share > cap:
        excess = value - cap * total
        breaches[ccy] = str(excess.quantize(Decimal("0.01")))
        mark = f"  over the limit of {cap:.0%}, sell {excess / to_eur(ccy):,.0f} {ccy}"
    print(f"{ccy} {share:>7.2%} {'▇' * int(share * 40)}{mark}")

# round trips must never make money
majors = ["EUR", "USD", "GBP", "JPY", "CHF"]
arbitrage = []
for a in majors:
    for b in majors:
        for c in majors:
            if len({a, b, c}) == 3 and a == min(a, b, c):
                gain = sell(a, b) * sell(b, c) * sell(c, a)
                if gain > 1:
                    arbitrage.append((f"{a}→{b}→{c}→{a}", gain.quantize(Decimal("0.000001"))))
for path, gain in sorted(arbitrage, key=lambda x: -x[1]):
    print("arbitrage", path, gain)

for ccy, why in sorted(unpriced.items()):
    print("unpriced", ccy, why)
print(stats())
result = {"total": total.quantize(Decimal("0.01")), "breaches": breaches, "arbitrage": [p for p, _ in arbitrage], "unpriced": sorted(unpriced), "stats": stats()}
