# NaN and infinities where an int is wanted
nan, inf = float("nan"), float("inf")
def say(f):
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, e)
for x in (nan, inf, 1.5):
    say(lambda: [1].pop(x))
    say(lambda: chr(x))
    say(lambda: round(1.5, x))
    say(lambda: [1].insert(x, 1))
    say(lambda: "a".center(x))
    say(lambda: range(x))
    say(lambda: "a" * x)
    say(lambda: [1][x])
    say(lambda: bin(x))
    say(lambda: (5).to_bytes(x, "big"))
    say(lambda: "abc".find("b", x))
    say(lambda: list("abc")[x:])
    say(lambda: divmod(7, x))
    say(lambda: 7 // x)
    say(lambda: int(x))
# --- ranges that are too long to count
def say(f):
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, e)
say(lambda: len(range(10**400)))
say(lambda: "a" * 10**20)
say(lambda: [0] * 10**20)
# --- small things that are easily missed
print("\x1c".isspace(), "\x1f".isspace(), "\x1b".isspace(), {}.fromkeys("ab"), dict.fromkeys([1], 2))
try: b"abc".replace()
except TypeError as e: print(e)
print(b"abc".replace(b"b", b""), "a\tb".expandtabs(4), "7".zfill(3), (5).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "little"))
