from collections import defaultdict

pods = kubernetes.kubectl_get(resourceType="pods", allNamespaces=True, output="json")["items"]
nodes = kubernetes.kubectl_get(resourceType="nodes", output="json")["items"]

MEM = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "K": 10**3, "M": 10**6, "G": 10**9}


def cpu(value):
    """CPU quantity in millicores."""
    if value is None:
        return 0
    value = str(value)
    return int(value[:-1]) if value.endswith("m") else int(float(value) * 1000)


def mem(value):
    if value is None:
        return 0
    for suffix, factor in MEM.items():
        if value.endswith(suffix):
            return int(float(value[: -len(suffix)]) * factor)
    return int(value)


def fmt_mem(n):
    return f"{n / 2**30:.2f}Gi" if n >= 2**30 else f"{n / 2**20:.0f}Mi"


usage = defaultdict(lambda: {"pods": 0, "cpu_req": 0, "cpu_lim": 0, "mem_req": 0, "mem_lim": 0})
no_limits = []
for pod in pods:
    if pod["status"]["phase"] in ("Succeeded", "Failed"):
        continue
    ns = pod["metadata"]["namespace"]
    usage[ns]["pods"] += 1
    for c in pod["spec"]["containers"]:
        res = c.get("resources") or {}
        req, lim = res.get("requests", {}), res.get("limits", {})
        usage[ns]["cpu_req"] += cpu(req.get("cpu"))
        usage[ns]["cpu_lim"] += cpu(lim.get("cpu"))
        usage[ns]["mem_req"] += mem(req.get("memory"))
        usage[ns]["mem_lim"] += mem(lim.get("memory"))
        if "memory" not in lim:
            no_limits.append(f"{ns}/{pod['metadata']['name']}:{c['name']}")

cap_cpu = sum(cpu(n["status"]["allocatable"]["cpu"]) for n in nodes)
cap_mem = sum(mem(n["status"]["allocatable"]["memory"]) for n in nodes)

print(f"{'namespace':<16}{'pods':>5}{'cpu req':>9}{'cpu lim':>9}{'mem req':>10}{'mem lim':>10}{'cpu%':>7}{'mem%':>7}")
for ns, u in sorted(usage.items(), key=lambda kv: kv[1]["mem_req"], reverse=True):
    print(
        f"{ns:<16}{u['pods']:>5}{u['cpu_req']:>8}m{u['cpu_lim']:>8}m{fmt_mem(u['mem_req']):>10}{fmt_mem(u['mem_lim']):>10}"
        f"{u['cpu_req'] / cap_cpu:>7.1%}{u['mem_req'] / cap_mem:>7.1%}"
    )

total = {k: sum(u[k] for u in usage.values()) for k in ("pods", "cpu_req", "mem_req")}
print(f"\nCluster: {len(nodes)} nodes, {cap_cpu / 1000:g} cores, {fmt_mem(cap_mem)}")
print(f"Requested: {total['cpu_req'] / 1000:.2f} cores ({total['cpu_req'] / cap_cpu:.0%}), {fmt_mem(total['mem_req'])} ({total['mem_req'] / cap_mem:.0%})")
print(f"\nContainers without a memory limit ({len(no_limits)}):")
print("\n".join("  " + name for name in sorted(no_limits)))
result = {"namespaces": dict(usage), "no_memory_limit": sorted(no_limits)}
