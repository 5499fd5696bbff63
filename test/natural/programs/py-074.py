from abc import ABC, abstractmethod
from contextlib import contextmanager

class Workspace:
    """Files being edited, loaded lazily and only written on commit."""

    def __init__(self):
        self.files = {}
        self.original = {}

    def __getitem__(self, path):
        if path not in self.files:
            text = server_filesystem.read_text_file(path=path)["content"]
            self.files[path] = self.original[path] = text
        return self.files[path]

    def __setitem__(self, path, text):
        self[path]
        self.files[path] = text

    def dirty(self):
        return sorted(p for p in self.files if self.files[p] != self.original[p])

class Command(ABC):
    @abstractmethod
    def do(self, ws): ...

    @abstractmethod
    def undo(self, ws): ...

    def merge(self, other):
        return None  # or a command equal to self followed by other

class Replace(Command):
    def __init__(self, path, old, new, count=1):
        self.path, self.old, self.new, self.count = path, old, new, count

    def do(self, ws):
        text = ws[self.path]
        found = text.count(self.old)
        if found != self.count:
            raise ValueError(f"{self.path}: expected {self.count} × {self.old!r}, found {found}")
        self._before = text
        ws[self.path] = text.replace(self.old, self.new)

    def undo(self, ws):
        ws[self.path] = self._before

    def merge(self, other):
        if isinstance(other, Replace) and other.path == self.path and other.old == self.new and self.count == other.count:
            other.old, other._before = self.old, self._before
            return other

    def __str__(self):
        return f"Replace {self.old!r} → {self.new!r} in {self.path}"

class InsertAfter(Command):
    def __init__(self, path, marker, line):
        self.path, self.marker, self.line = path, marker, line

    def do(self, ws):
        lines = ws[self.path].split("\n")
        self._at = next((i for i, text in enumerate(lines, 1) if text.strip() == self.marker), None)
        if self._at is None:
            raise ValueError(f"{self.path}: no line {self.marker!r}")
        lines.insert(self._at, self.line)
        ws[self.path] = "\n".join(lines)

    def undo(self, ws):
        lines = ws[self.path].split("\n")
        del lines[self._at]
        ws[self.path] = "\n".join(lines)

    def __str__(self):
        return f"Insert {self.line.strip()!r} after {self.marker!r}"

class Macro(Command):
    def __init__(self, name, *steps): self.name, self.steps = name, steps
    def do(self, ws): [step.do(ws) for step in self.steps]
    def undo(self, ws): [step.undo(ws) for step in reversed(self.steps)]
    def __str__(self): return f"{self.name} [{'; '.join(map(str, self.steps))}]"

class Editor:
    def __init__(self, ws):
        self.ws, self.past, self.future = ws, [], []

    def run(self, command):
        command.do(self.ws)
        self.future.clear()
        if self.past and (merged := self.past[-1].merge(command)):
            self.past[-1] = merged
        else:
            self.past.append(command)

    def undo(self, n=1):
        for _ in range(min(n, len(self.past))):
            self.future.append(self.past.pop())
            self.future[-1].undo(self.ws)
        return self

    def redo(self):
        if self.future:
            self.future[-1].do(self.ws)
            self.past.append(self.future.pop())
        return self

    @contextmanager
    def transaction(self, name):
        mark = len(self.past)
        try:
            yield self
        except Exception as exc:
            self.undo(len(self.past) - mark)
            self.future.clear()
            log.append(f"rolled back {name}: {exc}")
        else:
            self.past[mark:] = [Macro(name, *self.past[mark:])] if len(self.past) > mark else []
            log.append(f"committed {name}")

log = []
ed = Editor(Workspace())
VALUES, CHART, MAIN = "/repo/values.yaml", "/repo/Chart.yaml", "/repo/src/main.py"

with ed.transaction("bump version"):
    ed.run(Replace(CHART, "version: 1.4.2", "version: 1.5.0"))
    ed.run(Replace(CHART, "version: 1.5.0", "version: 1.5.0-rc.1"))
    ed.run(Replace(VALUES, "tag: v1.4.2", "tag: v1.5.0-rc.1"))

with ed.transaction("rename queue"):
    ed.run(Replace(MAIN, "jobs_q", "jobs_queue", count=3))
    ed.run(Replace(VALUES, "queue: jobs", "queue: jobs-v2"))

with ed.transaction("missing file"):
    ed.run(InsertAfter(VALUES, "resources:", "  limits: {cpu: 500m}"))
    ed.run(Replace("/repo/missing.txt", "a", "b"))

ed.run(InsertAfter(MAIN, "def main():", '    """Entry point – généré."""'))
ed.run(InsertAfter(VALUES, "resources:", "  requests: {cpu: 100m}"))
ed.undo().undo().redo()

for line in log:
    print(line)
print("history:", *ed.past, sep="\n - ")

written = ed.ws.dirty()
for path in written:
    server_filesystem.write_file(path=path, content=ed.ws.files[path])
    print(f"--- {path}\n{ed.ws.files[path]}")

result = {"written": written, "log": log, "undoable": len(ed.past), "redoable": [str(c) for c in ed.future]}
