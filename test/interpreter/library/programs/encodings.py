# Encodings of domains, escapes and Windows, and bytes that are no text.
for t in ["münchen.de","a..b","straße.de","日本語.jp","","x"*64+".de","ü"*64,"faß.DE","MÜNCHEN.de","xn--bcher-kva.ch", "bücher.ch.", "a.b.", "Ünı.De"]:
    try: print(repr(t), t.encode("idna"))
    except UnicodeError as e: print(type(e), e)
for b in [b"xn--mnchen-3ya.de", b"", b"\xff", b"a.b.", b"xn--wgv71a119e.jp", b"www.xn--bcher-kva.ch"]:
    try: print(b, repr(b.decode("idna")))
    except UnicodeError as e: print(type(e), e)
print("bücher".encode("punycode"), b"bcher-kva".decode("punycode"), "abc".encode("punycode"), "".encode("punycode"))
for b in [b"\\x4", b"ab\\", b"ab\\u12", b"a\\n\\u00e9\\x41\\101\\t", "é".encode()]:
    for how in ("strict", "replace", "ignore"):
        try: print(repr(b.decode("unicode_escape", how)))
        except UnicodeError as e: print(type(e), e)
print("é\n\\'日😀\x01".encode("unicode_escape"), "é\n日😀\\u".encode("raw_unicode_escape"))
print(b"a\\u65e5\\\\u65e5\xe9".decode("raw-unicode-escape"))
print("“€”ž – é".encode("cp1252"), b"\x93\x80\x94 \x96 caf\xe9".decode("windows-1252"), "€Š".encode("iso-8859-15"), b"\xa4\xa6".decode("latin9"))
for f in (lambda: "日本".encode("cp1252"), lambda: b"a\x81".decode("cp1252"), lambda: "¤".encode("iso8859_15"), lambda: "a日".encode("cp1252", "replace"), lambda: b"\x81".decode("cp1252","replace"), lambda: "a\udcff".encode("ascii","surrogateescape"), lambda: b"a\xffb\xc3\xa9".decode("utf-8","surrogateescape").encode("utf-8","surrogateescape"), lambda: ascii(b"a\xff".decode("ascii","surrogateescape")), lambda: "é".encode("ascii", "surrogateescape"), lambda: "\ud800".encode("utf-8","surrogateescape")):
    try: print(repr(f()))
    except UnicodeError as e: print(type(e).__name__, e)
