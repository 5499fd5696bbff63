"""Differences of texts, line by line."""
import difflib

a = ["one\n", "two\n", "three\n", "four five six\n", "same\n", "\ttabbed line here\n"]
b = ["ore\n", "tree\n", "emu\n", "four fivee six\n", "same\n", "new\n", "\ttabbed lime here!\n"]
print("".join(difflib.ndiff(a, b)))
print("".join(difflib.context_diff(a, b, "x", "y")))
print("".join(difflib.unified_diff(a, b, "x", "y", n=1)))
d = difflib.Differ()
r = list(d.compare(a, b))
print("".join(r))
print("".join(difflib.restore(r, 1)) == "".join(a), "".join(difflib.restore(r, 2)) == "".join(b))
print(next(difflib.unified_diff(a, b)))
print("\n".join(difflib.ndiff("a b c".split(), "a x c".split())))
print("\n".join(difflib.ndiff(["  def f(x, y):", "    return x", "z"], ["  def f(x, yy):", "    return x+1"])))
