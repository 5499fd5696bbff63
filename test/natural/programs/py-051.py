"""Clean and deduplicate CRM contacts."""
import re
import unicodedata
import uuid
from collections import defaultdict
from datetime import date, datetime
from functools import singledispatch

NAMESPACE = uuid.uuid5(uuid.NAMESPACE_DNS, "crm.acme.io")
DATE_FORMATS = ["%Y-%m-%d", "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%B %d, %Y"]
TITLES = re.compile(r"^(dr|mr|mrs|prof)\.?\s+|\s+(jr|sr|iii?)\.?$", re.I)

dialing = postgres_reference.query(sql="SELECT code, dial, trunk FROM country_dialing")
DIALS = {row["dial"]: row["code"] for row in dialing}


def clean_name(name):
    name = unicodedata.normalize("NFC", name).replace("’", "'")
    name = " ".join(name.split())
    if "," in name:
        last, first = (p.strip() for p in name.split(",", 1))
        name = f"{first} {last}"
    name = TITLES.sub("", name)
    if name.isupper() or name.islower():
        name = re.sub(r"[^\W\d_]+", lambda m: m.group().capitalize(), name)
        name = re.sub(r"\b(De|La|Van|Von)\b", lambda m: m.group().lower(), name)
    return name


def name_key(name):
    folded = name.casefold().replace("ü", "ue").replace("ö", "oe").replace("ä", "ae").replace("ë", "e")
    folded = "".join(c for c in unicodedata.normalize("NFKD", folded) if c.isalnum() or c == " ")
    return " ".join(sorted(folded.split()))


def clean_email(email):
    if not email or not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", email := email.strip()):
        return None
    local, domain = email.lower().rsplit("@", 1)
    if domain in ("gmail.com", "googlemail.com"):
        local = local.split("+")[0].replace(".", "")
    try:
        domain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        return None
    return f"{local}@{domain}"


def clean_phone(phone):
    if not phone:
        return None
    phone = re.sub(r"\s*x\d+$", "", phone.strip())
    digits = re.sub(r"\D", "", phone)
    if phone.startswith("00"):
        digits = digits[2:]
    elif not phone.startswith("+"):
        return digits[-9:] if len(digits) >= 9 else None
    country = next((DIALS[digits[:n]] for n in (3, 2, 1) if digits[:n] in DIALS), None)
    return f"+{digits}" if country else None


def clean_date(text):
    for fmt in DATE_FORMATS:
        try:
            return datetime.strptime((text or "").strip(), fmt).date()
        except ValueError:
            pass
    return None


@singledispatch
def plain(value):
    return value


@plain.register
def _(value: date):
    return value.isoformat()


@plain.register(set)
@plain.register(frozenset)
def _(value):
    return sorted(value)


contacts, useless = [], []
for doc in mongodb.find(connectionId="crm", database="crm", collection="contacts", filter={}, sort={"_id": 1}, limit=500):
    c = {"ids": {doc["_id"]}, "name": clean_name(doc["name"]), "email": clean_email(doc["email"]), "phone": clean_phone(doc["phone"]),
         "born": clean_date(doc["born"]), "tags": set(doc["tags"] or ()), "updated": doc["updated"]}
    if not c["name"] or (c["email"] or "").startswith("noreply@"):
        useless.append(doc["_id"])
    else:
        contacts.append(c)

buckets = defaultdict(list)
for c in contacts:
    buckets[name_key(c["name"])].append(c)

merged, conflicts = [], []
for key, group in sorted(buckets.items()):
    best, *others = sorted(group, key=lambda c: (c["updated"], min(c["ids"])), reverse=True)
    for other in others:
        for field in ("email", "phone", "born"):
            a, b = best[field], other[field]
            if a and b and a != b and not (field == "phone" and (a.endswith(b) or b.endswith(a))):
                conflicts.append((best["name"], field, plain(a), plain(b)))
            best[field] = max(a, b, key=lambda v: len(str(v))) if a and b else a or b
        best["tags"] |= other["tags"]
        best["ids"] |= other["ids"]
    best["uid"] = str(uuid.uuid5(NAMESPACE, best["email"] or key))
    merged.append(best)

for c in merged:
    print(f"{c['uid'][:8]}  {c['name']:<24}{c['email'] or '-':<28}{c['phone'] or '-':<15}{c['born'] or '-'!s:<11} {','.join(sorted(c['tags']))} {plain(c['ids'])}")
    mongodb.update_many(connectionId="crm", database="crm", collection="contacts", filter={"_id": {"$in": plain(c["ids"])}}, update={"$set": {"uid": c["uid"]}})
gone = mongodb.delete_many(connectionId="crm", database="crm", collection="contacts", filter={"_id": {"$in": useless}})
result = {"merged": [{k: plain(v) for k, v in c.items()} for c in merged], "conflicts": conflicts, "deleted": gone["deletedCount"], "useless": useless}
