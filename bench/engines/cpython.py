"""A contestant of the bench: CPython without any sandbox, which speaks the protocol of contestant.mjs."""
import json
import sys
import threading
import time


def record(x):
    return {"id": x, "name": f"item-{x}", "active": x % 3 != 0, "score": x * 1.5, "count": x * 7 % 1000,
            "status": ["open", "closed", "pending", "merged"][x % 4], "tags": ["a", "b", f"t{x % 10}"],
            "owner": {"login": f"user{x % 50}", "level": x % 5}, "created": "2024-01-01T00:00:00Z", "note": None}


class Json:
    decode = staticmethod(json.loads)

    @staticmethod
    def encode(value):
        return json.dumps(value, separators=(",", ":"))


def tool(delay):
    def call(x):
        time.sleep(delay)
        return record(x)
    return call if delay else record


def run(text):
    names = {"json": Json, "tool": tool(0), "slow": tool(0.1), "wait": tool(1)}
    exec(compile(text, "program", "exec"), names)
    return names["result"]


for line in sys.stdin:
    request = json.loads(line)
    times = []
    result = None
    try:
        if request["op"] == "at-once":
            begun = time.perf_counter()
            threads = [threading.Thread(target=run, args=(request["text"],)) for _ in range(request["times"])]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            times.append((time.perf_counter() - begun) * 1000)
        else:
            for _ in range(request["times"]):
                begun = time.perf_counter()
                result = run(request["text"])
                times.append((time.perf_counter() - begun) * 1000)
        print(json.dumps({"ms": times, "result": [result]}), flush=True)
    except Exception as error:
        print(json.dumps({"error": f"{type(error).__name__}: {error}"}), flush=True)
