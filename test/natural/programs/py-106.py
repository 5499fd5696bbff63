import re
import unicodedata
from collections import defaultdict
from difflib import SequenceMatcher
from itertools import combinations

conn = mongodb.connect(connectionString="mongodb://localhost:27017")["connectionId"]
contacts = mongodb.find(
    connectionId=conn,
    database="crm",
    collection="contacts",
    filter={},
    projection={"name": 1, "emails": 1, "phone": 1, "company": 1},
    limit=500,
)["documents"]


def fold(text):
    text = unicodedata.normalize("NFKD", text or "")
    text = "".join(ch for ch in text if not unicodedata.combining(ch))
    return " ".join(sorted(re.findall(r"[a-z]+", text.lower())))


parent = {c["_id"]: c["_id"] for c in contacts}


def find(x):
    while parent[x] != x:
        parent[x] = parent[parent[x]]
        x = parent[x]
    return x


def union(a, b):
    ra, rb = find(a), find(b)
    if ra != rb:
        parent[max(ra, rb)] = min(ra, rb)


reasons = defaultdict(set)
keys = {}
for c in contacts:
    for email in c.get("emails") or []:
        key = ("email", email.strip().lower())
        if key in keys:
            union(keys[key], c["_id"])
            reasons[frozenset((keys[key], c["_id"]))].add("same email")
        else:
            keys[key] = c["_id"]
    phone = re.sub(r"\D", "", c.get("phone") or "")[-9:]
    if len(phone) == 9:
        key = ("phone", phone)
        if key in keys:
            union(keys[key], c["_id"])
            reasons[frozenset((keys[key], c["_id"]))].add("same phone")
        else:
            keys[key] = c["_id"]

for a, b in combinations(contacts, 2):
    score = SequenceMatcher(None, fold(a["name"]), fold(b["name"])).ratio()
    same_company = a.get("company") and fold(a["company"]) == fold(b.get("company"))
    if score == 1.0 and same_company or (score > 0.88 and same_company):
        union(a["_id"], b["_id"])
        reasons[frozenset((a["_id"], b["_id"]))].add(f"similar name ({score:.2f})")

groups = defaultdict(list)
for c in contacts:
    groups[find(c["_id"])].append(c)
duplicates = [g for g in groups.values() if len(g) > 1]

print(f"{len(contacts)} contacts, {len(duplicates)} duplicate groups\n")
for group in sorted(duplicates, key=lambda g: (-len(g), g[0]["name"])):
    ids = {c["_id"] for c in group}
    why = sorted({r for pair, rs in reasons.items() if pair <= ids for r in rs})
    print(f"{group[0]['name']} — {', '.join(why)}")
    for c in group:
        print(f"   {c['_id']}  {c['name']:<22} {', '.join(c.get('emails') or []) or '-':<45} {c.get('phone') or '-'}")

result = [[c["_id"] for c in g] for g in duplicates]
