import html
import re
from html.parser import HTMLParser
from urllib.parse import parse_qs, urljoin, urlsplit

START = "https://cafe.example/menu"


class TableParser(HTMLParser):
    """Rows of the table with the given id, plus all links and the title."""

    def __init__(self, table_id):
        super().__init__(convert_charrefs=True)
        self.table_id = table_id
        self.rows, self.links = [], []
        self.title = ""
        self._inside = False
        self._cell = None
        self._in_title = False

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "table":
            self._inside = attrs.get("id") == self.table_id
        elif tag == "title":
            self._in_title = True
        elif tag == "a":
            self.links.append((attrs.get("rel"), attrs["href"]))
        if not self._inside:
            return
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self._cell = []
            self.rows[-1].append(self._cell)
        elif tag == "br" and self._cell is not None:
            self._cell.append(" ")

    def handle_endtag(self, tag):
        if tag == "table":
            self._inside = False
        elif tag == "title":
            self._in_title = False
        elif tag in ("td", "th", "tr"):
            self._cell = None

    def handle_data(self, data):
        if self._in_title:
            self.title += data
        if self._inside and self._cell is not None:
            self._cell.append(data)

    def table(self):
        rows = [["".join(cell).strip() for cell in row] for row in self.rows]
        header, *body = [r for r in rows if r]
        keys = [h.lower() for h in header]
        return [dict(zip(keys, r)) for r in body]


def price(text):
    m = re.search(r"\d+(?:\.\d+)?", text)
    return float(m.group()) if m else None


def open_page(url):
    page = playwright.browser_navigate(url=url)
    return re.search(r"Page Title: (.*)", page).group(1)


title = open_page(START)
source = playwright.browser_evaluate(function="() => document.documentElement.outerHTML")
parser = TableParser("menu")
parser.feed(source)
parser.close()
assert parser.title == title, (parser.title, title)

items = parser.table()
next_links = [urljoin(START, href) for rel, href in parser.links if rel == "next"]
for link in next_links:
    print("following", link, parse_qs(urlsplit(link).query))
    open_page(link)
    more = TableParser("menu")
    more.feed(playwright.browser_evaluate(function="() => document.querySelector('#menu').outerHTML"))
    items += more.table()
playwright.browser_close()

menu, conflicts = {}, []
for item in items:
    p = price(item["price"])
    if item["item"] in menu and menu[item["item"]]["price"] != p:
        conflicts.append((item["item"], menu[item["item"]]["price"], p))
    menu[item["item"]] = {"price": p, "stock": {"yes": True, "no": False}.get(item["stock"])}

history = {r["name"]: r["price"] for r in sqlite_npx.read_query(query="SELECT name, price FROM menu_history")}
changes = []
for name, now in sorted(menu.items()):
    before = history.get(name)
    if before is None:
        kind = "new"
    elif now["price"] is None or before == now["price"]:
        continue
    else:
        kind = f"{(now['price'] - before) / before:+.1%}"
    changes.append((name, kind))
removed = sorted(history.keys() - menu.keys())

for name, kind in changes:
    print(f"{kind:>8}  {name}  (as html: {html.escape(name)})")
print("removed:", removed, " conflicts:", conflicts)

for name in removed:
    quoted = name.replace("'", "''")
    sqlite_npx.write_query(query=f"DELETE FROM menu_history WHERE name = '{quoted}'")

result = {"title": title, "menu": menu, "changes": changes, "removed": removed, "conflicts": conflicts,
          "links": [href for _, href in parser.links][:3]}
