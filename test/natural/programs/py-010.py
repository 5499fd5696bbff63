import functools
import itertools
import operator


class GaveUp(RuntimeError):
    pass


def retry(times=3, on=(Exception,), give_up_if=lambda e: False):
    """Retry decorator with (virtual) exponential backoff."""

    def decorate(fn):
        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            delay = 0.5
            last = None
            for attempt in range(1, times + 1):
                try:
                    return fn(*args, **kwargs)
                except on as e:
                    last = e
                    print(f"[{fn.__name__}] attempt {attempt}/{times} failed: {e} (next wait {delay}s)")
                    if give_up_if(e):
                        break
                    delay *= 2
            raise GaveUp(f"{fn.__name__}{args}") from last

        return wrapper

    return decorate


state = {"conn": None}


@retry(times=2)
def connect():
    mongodb.connect(connectionString="mongodb://prod-primary:27017", connectionName="primary")
    return "primary"


@retry(times=3, give_up_if=lambda e: "time limit" in str(e))
def find(query):
    return mongodb.find(
        connectionId=state["conn"], database="shop", collection="orders",
        filter=query, limit=100, sort={"placedAt": 1},
    )


def find_region(region):
    try:
        return find({"region": region})
    except GaveUp as e:
        assert e.__cause__ is not None
        print(f"splitting {region} by status because: {e.__cause__}")
        parts = (find({"region": region, "status": s}) for s in ("paid", "refunded", "pending"))
        return sorted(itertools.chain.from_iterable(parts), key=lambda o: o["placedAt"]["$date"])


try:
    state["conn"] = connect()
except GaveUp as e:
    alive = next(c for c in mongodb.list_connections() if c["state"] == "connected")
    state["conn"] = alive["id"]
    print(f"{e} -> using {alive['name']}")

expected = mongodb.count(connectionId=state["conn"], database="shop", collection="orders", query={})
orders = [o for region in ("EMEA", "APAC", "AMER") for o in find_region(region)]
print(f"fetched {len(orders)} of {expected}")

unique = {o["_id"]["$oid"]: o for o in orders}
duplicates = len(orders) - len(unique)


def amount(order):
    gross = sum(i["qty"] * i["unitPrice"] for i in order["items"])
    return gross * (0.9 if order["coupon"] == "SPRING10" else 1)


paid = [o for o in unique.values() if o["status"] == "paid"]
month = lambda o: o["placedAt"]["$date"][:7]
paid.sort(key=lambda o: (o["region"], month(o)))

table = {}
for (region, ym), group in itertools.groupby(paid, key=lambda o: (o["region"], month(o))):
    table.setdefault(region, {})[ym] = sum(map(amount, group))

months = sorted({m for row in table.values() for m in row})
print(f"\n{'region':<8}" + "".join(f"{m:>12}" for m in months) + f"{'total':>12}")
for region, row in table.items():
    print(f"{region:<8}" + "".join(f"{row.get(m, 0):>12,.2f}" for m in months) + f"{sum(row.values()):>12,.2f}")
print(f"{'all':<8}" + "".join(f"{sum(r.get(m, 0) for r in table.values()):>12,.2f}" for m in months))

per_category = functools.reduce(
    lambda acc, item: {**acc, item["category"]: acc.get(item["category"], 0) + item["qty"] * item["unitPrice"]},
    itertools.chain.from_iterable(map(operator.itemgetter("items"), paid)),
    {},
)
empty = sorted(o["orderNo"] for o in unique.values() if not o["items"])

result = {
    "orders": len(unique),
    "duplicates": duplicates,
    "revenue": {r: round(sum(m.values()), 2) for r, m in table.items()},
    "categories": {k: round(v, 2) for k, v in sorted(per_category.items())},
    "empty_orders": empty,
}
