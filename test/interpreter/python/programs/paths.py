# paths as values
from pathlib import Path, PurePath, PurePosixPath
import os.path, posixpath
p = Path("data") / "raw" / "file.tar.gz"
print(p, repr(p), p.name, p.stem, p.suffix, p.suffixes, p.parent, p.parts, p.parent.parent, list(map(str, p.parents)))
print(p.with_suffix(".zip"), p.with_name("x.txt"), p.with_stem("other"), "/srv" / p, p / "/abs", p.joinpath("a", "b/c"))
print(Path("a//b/./c/../d"), Path(), Path("/"), Path("//a"), Path("///a"), Path("a/"), Path("."), Path("a", "b", Path("c")))
print(p == Path("data/raw/file.tar.gz"), p != PurePath("x"), p < Path("z"), sorted([Path("b"), Path("a/z"), Path("a")]), {p: 1}[Path("data/raw/file.tar.gz")])
print(Path("/a/b/c").relative_to("/a"), Path("/a/b").is_relative_to("/a"), Path("/a").is_absolute(), Path("a").is_absolute(), Path("/a/b").as_posix(), Path("/a").root, Path("a").anchor)
for bad in (lambda: Path("/a").relative_to("/b"), lambda: Path("").with_name("x"), lambda: Path("a").with_suffix("txt"), lambda: Path(3), lambda: Path("a") / 3, lambda: Path("a").with_name("b/c")):
    try: print(bad())
    except Exception as e: print(type(e).__name__, e)
print(type(p).__name__, isinstance(p, Path), isinstance(p, PurePath), isinstance(PurePosixPath("a"), Path), repr(PurePosixPath("a/b")), repr(PurePath("x")))
print(Path("a/b.py").match("*.py"), Path("/a/b.py").match("a/*.py"), Path("a/b.py").match("/*.py"), f"{p}", str(p), os.path.join(p, "x"), os.path.basename(p), posixpath.join("a","b"))
print(Path(".bashrc").suffix, Path(".bashrc").stem, Path("a.").suffix, Path("a.b.").suffixes, Path("..").name, Path("a/..").parts, f"{p.name:>20}|", [p.name for p in Path("/a/b/c").parents], Path("/a/b").parents[0], Path("a/b") in {Path("a/b")})
