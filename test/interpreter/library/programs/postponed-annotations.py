# Annotations that stay texts.
from __future__ import annotations
import inspect, typing
def f(x: int, y: list[str] | None = None) -> Thing: pass
class Thing:
    a: int
    b: str = "x"
print(inspect.signature(f), f.__annotations__, Thing.__annotations__)
