# Text that a program captures from its own prints, attributes that a class makes up, and settings compared as sets.
import binascii
import io
from contextlib import redirect_stdout


class Settings:
    def __init__(self, **known):
        self.known = known

    def __getattr__(self, name):
        if name.startswith("has_"):
            return name[4:] in self.known
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    @property
    def broken(self):
        raise AttributeError("nothing inside")


def report(rows):
    for name, value in rows:
        print(f"{name:<8}{value:>6}")
    print("sum", sum(v for _, v in rows), sep="=", end=";")


settings = Settings(debug=True)
print(getattr(settings, "bogus", "default"), getattr(settings, "bogus", None), hasattr(settings, "bogus"))
print(settings.has_debug, hasattr(settings, "has_x"), hasattr(settings, "broken"), getattr(settings, "broken", 0))
try:
    getattr(settings, "bogus")
except AttributeError as e:
    print("AttributeError:", e)

buffer = io.StringIO()
with redirect_stdout(buffer) as same:
    report([("one", 1), ("two", 22)])
    inner = io.StringIO()
    with redirect_stdout(inner):
        print("inner")
print(same is buffer, repr(buffer.getvalue()), repr(inner.getvalue()))
try:
    with redirect_stdout(buffer):
        raise ValueError("out")
except ValueError as e:
    print("printed again", e)

base = {"db": {"host": "x"}, "ports": [1, 2]}
full = {"db": {"host": "x"}, "ports": [1, 2], "debug": False}
print(base.items() <= full.items(), base.items() < base.items(), full.items() >= base.items(), full.items() > base.items())
print(base.items() <= {"db": {}, "ports": []}.items(), base.keys() < full.keys(), {"db"} <= full.keys(), full.keys() >= {"nope"})

print(binascii.hexlify(b"ab\xff"), binascii.unhexlify("6162"), binascii.hexlify(b"abc", "-"), binascii.crc32(b"hello"))
print(binascii.b2a_base64(b"hi"), binascii.b2a_base64(b"hi", newline=False), binascii.a2b_base64("aGk="))
for bad in ("abc", "zz"):
    try:
        binascii.unhexlify(bad)
    except binascii.Error as e:
        print(e)
