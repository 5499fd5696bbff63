"""Element trees: reading, finding, changing, writing, what is wrong with documents."""
import xml.etree.ElementTree as ET
import io

DOC = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE catalog>
<!-- books -->
<catalog name='Main &amp; more' xmlns:x="urn:x">
  <book id="b1" lang="en"><title>XML &lt;Guide&gt;</title><price currency="USD">44.95</price><x:note>n1</x:note></book>
  <book id="b2"><title>R&#233;sum&#xe9;</title><price>5.5</price><tags><tag>a</tag><tag>b</tag></tags></book>
  <book id="b3" lang="de"><title/><![CDATA[raw <b> & text]]></book>tail
</catalog>
"""
root = ET.fromstring(DOC)
print(root.tag, root.attrib, len(root), [b.get("id") for b in root], root[0].get("nope"), root[1].get("nope", "-"))
for book in root.findall("book"):
    title = book.find("title")
    print(book.attrib["id"], repr(title.text), book.findtext("price"), book.findtext("isbn", default="none"), repr(book.findtext("title")), repr(book.tail))
print([t.text for t in root.iter("tag")], [e.tag for e in root.iter()][:6], [t.text for t in root.findall(".//tag")], root.find("book/price").attrib)
print([b.get("id") for b in root.findall("book[@lang]")], [b.get("id") for b in root.findall("./book[@lang='de']")], root.find("book[2]").get("id"), root.find("book[last()]").get("id"), [b.get("id") for b in root.findall("book[tags]")], root.find(".//book[price='5.5']/title").text, root.find("book[@lang!='en']").get("id"), len(root.findall("*")), len(root.findall(".//*")), root.find(".//tag/..").tag, root.find("missing"))
print(root.find("book/{urn:x}note").text, root.find("book/x:note", {"x": "urn:x"}).text, "".join(root[1].itertext()), root[2].text, repr(root[2][0].tail))
for bad in ("", "<a>", "<a></b>", "text", "<a/><b/>", "<a x=1/>", "<a>&nope;</a>", "<a>\n  <b></c>\n</a>", "<a><", "<a b='1' b='2'/>", "<a>&</a>"):
    try:
        ET.fromstring(bad)
        print("fine", bad)
    except ET.ParseError as e:
        print(repr(bad), "|", e, e.position)
made = ET.Element("rss", version="2.0")
channel = ET.SubElement(made, "channel")
for i in range(2):
    item = ET.SubElement(channel, "item", {"n": str(i)}, kind="post")
    ET.SubElement(item, "title").text = f"Nr <{i}> & \"more\""
item.set("q", 'a"b<c>\n')
print(ET.tostring(made), ET.tostring(made, encoding="unicode"), sep="\n")
ET.indent(made)
print(ET.tostring(made, encoding="unicode"))
print(ET.tostring(ET.fromstring("<a>é<b/>€</a>")), ET.tostring(ET.fromstring("<a>é</a>"), encoding="utf-8"), ET.tostring(ET.fromstring("<a></a>"), encoding="unicode", short_empty_elements=False))
channel.remove(channel[0]); channel.insert(0, ET.Element("first")); channel.append(ET.Element("last")); del channel[1]
print([c.tag for c in channel], channel[-1].tag, [c.tag for c in channel[:1]], ET.iselement(channel), list(item.items()), item.keys())
tree = ET.ElementTree(made)
out = io.BytesIO() if False else io.StringIO()
tree.write(out, encoding="unicode"); print(out.getvalue())
print(tree.getroot() is made, tree.find("channel/first").tag, tree.findtext(".//last"), [e.tag for e in tree.iter()])
ns = ET.fromstring('<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id></entry></feed>')
print(ns.tag, ns.find("{http://www.w3.org/2005/Atom}entry/{*}id").text, [e.text for e in ns.iterfind("a:entry/a:id", {"a": "http://www.w3.org/2005/Atom"})], ET.tostring(ns, encoding="unicode"))
ET.register_namespace("at", "http://www.w3.org/2005/Atom"); print(ET.tostring(ns, encoding="unicode"))
ET.dump(ET.fromstring("<z><y a='1'/></z>"))
try: ET.SubElement(made, "x").text = 5; ET.tostring(made)
except TypeError as e: print(e)
def to_dict(e):
    return {e.tag: {**e.attrib, **({"#": e.text.strip()} if e.text and e.text.strip() else {}), **{k: v for c in e for k, v in to_dict(c).items()}}}
print(to_dict(root[1]))
