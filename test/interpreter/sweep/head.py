import base64, bisect, collections, copy, datetime as dt, decimal, fractions, functools, hashlib, heapq, itertools, json
import math, operator, random, re, statistics, string, textwrap
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import asdict, astuple, dataclass, fields, replace
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction


class Thing:
    pass


class Text(str):
    pass


class Whole(int):
    pass


class Real(float):
    pass


class Row(list):
    pass


class Pairs(dict):
    pass


class Trio(tuple):
    pass


class Index:
    def __index__(self):
        return 3

    def __repr__(self):
        return "Index()"


class Broken:
    def __bool__(self):
        raise LookupError("no truth")

    def __len__(self):
        return -1

    def __iter__(self):
        return 5

    def __eq__(self, other):
        raise LookupError("not comparable")

    def __hash__(self):
        return "x"

    def __repr__(self):
        return "Broken()"


Point = namedtuple("Point", "x y")


@dataclass
class Item:
    n: int
    tags: list = None


def after(x, f):
    """What a call gives, and what it leaves of its object."""
    answer = f(x)
    return "itself" if answer is x else answer, shown(x)


def shown(x):
    if hasattr(x, "__next__") and not isinstance(x, type):
        return "over " + shown(list(itertools.islice(x, 12)))
    if isinstance(x, (set, frozenset)):
        return f"{type(x).__name__} of {sorted(map(shown, x))}"
    text = re.sub(" at 0x[0-9a-f]+", "", ascii(x))
    return text if len(text) <= 100 else f"{text[:60]}...{text[-20:]} ({len(text)})"


def sweep(i, places, f):
    for place in places:
        try:
            x = f(*[odd[n]() for n in place])
            kind = type(x).__name__
            answer = f"{'iterator' if kind.endswith('iterator') else kind} {shown(x)}"
        except Exception as e:
            answer = f"{type(e).__name__}"
        print(f"{i} {place}: {answer}")
