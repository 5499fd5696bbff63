# Runs a program from stdin in CPython with bounded memory, so that what would not fit anywhere is a MemoryError.
import sys, warnings

warnings.simplefilter("ignore")
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
except (ImportError, ValueError):
    pass
text = sys.stdin.read()
exec(compile(text, "<program>", "exec"), {"__name__": "__main__"})
