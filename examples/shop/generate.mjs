// Writes the shop's data: a year of orders as three tills would export them, with the flaws that real exports have. Knows nothing of
// starbind. Invariant: the same source text gives the same bytes, so `data/` is committed and a test compares it with this output.
//
//   node examples/shop/generate.mjs [FOLDER]      default: the folder `data` beside this file

import { mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Every file of the data set: its path below the data folder, and its text. */
export function shopFiles() {
  const random = seededRandom(20250321)
  const orders = Array.from({ length: 248 }, (_, index) => makeOrder(random, index))
  plantFlaws(orders)
  const web = orders.filter((order) => order.channel === 'web')
  const till = orders.filter((order) => order.channel === 'till')
  const phone = orders.filter((order) => order.channel === 'phone')
  const middle = web.findIndex((order) => order.day >= '2025-07-01')
  // The second export of the web shop starts two orders early: those two are in both files.
  return new Map([
    ['products.json', json(products.map(productRecord))],
    ['orders/web-2025-a.json', json(web.slice(0, middle).map(webRecord))],
    ['orders/web-2025-b.json', json(web.slice(middle - 2).map(webRecord))],
    ['orders/phone-2025.json', json(phone.map(phoneRecord))],
    ['orders/till-2025-h1.csv', csv(tillColumns, rowsOf(till, '2025-01', '2025-07'), '\n')],
    ['orders/till-2025-h2.csv', csv(marketColumns, rowsOf(till, '2025-07', '2026-01'), '\r\n')],
    ['notes/customers.md', customersNote],
    ['notes/returns.md', returnsNote(orders)],
    ['notes/stall.md', stallNote],
  ])
}

// ---- What the shop sells, and to whom

/** sku, name, category as somebody typed it, price in cents. */
const products = [
  ['TEA-01', 'Sencha, first flush', 'Tea', 1290],
  ['TEA-02', 'Lapsang souchong', 'tea', 1150],
  ['TEA-03', 'Fjällgräs herbal blend', 'Tea ', 890],
  ['TEA-04', 'Oolong "Iron Goddess"', 'TEA', 1840],
  ['TEA-05', 'Rooibos & orange', 'tea', 750],
  ['CUP-01', 'Stoneware cup, small', 'Cups', 1600],
  ['CUP-02', 'Stoneware cup, large', 'cups', 2100],
  ['CUP-03', 'Café au lait bowl', 'Cups', 2450],
  ['CUP-04', 'Enamel mug', 'CUPS', 990],
  ['HON-01', 'Heather honey 250 g', 'Honey', 980],
  ['HON-02', 'Lime-tree honey 500 g', 'honey', 1680],
  ['HON-03', 'Crème de miel', 'Honey', 1120],
  ['CAN-01', 'Beeswax candle', 'Candles', 640],
  ['CAN-02', 'Tealights, box of 12', 'candles', 480],
  ['CAN-03', 'Advent set', 'Candles', 2990],
  ['PAP-01', 'Notebook A5, dotted', 'Paper', 720],
  ['PAP-02', 'Letter set "Düne"', 'paper', 1390],
  ['PAP-03', 'Wrapping paper, 3 sheets', 'PAPER', 560],
  ['GFT-01', 'Gift voucher', undefined, 2500],
].map(([sku, name, category, cents]) => ({ sku, name, category, cents }))

/** Each customer with every spelling that the exports hold; the first one is right. */
const customers = [
  ['Zoë Åkerström', 'zoe akerstrom', 'Åkerström, Zoë', 'ZOË ÅKERSTRÖM'],
  ['Jürgen Groß', 'Juergen Gross', 'Groß, Jürgen'],
  ['Siân Pugh', 'Sian Pugh', ' Siân  Pugh '],
  ['José Ñíguez', 'Jose Niguez', 'JOSÉ ÑÍGUEZ'],
  ['Łukasz Wójcik', 'Lukasz Wojcik'],
  ["Aoife O'Brien", 'aoife obrien', "O'Brien, Aoife"],
  ['中村 さくら', 'Nakamura Sakura'],
  ['Ana Conceição', 'ana conceicao'],
  ['Δήμητρα Παππά', 'Dimitra Pappa'],
  ['Martha Bell', 'martha bell', 'Bell, Martha'],
  ['Tom Hale'],
  ['Ruth Adeyemi', 'RUTH ADEYEMI'],
  ['Priya Raman'],
  ['Ola Nordmann', 'ola nordmann'],
  ['Chloé Marchand', 'Chloe Marchand'],
  ['Ben Carter'],
  ['Ivo Šimić', 'Ivo Simic'],
  ['Grace Kim'],
]

/** Where the customer on the same line of `customers` lives. */
const places = [
  'Göteborg, SE',
  'Leipzig, DE',
  'Cardiff, GB',
  'Cádiz, ES',
  'Gdańsk, PL',
  'Cork, IE',
  '京都市, JP',
  'Évora, PT',
  'Θεσσαλονίκη, GR',
  'Leeds, GB',
  'Hull, GB',
  'Bristol, GB',
  'Leicester, GB',
  'Tromsø, NO',
  'Orléans, FR',
  'York, GB',
  'Šibenik, HR',
  'London, GB',
]

const orderNotes = [
  '',
  '',
  '',
  '',
  'Gift wrap, please',
  'Leave with the neighbour, no. 12',
  'Says "no hurry"',
  'für Oma, zum 80.',
  'paid in cash',
]

// ---- Orders

function makeOrder(random, index) {
  const day = new Date(Date.UTC(2025, 0, 2 + Math.floor((index * 360) / 248))).toISOString().slice(0, 10)
  const channel = pick(random, ['web', 'web', 'web', 'web', 'till', 'till', 'till', 'phone'])
  const who = Math.floor(random() ** 1.6 * customers.length)
  const spellings = customers[who]
  const items = channel === 'web' ? 1 + Math.floor(random() * 3) : 1
  return {
    id: `O-${1001 + index}`,
    day,
    minute: 540 + Math.floor(random() * 600),
    channel,
    place: places[who],
    email: random() < 0.8 ? `customer${who + 1}@shop.example` : undefined,
    customer: random() < 0.55 ? spellings[0] : pick(random, spellings),
    status: pick(random, ['shipped', 'shipped', 'Shipped', 'SHIPPED', 'shipped ', 'paid', 'Paid']),
    note: pick(random, orderNotes),
    items: Array.from({ length: items }, () => makeItem(random)),
  }
}

function makeItem(random) {
  const product = pick(random, products)
  const reduced = random() < 0.1
  return {
    sku: product.sku,
    qty: 1 + Math.floor(random() ** 3 * 5),
    cents: reduced ? product.cents - 100 : product.cents,
  }
}

/** The awkward values, each at a fixed place, so that every one of them is there whatever the seed gives. */
function plantFlaws(orders) {
  for (const index of [17, 63, 64, 118, 171, 203, 240]) orders[index].status = index % 2 ? 'Cancelled' : ' CANCELLED'
  for (const index of [30, 99]) delete orders[index].status
  for (const index of [8, 71, 140, 199]) orders[index].customer = ''
  for (const index of [22, 155]) orders[index].customer = undefined
  for (const index of [12, 88, 160, 222]) orders[index].items[0].sku = index < 100 ? 'TEA-99' : 'cup-02 '
  for (const index of [41, 133]) orders[index].items[0].sku = ''
  for (const index of [25, 77, 145, 210]) delete orders[index].items[0].cents
  for (const index of [52, 182]) delete orders[index].items[0].qty
}

// ---- The three exports, each with its own habits

/** The web shop counts in cents, stamps the minute, and leaves out what it does not know. */
function webRecord({ id, day, minute, place, email, customer, status, note, items }) {
  const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
  const [city, country] = place.split(', ')
  return {
    id,
    placed: `${day}T${time}:00Z`,
    customer,
    email,
    shipTo: { city, country },
    status,
    items,
    note: note || undefined,
  }
}

/** Phone orders are typed in by hand: prices in euros, null for what was not said. */
function phoneRecord({ id, day, customer, status, note, items }) {
  const lines = items.map(({ sku, qty, cents }) => ({ sku, qty, price: cents === undefined ? null : cents / 100 }))
  return { id, placed: day, customer: customer ?? null, status: status ?? null, items: lines, note }
}

/** The till writes CSV: euros with two decimals, day first, one product in an order. */
function tillRow({ id, day, customer, status, note, items: [{ sku, qty, cents }] }) {
  const date = day.split('-').reverse().join('.')
  const price = cents === undefined ? '' : (cents / 100).toFixed(2)
  return { id, date, customer, sku, qty: qty === undefined ? '' : String(qty), price, status, note }
}

/** An update of the till in July moved its columns about and changed its line ends. */
const tillColumns = ['id', 'date', 'customer', 'sku', 'qty', 'price', 'status', 'note']
const marketColumns = ['date', 'id', 'status', 'sku', 'price', 'qty', 'customer', 'note']

function rowsOf(orders, from, until) {
  return orders.filter(({ day }) => day >= from && day < until).map(tillRow)
}

function productRecord({ sku, name, category, cents }) {
  return { sku, name, category, cents }
}

// ---- Notes

const customersNote = `# Customers who write their name in more than one way

Found while packing. The first name is the one on the parcel, then how else we have seen it.

${customers
  .filter((spellings) => spellings.length > 1)
  .map(([name, ...others]) => `- ${name}: ${others.map((other) => other.trim()).join('; ')}`)
  .join('\n')}

Large and small letters and extra spaces don't matter, nobody keeps to them anyway.
`

function returnsNote(orders) {
  const [chipped, wrong, late] = [47, 109, 190].map((index) => orders[index].id)
  return `# Returns

Money went back in full for these; leave them out of the figures.

- ${chipped} arrived chipped. Sent a photo, all fine.
- ${wrong}, wrong size
- ${late} came after the birthday (*sorry!*)

Vouchers (GFT-01) can't be returned.
`
}

const stallNote = `# Market stall

- Saturdays 8–13 h, pitch 14, next to the cheese van.
- Bring: change, paper bags, the **small** scales, rain cover.
- Honey sells before noon, candles after.
`

// ---- Writing

function json(records) {
  return `[\n${records.map((record) => `  ${JSON.stringify(record)}`).join(',\n')}\n]\n`
}

function csv(columns, rows, lineEnd) {
  const lines = [columns, ...rows.map((row) => columns.map((column) => csvCell(row[column] ?? '')))]
  return lines.map((cells) => cells.join(',') + lineEnd).join('')
}

function csvCell(text) {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Numbers in [0, 1), the same ones for the same seed (a linear congruential generator with 32 bits of state). */
function seededRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function pick(random, choices) {
  return choices[Math.floor(random() * choices.length)]
}

const here = fileURLToPath(import.meta.url)
if (process.argv[1] && realpathSync(process.argv[1]) === here) {
  const folder = path.resolve(process.argv[2] ?? path.join(path.dirname(here), 'data'))
  for (const [name, text] of shopFiles()) {
    const file = path.join(folder, ...name.split('/'))
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
