import configparser
import io

PATH = "/etc/myapp/app.ini"

original = filesystem.read_text_file(path=PATH)

config = configparser.ConfigParser(interpolation=None)
config.optionxform = str  # keep key case
config.read_string(original)

print("Sections:", ", ".join(config.sections()))

changes = []


def set_value(section, key, value):
    if not config.has_section(section):
        config.add_section(section)
    old = config.get(section, key, fallback=None)
    if old == value:
        print(f"[{section}] {key} already {value}")
        return
    config.set(section, key, value)
    changes.append({"section": section, "key": key, "old": old, "new": value})


# raise pool size but never above the hard limit
limit = config.getint("database", "max_connections", fallback=100)
current = config.getint("database", "pool_size", fallback=5)
set_value("database", "pool_size", str(min(current * 2, limit)))
set_value("logging", "level", "INFO")
set_value("server", "request_timeout", "45s")
if config.getboolean("server", "debug", fallback=False):
    set_value("server", "debug", "false")
set_value("feature_flags", "newCheckout", "true")

if changes:
    buf = io.StringIO()
    config.write(buf)
    new_text = buf.getvalue().rstrip("\n") + "\n"
    filesystem.write_file(path=PATH + ".bak", content=original)
    filesystem.write_file(path=PATH, content=new_text)
    print(new_text)

width = max(len(f"{c['section']}.{c['key']}") for c in changes)
for c in changes:
    label = f"{c['section']}.{c['key']}"
    print(f"{label:<{width}}  {c['old'] if c['old'] is not None else '(unset)'} -> {c['new']}")

result = {"path": PATH, "changes": changes}
