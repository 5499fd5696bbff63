# Enums whose members are bits.
from enum import Flag, IntFlag, auto, Enum, unique
class Perm(Flag):
    READ = auto()
    WRITE = auto()
    EXEC = auto()
    RW = READ | WRITE
p = Perm.READ | Perm.EXEC
print(p, repr(p), Perm.READ in p, Perm.WRITE in p, p & Perm.READ, repr(~Perm.READ), Perm.RW, repr(Perm.RW), bool(p & Perm.WRITE), p.value, p.name, Perm(3), Perm(5) is p, repr(Perm(0)), str(Perm(0)), list(Perm), len(Perm), list(p), p ^ Perm.READ, Perm.__members__, p == Perm.READ | Perm.EXEC, {p: 1}, Perm.READ.value, Perm["RW"], hash(p) == hash(p))
try: Perm(8)
except ValueError as e: print(e)
p |= Perm.WRITE
print(p, p == Perm(7), p &  ~Perm.EXEC, f"{p}", [x.name for x in Perm], isinstance(p, Perm), Perm.READ | Perm.READ is Perm.READ)
class A(Flag):
    NONE = 0
    X = 1
    Y = 2
    ALL = X | Y
print(A.NONE, repr(A.NONE), list(A), A.ALL, A.X & A.Y, repr(A(0)), bool(A.NONE), A.ALL & ~A.X)
class Op(IntFlag):
    A = 1
    B = 2
    C = auto()
print(repr(Op.A | Op.B), Op.A | Op.B, repr(Op.A | 8), int(Op.A | Op.B), Op.A + 1, Op.C, Op.A == 1, f"{Op.B}", repr(~Op.A), Op.A in (Op.A | Op.B), Op(3), 3 & Op.A, repr(Op(0)), repr(Op.A & 2), Op.B > Op.A)
class C(Enum):
    A = auto()
    B = auto()
    Z = 10
    Y = auto()
print([(c.name, c.value) for c in C])
try: Perm.READ | 1
except TypeError as e: print("TE", e)
