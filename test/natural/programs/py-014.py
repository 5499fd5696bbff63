from concurrent.futures import ThreadPoolExecutor, as_completed
from collections import Counter
from threading import Lock

lock = Lock()
progress = []


def services(ns):
    reply = kubernetes_flux159.kubectl_get(resourceType="services", namespace=ns, output="json")
    with lock:
        progress.append(ns)
    return reply["items"]


namespaces = kubernetes_flux159.kubectl_get(resourceType="namespaces", output="json")["items"]
names = [n["metadata"]["name"] for n in namespaces]
terminating = [n["metadata"]["name"] for n in namespaces if n["status"]["phase"] != "Active"]

found, errors = {}, {}
with ThreadPoolExecutor(max_workers=4) as pool:
    futures = {pool.submit(services, ns): ns for ns in names}
    for fut in as_completed(futures):
        ns = futures[fut]
        try:
            found[ns] = fut.result()
        except Exception as exc:
            errors[ns] = str(exc)

assert sorted(progress) == sorted(found)

exposed, no_selector, odd_ports = [], [], []
kinds = Counter()
node_ports = {}
for ns in sorted(found):
    for svc in found[ns]:
        name = f"{ns}/{svc['metadata']['name']}"
        spec = svc["spec"]
        kinds[spec["type"]] += 1
        if spec["type"] in ("NodePort", "LoadBalancer"):
            exposed.append(name)
        if not spec.get("selector"):
            no_selector.append(name)
        for port in spec["ports"]:
            match port:
                case {"nodePort": int(np), "protocol": proto}:
                    node_ports.setdefault((np, proto), []).append(name)
                case {"port": (443 | 80), "protocol": "UDP"}:
                    odd_ports.append(name)
                case _:
                    pass


def scraped(svc):
    return (svc["metadata"].get("annotations") or {}).get("prometheus.io/scrape") == "true"


print(f"{'namespace':<12} {'svc':>4} {'scraped':>8} {'ports'}")
for ns in names:
    if ns in errors:
        print(f"{ns:<12} error: {errors[ns]}")
        continue
    items = found[ns]
    ports = sorted({p["port"] for s in items for p in s["spec"]["ports"]})
    print(f"{ns:<12} {len(items):>4} {sum(map(scraped, items)):>8} {', '.join(map(str, ports)) or '-'}"
          + (" (terminating)" if ns in terminating else ""))

print("\nby type:", dict(kinds.most_common()))
with ThreadPoolExecutor() as pool:
    sizes = dict(zip(names, pool.map(lambda ns: len(found.get(ns, [])), names)))

result = {
    "exposed": exposed,
    "without_selector": no_selector,
    "odd": odd_ports,
    "node_ports": {f"{p}/{proto}": who for (p, proto), who in sorted(node_ports.items())},
    "errors": errors,
    "sizes": sizes,
}
