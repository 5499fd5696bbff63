# What the rest of inspect stands on: functions, and what is known of them.
import abc
import enum
import functools
import re
import sys
import types
from _functions import described, facts
from collections import OrderedDict, namedtuple
from dataclasses import MISSING, is_dataclass, fields
from keyword import iskeyword

FullArgSpec = namedtuple("FullArgSpec", "args, varargs, varkw, defaults, kwonlyargs, kwonlydefaults, annotations")


def isclass(object):
    return isinstance(object, type)


def isfunction(object):
    return type(object).__name__ == "function"


def ismethod(object):
    return type(object).__name__ == "method"


def isbuiltin(object):
    return type(object).__name__ == "builtin_function_or_method"


def isroutine(object):
    return isfunction(object) or ismethod(object) or isbuiltin(object)


def ismodule(object):
    return type(object).__name__ == "module"


def isgenerator(object):
    return type(object).__name__ == "generator"


def iscoroutine(object):
    return type(object).__name__ == "coroutine"


def isawaitable(object):
    return iscoroutine(object) or hasattr(object, "__await__")


def _plain(function):
    return function.__func__ if ismethod(function) else function


def isgeneratorfunction(obj):
    return facts(_plain(obj)) == "generator"


def iscoroutinefunction(obj):
    return facts(_plain(obj)) == "coroutine"


def isasyncgenfunction(obj):
    return facts(_plain(obj)) == "async_generator"


def isabstract(object):
    return isclass(object) and len(getattr(object, "__abstractmethods__", ())) > 0


def getmro(cls):
    return cls.__mro__


def _finddoc(obj):
    if isclass(obj):
        return next((base.__doc__ for base in obj.__mro__ if base is not object and base.__doc__ is not None), None)
    owner = getattr(obj, "__self__", None)
    if owner is None:
        return None
    for base in (owner if isclass(owner) else type(owner)).__mro__:
        doc = getattr(getattr(base, obj.__name__, None), "__doc__", None)
        if doc is not None:
            return doc
    return None


def get_annotations(obj, *, globals=None, locals=None, eval_str=False):
    return dict(vars(obj).get("__annotations__", {}) if isclass(obj) else getattr(obj, "__annotations__", {}))


def _annotation_of_field(cls, name):
    for base in cls.__mro__:
        own = vars(base).get("__annotations__", {})
        if name in own:
            return own[name]
    return _empty


def unwrap(func, *, stop=None):
    first, seen = func, []
    while hasattr(func, "__wrapped__") and not (stop is not None and stop(func)):
        seen.append(func)
        func = func.__wrapped__
        if any(func is one for one in seen):
            raise ValueError(f"wrapper loop when unwrapping {first!r}")
    return func


class _Factory:
    def __repr__(self):
        return "<factory>"


def _signature_of_fields(cls, sigcls):
    usual, keywords = [], []
    for field in fields(cls):
        if not field.init:
            continue
        default = field.default
        if default is MISSING:
            default = _empty if field.default_factory is MISSING else _Factory()
        kind = _KEYWORD_ONLY if field.kw_only else _POSITIONAL_OR_KEYWORD
        one = Parameter(field.name, kind, default=default, annotation=_annotation_of_field(cls, field.name))
        (keywords if field.kw_only else usual).append(one)
    return sigcls(usual + keywords, return_annotation=None)


def _signature_of_tuple(cls, sigcls):
    return sigcls(
        [
            Parameter(
                name,
                _POSITIONAL_OR_KEYWORD,
                default=cls._field_defaults.get(name, _empty),
                annotation=_annotation_of_field(cls, name),
            )
            for name in cls._fields
        ]
    )


def _signature_of_class(cls, sigcls, **options):
    for base in cls.__mro__:
        own = vars(base)
        if base is object:
            break
        if "__init__" in own and described(own["__init__"]) is not None:
            return _signature_bound_method(_signature_from_callable(own["__init__"], sigcls=sigcls))
        if is_dataclass(base):
            return _signature_of_fields(base, sigcls)
        if "_fields" in own and issubclass(base, tuple):
            return _signature_of_tuple(base, sigcls)
        if "__new__" in own and described(_plain(own["__new__"])) is not None:
            return _signature_bound_method(_signature_from_callable(_plain(own["__new__"]), sigcls=sigcls))
    if all(base is object or base.__module__ == "__main__" for base in cls.__mro__):
        return sigcls()
    raise ValueError(f"no signature found for builtin type {cls!r}")


def _signature_from_callable(
    obj,
    *,
    follow_wrapper_chains=True,
    skip_bound_arg=True,
    globals=None,
    locals=None,
    eval_str=False,
    sigcls=None,
):
    if not callable(obj):
        raise TypeError(f"{obj!r} is not a callable object")
    if isclass(obj):
        return _signature_of_class(obj, sigcls)
    if follow_wrapper_chains:
        obj = unwrap(obj, stop=lambda f: hasattr(f, "__signature__") or ismethod(f))
    own = getattr(obj, "__signature__", None)
    if own is not None:
        if not isinstance(own, Signature):
            raise TypeError(f"unexpected object {own!r} in __signature__ attribute")
        return own
    if ismethod(obj):
        whole = _signature_from_callable(obj.__func__, follow_wrapper_chains=follow_wrapper_chains, sigcls=sigcls)
        return _signature_bound_method(whole) if skip_bound_arg else whole
    parameters = described(obj)
    if parameters is not None:
        annotations = obj.__annotations__
        return sigcls(
            [
                Parameter(
                    name,
                    _ParameterKind(kind),
                    default=default[0] if default else _empty,
                    annotation=annotations.get(name, _empty),
                )
                for name, kind, *default in parameters
            ],
            return_annotation=annotations.get("return", _empty),
            __validate_parameters__=False,
        )
    if not isroutine(obj) and hasattr(type(obj), "__call__"):
        return _signature_from_callable(obj.__call__, sigcls=sigcls)
    raise ValueError(f"no signature found for builtin {obj!r}")
