# Azure inventory: cost per group, orphaned disks, missing tags
HOURS = 730
DISK_GB_MONTH = {"Premium_LRS": 0.135, "StandardSSD_LRS": 0.075, "Standard_LRS": 0.04}

prices = {row["sku"]: float(row["hourly_usd"]) for row in postgres_reference.query(sql="SELECT sku, hourly_usd FROM vm_prices")}
subs = [s for s in azure.subscription_list() if s["state"] == "Enabled"]


def in_group(tool, subscription, group):
    """Azure tools take `resource-group`, which is no identifier."""
    return tool(**{"subscription": subscription, "resource-group": group}) or []


def tag(tags, name):
    for k, v in (tags or {}).items():
        if k.lower() == name.lower():
            return v
    return None


report = {}
orphans = []
warnings = []
untagged = []
for sub in subs:
    sid = sub["subscriptionId"]
    for group in azure.group_list(subscription=sid):
        g = group["name"]
        vms = in_group(azure.compute_vm_get, sid, g)
        try:
            disks = in_group(azure.compute_disk_get, sid, g)
        except Exception as err:
            code, _, detail = str(err).partition(":")
            warnings.append(f"{g}: cannot list disks ({code})")
            disks = []

        compute = 0.0
        for vm in vms:
            rate = prices.get(vm["vmSize"])
            if rate is None:
                warnings.append(f"{g}/{vm['name']}: no price for {vm['vmSize']}")
            elif vm["powerState"] == "VM running":
                compute += rate * HOURS
            if tag(vm["tags"], "costCenter") is None:
                untagged.append(f"{g}/{vm['name']}")

        storage = sum(d["sizeGb"] * DISK_GB_MONTH[d["sku"]] for d in disks)
        mine = [d for d in disks if d["managedBy"] is None]
        orphans += [{"disk": f"{g}/{d['name']}", "gb": d["sizeGb"], "usd": round(d["sizeGb"] * DISK_GB_MONTH[d["sku"]], 2)} for d in mine]
        attached = {d["managedBy"].rsplit("/", 1)[-1] for d in disks if d["managedBy"]}
        if disks and (lost := {vm["name"] for vm in vms} - attached):
            warnings.append(f"{g}: no disk for {sorted(lost)}")

        report[g] = {
            "location": group["location"],
            "owner": tag(group["tags"], "owner") or "unowned",
            "vms": len(vms),
            "running": sum(vm["powerState"] == "VM running" for vm in vms),
            "compute": compute,
            "storage": storage,
        }

print("%-11s %-12s %-9s %9s %11s %11s %11s" % ("group", "location", "owner", "vms", "compute", "storage", "total"))
grand = 0
for name, row in sorted(report.items(), key=lambda kv: kv[1]["compute"] + kv[1]["storage"], reverse=True):
    total = row["compute"] + row["storage"]
    grand += total
    print("%-11s %-12s %-9s %4d/%-4d %11.2f %11.2f %11.2f" % (
        name, row["location"], row["owner"], row["running"], row["vms"], row["compute"], row["storage"], total))
print(f"{'':->80}\nmonthly total: ${grand:,.2f}")

orphans.sort(key=lambda o: o["usd"], reverse=True)
print("\nOrphaned disks:")
for o in orphans:
    print("  {disk:<22} {gb:>5} GB  ${usd:>7.2f}/month".format_map(o))
print("\nWarnings:")
for w in warnings:
    print("  *", w)

result = {
    "total": round(grand, 2),
    "waste": round(sum(o["usd"] for o in orphans), 2),
    "orphans": [o["disk"] for o in orphans],
    "untagged": untagged,
    "warnings": warnings,
}
