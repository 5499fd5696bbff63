import ipaddress
import logging
import sys
from collections import defaultdict

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)-7s %(name)s: %(message)s")
log = logging.getLogger("netaudit")

CORPORATE = [ipaddress.ip_network(n) for n in ("10.20.0.0/16", "192.0.2.0/25", "2001:db8:10::/48")]

policies = kubernetes_flux159.kubectl_get(resourceType="networkpolicies", allNamespaces=True)["items"]
allow = postgres_reference.query(sql="SELECT id, service, cidr, comment, expires FROM ip_allowlist ORDER BY id")
log.info("%d network policies, %d allowlist rows", len(policies), len(allow))

rules = []  # (origin, network)


def parse(text, origin):
    try:
        return ipaddress.ip_network(text, strict=True)
    except ValueError as exc:
        try:
            net = ipaddress.ip_network(text, strict=False)
        except ValueError:
            log.error("%s: %s", origin, exc)
            return None
        log.warning("%s: %s has host bits set, using %s", origin, text, net)
        return net


for p in policies:
    origin = f"{p['metadata']['namespace']}/{p['metadata']['name']}"
    for ingress in p["spec"].get("ingress") or []:
        for source in ingress.get("from", [{"ipBlock": {"cidr": "0.0.0.0/0"}}]):
            block = source.get("ipBlock")
            if not block:
                continue
            net = parse(block["cidr"], origin)
            if net is None:
                continue
            holes = [h for h in (parse(e, origin) for e in block.get("except", [])) if h]
            pieces = [net]
            for hole in holes:
                pieces = [
                    part
                    for piece in pieces
                    for part in (piece.address_exclude(hole) if hole.version == piece.version and hole.subnet_of(piece) else [piece])
                ]
            rules += [(origin, piece) for piece in pieces]

for row in allow:
    net = parse((row["cidr"] or "").strip(), f"allowlist #{row['id']} {row['service']}")
    if net is not None:
        rules.append((row["service"], net))
        if row["expires"] and row["expires"] < "2024-12-01":
            log.warning("allowlist #%d (%s) expired %s", row["id"], row["comment"] or "no comment", row["expires"])

by_origin = defaultdict(lambda: {4: [], 6: []})
for origin, net in rules:
    by_origin[origin][net.version].append(net)


def corporate(net):
    return any(net.version == c.version and net.subnet_of(c) for c in CORPORATE)


summary = {}
for origin, families in sorted(by_origin.items()):
    nets = [n for v in (4, 6) for n in ipaddress.collapse_addresses(families[v])]
    before = len(families[4]) + len(families[6])
    public = [n for n in nets if not n.is_private and not corporate(n)]
    wide = [n for n in nets if n.prefixlen < (16 if n.version == 4 else 32)]
    summary[origin] = {
        "rules": before,
        "collapsed": [str(n) for n in nets],
        "hosts": sum(n.num_addresses for n in nets if n.version == 4),
        "public": [str(n) for n in public],
    }
    log.info("%-22s %2d → %2d rules, %s IPv4 addresses", origin, before, len(nets), f"{summary[origin]['hosts']:,}")
    for n in wide:
        log.error("%s: %s is too wide (/%d)", origin, n.with_prefixlen, n.prefixlen)

log.info("-" * 40)
# shadowed rules: an allowlist entry already covered by another one of the same service
shadowed = []
for i, a in enumerate(allow):
    for b in allow:
        if a["id"] == b["id"] or a["service"] != b["service"]:
            continue
        try:
            na, nb = ipaddress.ip_network(a["cidr"]), ipaddress.ip_network(b["cidr"])
        except ValueError:
            continue
        if na.version == nb.version and na.subnet_of(nb) and (na != nb or a["id"] > b["id"]):
            shadowed.append((a["id"], b["id"]))
            log.info("allowlist #%d %s is covered by #%d %s", a["id"], na, b["id"], nb)
            break

probes = ["10.20.4.9", "192.0.2.200", "203.0.113.77", "2001:db8:10:1::5", "8.8.8.8", "not-an-ip"]
reach = {}
for probe in probes:
    try:
        ip = ipaddress.ip_address(probe)
    except ValueError as e:
        log.error("probe: %s", e)
        continue
    reach[str(ip)] = sorted({o for o, n in rules if ip in n})
    print(f"{ip.compressed:<20} → {', '.join(reach[str(ip)]) or 'nothing'}")

result = {"summary": summary, "shadowed": shadowed, "reach": reach}
