# What programs do with `re`, once each.
import re

text = "2024-01-15 ERROR [db] user=anna id=42; 2024-02-01 WARN [web] user=bob id=7"
pattern = re.compile(r"(?P<date>\d{4}-\d{2}-\d{2}) (?P<level>[A-Z]+) \[(\w+)\]")
for m in pattern.finditer(text):
    print(m.group("date"), m["level"], m.group(3), m.span(), m.start("level"), m.end(2), m.groups(), m.groupdict(), m.lastgroup, m.lastindex)
print(pattern.search(text), pattern.match("x"), pattern.pattern, pattern.groups, dict(pattern.groupindex), pattern.flags)
print(re.findall(r"id=(\d+)", text), re.findall(r"\b\w{2}\b", "ab abc de"), re.findall(r"(a)(b)?", "abac"), re.findall("", "ab"))
print(re.sub(r"(\w+)=(\w+)", r"\2:\1", text), re.sub(r"\d", lambda m: str(int(m[0]) + 1), "a1b9"), re.subn("a", "b", "banana", 2), re.sub(r"(?P<x>a)", r"[\g<x>\g<1>]", "cat"))
print(re.split(r"[;,\s]+", "a, b;c  d"), re.split(r"(-)", "a-b-c", maxsplit=1), re.split(r"\b", "hi you"), re.split("x*", "axbc"))
print(re.match(r"a.c", "a\nc"), re.match(r"a.c", "a\nc", re.S), re.search(r"^b$", "a\nb\nc", re.M), re.search(r"B", "abc", re.I | re.M), re.fullmatch(r"\d+", "12a"))
print(re.compile(r"""
    (\d+)   # digits
    \s*     # space
    ([a-z]) # a letter
""", re.VERBOSE).match("12 x").groups(), re.compile("a", re.I), re.compile("(?i)a").flags, re.escape("a.b*c[d] é"))
print(re.findall(r"(?<=\$)\d+(?!\d*%)", "$5 $60% $7"), re.findall(r"(?i:A)b", "ab Ab AB"), re.findall(r"(\w)\1", "aabbcd"), re.findall(r"(?P<q>['\"]).*?(?P=q)", "'a' \"b\""))
print(re.findall(r"\w+", "naïve café 中文 x_1"), re.findall(r"\w+", "é a", re.A), re.findall(r"\d", "٣4"), re.findall(r"[^\W\d_]+", "ab1_é"), re.findall(r"\s", "a\u2003b\xa0c"))
print(re.match("a*?", "aaa").group(), re.match("a*+b", "aab"), re.match("(?>a+)b", "aab"), re.match(r"(a)|b", "b").groups("none"), bool(re.match("a{,2}$", "aa")), re.findall("a{2,3}?", "aaaa"))
print(re.match("(a)(b)?", "a").group(2), re.match("(.)(.)", "ab").group(1, 2), re.match("ab", "abc").expand(r"<\g<0>>"), re.sub("", "-", "abc"), re.sub("x*", "-", "abxd"))
for bad in ["(", "[a", "*a", "a**", "(?P<n>a)(?P<n>b)", r"\1", "a{3,1}", "(?z)", r"\q", ")", "(?P<1>a)", "a(?i)b"]:
    try:
        re.compile(bad)
    except re.error as e:
        print(e, "|", e.msg, e.pos)
try:
    re.match("a", "a").group(3)
except IndexError as e:
    print(e)
