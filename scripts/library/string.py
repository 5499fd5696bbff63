# What string.Formatter stands on, which CPython has in C.
__all__ = ["Formatter"]


def formatter_parser(text):
    """The pieces of a format string: literal text, and the field after it."""
    at, end = 0, len(text)
    while at < end:
        start = at
        while at < end and text[at] not in "{}":
            at += 1
        if at == end:
            yield text[start:], None, None, None
            return
        brace = text[at]
        at += 1
        if at < end and text[at] == brace:
            yield text[start:at], None, None, None
            at += 1
            continue
        if brace == "}" or at == end:
            raise ValueError(f"Single '{brace}' encountered in format string")
        literal = text[start : at - 1]
        name, spec, conversion, at = _field(text, at, end)
        yield literal, name, spec, conversion


def _field(text, at, end):
    start, ending = at, ""
    while at < end:
        ending = text[at]
        at += 1
        if ending == "{":
            raise ValueError("unexpected '{' in field name")
        if ending == "[":
            close = text.find("]", at)
            at = end if close < 0 else close
        elif ending in "}:!":
            break
    name, conversion = text[start : at - 1], None
    if ending == "!":
        if at == end:
            raise ValueError("end of string while looking for conversion specifier")
        conversion = text[at]
        ending = text[at + 1 : at + 2] or ":"
        at += 2
        if ending not in "}:":
            raise ValueError("expected ':' after conversion specifier")
    if ending == "}":
        return name, "", conversion, at
    if ending != ":":
        raise ValueError("expected '}' before end of string")
    start, open_braces = at, 1
    while at < end:
        open_braces += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
        if open_braces == 0:
            return name, text[start : at - 1], conversion, at
    raise ValueError("unmatched '{' in format spec")


def formatter_field_name_split(name):
    """What a field begins with, and its attributes and elements."""
    at = next((i for i, c in enumerate(name) if c in ".["), len(name))
    return _index(name[:at]), _steps(name, at)


def _steps(name, at):
    end = len(name)
    while at < end:
        is_attribute = name[at] == "."
        if not is_attribute and name[at] != "[":
            raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
        start = at = at + 1
        while at < end and (name[at] not in ".[" if is_attribute else name[at] != "]"):
            at += 1
        if not is_attribute and at == end:
            raise ValueError("Missing ']' in format string")
        step = name[start:at]
        if not step:
            raise ValueError("Empty attribute in format string")
        yield is_attribute, step if is_attribute else _index(step)
        at += not is_attribute


def _index(text):
    return int(text) if text.isdecimal() else text
