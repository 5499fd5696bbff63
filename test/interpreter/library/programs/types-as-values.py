# Types as values: what typing tells of them.
import collections.abc
import types
import typing
from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field
from typing import (Annotated, Any, Callable, ClassVar, Dict, Final, FrozenSet, Generic, Iterable, List, Literal,
                    Mapping, Optional, Sequence, Set, Tuple, Type, TypeVar, Union, get_args, get_origin)

T = TypeVar("T")

class Box(Generic[T]):
    def __init__(self, x):
        self.x = x

class Names(List[str]):
    def first(self):
        return self[0]

class Prices(Dict[str, float]):
    pass

class Ints(Box[int]):
    pass

for t in [List[int], list[int], dict[str, int], Dict[str, List[int]], Optional[int], Optional["Node"], int | None,
          None | int, Union[int, str], Union[int, str, None], int | str | None, Union[int], Union[int, int],
          Optional[Union[int, str]], Literal["a", "b", 3], Callable[[int, str], bool], Callable[..., None], Callable,
          Tuple[int, ...], tuple[int, str], Tuple[()], Type[Box], Annotated[int, "positive", 3], Final[int],
          ClassVar[int], Any, T, int, str, Box, Box[int], Box[T], List, list, Dict, Set[int], FrozenSet[str],
          Iterable[int], Iterable, Sequence[str], Mapping[str, Any], List["Node"], list["Node"],
          List[None], list[None], Generic[T], Generic, List[T], list[int] | None, List[int] | None,
          "List[int]", None, 5, collections.abc.Iterable[int], collections.abc.Sequence]:
    print(t, "|", get_origin(t), "|", get_args(t))

print(get_origin(Optional[int]) is Union, get_origin(int | None) is types.UnionType, get_origin(List[int]) is list)
print(get_origin(Callable[[int], str]) is collections.abc.Callable, get_origin(Literal[1]) is Literal)
print(List[int] == List[int], List[int] == List[str], list[int] == list[int], list[int] == List[int], list[int] == list)
print(Optional[int] == Union[int, None], Union[int, str] == Union[str, int], (int | str) == (str | int))
print(len({List[int], List[int], list[int], Optional[int], Union[None, int]}), {Dict[str, int]: 1}[Dict[str, int]])
print(type(None) in get_args(Optional[str]), [a for a in get_args(str | None) if a is not type(None)])
print(isinstance([], List), isinstance({}, (Dict, str)), isinstance(3, Union[int, str]), isinstance(None, int | None))
print(isinstance([], Iterable), isinstance(len, Callable), issubclass(int, int | str))
for test in [lambda: isinstance([], List[int]), lambda: isinstance([], list[int]), lambda: List[int](), lambda: Dict()]:
    try:
        print(test())
    except TypeError as e:
        print("TypeError")
print(list[int]("12"), dict[str, int](a=1), defaultdict[str, int](int), Box[int](3).x, Ints(4).x)
print(Names(["b"]).first(), Prices(a=1.5), issubclass(Prices, dict), isinstance(Names(), list))
print(list[int].__origin__, list[int].__args__, Callable[[int], str].__args__, Optional[int].__args__)

def kind(t):
    origin, args = get_origin(t), get_args(t)
    if origin is Union or origin is types.UnionType:
        rest = [a for a in args if a is not type(None)]
        return f"optional {kind(rest[0])}" if len(rest) < len(args) else " or ".join(map(kind, args))
    if origin in (list, set, tuple):
        return f"{origin.__name__} of " + ", ".join(kind(a) if a is not ... else "more" for a in args)
    if origin is dict:
        key, value = args
        return f"map of {kind(key)} to {kind(value)}"
    if origin is Literal:
        return "one of " + "/".join(map(repr, args))
    return getattr(t, "__name__", str(t))

for t in (Optional[List[int]], Dict[str, Union[int, float]], Tuple[int, ...], Literal["x", 1], list[dict[str, Any]] | None):
    print(kind(t))
@dataclass
class Row:
    tags: List[str] = field(default_factory=list[str])
print(Row(), typing.List[int].__name__ if hasattr(typing.List[int], "__name__") else "none")
