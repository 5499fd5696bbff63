import re
from html.parser import HTMLParser


class TableParser(HTMLParser):
    def __init__(self):
        super().__init__()
        self.rows = []
        self.cell = None

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.cell = []

    def handle_data(self, data):
        if self.cell is not None:
            self.cell.append(data)

    def handle_endtag(self, tag):
        if tag in ("td", "th") and self.cell is not None:
            self.rows[-1].append(" ".join("".join(self.cell).split()))
            self.cell = None


playwright.browser_navigate(url="https://supplier.example.com/pricelist")
html = playwright.browser_evaluate(function="() => document.querySelector('#prices').outerHTML")
playwright.browser_close()

parser = TableParser()
parser.feed(html)
header, *body = parser.rows
header = [h.lower() for h in header]
print("Columns:", header)

supplier = {}
for cells in body:
    if len(cells) != len(header):
        continue
    item = dict(zip(header, cells))
    m = re.search(r"\d[\d.,]*", item["price"])
    supplier[item["sku"].upper()] = {
        "name": item["product"],
        "price": float(m.group().replace(",", "")) if m else None,
        "stock": int(item["stock"]) if item["stock"].isdigit() else 0,
    }

ours = sqlite.read_query("SELECT sku, name, cost, sell_price FROM products WHERE supplier = 'Nordlicht' ORDER BY sku")

changes = []
for p in ours:
    offer = supplier.pop(p["sku"].upper(), None)
    if offer is None:
        print(f"{p['sku']}: no longer offered ({p['name']})")
        continue
    if offer["price"] is None:
        print(f"{p['sku']}: price on request")
        continue
    if p["cost"] is None or abs(offer["price"] - p["cost"]) >= 0.005:
        margin = 1 - offer["price"] / p["sell_price"]
        changes.append((p["sku"], p["cost"], offer["price"], margin))

print(f"\n{'SKU':<10}{'old':>9}{'new':>9}{'change':>9}{'margin':>9}")
for sku, old, new, margin in sorted(changes, key=lambda c: c[3]):
    diff = f"{(new - old) / old:+.1%}" if old else "new"
    warn = "  LOW" if margin < 0.2 else ""
    print(f"{sku:<10}{old if old is not None else '-':>9}{new:>9.2f}{diff:>9}{margin:>9.1%}{warn}")
    sqlite.write_query(query=f"UPDATE products SET cost = {new} WHERE sku = '{sku}'")

print("\nNew at the supplier:")
for sku, offer in supplier.items():
    price = f"{offer['price']:.2f}" if offer["price"] is not None else "on request"
    print(f"  {sku} {offer['name']} – {price}, {offer['stock']} in stock")

result = {"updated": [c[0] for c in changes], "new": list(supplier), "low_margin": [c[0] for c in changes if c[3] < 0.2]}
