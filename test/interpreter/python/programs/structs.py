import struct

# A packet format written and read back, and what goes wrong on the way.
Header = struct.Struct("!4sBBHIq")


def encode(kind, flags, number, stamp, payload):
    return Header.pack(b"PKT1", kind, flags, len(payload), number, stamp) + payload


def decode(blob):
    magic, kind, flags, length, number, stamp = Header.unpack_from(blob)
    if magic != b"PKT1":
        raise ValueError(f"bad magic {magic!r}")
    return kind, flags, number, stamp, blob[Header.size : Header.size + length]


blob = encode(7, 0b101, 4_000_000_000, -(2**40), b"hello")
print(blob.hex(" "), len(blob), Header.size, Header.format)
print(decode(blob), Header.unpack(blob[: Header.size]))
try:
    decode(b"XXXX" + blob[4:])
except ValueError as e:
    print(e)
for fmt in ("<bBhHiIqQ", ">bBhHiIqQ", "bIh3sq", "=bIh3sq", "@bd?c", "<3x2h", "5p", "lL"):
    print(fmt, struct.calcsize(fmt))
print(struct.pack("<bBhHiIqQ", -1, 255, -2, 65535, -3, 2**32 - 1, -4, 2**64 - 1))
print(struct.pack("bIh", 1, 2, 3), struct.pack("<fd", 1.5, 0.1), struct.pack(">c?3s5p", b"x", [0], b"abcdef", b"pq"))
print(struct.unpack("<fd", struct.pack("<fd", 0.1, 0.1)), struct.unpack(">c?3s5p", b"x\x01abc\x02pq\0\0"))
print(list(struct.iter_unpack("<Hb", b"\1\0\2\3\0\xff")), struct.unpack(">2h x B", b"\0\1\xff\xff\0\x80"))
for attempt in (
    lambda: struct.pack("<B", 300),
    lambda: struct.pack("<h", 40000),
    lambda: struct.pack("<I", -1),
    lambda: struct.pack("<i", 2**40),
    lambda: struct.pack("<q", 2**63),
    lambda: struct.pack("<HH", 1),
    lambda: struct.pack("<s", "a"),
    lambda: struct.pack("<f", "a"),
    lambda: struct.pack("<B", 1.5),
    lambda: struct.pack("<f", 1e300),
    lambda: struct.pack("<c", b"ab"),
    lambda: struct.unpack("<I", b"ab"),
    lambda: struct.unpack("<I", "abcd"),
    lambda: struct.unpack_from("<I", b"abcd", 2),
    lambda: list(struct.iter_unpack("<H", b"abc")),
    lambda: struct.calcsize("<y"),
    lambda: struct.calcsize("<3"),
):
    try:
        print(attempt())
    except (struct.error, TypeError, OverflowError) as e:
        print(type(e).__name__, e)
