# Classes that inherit from collections.abc, UserDict and UserList.
from collections.abc import Mapping, MutableMapping, Sequence, Iterable, Iterator, Sized, MutableSequence, Set, Callable, Hashable, Container
from collections import UserDict, UserList
class Frozen(Mapping):
    def __init__(self, d): self._d = dict(d)
    def __getitem__(self, k): return self._d[k]
    def __iter__(self): return iter(self._d)
    def __len__(self): return len(self._d)
f = Frozen({"a": 1, "b": 2})
print(f.get("a"), f.get("z", 0), "a" in f, "z" in f, list(f.keys()), list(f.values()), list(f.items()), f == {"a": 1, "b": 2}, dict(f), {**f}, isinstance(f, Mapping), isinstance(f, Iterable), isinstance(f, Sized), len(f))
class Store(MutableMapping):
    def __init__(self, *a, **k): self.d = {}; self.update(*a, **k)
    def __getitem__(self, k): return self.d[k.lower()]
    def __setitem__(self, k, v): self.d[k.lower()] = v
    def __delitem__(self, k): del self.d[k.lower()]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
s = Store({"A": 1}, B=2)
print(s["a"], s.pop("B"), s.pop("q", None), s.setdefault("C", 3), dict(s), "A" in s, s.popitem(), list(s.items())); s.clear(); print(len(s))
try: s.pop("x")
except KeyError as e: print("KeyError", e)
class Seq(Sequence):
    def __init__(self, *x): self.x = x
    def __getitem__(self, i): return self.x[i]
    def __len__(self): return len(self.x)
q = Seq(1, 2, 3, 2)
print(list(q), 2 in q, q.index(2), q.count(2), list(reversed(q)), isinstance(q, Sequence), [*q])
class Cnt(Iterator):
    def __init__(self, n): self.n = n
    def __next__(self):
        if self.n <= 0: raise StopIteration
        self.n -= 1
        return self.n
print(list(Cnt(3)), isinstance(Cnt(1), Iterator))
class ML(MutableSequence):
    def __init__(self): self.l = []
    def __getitem__(self, i): return self.l[i]
    def __setitem__(self, i, v): self.l[i] = v
    def __delitem__(self, i): del self.l[i]
    def __len__(self): return len(self.l)
    def insert(self, i, v): self.l.insert(i, v)
m = ML(); m.append(1); m.extend([2, 3]); m += [4]; m.reverse(); m.remove(2); print(list(m), m.pop(), list(m), m.index(3), m.count(9))
class Bad(Mapping):
    def __getitem__(self, k): return 1
try: Bad()
except TypeError as e: print(e)
class U(UserDict):
    def __setitem__(self, k, v): super().__setitem__(k, v * 2)
u = U({"a": 1}, b=2); u["c"] = 5; u.update(d=1); print(u, u.data, u.get("zz"), "a" in u, len(u), dict(u), u == {"a": 2}, isinstance(u, Mapping))
class UL(UserList):
    def append(self, x): super().append(x * 10)
w = UL([1]); w.append(2); print(w, w.data, len(w), w[0], w + [3])
class Bag(Set):
    def __init__(self, it): self.e = list(dict.fromkeys(it))
    def __contains__(self, x): return x in self.e
    def __iter__(self): return iter(self.e)
    def __len__(self): return len(self.e)
b1 = Bag("abc"); b2 = Bag("bcd"); print(list(b1 & b2), list(b1 | b2), list(b1 - b2), b1 <= b2, b1.isdisjoint(b2), b1 == Bag("cba"), list(b1 ^ b2))
class It(Iterable):
    def __iter__(self): yield 1
print(list(It()), isinstance(It(), Iterable), isinstance(5, Iterable), isinstance("a", Sequence), isinstance({}, Mapping), isinstance(len, Callable), isinstance([], Hashable))
