# HTML, piece by piece.
from html.parser import HTMLParser
import html.parser
class P(HTMLParser):
    def handle_starttag(self, tag, attrs): print("S", tag, attrs, self.get_starttag_text(), self.getpos())
    def handle_endtag(self, tag): print("E", tag, self.getpos())
    def handle_data(self, d): print("D", repr(d), self.getpos())
    def handle_comment(self, d): print("C", repr(d))
    def handle_decl(self, d): print("DECL", repr(d))
    def handle_pi(self, d): print("PI", repr(d))
    def unknown_decl(self, d): print("U", repr(d))
p = P()
p.feed("""<!DOCTYPE html>
<html><head><title>A &amp; B &lt;x&gt;</title><script>if (a < b && c) { x = "</p>" }</script><style>p > a {}</style></head>
<!-- note -- x --><body CLASS="x y" data-n=5 disabled title='it"s &eacute;' href="a?b=1&amp;c=2">
<p>Hi<br>there<br/><img src=a.png alt="" /><hr / ></p><P>2 < 3 & 4 > 1</P><?php x ?><![CDATA[raw]]></body></html>
tail""")
p.close()
print(p.rawdata, p.lasttag)
from html.parser import HTMLParser
class T(HTMLParser):
    def __init__(self):
        super().__init__()
        self.out, self.skip = [], 0
    def handle_starttag(self, tag, attrs):
        if tag in ("script", "style"): self.skip += 1
        if tag == "a": self.out.append(dict(attrs).get("href", ""))
    def handle_endtag(self, tag):
        if tag in ("script", "style"): self.skip -= 1
    def handle_data(self, data):
        if not self.skip and data.strip(): self.out.append(data.strip())
    def text(self): return " | ".join(self.out)
t = T()
for chunk in ("<p>one <a hr", "ef='/x?a=1&am", "p;b=2'>li", "nk</a> &am", "p; rest<", "/p><script>x<y</scr", "ipt>end &copy"): t.feed(chunk)
print(t.text()); t.close(); print(t.text())
for s in ["<", "<a", "<a href='x", "</", "</a", "<!--", "<!x", "&", "&amp", "a<b", "<1>", "</>", "</ a>", "<a b>", "<a/b>", "<a b='c'd='e'>", "<a =b>", "<a b = c>", "<>", "text <3 you", "<script>x", "<!>", "<a b=c/>", "<A B=\"1\" b>", "<p\n\nclass='z'\n>"]:
    class Q(HTMLParser):
        def handle_starttag(self, *a): self.l.append(("S",) + a)
        def handle_endtag(self, *a): self.l.append(("E",) + a)
        def handle_data(self, *a): self.l.append(("D",) + a)
        def handle_comment(self, *a): self.l.append(("C",) + a)
    q = Q(); q.l = []; q.feed(s); n = len(q.l); q.close(); print(repr(s), n, q.l)
