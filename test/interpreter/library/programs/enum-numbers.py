# Enums whose __new__ counts members, views of ordered dicts, and where classes of modules are.
from enum import Enum, IntEnum
class AutoNumber(Enum):
    def __new__(cls):
        value = len(cls.__members__) + 1
        obj = object.__new__(cls)
        obj._value_ = value
        return obj
class Color(AutoNumber):
    RED = ()
    GREEN = ()
print(list(Color), Color.GREEN.value, Color(1))
class K(IntEnum):
    A = 'first'
    B = 'second'
    def __new__(cls, description):
        value = len(cls.__members__)
        member = int.__new__(cls, value)
        member._value_ = value
        member.description = description
        return member
    def __str__(self):
        return self.name
print(list(K), K.B + 1, K(1).description, str(K.B), K.A < K.B, f"{K.B}")
import types
from collections import OrderedDict
p = types.MappingProxyType({"a": 1})
print(p.values(), p["a"])
p = types.MappingProxyType(OrderedDict(a=1))
print(list(p.values()))
import ipaddress, argparse
print(ipaddress.IPv4Address, type(ipaddress.ip_address("1.1.1.1")), argparse.ArgumentParser)
print("{}".format(K.A), format(K.A), f"{K.A:>3}", "%s" % K.A)
class L(IntEnum):
    A = 1
print(f"{L.A}", "{}".format(L.A), format(L.A), f"{L.A:>3}", "%s" % L.A)
