"""Plan (and mostly carry out) a clean-up of the downloads folder."""
import re
from datetime import datetime, timedelta
from pathlib import PurePosixPath

ROOT = PurePosixPath("/home/me/Downloads")
TODAY = datetime(2024, 6, 1)
KINDS = {"images": {".jpg", ".png", ".gif"}, "documents": {".pdf", ".docx", ".txt"}, "archives": {".zip", ".gz", ".tar"}, "installers": {".exe", ".dmg"}}
SIZE = {"B": 1, "KB": 1024, "MB": 1024**2, "GB": 1024**3}

listing = server_filesystem.list_directory_with_sizes(path=str(ROOT), sortBy="name")
files = []
for m in re.finditer(r"^\[FILE\] (.+?)\s{2,}([\d.]+) (B|KB|MB|GB)$", listing, re.M):
    name, number, unit = m.groups()
    info = dict(l.split(": ", 1) for l in server_filesystem.get_file_info(path=str(ROOT / name)).splitlines())
    shown, exact = float(number) * SIZE[unit], int(info["size"])
    assert abs(shown - exact) <= 0.01 * max(exact, 1) + SIZE[unit] * 0.01, name
    files.append((PurePosixPath(name), exact, datetime.strptime(info["modified"][:10], "%Y-%m-%d")))

declared = int(re.search(r"Total: (\d+) files", listing).group(1))
print(f"{len(files)} of {declared} files, {sum(f[1] for f in files) / 1024**2:.1f} MB")

originals = {}
duplicates, stale, moves, failed = [], [], {}, {}
for path, size, modified in sorted(files, key=lambda f: f[2]):
    base = re.sub(r" \(\d+\)(?=\.|$)", "", path.name)
    if (base, size) in originals:
        duplicates.append(path.name)
        continue
    originals[base, size] = path
    if TODAY - modified > timedelta(days=2 * 365):
        stale.append(f"{path.name} ({modified:%b %Y})")
    kind = next((k for k, exts in KINDS.items() if path.suffix.lower() in exts), None)
    if kind:
        moves[path] = ROOT / kind / path.name

for folder in sorted({str(dst.parent) for dst in moves.values()}):
    server_filesystem.create_directory(path=folder)
for src, dst in moves.items():
    try:
        server_filesystem.move_file(source=str(ROOT / src), destination=str(dst))
        print(f"  {src}  →  {dst.relative_to(ROOT)}")
    except Exception as e:
        failed[src.name] = str(e)
        print(f"  {src}  ✗  {e}")

print("duplicates:", duplicates)
print("stale:", stale)
result = {"moved": len(moves) - len(failed), "failed": failed, "duplicates": duplicates, "stale": stale,
          "stems": sorted({p.stem for p in moves}), "unsorted": [p.name for p, *_ in files if p not in moves and p.name not in duplicates]}
