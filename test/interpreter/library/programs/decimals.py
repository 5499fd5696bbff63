# Decimal numbers: arithmetic, rounding, text, contexts.
from decimal import *
vals = ["0","-0","1","-1","1.10","2.675","100","1E+5","1E-10","-7.5","123456789012345678901234567890","0.1","3","99.995","1e28","Infinity","-Infinity","NaN","0E+3","0.00", "7E-30"]
ds = [Decimal(v) for v in vals]
import operator as op
for a in ds:
    print(repr(a), str(a), -a, +a, abs(a), bool(a), a.adjusted(), a.is_signed(), a.normalize(), a.to_eng_string())
    for name, f in [("+",op.add),("-",op.sub),("*",op.mul),("/",op.truediv),("//",op.floordiv),("%",op.mod),("**",op.pow)]:
        out=[]
        for b in ds:
            if name == "**" and (abs(b) > 1000 if not b.is_nan() else False): continue
            try: out.append(str(f(a,b)))
            except Exception as e: out.append(f"{type(e).__name__}:{e}")
        print(name, a, out)
from decimal import *
for v in ["2","10","0.5","1.0001","123.456","1e-5","1e20","3.14159265358979","0.0001","4","9","1000", "1.21"]:
    d=Decimal(v)
    print(v, d.sqrt(), d.ln(), d.log10(), (d if d<100 else Decimal(5)).exp(), d**Decimal("0.5"), d**-2, d**Decimal("1.5"), d**10)
    for r in (ROUND_UP,ROUND_DOWN,ROUND_CEILING,ROUND_FLOOR,ROUND_HALF_UP,ROUND_HALF_DOWN,ROUND_HALF_EVEN,ROUND_05UP):
        print(r, d.quantize(Decimal("0.1"),rounding=r), (-d).quantize(Decimal("1"),rounding=r), d.to_integral_value(r), end=" ")
    print(int(d), float(d), round(d), round(d,1), round(d,-1), d.as_integer_ratio(), hash(d)==hash(float(d)) or "x", d.as_tuple())
from decimal import Decimal
for v in ["0","-0.00","1234567.891","0.000012345","1E+10","-2.5","0.5","99.995","Infinity","NaN","1E-15"]:
    d=Decimal(v)
    for s in ["",".2f",",.2f","10.1f","<12","^12,.3f","+.1f","e",".3e","g",".2g","%",".1%","010.2f","=+12.2f","_.2f","E","n",".0f","#.0f","z.0f", "*>15,.2f"]:
        try: print(f"[{d:{s}}]", end=" ")
        except Exception as e: print(type(e).__name__, e, end=" ")
    print()
print("%.2f %s %d" % (Decimal("2.675"), Decimal("1.10"), Decimal("7.9")))
from decimal import *
import json, math, statistics
from fractions import Fraction
D=Decimal
for f in [lambda: D("x"), lambda: D(1)/0, lambda: D(0)/0, lambda: D(1)%0, lambda: D(1)//0, lambda: D(1)+1.5, lambda: 1.5*D(1), lambda: D(1)<1.5, lambda: D("0.1")==0.1, lambda: D("0.5")==0.5, lambda: D([1]), lambda: D(None), lambda: D({}), lambda: D((0,(1,2,3),-2)), lambda: D("1")+"a", lambda: D(-1).sqrt(), lambda: D("12345").quantize(D("1e-25")), lambda: json.dumps(D(1)), lambda: json.dumps({"a":D("1.5")}, default=str), lambda: D("NaN")<1, lambda: D(1).foo, lambda: {D("1.0"):1, 1:2, D("0.1"):3}, lambda: D("1.5")+Fraction(1,2), lambda: Fraction(D("0.25")), lambda: D("0.5")==Fraction(1,2), lambda: math.floor(D("-1.5")), lambda: math.ceil(D("1.2")), lambda: math.sqrt(D(4)), lambda: sum([D("1.1"),D("2.2")]), lambda: sum([D("1.1"),D("2.2")])/2, lambda: statistics.mean([D("1.5"),D("2.5")]), lambda: statistics.median([D(1),D(2)]), lambda: max(D(1),2,D("2.5")), lambda: sorted([D("3"),D("1.5"),2]), lambda: divmod(D("7.5"),2), lambda: -7%D(3), lambda: 2**D("0.5"), lambda: D("1_000.5"), lambda: D(" 1.5 "), lambda: D(True), lambda: isinstance(D(1),Decimal), lambda: type(D(1)), lambda: type(D(1)).__name__, lambda: D.from_float(0.1), lambda: D(0.1), lambda: D("1.1").compare(D("1.2")), lambda: D("1.1").max(D(2)), lambda: str(D("1E+3").quantize(D(1))), lambda: D("3.14").is_zero(), lambda: round(D("0.125"),2), lambda: int("12")*D("0.1"), lambda: D("5").copy_sign(D(-1)), lambda: D(10).scaleb(2), lambda: D("1e400")*D("1e999900"), lambda: D("0.1")+D("0.2")==D("0.3"), lambda: hash(D("1.5"))==hash(1.5), lambda: D(2).fma(3,4), lambda: D("2.50").normalize(), lambda: f"{D('3'):d}"]:
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, "|", e)
with localcontext() as ctx:
    ctx.prec = 50
    print(D(1)/D(7), D(2).sqrt())
print(D(1)/D(7))
with localcontext(prec=5) as c: print(+D("1.23456789"), D(2)/3, c.prec)
getcontext().prec=6
print(D(1)/3, D("1.23456789")+0, getcontext().prec)
getcontext().rounding=ROUND_UP
print(D(1)/3, Context(prec=3).divide(D(1),D(3)), Context(prec=3).create_decimal("3.14159"))
ctx=getcontext(); ctx.traps[DivisionByZero]=False
print(D(1)/0, D(-1)/0)
try: D(0)/0
except InvalidOperation as e: print("inv", e.args, e)
except ZeroDivisionError: print("zde")
getcontext().traps[DivisionByZero]=True
try: D(1)/0
except ZeroDivisionError as e: print("zde", e)
