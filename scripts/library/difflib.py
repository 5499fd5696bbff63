# What the rest of difflib stands on.
from difflib import SequenceMatcher

__all__ = ["Differ", "IS_CHARACTER_JUNK", "IS_LINE_JUNK", "context_diff", "ndiff", "restore", "unified_diff"]
