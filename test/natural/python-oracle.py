# Runs the natural programs in CPython against their servers, each in a process of its own, and prints what each printed
# and its result as JSON texts: {"name": [printed, result]}.
import copy, io, json, os, sys, types
from contextlib import redirect_stdout
from dataclasses import asdict, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum


class ToolError(Exception):
    pass


def plain(x):
    """What JSON has no word for, as FastAPI writes it."""
    if isinstance(x, (date, datetime, time)):
        return x.isoformat()
    if isinstance(x, timedelta):
        return x.total_seconds()
    if isinstance(x, Decimal):
        return int(x) if x.as_tuple().exponent >= 0 else float(x)
    if isinstance(x, Enum):
        return x.value
    if is_dataclass(x):
        return asdict(x)
    if isinstance(x, (set, frozenset)):
        return list(x)
    return str(x)


def answer(reply):
    if "error" in reply:
        raise ToolError(reply["error"])
    if "json" in reply:
        return json.loads(reply["json"])
    return copy.deepcopy(reply.get("text", reply.get("value")))


def tool(spec):
    def call(*args, **named):
        given = json.loads(json.dumps({**dict(zip(spec["params"], args)), **named}))
        for reply in spec["replies"]:
            if reply.get("args", {}) == given:
                return answer(reply)
        return answer(spec["default"] if "default" in spec else {"error": spec.get("error", "no such record")})
    return call


def run(folder, name):
    with open(f"{folder}/{name}.json", encoding="utf-8") as f:
        servers = json.load(f)
    module = types.ModuleType("__main__")
    for server, tools in servers.items():
        # Hyphens are no part of names.
        module.__dict__[server] = types.SimpleNamespace(**{t.replace("-", "_"): tool(s) for t, s in tools.items()})
    sys.modules["__main__"] = module
    with open(f"{folder}/{name}.py", encoding="utf-8") as f:
        code = compile(f.read(), f"{name}.py", "exec")
    out = io.StringIO()
    with redirect_stdout(out):
        exec(code, module.__dict__)
    result = module.__dict__.get("result")
    return [out.getvalue(), json.dumps(result, default=plain)]


said = {}
folder, *names = sys.argv[1:]
for name in names:
    reading, writing = os.pipe()
    if os.fork() == 0:
        with open(writing, "w", encoding="utf-8") as f:
            json.dump(run(folder, name), f)
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8") as f:
        said[name] = json.load(f)
    os.wait()
json.dump(said, sys.stdout)
