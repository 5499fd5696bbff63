# os1
import os
print(os.path.join("a", "b", "/c", "d.txt"), os.path.basename("/x/y.tar.gz"), os.path.splitext("/x.y/z"), os.path.splitext(".bashrc"), os.path.splitext("a.b.c"), os.path.dirname("/a/b/"), os.path.normpath("a//b/../c/./d"), os.path.split("/a/b"), os.path.isabs("/a"), os.path.commonpath(["/a/b/c", "/a/b/d"]), os.path.commonprefix(["abc", "abd"]), os.path.relpath("/a/b", "/a/c"), os.sep, os.path.join("", "x"), os.path.join("a/", "b"), os.path.normpath(""), os.path.normpath("../../x"), os.path.dirname("x"), os.path.basename("x/"), os.path.splitext("...a.b"), os.path.splitext("a."), repr(os.linesep))
# --- os2
from os.path import join, splitext, basename
import os.path as osp
print(join("a", "b"), splitext("q.tar"), osp.dirname("/z/y"))
# --- log
import logging, warnings, traceback
logging.basicConfig(level=logging.DEBUG, format="%(message)s", handlers=[logging.StreamHandler()])
log = logging.getLogger("app.db")
log.setLevel(logging.INFO); log.addHandler(logging.NullHandler())
log.info("x %s", 1); log.error("y", exc_info=True); logging.warning("z")
print(log.name, log.level, log.isEnabledFor(logging.DEBUG), logging.getLevelName(20), logging.INFO, log is logging.getLogger("app.db"), log.getEffectiveLevel())
warnings.warn("old", DeprecationWarning)
with warnings.catch_warnings(): warnings.simplefilter("ignore")
try: 1 / 0
except ZeroDivisionError as e:
    print(traceback.format_exception_only(type(e), e), traceback.format_exception_only(e)); log.exception("bad"); traceback.print_exc()
class MyErr(Exception): pass
print(traceback.format_exception_only(MyErr("a")), traceback.format_exception_only(KeyError("k")))
class H(logging.Handler):
    def emit(self, record): pass
log.addHandler(H())
# --- graph
from graphlib import TopologicalSorter, CycleError
g = {"D": {"B", "C"}, "B": {"A"}, "C": {"A"}}
ts = TopologicalSorter({"d": ["b", "c"], "b": ["a"], "c": ["a"], "e": []})
print(list(ts.static_order()))
t = TopologicalSorter(); t.add("x", "y", "z"); t.add("y", "z"); t.prepare()
while t.is_active():
    r = t.get_ready(); print(r)
    for n in r: t.done(n)
try: list(TopologicalSorter({"a": ["b"], "b": ["a"]}).static_order())
except CycleError as e: print(e, e.args[1])
# --- thr
import threading
from concurrent.futures import ThreadPoolExecutor
lock = threading.Lock(); total = 0; results = {}
def add(n):
    global total
    with lock: total += n
ts = [threading.Thread(target=add, args=(i,), name=f"t{i}") for i in range(5)]
for t in ts: t.start()
for t in ts: t.join()
print(total, ts[0].name, ts[0].is_alive(), threading.current_thread().name)
class W(threading.Thread):
    def __init__(self, n): super().__init__(); self.n = n; self.result = None
    def run(self): self.result = self.n ** 2
ws = [W(i) for i in range(3)]
[w.start() for w in ws]; [w.join() for w in ws]
print([w.result for w in ws], lock.locked(), lock.acquire(), lock.locked(), lock.release())
ev = threading.Event(); ev.set(); print(ev.wait(), ev.is_set())
r = threading.RLock()
with r:
    with r: print("nested")
with ThreadPoolExecutor(2) as ex: print(sorted(f.result() for f in [ex.submit(pow, i, 2) for i in range(3)]))
# --- misc
from collections import namedtuple
from typing import Protocol, runtime_checkable
P = namedtuple("P", "x y"); p = P(1, 2)
print(tuple(p), list(p), tuple(p) == p, ..., type(p).__name__, type(tuple(p)).__name__)
for e in (OSError(2, "No such file"), OSError("plain"), FileNotFoundError(2, "nope", "f.txt"), PermissionError(13, "denied"), ConnectionError("x"), OSError()):
    print(type(e).__name__, str(e), repr(e), e.args, e.errno, e.strerror)
@runtime_checkable
class Closable(Protocol):
    def close(self) -> None: ...
class F:
    def close(self): pass
print(isinstance(F(), Closable), isinstance(1, Closable))
