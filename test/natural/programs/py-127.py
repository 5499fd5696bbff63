import re


def parse_env(text):
    values = {}
    for line in text.splitlines():
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        line = line.removeprefix("export ").lstrip()
        key, sep, value = line.partition("=")
        if not sep:
            continue
        value = value.strip()
        if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        else:
            value = re.split(r"\s+#", value, maxsplit=1)[0]
        values[key.strip()] = value
    return values


example = parse_env(filesystem.read_text_file(path="/app/.env.example"))
local = parse_env(filesystem.read_text_file(path="/app/.env"))
configmap = kubernetes.kubectl_get(resourceType="configmap", name="app-config", namespace="prod", output="json")
secret = kubernetes.kubectl_get(resourceType="secret", name="app-secrets", namespace="prod", output="json")

prod = dict(configmap.get("data") or {})
secret_keys = set((secret.get("data") or {}).keys())
prod_keys = prod.keys() | secret_keys

SENSITIVE = re.compile(r"(SECRET|TOKEN|PASSWORD|_KEY$)")


def show(key, value):
    if value is None:
        return "-"
    if SENSITIVE.search(key) and value:
        return value[:2] + "*" * min(6, max(0, len(value) - 2))
    return value or "(empty)"


all_keys = sorted(example.keys() | local.keys() | prod_keys)
problems = []
print(f"{'key':<22}{'example':<22}{'local':<24}prod")
for key in all_keys:
    in_prod = "<secret>" if key in secret_keys else show(key, prod.get(key))
    print(f"{key:<22}{show(key, example.get(key)):<22}{show(key, local.get(key)):<24}{in_prod}")
    if key in example and key not in local:
        problems.append(f"{key} is missing from .env")
    if key in example and key not in prod_keys:
        problems.append(f"{key} is not set in prod")
    if key not in example:
        problems.append(f"{key} is undocumented (not in .env.example)")
    if SENSITIVE.search(key) and key in prod:
        problems.append(f"{key} looks sensitive but is in the configmap")
    if key in local and local[key] == "" and example.get(key) != "":
        problems.append(f"{key} is empty in .env")
    if re.search(r"localhost|127\.0\.0\.1", prod.get(key, "")):
        problems.append(f"{key} points to localhost in prod")

print(f"\n{len(problems)} problem(s)")
for p in problems:
    print(" -", p)
result = {"keys": len(all_keys), "problems": problems}
