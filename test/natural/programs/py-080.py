import re
from typing import Any, Iterator, NamedTuple


class Violation(NamedTuple):
    path: str
    keyword: str
    message: str

    def __str__(self):
        return f"{self.path or '(root)'}: {self.message}"


TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "null": type(None),
}
FORMATS = {
    "email": re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+"),
    "date": re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"),
    "uuid": re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I),
}


class Validator:
    def __init__(self, schema: dict):
        self.schema = schema
        self.used: set[str] = set()

    def resolve(self, ref: str) -> dict:
        node: Any = self.schema
        for part in ref.removeprefix("#/").split("/"):
            node = node[part.replace("~1", "/").replace("~0", "~")]
        return node

    def check(self, value: Any, schema: Any = None, path: str = "") -> Iterator[Violation]:
        schema = self.schema if schema is None else schema
        if schema is True:
            return
        if schema is False:
            yield Violation(path, "false", "nothing is allowed here")
            return
        if "$ref" in schema:
            yield from self.check(value, self.resolve(schema["$ref"]), path)
            return
        for keyword, param in schema.items():
            handler = getattr(self, "kw_" + keyword.lstrip("$"), None)
            if handler:
                self.used.add(keyword)
                yield from (Violation(p, keyword, m) for p, m in handler(value, param, schema, path))

    @staticmethod
    def is_type(value, name):
        if name in ("integer", "number") and isinstance(value, bool):
            return False
        if name == "integer" and isinstance(value, float):
            return value.is_integer()
        return isinstance(value, TYPES[name])

    def kw_type(self, value, want, schema, path):
        names = [want] if isinstance(want, str) else want
        if not any(self.is_type(value, n) for n in names):
            yield path, f"{value!r} is not of type {' or '.join(names)}"

    def kw_enum(self, value, options, schema, path):
        if value not in options:
            yield path, f"{value!r} is not one of {options}"

    def kw_minimum(self, value, low, schema, path):
        if self.is_type(value, "number") and value < low:
            yield path, f"{value} is less than {low}"

    def kw_pattern(self, value, pattern, schema, path):
        if isinstance(value, str) and not re.search(pattern, value):
            yield path, f"{value!r} does not match {pattern}"

    def kw_format(self, value, name, schema, path):
        if isinstance(value, str) and name in FORMATS and not FORMATS[name].fullmatch(value):
            yield path, f"{value!r} is not a valid {name}"

    def kw_required(self, value, names, schema, path):
        if isinstance(value, dict):
            for n in names:
                if n not in value:
                    yield path, f"{n} is missing"

    def kw_properties(self, value, props, schema, path):
        if isinstance(value, dict):
            for name, sub in props.items():
                if name in value:
                    yield from ((v.path, v.message) for v in self.check(value[name], sub, f"{path}.{name}".lstrip(".")))

    def kw_additionalProperties(self, value, extra, schema, path):
        if isinstance(value, dict):
            for name in value.keys() - schema.get("properties", {}).keys():
                if extra is False:
                    yield path, f"unexpected property {name!r}"

    def kw_items(self, value, sub, schema, path):
        if isinstance(value, list):
            for i, item in enumerate(value):
                yield from ((v.path, v.message) for v in self.check(item, sub, f"{path}[{i}]"))

    def kw_uniqueItems(self, value, flag, schema, path):
        if flag and isinstance(value, list):
            seen = []
            for item in value:
                if item in seen:
                    yield path, f"duplicate {item!r}"
                seen.append(item)

    def kw_anyOf(self, value, options, schema, path):
        failures = [list(self.check(value, o, path)) for o in options]
        if all(failures):
            yield path, "matches none: " + " | ".join(f[0].message for f in failures)


schema = github_reference.get_file_contents(owner="acme", repo="schemas", path="customer.schema.json")["content"]
cid = mongodb.connect(connectionString="mongodb://crm")["connectionId"]
docs = mongodb.find(connectionId=cid, database="crm", collection="customers", filter={}, limit=100)["documents"]

validator = Validator(schema)
bad = {}
tally = {}
for doc in docs:
    violations = sorted(validator.check(doc))
    if violations:
        bad[doc.get("_id")] = violations
    for v in violations:
        tally[v.keyword] = tally.get(v.keyword, 0) + 1

print(f"{len(docs)} documents, {len(bad)} invalid")
for _id, violations in bad.items():
    print(f"\n{_id}")
    for v in violations:
        print("  -", v)
fields = sorted({re.sub(r"\[\d+\]", "[]", v.path) for vs in bad.values() for v in vs})
print("\nfields with problems:", fields)
result = {"invalid": len(bad), "tally": dict(sorted(tally.items())), "fields": fields, "used": sorted(validator.used), "first": bad and next(iter(bad.values()))[0]}
