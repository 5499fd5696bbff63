# Compare the prod and staging labels of every App Configuration store
import json

EXPECTED_TO_DIFFER = {"Auth:Issuer", "Db:Pool"}


def load(account, label):
    pairs = azure.appconfig_kv_get(account=account, label=label)
    return {p["key"]: p for p in pairs}


def decode(value):
    try:
        return json.loads(value)
    except ValueError:
        return value


report = {}
for account in azure.appconfig_account_list():
    name = account["name"]
    try:
        prod, staging = load(name, "prod"), load(name, "staging")
    except Exception as e:
        print(f"{name}: skipped, {e}")
        report[name] = {"error": str(e)}
        continue

    only_prod = sorted(prod.keys() - staging.keys())
    only_staging = sorted(staging.keys() - prod.keys())
    changed = {
        k: (decode(prod[k]["value"]), decode(staging[k]["value"]))
        for k in sorted(prod.keys() & staging.keys())
        if prod[k]["value"] != staging[k]["value"] and k not in EXPECTED_TO_DIFFER
    }

    print(f"## {name} ({account['location']})")
    for k, (p, s) in changed.items():
        if isinstance(p, list) and isinstance(s, list):
            print(f"  ~ {k}: -{sorted(set(p) - set(s))} +{sorted(set(s) - set(p))}")
        else:
            print(f"  ~ {k}: prod={p!r} staging={s!r}")
    for k in only_prod:
        print(f"  - {k} is missing in staging, copying {prod[k]['value']!r}")
        if not prod[k]["locked"]:
            azure.appconfig_kv_set(account=name, key=k, value=prod[k]["value"], label="staging")
    for k in only_staging:
        print(f"  + {k} exists only in staging")

    report[name] = {"changed": changed, "only_prod": only_prod, "only_staging": only_staging,
                    "locked": sum(p["locked"] for p in prod.values())}

result = report
