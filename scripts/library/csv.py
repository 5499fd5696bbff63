# What csv.Sniffer stands on.
import re
from csv import QUOTE_MINIMAL, Dialect, Error, reader
from io import StringIO

__all__ = ["Sniffer"]
_NUMBER = r"[+-]?(?:(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf(?:inity)?|nan)"
_COMPLEX = re.compile(rf"{_NUMBER}|(?:{_NUMBER})?(?:{_NUMBER}|[+-])?j", re.IGNORECASE)


def complex(text):
    """Refuses what is not written like a number, as CPython's does."""
    bare = text.strip()
    if bare.startswith("(") and bare.endswith(")"):
        bare = bare[1:-1].strip()
    if not _COMPLEX.fullmatch(bare):
        raise ValueError("complex() arg is a malformed string")
