// MongoDB and SQLite: orders and customers of a shop.
import { day, hash, pick, range, sentence, turns } from './making.mjs'

const countries = ['AT', 'CH', 'DE', 'FR', 'IT']
const customers = range(40).map((i) => ({
  _id: hash(i).slice(0, 24),
  number: i,
  name: `${sentence(i, 2)}`,
  country: pick(countries, i * 3),
  email: `customer-${i}@example.com`,
  address: { street: `${sentence(i + 2, 2)} ${i}`, zip: String(10_000 + i * 37), city: sentence(i + 5, 1) },
  newsletter: i % 3 === 0,
}))
const orders = range(160).map((i) => ({
  _id: hash(i + 500).slice(0, 24),
  number: 7000 + i,
  customer: (i * 11) % 37,
  placed_at: day(i % 60),
  status: pick(['paid', 'open', 'returned', 'paid'], i),
  items: range(1 + (i % 4)).map((j) => ({
    sku: `A-${(i * 5 + j) % 23}`,
    quantity: 1 + ((i + j) % 3),
    cents: 500 + ((i * 97 + j * 31) % 4000),
  })),
  note: i % 5 === 0 ? sentence(i, 14) : null,
}))
const collections = { orders, customers }

function find({ collection, filter = {}, limit = 10 }) {
  const fits = (one) => Object.entries(filter).every(([key, value]) => one[key] === value)
  const found = collections[collection].filter(fits)
  return { documents: found.slice(0, limit), queryResultsCount: found.length, appliedLimits: [] }
}

const tables = [
  'articles',
  'customers',
  'orders',
  'order_lines',
  'prices',
  'returns',
  'stock',
  'suppliers',
  'warehouses',
  'zones',
]
const columnsOf = (table) =>
  range(5 + (table.length % 5)).map((i) => ({
    cid: i,
    name: i === 0 ? 'id' : `${pick(['name', 'code', 'created_at', 'amount', 'article_id', 'note'], i + table.length)}`,
    type: pick(['INTEGER', 'TEXT', 'REAL'], i),
    notnull: i % 2,
    dflt_value: null,
    pk: i === 0 ? 1 : 0,
  }))

export const mongodb = {
  catalogue: 'mongodb',
  answer: {
    'list-connections': () => 'Connections: [{"id":"shop","name":"shop"}]',
    find,
    count: ({ collection, query = {} }) => ({ count: find({ collection, filter: query }).queryResultsCount }),
  },
}

export const sqlite = {
  catalogue: 'sqlite-npx',
  answer: {
    list_tables: () => tables.map((name) => ({ name })),
    describe_table: ({ table_name }) => columnsOf(table_name),
  },
}

const shop = { connectionId: 'shop', database: 'shop' }
const all = (collection, filter) => [
  'mongodb',
  'find',
  { ...shop, collection, ...(filter ? { filter } : {}), limit: 500 },
]
const inProgram = 'mongodb.find(connectionId="shop", database="shop", '
const cents = ({ items }) => items.reduce((sum, { quantity, cents: each }) => sum + quantity * each, 0)

export const tasks = [
  {
    id: 'mongodb-count',
    question: 'How many orders in the database shop (connection shop) have been returned?',
    servers: ['mongodb'],
    direct: [[['mongodb', 'count', { ...shop, collection: 'orders', query: { status: 'returned' } }]]],
    codeMode: turns(
      'count documents of a collection',
      'servers/mongodb/count.pyi',
      'result = mongodb.count(connectionId="shop", database="shop", collection="orders", query={"status": "returned"})["count"]',
    ),
    expected: 40,
  },
  {
    id: 'mongodb-revenue-by-country',
    question:
      'What have paid orders brought in each country? Orders name customers by number. (Connection and database: shop)',
    servers: ['mongodb'],
    direct: [[all('orders', { status: 'paid' }), all('customers')]],
    codeMode: turns(
      'find documents',
      'servers/mongodb/find.pyi',
      `o = ${inProgram}collection="orders", limit=1)["documents"][0]
c = ${inProgram}collection="customers", limit=1)["documents"][0]
print(o, c)`,
      `customers = ${inProgram}collection="customers", limit=500)["documents"]
country = {c["number"]: c["country"] for c in customers}
sums = {}
for o in ${inProgram}collection="orders", filter={"status": "paid"}, limit=500)["documents"]:
    where = country[o["customer"]]
    sums[where] = sums.get(where, 0) + sum(i["quantity"] * i["cents"] for i in o["items"])
result = dict(sorted(sums.items()))`,
    ),
    expected: () => {
      const of = (country) =>
        orders.filter(({ status, customer }) => status === 'paid' && customers[customer].country === country)
      return Object.fromEntries(
        countries.map((country) => [country, of(country).reduce((sum, order) => sum + cents(order), 0)]),
      )
    },
  },
  {
    id: 'mongodb-silent-customers',
    question: 'Which customers with a newsletter have never ordered? (Connection and database: shop)',
    servers: ['mongodb'],
    direct: [[all('customers', { newsletter: true }), all('orders')]],
    codeMode: turns(
      'find documents',
      'servers/mongodb/find.pyi',
      `ordered = {o["customer"] for o in ${inProgram}collection="orders", limit=500)["documents"]}
those = ${inProgram}collection="customers", filter={"newsletter": True}, limit=500)["documents"]
result = [c["email"] for c in those if c["number"] not in ordered]`,
    ),
    expected: () => {
      const ordered = new Set(orders.map(({ customer }) => customer))
      return customers.filter(({ newsletter, number }) => newsletter && !ordered.has(number)).map(({ email }) => email)
    },
  },
  {
    id: 'sqlite-columns',
    question: 'Which tables of the SQLite database have a column article_id?',
    servers: ['sqlite'],
    direct: [[['sqlite', 'list_tables', {}]], tables.map((table_name) => ['sqlite', 'describe_table', { table_name }])],
    codeMode: turns(
      'describe a table',
      'servers/sqlite.pyi',
      `found = []
for t in sqlite.list_tables():
    if any(c["name"] == "article_id" for c in sqlite.describe_table(table_name=t["name"])):
        found.append(t["name"])
result = found`,
    ),
    expected: () => tables.filter((table) => columnsOf(table).some(({ name }) => name === 'article_id')),
  },
]
