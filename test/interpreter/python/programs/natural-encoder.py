# Encoder classes for json, in the forms that programs give them; dir() of an object whose class makes up attributes.
import io
import json
from dataclasses import asdict, dataclass, is_dataclass
from datetime import date, timedelta
from json import JSONEncoder


@dataclass
class Task:
    name: str
    due: date


class ReportEncoder(json.JSONEncoder):
    """Dates, sets and dataclasses."""

    def default(self, o):
        if isinstance(o, date):
            return o.isoformat()
        if isinstance(o, set):
            return sorted(o)
        if is_dataclass(o):
            return asdict(o)
        return super().default(o)


class Seconds(JSONEncoder):
    def __init__(self, *args, unit="s", **kwargs):
        super().__init__(*args, **kwargs)
        self.unit = unit

    def default(self, obj):
        if isinstance(obj, timedelta):
            return f"{obj.total_seconds():.0f}{self.unit}"
        return JSONEncoder.default(self, obj)


class Wrapped(json.JSONEncoder):
    def encode(self, o):
        return super().encode({"data": o})


data = {"tasks": [Task("write", date(2024, 5, 1))], "tags": {"b", "a"}, "n": None}
print(json.dumps(data, cls=ReportEncoder))
print(json.dumps(data, cls=ReportEncoder, indent=2, sort_keys=True))
print(ReportEncoder(separators=(",", ":")).encode(data), JSONEncoder().encode([1.5, "é"]))
print(json.dumps([timedelta(hours=1)], cls=Seconds), Seconds(unit=" sec", indent=1).encode([timedelta(minutes=1)]))
print(json.dumps([1], cls=Wrapped), json.dumps({"b": 1, "a": "é"}, cls=ReportEncoder, ensure_ascii=False, sort_keys=True))
print(json.dumps([object], cls=JSONEncoder, default=lambda o: o.__name__), issubclass(ReportEncoder, JSONEncoder))
out = io.StringIO()
json.dump({"d": date(2024, 1, 2)}, out, cls=ReportEncoder)
print(out.getvalue())
for bad in (timedelta(1), frozenset()):
    try:
        json.dumps({"x": bad}, cls=ReportEncoder)
    except TypeError as e:
        print("TypeError:", e)


class Lazy:
    size = 1

    def __getattr__(self, name):
        return name.upper()


print([n for n in dir(Lazy()) if not n.startswith("_")], Lazy().shape)


def main(argv=None):
    return argv


try:
    main(1, 2, 3)
except TypeError as e:
    print(e)
