# Messages: read with both policies, and written.
import email
from email import policy, message_from_string
from email.message import EmailMessage
from email.utils import parseaddr, formataddr, parsedate_to_datetime, getaddresses, formatdate
from email.header import decode_header, make_header, Header

raw = """\
Return-Path: <ann@example.com>
From: =?utf-8?q?Ann_L=C3=A9e?= <ann@example.com>
To: "Bob, Jr." <bob@example.com>, carol@example.org (Carol)
Subject: =?UTF-8?B?SGVsbG8sIFfDtnJsZA==?= and
 folded text
Date: Tue, 12 Mar 2024 10:00:00 -0700
Message-ID: <abc@example.com>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="XX"
X-Priority: 1
Received: from a by b
Received: from b by c

preamble
--XX
Content-Type: multipart/alternative; boundary=YY

--YY
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: quoted-printable

Caf=C3=A9 costs =E2=82=AC5.=20
Long line=
 continues.
--YY
Content-Type: text/html; charset=iso-8859-1
Content-Transfer-Encoding: 8bit

<p>Hello</p>
--YY--
--XX
Content-Type: text/csv; name="report.csv"
Content-Disposition: attachment; filename="report.csv"
Content-Transfer-Encoding: base64

YSxiCjEsMgo=
--XX
Content-Type: application/pdf
Content-Disposition: attachment; filename*=utf-8''r%C3%A9sum%C3%A9.pdf
Content-Transfer-Encoding: base64

JVBERi0xLjQ=
--XX--
epilogue
"""
for pol in (policy.compat32, policy.default):
    msg = message_from_string(raw, policy=pol)
    print(type(msg).__name__, msg.keys(), len(msg))
    for k, v in msg.items():
        print(repr(k), repr(str(v)))
    print(msg.is_multipart(), msg.get_content_type(), msg.get_boundary(), msg.get_all("received"), msg.get("X-Nope", "none"), "subject" in msg)
    for i, part in enumerate(msg.walk()):
        print(i, part.get_content_type(), part.get_content_charset(), part.get_filename(), part.get_content_disposition(), part.is_multipart(), part.get_params())
        if not part.is_multipart():
            print(repr(part.get_payload(decode=True)))
            print(repr(part.get_payload()))
    print(repr(msg.preamble), repr(msg.epilogue), msg.defects)
print(decode_header(message_from_string(raw)["Subject"]))
print(str(make_header(decode_header(message_from_string(raw)["Subject"]))))
msg = email.message_from_string(raw, policy=policy.default)
print(msg["from"].addresses, msg["to"].addresses[0].display_name, msg["to"].addresses[1].addr_spec, msg["date"].datetime)
body = msg.get_body(preferencelist=("plain", "html"))
print(repr(body.get_content()))
for a in msg.iter_attachments():
    print(a.get_filename(), a.get_content_type(), repr(a.get_content()))
print(msg.as_string() == raw, len(msg.as_string()))
m = EmailMessage()
m["From"] = "Ann Lée <ann@example.com>"
m["To"] = "bob@example.com, carol@example.org"
m["Subject"] = "Grüße aus München und noch viel mehr Text, damit die Zeile lang genug wird"
m["Date"] = "Tue, 12 Mar 2024 10:00:00 -0700"
m.set_content("Hello\nWörld\n")
print(m.as_string())
m.add_alternative("<p>Hello</p>", subtype="html")
m.set_boundary("BB")
print(m)
m.add_attachment(b"a,b\n1,2\n", maintype="text", subtype="csv", filename="r.csv")
m.set_boundary("CC")
print(m.as_string())
print(m.as_bytes()[:60])
del m["Subject"]; m.replace_header("To", "x@y.z"); m.add_header("X-Tag", "v", name="q r")
print(m.items())
