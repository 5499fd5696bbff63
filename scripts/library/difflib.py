# What the rest of difflib stands on.
from difflib import SequenceMatcher
import re
from collections import namedtuple
__all__ = ["Differ", "IS_LINE_JUNK", "IS_CHARACTER_JUNK", "unified_diff", "context_diff", "ndiff", "restore", "HtmlDiff"]
