# bytes that change
ba = bytearray(b"hello")
print(ba, repr(ba), len(ba), ba[0], ba[-1], ba[1:3], type(ba), type(ba[1:2]), type(ba).__name__)
ba[0] = 72; ba[1:3] = b"EYY"; print(ba)
ba.append(33); ba.extend(b"??"); ba.extend([65, 66]); ba.insert(0, 60); ba.insert(-1, 61); print(ba, ba.pop(), ba.pop(0), ba)
del ba[0]; del ba[1:3]; print(ba); ba.reverse(); print(ba); ba.remove(33); print(ba)
ba += b"xyz"; print(ba, ba + b"1", b"1" + ba, ba * 2, type(b"1"+ba).__name__, type(ba+b"1").__name__)
c = ba; c += b"!"; print(ba is c, ba)
print(72 in ba, b"xyz" in ba, ba == bytes(ba), bytes(ba) == ba, ba == bytearray(bytes(ba)), ba != b"", ba < b"zzz")
print(bytes(ba), list(ba)[:3], sum(ba), max(ba), sorted(ba)[:2])
print(bytearray(), bytearray(3), bytearray([1,2,255]), bytearray("é", "utf-8"), bytearray(b"abc".upper()))
for bad in (lambda: bytearray("x"), lambda: ba.append(300), lambda: ba.append("a"), lambda: hash(ba), lambda: {ba: 1}, lambda: bytearray().pop(), lambda: bytearray(b"a").remove(3), lambda: ba[100], lambda: ba["a"], lambda: ba.extend("abc"), lambda: ba.extend(5)):
    try: r = bad(); print(type(r).__name__)
    except Exception as e: print(type(e).__name__, e)
try: ba[100] = 1
except IndexError as e: print(e)
try: ba[0] = 256
except ValueError as e: print(e)
print(ba.upper(), ba.decode(), ba.hex(), ba.find(b"x"), ba.split(b"x"), ba.startswith(b"!"), ba.replace(b"x", b"--"), ba.partition(b"y"), bytearray(b" a ").strip())
print(bytearray.fromhex("ff 00 10"), b"".join([ba, b"z"]), bytearray(b",").join([b"a", b"b"]))
import hashlib, base64, binascii, struct, zlib, copy
print(hashlib.md5(ba).hexdigest(), base64.b64encode(ba), binascii.hexlify(ba), zlib.crc32(ba), struct.unpack(">H", bytearray(b"\x01\x02")), int.from_bytes(ba, "big") > 0)
d = copy.copy(ba); d[0] = 0; e = copy.deepcopy(ba); e.append(1); print(ba, d, e, ba.copy() == ba)
print(isinstance(ba, bytearray), isinstance(ba, bytes), isinstance(ba, (bytes, bytearray)), bool(bytearray()), bool(ba))
buf = bytearray(8); buf[2:4] = b"\x01\x02"; buf[::3] = b"abc"; print(buf); del buf[::2]; print(buf, len(buf))
x = bytearray()
for i in range(1000): x.append(i % 256)
print(len(x), x[-3:], x.count(5), x.index(7))
key = b"k3y"
data = bytearray(b"secret message")
for i in range(len(data)): data[i] ^= key[i % len(key)]
print(data, bytes(data).hex())
sieve = bytearray([1]) * 50
sieve[0:2] = b"\x00\x00"
for i in range(2, 8):
    if sieve[i]: sieve[i*i::i] = bytearray(len(sieve[i*i::i]))
print([i for i, v in enumerate(sieve) if v], sum(sieve))
x.clear(); print(x, f"{x}", str(ba), [ba])
m = bytearray(b"abc"); m *= 2; print(m); m[len(m):] = m; print(m); m.extend(m); print(len(m))
print(ba.isalpha(), bytearray(b"12").isdigit(), bytearray(b"a b").title(), [*m[:2]], m[1:4:2])
