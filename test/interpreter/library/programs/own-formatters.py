# Formatters that programs fit to their needs.
import string
from collections import ChainMap
from datetime import date
from string import Formatter

f = Formatter()
print(f.format("{0} {1!r:>8} {name:{width}.{digits}f} {{}}", "a", "b", name=3.14159, width=8, digits=2))
print(f.format("{} {} {x[k]} {x[0]} {y.year} {y:%d.%m.}", 1, 2, x={"k": "v", 0: "zero"}, y=date(2024, 2, 3)))
print(f.vformat("{a}-{0}", ["first"], {"a": "named"}), f.vformat("{a} {b}", (), ChainMap({"a": 1}, {"a": 2, "b": 3})))
print(f.format("no fields"), repr(f.format("")), f.format("{!s} {!a}", "é", "é"), f.format("{:>{}}", "x", 4))
for text in ["", "plain", "a{b}c", "{{x}}", "a{{b", "{0.name[key]!r:>{width}} tail", "{}{}", "{:{}}", "}}{x!s}", "{a[}]}", "{:{{}}}"]:
    print(repr(text), list(f.parse(text)))
for text in ["{", "}", "a}b", "{a", "{a!", "{a!r", "{a!rx}", "{a:", "{a:{b}", "{a{b}}", "{a[b", "{a!}"]:
    try:
        print(repr(text), list(Formatter().parse(text)))
    except ValueError as e:
        print(repr(text), "ValueError:", e)
for name in ["a.b[c].d", "0[1]", "", "a.", "a[]", "a[b", "a[b]c", "[0]"]:
    try:
        print(repr(name), f.get_field(name, ({1: "one"},), {"a": None}))
    except (ValueError, AttributeError, TypeError, KeyError) as e:
        print(repr(name), type(e).__name__)
for template, args in [("{0} {}", (1, 2)), ("{} {0}", (1, 2)), ("{2}", (1,)), ("{name}", ()), ("{0!x}", (1,)), ("{:{:{:{}}}}", (1, 2, 3, 4)), ("{0:d}", ("x",))]:
    try:
        print(f.format(template, *args))
    except (ValueError, IndexError, KeyError) as e:
        print(template, type(e).__name__, e)

class Defaults(string.Formatter):
    """Unknown fields stay, `!u` is upper case, `:money` a price."""
    def __init__(self, default="?"):
        super().__init__()
        self.default = default
    def get_value(self, key, args, kwargs):
        if isinstance(key, str):
            return kwargs.get(key, self.default)
        return super().get_value(key, args, kwargs)
    def convert_field(self, value, conversion):
        return str(value).upper() if conversion == "u" else super().convert_field(value, conversion)
    def format_field(self, value, format_spec):
        if format_spec == "money":
            return f"${value:,.2f}"
        return super().format_field(value, format_spec)

class Strict(Formatter):
    def check_unused_args(self, used_args, args, kwargs):
        unused = set(kwargs) - used_args | {i for i in range(len(args)) if i not in used_args}
        if unused:
            raise ValueError(f"unused: {sorted(map(str, unused))}")

class Paths(Formatter):
    def get_field(self, field_name, args, kwargs):
        value = kwargs
        for part in field_name.split("/"):
            value = value[part]
        return value, field_name

d = Defaults("n/a")
print(d.format("{who!u} owes {amount:money} for {what}, {0}", "thanks", who="ann", amount=1234.5))
print(Strict().format("{a}", a=1), Paths().format("{user/name} <{user/mail}>", user={"name": "Bo", "mail": "b@x.org"}))
try:
    Strict().format("{a} {0}", 1, 2, a=1, b=2)
except ValueError as e:
    print(e)
fields = [name for _, name, _, _ in Formatter().parse("Dear {name}, {n:>3} of {total}") if name]
print(fields, isinstance(d, Formatter), Formatter.__name__, string.digits)
