CONN = "m1"
UNITS = {"B": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3}


def human(n):
    for unit in ("B", "KB", "MB", "GB", "TB"):
        if n < 1024 or unit == "TB":
            return f"{n:,.1f} {unit}"
        n /= 1024


rows = []
problems = []
redundant = []
for db in mongodb.list_databases(connectionId=CONN):
    if db["name"] in ("admin", "config", "local"):
        continue
    collections = mongodb.list_collections(connectionId=CONN, database=db["name"])
    if not collections:
        problems.append(f"{db['name']} is empty")
    for coll in collections:
        target = {"connectionId": CONN, "database": db["name"], "collection": coll["name"]}
        try:
            size = mongodb.collection_storage_size(**target)
            nbytes = size["size"] * UNITS[size["units"]]
        except Exception as e:
            problems.append(f"{db['name']}.{coll['name']}: {e}")
            nbytes = None
        indexes = mongodb.collection_indexes(**target)
        rows.append((db["name"], coll["name"], nbytes, len(indexes)))

        # an index is redundant if its keys are a prefix of another index
        keys = {i["name"]: list(i["key"].items()) for i in indexes}
        for a, ka in keys.items():
            for b, kb in keys.items():
                if a != b and kb[:len(ka)] == ka and (len(ka) < len(kb) or a > b):
                    redundant.append(f"{db['name']}.{coll['name']}: {a} is covered by {b}")

rows.sort(key=lambda r: r[2] if r[2] is not None else -1, reverse=True)
total = sum(r[2] for r in rows if r[2] is not None)
for db, coll, size, n in rows:
    share = "" if size is None else f"{100 * size / total:5.1f}%"
    print("{:<6} {:<10} {:>12} {:>7} {:>2} indexes".format(db, coll, "unknown" if size is None else human(size), share, n))
print("total", human(total))
for line in redundant + problems:
    print("*", line)

result = {"total": total, "largest": ".".join(rows[0][:2]), "redundant": redundant, "problems": problems}
