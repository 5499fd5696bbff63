from collections import ChainMap, OrderedDict
from configparser import ConfigParser, ExtendedInterpolation, Error as ConfigError, DuplicateOptionError
from string import Template

ENVS = ["dev", "staging", "prod"]
SECRET_WORDS = ("password", "secret", "token", "key")


def load(env):
    text = server_filesystem.read_text_file(path=f"/etc/shop/{env}.ini")["content"]
    parser = ConfigParser(interpolation=ExtendedInterpolation(), strict=True, inline_comment_prefixes=(";",), allow_no_value=True)
    parser.optionxform = str
    try:
        parser.read_string(text, source=f"{env}.ini")
    except DuplicateOptionError as e:
        warnings.append(f"{env}: option {e.option!r} in [{e.section}] set twice (line {e.lineno})")
        parser = ConfigParser(interpolation=ExtendedInterpolation(), strict=False, inline_comment_prefixes=(";",), allow_no_value=True)
        parser.optionxform = str
        parser.read_string(text, source=f"{env}.ini")
    return parser


def flatten(parser):
    flat = OrderedDict()
    for section in parser.sections():
        for option in parser.options(section):
            try:
                flat[f"{section}.{option}"] = parser.get(section, option)
            except ConfigError as e:
                flat[f"{section}.{option}"] = f"<{type(e).__name__}>"
    return flat


def mask(key, value):
    if value is None:
        return "(no value)"
    if any(w in key.lower() for w in SECRET_WORDS) and not value.startswith("vault:"):
        return value[:2] + "*" * (len(value) - 2)
    return value


warnings = []
configs = {env: load(env) for env in ENVS}
flat = {env: flatten(p) for env, p in configs.items()}

keys = sorted(set().union(*flat.values()))
drift, missing = [], []
print(f"{'option':<26}" + "".join(f"{e:<26}" for e in ENVS))
for key in keys:
    values = [flat[e].get(key, "—") for e in ENVS]
    absent = [e for e in ENVS if key not in flat[e]]
    if absent:
        missing.append((key, absent))
    if len(set(values)) > 1:
        drift.append(key)
        print(f"{key:<26}" + "".join(f"{mask(key, v)[:24]:<26}" for v in values))

# secrets must come from the vault outside dev
for env in ENVS[1:]:
    for key, value in flat[env].items():
        if value and any(w in key.lower() for w in SECRET_WORDS) and not value.startswith("vault:"):
            warnings.append(f"{env}: {key} is a literal secret")

# typed checks
for env, parser in configs.items():
    for section, option, getter, ok in [
        ("server", "port", parser.getint, lambda v: 1024 <= v < 65536),
        ("server", "debug", parser.getboolean, lambda v: env == "dev" or not v),
        ("db", "timeout", parser.getfloat, lambda v: 0 < v <= 30),
        ("db", "pool", parser.getint, lambda v: v >= 5 or env == "dev"),
    ]:
        try:
            value = getter(section, option, fallback=None)
        except ValueError as e:
            warnings.append(f"{env}: {section}.{option}: {e}")
            continue
        if value is None:
            warnings.append(f"{env}: {section}.{option} is not set")
        elif not ok(value):
            warnings.append(f"{env}: {section}.{option} = {value!r} is not allowed")

live = kubernetes_flux159.kubectl_get(resourceType="configmap", name="shop-config", namespace="prod", output="json")["data"]
stale = sorted(k for k, v in live.items() if flat["prod"].get(k) != v)
print("\nlive ConfigMap differs from prod.ini in:", ", ".join(stale) or "nothing")

# render a patch for what is deployed
tpl = Template("""apiVersion: v1
kind: ConfigMap
metadata:
  name: ${name}
  namespace: ${ns}
data:
${data}
# cost: $$0, ${count} keys
""")
effective = ChainMap({k: flat["prod"][k] for k in stale if k in flat["prod"]}, {k: v for k, v in live.items() if k in flat["prod"]})
manifest = tpl.substitute(
    name="shop-config", ns="prod", count=len(effective),
    data="\n".join(f'  {k}: "{effective[k]}"' for k in sorted(effective)),
)
print(manifest)
applied = kubernetes_flux159.kubectl_apply(manifest=manifest, namespace="prod", dryRun=True)
print(applied)

for w in warnings:
    print("WARN", w)
result = {"drift": drift, "missing": missing, "stale": stale, "warnings": len(warnings), "unsubstituted": Template("$who likes ${what}").safe_substitute(who="tim")}
