import re

ROOT = "/home/deploy"
MAX_DEPTH = 3
UNITS = {"B": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3}

entry_re = re.compile(r"^\[(DIR|FILE)\]\s+(.+?)\s*(?:(\d+(?:\.\d+)?)\s*(B|KB|MB|GB))?$")


def human(n):
    for unit in ("B", "KB", "MB", "GB"):
        if n < 1024 or unit == "GB":
            return f"{n:.0f} {unit}" if unit == "B" else f"{n:.1f} {unit}"
        n /= 1024


files = []
dir_totals = {}
denied = []


def walk(path, depth=0):
    try:
        listing = filesystem.list_directory_with_sizes(path=path, sortBy="size")
    except Exception as e:
        denied.append((path, str(e)))
        return 0
    total = 0
    for line in listing.splitlines():
        m = entry_re.match(line.strip())
        if not m:
            continue
        kind, name, size, unit = m.groups()
        full = f"{path}/{name}"
        if kind == "DIR":
            if depth < MAX_DEPTH:
                total += walk(full, depth + 1)
        else:
            n = float(size or 0) * UNITS[unit or "B"]
            files.append((n, full))
            total += n
    dir_totals[path] = total
    return total


grand = walk(ROOT)
print(f"Total under {ROOT}: {human(grand)} in {len(files)} files\n")

print("Directories")
for path, size in sorted(dir_totals.items(), key=lambda kv: -kv[1]):
    if path == ROOT:
        continue
    share = size / grand if grand else 0
    bar = "#" * round(share * 20)
    print(f"  {human(size):>10}  {share:>6.1%}  {bar:<20}  {path.removeprefix(ROOT + '/')}")

print("\nLargest files")
for size, path in sorted(files, reverse=True)[:5]:
    print(f"  {human(size):>10}  {path}")

by_ext = {}
for size, path in files:
    name = path.rsplit("/", 1)[-1]
    ext = name.rsplit(".", 1)[-1].lower() if "." in name.lstrip(".") else "(none)"
    count, acc = by_ext.get(ext, (0, 0))
    by_ext[ext] = (count + 1, acc + size)

print("\nBy extension")
for ext, (count, size) in sorted(by_ext.items(), key=lambda kv: kv[1][1], reverse=True):
    print(f"  {ext:<8} {count:>3} files {human(size):>10}")

for path, why in denied:
    print(f"skipped {path}: {why}")

result = {"total_bytes": int(grand), "files": len(files), "skipped": [p for p, _ in denied]}
