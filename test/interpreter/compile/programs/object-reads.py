# Reads of dicts and of objects whose classes have methods with the names of those of dicts.


class Own(dict):
    def get(self, key, default=None):
        return "own"

    def __contains__(self, key):
        return True


class Fields:
    def __init__(self):
        self.a = 7

    def get(self, key, default=None):
        return key

    def __contains__(self, key):
        return key == "a"


def read(d):
    return [d.get("a"), d.get("a", 1), d.get("name", 2), d.get("toString", 3), "a" in d, "name" in d, "valueOf" not in d]


def replaced(d):
    return [d.get("a", (d := {"a": 2})), d.get("b", (d := {"b": 3})), d]


result = [
    [read(x) for x in [{}, {"a": None, "name": 5}, {"toString": 1}, {1: 1, "a": 4}, Own(a=1), Fields()]],
    replaced({"a": 1}),
    replaced(Fields()),
    replaced(Own()),
]
