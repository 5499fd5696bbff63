# difflib, checksums, keyed hashes, months, read-only dicts.
import difflib
print(difflib.get_close_matches("appel", ["ape", "apple", "peach", "puppy"]), difflib.get_close_matches("zzz", ["a"]), difflib.get_close_matches("usr", ["user", "uses", "usr_id"], n=2, cutoff=0.5))
s = difflib.SequenceMatcher(None, "abcd", "bcde")
print(round(s.ratio(), 3), s.get_matching_blocks(), s.quick_ratio(), s.real_quick_ratio(), s.find_longest_match(0, 4, 0, 4))
a = "one\ntwo\nthree\nx\ny\nz\nq\nr\n".splitlines(keepends=True); b = "one\ntoo\nthree\nx\ny\nz\nq\nr\nfour\n".splitlines(keepends=True)
print("".join(difflib.unified_diff(a, b, "a.txt", "b.txt")), "".join(difflib.unified_diff(a, b, n=1)))
for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, "qabxcd", "abycdf").get_opcodes(): print(tag, i1, i2, j1, j2)
print(difflib.SequenceMatcher(lambda x: x == " ", " abcd", "abcd abcd").ratio(), difflib.SequenceMatcher(a=[1, 2, 3], b=[2, 3, 4]).ratio(), list(difflib.unified_diff(["a"], ["a"])), difflib.SequenceMatcher(None, "", "").ratio())
print("\n".join(difflib.unified_diff("a b c".split(), "a x c".split(), lineterm="")))
import unicodedata, zlib, hmac, hashlib, calendar
from types import MappingProxyType, SimpleNamespace
print("".join(c for c in unicodedata.normalize("NFD", "Crème Brûlée ñ") if not unicodedata.combining(c)), unicodedata.combining("\u0327"), unicodedata.combining("a"))
print(zlib.crc32(b"hello"), zlib.crc32(b"lo", zlib.crc32(b"hel")), zlib.adler32(b"hello"), hmac.new(b"key", b"msg", hashlib.sha256).hexdigest(), hmac.new(b"k" * 100, digestmod="md5").hexdigest(), hmac.compare_digest("a", "a"))
print(calendar.month(2024, 2)); calendar.prmonth(2023, 10); print(calendar.month(2024, 9))
ro = MappingProxyType({"a": 1})
try: ro["b"] = 2
except TypeError as e: print(e)
print(ro, ro["a"], dict(ro), list(ro), "a" in ro, len(ro), ro.get("z"), {**ro}, ro == {"a": 1}, repr(ro), ro.items(), isinstance(ro, MappingProxyType))
