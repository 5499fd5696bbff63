"""INI files: sections, options, what is wrong with them."""
import configparser, io
cp = configparser.ConfigParser()
cp.read_string("""
[DEFAULT]
base = /opt
Timeout: 30

[server]
host = 0.0.0.0
port=8080
path = %(base)s/bin
; comment
# another
long = first
  second
  third

empty =
pct = 50%%
[db]
url: postgres://x:y@z/db
timeout = 5
on = Yes
""")
print(cp.sections(), dict(cp["server"]), cp.options("db"), cp.defaults())
print(cp.get("server", "path"), cp["server"]["LONG"], repr(cp["server"]["empty"]), cp["server"]["pct"], cp.get("server", "path", raw=True))
print(cp.getint("server", "port"), cp["db"].getboolean("on"), cp.getfloat("db", "timeout"), cp["db"].getint("nope", 7), cp["db"].get("nope"), cp.get("db", "nope", fallback="fb"), cp["db"].get("nope", "dd"))
for f in (lambda: cp.get("nope", "a"), lambda: cp.get("db", "a"), lambda: cp["zz"], lambda: cp["db"]["zz"], lambda: cp.getint("db", "on"), lambda: cp.getboolean("db", "url"), lambda: cp.add_section("db"),
          lambda: configparser.ConfigParser().read_string("a=1\n"), lambda: configparser.ConfigParser().read_string("[a]\nfoo\n"), lambda: configparser.ConfigParser().read_string("[a]\nx=1\nX=2\n"), lambda: configparser.ConfigParser().read_string("[a]\n[a]\n"), lambda: cp.set("db", "x", 5)):
    try: print(f())
    except (configparser.Error, KeyError, ValueError, TypeError) as e: print(type(e).__name__, "|", e)
cp.add_section("new"); cp.set("new", "k", "v"); cp["made"] = {"a": 1, "B": "two"}
cp["new"]["z"] = "multi\nline"
print(cp.has_section("made"), cp.has_option("made", "b"), "new" in cp, "k" in cp["new"], cp["made"], list(cp), len(cp), cp.remove_option("new", "k"), cp.remove_section("db"))
out = io.StringIO(); cp.write(out); print(out.getvalue())
p2 = configparser.ConfigParser(allow_no_value=True, inline_comment_prefixes=("#",)); p2.optionxform = str
p2.read_string("[A b]\nKey = v # note\nflag\n")
print(p2.items("A b"), p2["A b"]["flag"], [(k, dict(v)) for k, v in p2.items()])
for name in cp.sections():
    for k, v in cp[name].items(): print(name, k, v)
p3 = configparser.ConfigParser(interpolation=None); p3.read_dict({"s": {"a": "%x", "n": 3}}); print(p3["s"]["a"], p3.getint("s", "n"), p3["s"].name)
print({s: dict(p3.items(s)) for s in p3.sections()}, p3.read("missing.ini"))
