# what is no class
def f(): pass
match 1:
    case f():
        pass
# --- an instance is no class
x = 5
match 1:
    case x():
        pass
# --- a class that is not there, behind a case that matches
match 1:
    case 1:
        print("one")
    case len.missing:
        pass
# --- an attribute that is not there in a dotted name
class A:
    b = 1
match 2:
    case A.b:
        pass
    case A.c:
        pass
# --- too many positional patterns
class A:
    pass
match A():
    case A(1):
        pass
# --- too many positional patterns for a dataclass
from dataclasses import dataclass
@dataclass
class P:
    x: int
    y: int
match P(1, 2):
    case P(a, b, c):
        pass
# --- too many positional patterns for a builtin type
match 5:
    case int(a, b):
        pass
# --- object takes none
match 5:
    case object(a):
        pass
# --- only objects of the class are asked
class A:
    pass
match 5:
    case A(1, 2, 3):
        pass
    case _:
        print("no A")
# --- __match_args__ is no tuple
class A:
    __match_args__ = ["x"]
match A():
    case A(1):
        pass
# --- __match_args__ holds no strings
class A:
    __match_args__ = (1,)
match A():
    case A(1):
        pass
# --- an attribute twice
class A:
    __match_args__ = ("x",)
    x = 1
match A():
    case A(1, x=1):
        pass
# --- an attribute twice among the positional ones
class A:
    __match_args__ = ("x", "x")
    x = 1
match A():
    case A(1, 1):
        pass
# --- a key twice
class K:
    a = "k"
    b = "k"
match {"k": 1, "j": 2}:
    case {K.a: 1, K.b: 2}:
        pass
# --- a key twice beside a literal
class K:
    a = "k"
match {"k": 1}:
    case {"k": 1, K.a: 2}:
        pass
    case {}:
        print("too short to look")
match {"k": 1, "j": 2}:
    case {"k": 1, K.a: 2}:
        pass
# --- a property that fails
class A:
    @property
    def x(self):
        raise ValueError("broken")
match A():
    case A(x=1):
        pass
# --- equality that fails
class A:
    def __eq__(self, other):
        raise RuntimeError("no comparison")
match A():
    case 5:
        pass
# --- a guard that fails
match [1, 0]:
    case [a, b] if a / b:
        pass
# --- a subject that fails
match {}["k"]:
    case _:
        pass
# --- a name that no case has bound
match 5:
    case [x]:
        pass
print(x)
# --- a name that no case of a function has bound
def f(v):
    match v:
        case {"x": x}:
            pass
    return x
f(1)
# --- no positional pattern with match_args=False
from dataclasses import dataclass
@dataclass(match_args=False)
class P:
    x: int
match P(1):
    case P(x=1):
        print("by name")
match P(1):
    case P(1):
        pass
# --- keyword-only fields are not positional
from dataclasses import dataclass, field
@dataclass
class P:
    x: int
    y: int = field(default=0, kw_only=True)
    z: int = field(default=0, init=False)
print(P.__match_args__)
match P(1):
    case P(1, 0):
        pass
# --- a case in a loop that fails later
for v in [1, "x", None]:
    match v:
        case int():
            print(v + 1)
        case str(s):
            print(s.upper())
        case other:
            print(other.upper())
# --- kinds of sequences have no positional patterns
from collections import Counter, deque
from datetime import date
match Counter("a"):
    case Counter({"a": 1}):
        print("the dict itself")
for x in [deque([1]), date(2024, 1, 1)]:
    try:
        match x:
            case deque([1]):
                print("no")
            case date(2024):
                print("no")
    except TypeError as e:
        print(e)
