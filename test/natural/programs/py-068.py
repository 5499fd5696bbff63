import re
import unicodedata
from collections import Counter
from difflib import SequenceMatcher
from itertools import combinations

LEGAL = {"gmbh", "inc", "ltd", "llc", "ag", "sa", "srl", "co", "kg", "oy", "ab", "as", "bv", "corp", "limited", "company"}


def fold(text):
    decomposed = unicodedata.normalize("NFKD", text.replace("ß", "ss").replace("ø", "o").replace("Ł", "L").replace("ł", "l"))
    return "".join(ch for ch in decomposed if not unicodedata.combining(ch)).casefold()


def name_key(name):
    words = re.findall(r"[^\W_]+", fold(name or ""))
    return " ".join(w for w in words if w not in LEGAL)


def phone_key(phone):
    digits = re.sub(r"\D", "", phone or "")
    return digits[-9:] if len(digits) >= 9 else None


def domain(email):
    if not email or "@" not in email:
        return None
    d = email.rsplit("@", 1)[1].lower().strip()
    return None if d in {"gmail.com", "outlook.com", "gmx.de"} else d


class UnionFind:
    def __init__(self):
        self.parent = {}

    def find(self, x):
        self.parent.setdefault(x, x)
        root = x
        while self.parent[root] != root:
            root = self.parent[root]
        while self.parent[x] != root:
            self.parent[x], x = root, self.parent[x]
        return root

    def union(self, a, b):
        ra, rb = self.find(a), self.find(b)
        if ra != rb:
            self.parent[max(ra, rb)] = min(ra, rb)

    def groups(self):
        out = {}
        for x in self.parent:
            out.setdefault(self.find(x), []).append(x)
        return out


conn = mongodb.connect(connectionString="mongodb://crm/crm")["connectionId"]
customers, last = [], None
while True:
    query = {"_id": {"$gt": last}} if last is not None else {}
    page = mongodb.find(
        connectionId=conn, database="crm", collection="customers", filter=query, sort={"_id": 1}, limit=15
    )["documents"]
    if not page:
        break
    customers.extend(page)
    last = page[-1]["_id"]

print(f"loaded {len(customers)} customers")

uf = UnionFind()
evidence = []
for c in customers:
    uf.find(c["_id"])
    c["_name"], c["_phone"], c["_domain"] = name_key(c.get("name")), phone_key(c.get("phone")), domain(c.get("email"))

for a, b in combinations(customers, 2):
    score, why = 0.0, []
    if a["_name"] and b["_name"]:
        ratio = SequenceMatcher(None, a["_name"], b["_name"]).ratio()
        if ratio >= 0.72:
            score += ratio
            why.append(f"name {ratio:.2f}")
    if a["_phone"] and a["_phone"] == b["_phone"]:
        score += 0.6
        why.append("phone")
    if a["_domain"] and a["_domain"] == b["_domain"]:
        score += 0.35
        why.append("domain")
    if a.get("country") and b.get("country") and a["country"] != b["country"]:
        score -= 0.5
        why.append("other country")
    if score >= 0.95:
        uf.union(a["_id"], b["_id"])
        evidence.append((a["_id"], b["_id"], round(score, 2), ", ".join(why)))

by_id = {c["_id"]: c for c in customers}


def completeness(c):
    return sum(1 for k in ("name", "email", "phone", "country", "vat") if c.get(k))


merges = []
for members in sorted(uf.groups().values()):
    if len(members) < 2:
        continue
    members.sort(key=lambda i: (-completeness(by_id[i]), -(by_id[i].get("orders") or 0), i))
    keep, *drop = members
    merged = dict(by_id[keep])
    for d in drop:
        for key, value in by_id[d].items():
            if not merged.get(key) and value:
                merged[key] = value
    merged["orders"] = sum(by_id[m].get("orders") or 0 for m in members)
    merges.append({"keep": keep, "drop": drop, "orders": merged["orders"]})
    print(f"\nkeep {keep}: {by_id[keep].get('name')!r} ({merged['orders']} orders, vat {merged.get('vat', '-')})")
    for a, b, score, why in evidence:
        if a in members and b in members:
            print(f"    {by_id[a].get('name')!r} ~ {by_id[b].get('name')!r}: {score} ({why})")
    mongodb.update_many(
        connectionId=conn, database="crm", collection="customers",
        filter={"_id": {"$in": drop}}, update={"$set": {"merged_into": keep}},
    )

reasons = Counter(w.split()[0] for *_, why in evidence for w in why.split(", "))
print("\nevidence:", dict(sorted(reasons.items())))
result = {"customers": len(customers), "groups": len(merges), "removed": sum(len(m["drop"]) for m in merges), "merges": merges}
