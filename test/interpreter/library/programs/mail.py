# Addresses and dates of mail.
from email.utils import parseaddr, formataddr, getaddresses, parsedate_to_datetime, format_datetime
import email.utils
for a in ["Ann Lee <ann@x.test>", '"Lee, Ann" <ann@x.test>', "ann@x.test", "ann@x.test (Ann Lee)", "", "foo", "<a@b.c>", "  Bob   B. <b@x.test> ", '"A \\"Q\\" B" <q@x.test>', "Ann (work) <a@x>", "a b c", "Ann <ann@x.test>, Bob <bob@x.test>", "mailto:x@y.z", "ann . lee @ x.test"]:
    print(a, "->", parseaddr(a))
print(getaddresses(["Ann <a@x>, b@x", "Team: c@x, \"D, E\" <d@x>;"]), getaddresses([]))
for p in [("Ann", "a@x"), ("Lee, Ann", "a@x"), ("", "a@x"), ('Q "q"', "q@x"), ("Zoë", "z@x"), ("日本語 名前", "j@x"), ("A. B", "a@x"), (None, "n@x")]:
    print(formataddr(p))
for d in ["Mon, 20 Nov 1995 19:12:08 -0500", "Tue, 12 Mar 2024 10:00:00 -0700 (PDT)", "12 Mar 2024 10:00 GMT", "Tue, 12 Mar 2024 10:00:00 +0000", "Tue, 12 Mar 2024 10:00:00 -0000", "Fri, 1 Jan 99 00:00:00 EST", "Wed, 5 Jun 2024 23:59:59 +0530", "5 June 2024 08:01:02 UT"]:
    x = parsedate_to_datetime(d)
    print(x, repr(x.tzinfo), format_datetime(x), email.utils.format_datetime(x))
for d in ["nonsense", "2024-01-01", "Tue, 32 Mar 2024 10:00:00 GMT", ""]:
    try: print(parsedate_to_datetime(d))
    except Exception as e: print(type(e).__name__, e)
from datetime import datetime, timezone
print(format_datetime(datetime(2024, 1, 2, 3, 4, 5, tzinfo=timezone.utc), usegmt=True), format_datetime(datetime(2024, 1, 2)))
try: format_datetime(datetime(2024, 1, 2), usegmt=True)
except ValueError as e: print(e)
