"""A tiny linter for Kubernetes deployments with pluggable rules."""
from __future__ import annotations

import fnmatch
import re
from abc import ABC, abstractmethod
from typing import ClassVar, Iterable, Protocol


class Reporter(Protocol):
    def emit(self, target: str, rule: str, message: str) -> None: ...


class Rule(ABC):
    registry: ClassVar[dict[str, type[Rule]]] = {}
    id: ClassVar[str]
    level: ClassVar[str] = "warning"

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if hasattr(cls, "id"):
            Rule.registry[cls.id] = cls

    @abstractmethod
    def check(self, dep: dict) -> Iterable[str]:
        ...


class ContainerRule(Rule):
    def check(self, dep):
        for c in dep["spec"]["template"]["spec"]["containers"]:
            for message in self.check_container(c):
                yield f"{c['name']}: {message}"

    @abstractmethod
    def check_container(self, c: dict) -> Iterable[str]: ...


class ImageTag(ContainerRule):
    id = "image-tag"
    level = "error"

    def check_container(self, c):
        name = c["image"].rsplit("/", 1)[-1]
        if "@sha256:" in name:
            return
        _, sep, tag = name.partition(":")
        if not sep:
            yield "image has no tag"
        elif tag == "latest":
            yield "image uses :latest"


class Resources(ContainerRule):
    id = "resources"
    UNITS = {"m": 1e-3, "": 1, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}

    @classmethod
    def parse(cls, q: str) -> float:
        number, unit = re.fullmatch(r"([\d.]+)(\w*)", q).groups()
        return float(number) * cls.UNITS[unit]

    def check_container(self, c):
        res = c.get("resources") or {}
        limits, requests = res.get("limits", {}), res.get("requests", {})
        missing = {"cpu", "memory"} - limits.keys()
        if missing:
            yield "no limit for " + ", ".join(sorted(missing))
        for k in sorted(limits.keys() & requests.keys()):
            if self.parse(requests[k]) > self.parse(limits[k]):
                yield f"{k} request {requests[k]} exceeds limit {limits[k]}"


class Secrets(ContainerRule):
    id, level = "plain-secret", "error"

    def check_container(self, c):
        return [f"{e['name']} is given in clear" for e in c.get("env", []) if "value" in e and re.search("PASS|TOKEN|KEY", e["name"])]


class Replicas(Rule):
    id = "replicas"

    def check(self, dep):
        n = dep["spec"].get("replicas")
        if (1 if n is None else n) < 2:
            yield f"only {n!r} replicas"


class HostPath(Rule):
    id, level = "host-path", "error"

    def check(self, dep):
        spec = dep["spec"]["template"]["spec"]
        yield from (f"mounts {v['hostPath']['path']}" for v in spec.get("volumes", ()) if "hostPath" in v)


class Console:
    def __init__(self, waivers):
        self.waivers, self.rows, self.waived = waivers, [], 0

    def emit(self, target, rule, message):
        if any(fnmatch.fnmatch(target, t) and r == rule for t, r in self.waivers):
            self.waived += 1
        else:
            self.rows.append((target, Rule.registry[rule].level, rule, message))


text = server_filesystem.read_text_file(path="/policies/waivers.txt")
waivers = [tuple(l.split(None, 2)[:2]) for l in text.splitlines() if l and not l.startswith("#") and len(l.split()) > 2]
unknown = [r for _, r in waivers if r not in Rule.registry]
default = int(re.search(r"Defaults to (\d+)", kubernetes_flux159.explain_resource(resource="deployment.spec.replicas"))[1])
reporter: Reporter = Console(waivers)
for dep in kubernetes_flux159.kubectl_get(resourceType="deployments", allNamespaces=True, output="json")["items"]:
    for rule in (cls() for cls in Rule.registry.values()):
        for message in rule.check(dep):
            reporter.emit(f"{dep['metadata']['namespace']}/{dep['metadata']['name']}", rule.id, message)
for row in sorted(reporter.rows, key=lambda r: (r[1] != "error", r)):
    print("{0:<12} {1:<8} {2:<13} {3}".format(*row))
result = {"errors": sum(r[1] == "error" for r in reporter.rows), "total": len(reporter.rows), "waived": reporter.waived, "unknown_waivers": unknown, "rules": list(Rule.registry), "default": default}
