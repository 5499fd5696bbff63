# Messages that are put together, and what is malformed.
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.mime.application import MIMEApplication
from email.mime.base import MIMEBase
from email import encoders, message_from_bytes, message_from_string
from email.header import Header, decode_header
from email.parser import Parser, HeaderParser, BytesParser
from email.policy import default, SMTP, EmailPolicy
import email.utils, email.errors, quopri
from email.message import Message, EmailMessage
from email.headerregistry import Address

msg = MIMEMultipart("alternative")
msg["Subject"] = Header("Übersicht für März", "utf-8")
msg["From"] = email.utils.formataddr(("Zoë", "zoe@example.com"))
msg["To"] = ", ".join(["a@x.test", "b@x.test"])
msg.attach(MIMEText("plain text\n", "plain"))
msg.attach(MIMEText("<b>html ü</b>", "html", "utf-8"))
part = MIMEBase("application", "octet-stream")
part.set_payload(b"\x00\x01binary")
encoders.encode_base64(part)
part.add_header("Content-Disposition", "attachment", filename="data.bin")
msg.attach(part)
app = MIMEApplication(b"{}", "json", Name="x.json")
msg.attach(app)
msg.set_boundary("===B===")
print(msg.as_string())
print([p.get_content_type() for p in msg.walk()], len(msg.get_payload()), msg.get_payload(1).get_payload(decode=True))
back = message_from_string(msg.as_string())
print(decode_header(back["Subject"]), back.get_payload(2).get_filename())
h = HeaderParser().parsestr("A: 1\nB: 2\n\nbody stays\n")
print(dict(h), h.get_payload())
b = message_from_bytes("Subject: Grüße\nFrom: x@y\n\nHällo\n".encode("utf-8"))
print(b["Subject"], repr(b.get_payload()), b.get_payload(decode=True))
b = message_from_bytes("Subject: =?utf-8?q?a?=\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\nHällo\n".encode("utf-8"), policy=default)
print(b["subject"], b.get_content())
b = message_from_bytes(b"Content-Type: text/plain; charset=windows-1252\nContent-Transfer-Encoding: 8bit\n\n\x93quoted\x94\n", policy=default)
print(b.get_content())
for bad in ["no headers at all", "", "\n\nbody only", "Subject hello\n\nx", "A: b\n c\n\td\n\nbody", "Content-Type: multipart/mixed; boundary=Q\n\n--Q\n\npart one\n", "Content-Type: multipart/mixed\n\nno boundary\n", "From me@x Tue\nA: b\n\nc"]:
    m = message_from_string(bad, policy=default)
    print(repr(bad), m.items(), repr(m.get_payload()) if not m.is_multipart() else len(m.get_payload()), [type(d).__name__ for d in m.defects])
m = EmailMessage(policy=SMTP)
m["From"] = Address("Ann Lee", "ann", "example.com")
m["To"] = [Address("Bob", addr_spec="bob@example.com"), Address(addr_spec="c@example.com")]
m["Subject"] = "Report"
m.set_content("line one\nline two\n")
print(repr(m.as_string()))
try:
    m["Subject"] = "again"
except ValueError as e:
    print(e)
try:
    m["X"] = "a\nb"
except ValueError as e:
    print(e)
m.make_mixed(); m.set_boundary("Z")
print(m.get_content_type(), m.get_content_maintype(), m.get_content_subtype())
print(email.utils.parsedate("Tue, 12 Mar 2024 10:00:00 -0700"), email.utils.parsedate_tz("Tue, 12 Mar 2024 10:00:00 -0700"), email.utils.mktime_tz(email.utils.parsedate_tz("Tue, 12 Mar 2024 10:00:00 -0700")))
print(email.utils.formatdate(0), email.utils.formatdate(1700000000, usegmt=True), email.utils.formatdate(1700000000, localtime=True))
print(email.utils.unquote('"a\\"b"'), email.utils.quote('a"b'), email.utils.collapse_rfc2231_value(("utf-8", "en", "r%C3%A9s")), email.utils.decode_rfc2231("utf-8''x"))
print(quopri.encodestring("Grüße = ok ".encode()), quopri.decodestring(b"Gr=C3=BC=C3=9Fe"))
d = m["From"]; print(d.addresses[0].username, d.addresses[0].domain, d.defects, type(d.addresses[0]).__name__)
ct = message_from_string('Content-Type: text/plain; charset="utf-8"; format=flowed\nContent-Disposition: inline; filename="a b.txt"\nDate: Fri, 01 Mar 2024 09:30:00 +0100\n\nx', policy=default)
print(ct["content-type"].params, ct["content-type"].content_type, ct["content-disposition"].params["filename"], ct["date"].datetime.isoformat(), ct.get_content_disposition(), ct.get_param("format"))
print(sorted(ct.keys()), ct.values(), "Date" in ct, ct.get("none"), len(ct), bool(ct))
clone = message_from_string(ct.as_string(), policy=default)
print(clone.as_string() == ct.as_string())
for name in ("Subject", "To"):
    print(name, msg.get(name))
mx = Parser(policy=default).parsestr("From: =?iso-8859-1?q?J=F6rg?= <j@x.de>\nReply-To: a@b, c@d\nIn-Reply-To: <1@x>\nReferences: <1@x> <2@x>\nList-Unsubscribe: <mailto:u@x>\nMIME-Version: 1.0\n\n> quoted\nreply\n\n-- \nsig\n")
print(mx["from"], mx["reply-to"].addresses, mx["references"].split(), mx["list-unsubscribe"], mx.get_content().splitlines())
