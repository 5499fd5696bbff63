# Digests of all kinds and names of characters.
import hashlib, html, uuid, hmac
for n in sorted(["md5","sha1","sha224","sha256","sha384","sha512","sha3_224","sha3_256","sha3_384","sha3_512","blake2b","blake2s"]):
    h = hashlib.new(n, b"hello"); h.update(b" world"*30)
    print(n, h.hexdigest(), h.digest_size, h.block_size)
print(hashlib.sha256("é".encode()).hexdigest(), hashlib.blake2b(b"x", digest_size=16).hexdigest())
print(hmac.new(b"k", b"m", hashlib.sha256).hexdigest(), uuid.uuid5(uuid.NAMESPACE_DNS, "a.b"), uuid.uuid3(uuid.NAMESPACE_URL, "x"))
for t in ["&lt;b&gt; &amp;amp; &notit; &notin &notin; &nosuch; &copy &hellip; &NotEqualTilde; &#8364; &#128; &#x1F600; &#0; &#xD800; &#1; &amp", "&ampx &AMP &; & &&lt", "&zwj;|&CounterClockwiseContourIntegral;|&lt"]:
    print(ascii(html.unescape(t)))
print(html.escape("<a href='x'>\"&</a>"))
