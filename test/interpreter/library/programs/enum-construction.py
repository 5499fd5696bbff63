# Enums whose members are made by a `__new__` or `__init__` of their own, those of `http` among them.
from enum import Enum, IntEnum
from http import HTTPStatus, HTTPMethod
class P(Enum):
    LOW = (1, "low")
    HIGH = (2, "high")
    def __new__(cls, rank, label):
        obj = object.__new__(cls)
        obj._value_ = rank
        obj.label = label
        return obj
print(P.LOW, P.LOW.value, P.LOW.label, P(2), [p.label for p in P], P["HIGH"].value)
class Q(Enum):
    A = (1, 2)
    B = (3, 4)
    def __init__(self, x, y):
        self.x = x
        self.y = y
    @property
    def s(self): return self.x + self.y
print(Q.A.value, Q.B.s, Q((3, 4)))
class S(str, Enum):
    OPEN = "open", "is open"
    def __new__(cls, v, d):
        o = str.__new__(cls, v)
        o._value_ = v
        o.d = d
        return o
print(S.OPEN, S.OPEN == "open", S.OPEN.d, S("open").value, S.OPEN.upper())
print(HTTPStatus.NOT_FOUND, HTTPStatus.NOT_FOUND.phrase, HTTPStatus(200).name, HTTPStatus.OK == 200, HTTPMethod.GET, repr(HTTPStatus.OK), f"{HTTPStatus.OK}", HTTPStatus["OK"] + 1, HTTPStatus.OK.description, HTTPStatus.OK in [200], {200: "x"}[HTTPStatus.OK], HTTPMethod.PATCH.description)
try: HTTPStatus(999)
except ValueError as e: print(e)

import enum
class A(enum.Enum):
    def _generate_next_value_(name, start, count, last):
        return (name.lower(), count, list(last))
    X = enum.auto()
    Y = enum.auto()
class B(enum.StrEnum):
    @staticmethod
    def _generate_next_value_(name, start, count, last):
        return name + "!"
    P = enum.auto()
print([m.value for m in A], [m.value for m in B])
