import re
from html import unescape
from html.parser import HTMLParser
from decimal import Decimal, InvalidOperation


class TableParser(HTMLParser):
    """Collects the rows of every <table>, expanding colspan/rowspan."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tables = []
        self._stack = []
        self._cell = None
        self._links = []

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "table":
            self._stack.append({"id": attrs.get("id"), "caption": "", "rows": [], "spans": {}})
        elif not self._stack:
            return
        elif tag == "tr":
            self._stack[-1]["rows"].append([])
            self._fill()
        elif tag in ("td", "th"):
            self._cell = {"text": [], "colspan": int(attrs.get("colspan") or 1), "rowspan": int(attrs.get("rowspan") or 1), "head": tag == "th"}
        elif tag == "caption":
            self._cell = {"text": [], "caption": True}
        elif tag == "br" and self._cell:
            self._cell["text"].append("\n")
        elif tag == "a" and self._cell:
            self._links.append(attrs.get("href"))

    def handle_data(self, data):
        if self._cell is not None:
            self._cell["text"].append(data)

    def handle_endtag(self, tag):
        if tag == "table" and self._stack:
            self.tables.append(self._stack.pop())
        elif tag in ("td", "th") and self._cell:
            self._close_cell()
        elif tag == "caption" and self._cell:
            self._stack[-1]["caption"] = self._text()
            self._cell = None

    def _text(self):
        return re.sub(r"[ \t\r\f\v\u00a0]+", " ", "".join(self._cell["text"])).strip()

    def _fill(self):
        table = self._stack[-1]
        row = table["rows"][-1]
        while (left := table["spans"].get(len(row))) and left[0] > 0:
            left[0] -= 1
            row.append(left[1])

    def _close_cell(self):
        table = self._stack[-1]
        row = table["rows"][-1]
        text = self._text()
        for _ in range(self._cell["colspan"]):
            if self._cell["rowspan"] > 1:
                table["spans"][len(row)] = [self._cell["rowspan"] - 1, text]
            row.append(text)
        self._cell = None
        self._fill()


def money(text):
    """'1.299,00 €' / '€1,299.00' / 'from 12.50' → Decimal."""
    m = re.search(r"\d[\d.,\s']*", text)
    if not m:
        return None
    digits = re.sub(r"[\s']", "", m.group()).rstrip(".,")
    if re.search(r",\d{1,2}$", digits):
        digits = digits.replace(".", "").replace(",", ".")
    else:
        digits = digits.replace(",", "")
    try:
        return Decimal(digits)
    except InvalidOperation:
        return None


playwright.browser_navigate(url="https://shop.example/pricelist")
html = playwright.browser_evaluate(function="() => document.documentElement.outerHTML")
parser = TableParser()
parser.feed(html)
parser.close()
print(f"{len(parser.tables)} tables:", ", ".join(f"{t['id'] or '?'} ({len(t['rows'])} rows)" for t in parser.tables))

listed = {}
for table in parser.tables:
    if not table["rows"] or "SKU" not in table["rows"][0]:
        continue
    head = table["rows"][0]
    for row in table["rows"][1:]:
        record = dict(zip(head, row))
        sku = record.get("SKU", "").upper()
        price = money(record.get("Price", ""))
        if not sku or price is None:
            print(f"  ? {table['caption']}: {row}")
            continue
        if sku in listed and listed[sku]["price"] != price:
            print(f"  ! {sku} listed twice: {listed[sku]['price']} and {price}")
        listed[sku] = {"group": record.get("Group", table["caption"]), "name": record["Product"].replace("\n", " "), "price": price}

database = {r["sku"]: r for r in postgres_reference.query(sql="SELECT sku, title, price, active FROM products")}
wrong, gone, hidden = [], [], []
for sku, item in sorted(listed.items()):
    row = database.get(sku)
    if row is None or not row["active"]:
        gone.append(sku)
        continue
    expected = Decimal(row["price"])
    if expected != item["price"]:
        diff = (item["price"] - expected) / expected * 100
        wrong.append((sku, expected, item["price"], diff.quantize(Decimal("0.1"))))
    if unescape(row["title"] or "") != item["name"]:
        print(f"  ~ {sku}: page says {item['name']!r}, database {row['title']!r}")
hidden = sorted(s for s, r in database.items() if r["active"] and s not in listed)

print(f"\n{'sku':<8}{'group':<14}{'product':<28}{'price':>10}")
for sku, item in sorted(listed.items(), key=lambda kv: (kv[1]["group"], kv[0])):
    print(f"{sku:<8}{item['group']:<14}{item['name']:<28}{item['price']:>10,.2f}")
for sku, want, got, diff in sorted(wrong, key=lambda w: -abs(w[3])):
    print(f"price of {sku}: {got} on the page, {want} in the database ({diff:+}%)")
print("on the page only:", gone, "| missing from the page:", hidden)

result = {"listed": len(listed), "wrong": [[s, str(a), str(b), str(d)] for s, a, b, d in wrong], "gone": gone, "hidden": hidden}
