import re
from functools import total_ordering, reduce
from operator import add


@total_ordering
class Quantity:
    """A Kubernetes resource quantity, kept as an exact integer number of milli-units."""

    _RE = re.compile(r"^([+-]?\d+(?:\.\d+)?)([a-zA-Z]*)$")
    _SUFFIX = {
        "m": 1, "": 1000, "k": 10**6, "M": 10**9, "G": 10**12, "T": 10**15,
        "Ki": 1000 * 2**10, "Mi": 1000 * 2**20, "Gi": 1000 * 2**30, "Ti": 1000 * 2**40,
    }
    __slots__ = ("milli",)

    def __init__(self, milli=0):
        self.milli = milli

    @classmethod
    def parse(cls, text):
        if text is None:
            return None
        m = cls._RE.match(str(text).strip())
        if not m or m.group(2) not in cls._SUFFIX:
            raise ValueError(f"bad quantity {text!r}")
        whole, _, frac = m.group(1).partition(".")
        scale = cls._SUFFIX[m.group(2)]
        value = int(whole) * scale
        if frac:
            value += int(frac) * scale // 10 ** len(frac)
        return cls(value)

    def __add__(self, other):
        return Quantity(self.milli + other.milli)

    def __mul__(self, n):
        return Quantity(self.milli * n)

    __rmul__ = __mul__

    def __truediv__(self, other):
        return self.milli / other.milli

    def __eq__(self, other):
        return isinstance(other, Quantity) and self.milli == other.milli

    def __lt__(self, other):
        return self.milli < other.milli

    def __hash__(self):
        return hash(self.milli)

    def __bool__(self):
        return self.milli != 0

    def __format__(self, spec):
        if spec == "cpu":
            return f"{self.milli}m" if self.milli % 1000 else str(self.milli // 1000)
        if spec == "mem":
            return f"{self.milli / 1000 / 2**20:.0f}Mi"
        return format(self.milli, spec)

    def __repr__(self):
        return f"Quantity({self.milli})"


deployments = kubernetes_flux159.kubectl_get(resourceType="deployments", allNamespaces=True, output="json")["items"]
quotas = kubernetes_flux159.kubectl_get(resourceType="resourcequotas", allNamespaces=True, output="json")["items"]

problems = []
usage = {}

for dep in deployments:
    ns, name = dep["metadata"]["namespace"], dep["metadata"]["name"]
    replicas = dep["spec"].get("replicas", 1)
    totals = usage.setdefault(ns, {"cpu": [], "memory": []})
    for c in dep["spec"]["template"]["spec"]["containers"]:
        res = c.get("resources") or {}
        requests, limits = res.get("requests") or {}, res.get("limits") or {}
        where = f"{ns}/{name}:{c['name']}"
        for kind in ("cpu", "memory"):
            try:
                req, lim = Quantity.parse(requests.get(kind)), Quantity.parse(limits.get(kind))
            except ValueError as e:
                problems.append((where, str(e)))
                continue
            if req is None:
                problems.append((where, f"no {kind} request"))
            else:
                totals[kind].append(req * replicas)
            if lim is None and kind == "memory":
                problems.append((where, "no memory limit"))
            if req is not None and lim is not None:
                if lim < req:
                    problems.append((where, f"{kind} limit below request"))
                elif req and lim / req > 4:
                    problems.append((where, f"{kind} overcommitted {lim / req:.1f}x"))

hard = {q["metadata"]["namespace"]: q["spec"]["hard"] for q in quotas}
print(f"{'namespace':<14}{'cpu':>8}{'of':>8}{'':>7}{'memory':>10}{'of':>10}{'':>7}")
report = {}
for ns in sorted(usage):
    cpu = reduce(add, usage[ns]["cpu"], Quantity())
    mem = reduce(add, usage[ns]["memory"], Quantity())
    row = report[ns] = {"cpu": f"{cpu:cpu}", "memory": f"{mem:mem}"}
    q = hard.get(ns)
    if q is None:
        problems.append((ns, "namespace has no ResourceQuota"))
        print(f"{ns:<14}{format(cpu, 'cpu'):>8}{'-':>8}{'':>7}{format(mem, 'mem'):>10}{'-':>10}")
        continue
    qc, qm = Quantity.parse(q["requests.cpu"]), Quantity.parse(q["requests.memory"])
    row["cpu_pct"], row["memory_pct"] = round(cpu / qc * 100, 1), round(mem / qm * 100, 1)
    print(f"{ns:<14}{format(cpu, 'cpu'):>8}{format(qc, 'cpu'):>8}{cpu / qc:>7.0%}{format(mem, 'mem'):>10}{format(qm, 'mem'):>10}{mem / qm:>7.0%}")
    for kind, used, cap in (("cpu", cpu, qc), ("memory", mem, qm)):
        if used > cap:
            problems.append((ns, f"{kind} requests exceed quota"))

print()
for where, what in sorted(problems):
    print(f"- {where}: {what}")

result = {"namespaces": report, "problems": len(problems), "worst": max(report, key=lambda n: report[n].get("cpu_pct", 0))}
