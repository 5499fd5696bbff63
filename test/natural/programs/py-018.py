"""Validate every user document against a JSON Schema subset."""
import json
import re
from collections import Counter
from typing import Any, Iterator

TYPES = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
}


def type_name(value: Any) -> str:
    for name in ("null", "boolean", "integer", "number", "string", "array", "object"):
        if TYPES[name](value):
            return name
    return type(value).__name__


def validate(value: Any, schema: dict, path: str = "$") -> Iterator[tuple[str, str, str]]:
    """Yield (path, rule, message) for every violation."""
    if "type" in schema:
        wanted = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(TYPES[t](value) for t in wanted):
            yield path, "type", f"expected {' or '.join(wanted)}, got {type_name(value)}"
            return
    if "enum" in schema and value not in schema["enum"]:
        yield path, "enum", f"{value!r} is not one of {schema['enum']}"

    if isinstance(value, str):
        if len(value) < schema.get("minLength", 0):
            yield path, "minLength", "too short"
        if (pattern := schema.get("pattern")) and not re.search(pattern, value):
            yield path, "pattern", f"{value!r} does not match"
    elif isinstance(value, bool) or value is None:
        pass
    elif isinstance(value, (int, float)):
        lo, hi = schema.get("minimum"), schema.get("maximum")
        if lo is not None and value < lo:
            yield path, "minimum", f"{value} < {lo}"
        if hi is not None and value > hi:
            yield path, "maximum", f"{value} > {hi}"
    elif isinstance(value, list):
        if len(value) < schema.get("minItems", 0):
            yield path, "minItems", f"only {len(value)} items"
        if schema.get("uniqueItems"):
            dupes = [v for v, n in Counter(json.dumps(v) for v in value).items() if n > 1]
            if dupes:
                yield path, "uniqueItems", "duplicated: " + ", ".join(dupes)
        if "items" in schema:
            for i, item in enumerate(value):
                yield from validate(item, schema["items"], f"{path}[{i}]")
    elif isinstance(value, dict):
        props = schema.get("properties", {})
        for key in schema.get("required", []):
            if key not in value:
                yield path, "required", f"missing {key!r}"
        for key, sub in props.items():
            if key in value:
                yield from validate(value[key], sub, f"{path}.{key}")
        if schema.get("additionalProperties") is False:
            for key in value.keys() - props.keys():
                yield f"{path}.{key}", "additionalProperties", "not allowed"


schema = json.loads(server_filesystem.read_text_file(path="/schemas/user.schema.json"))
where = {"connectionId": "c1", "database": "crm", "collection": "users"}
docs = mongodb.find(**where, filter={}, limit=1000)
declared = mongodb.count(**where)["count"]
if declared != len(docs):
    raise SystemExit(f"expected {declared} documents, got {len(docs)}")

rules: Counter[str] = Counter()
report: dict[str, list[str]] = {}
emails: dict[str, list] = {}
for i, doc in enumerate(docs):
    ident = str(doc["_id"]) if isinstance(doc, dict) and "_id" in doc else f"@{i}"
    problems = list(validate(doc, schema))
    rules.update(rule for _, rule, _ in problems)
    if problems:
        report[ident] = [f"{p}: {m}" for p, _, m in problems]
    if isinstance(doc, dict) and doc.get("email"):
        emails.setdefault(doc["email"].lower(), []).append(ident)

for ident, lines in report.items():
    print(f"document {ident}:")
    for line in lines:
        print("   -", line)

clashes = {e: ids for e, ids in emails.items() if len(ids) > 1}
print("\nrules broken:", ", ".join(f"{r} ({n})" for r, n in sorted(rules.items(), key=lambda x: (-x[1], x[0]))))
print(f"{len(docs) - len(report)} of {len(docs)} documents are valid; duplicate e-mails: {clashes}")

result = {"valid": len(docs) - len(report), "rules": rules, "report": report, "duplicate_emails": clashes}
