// The example's data is the generator's output, and the figures of the report are right: they are computed here a
// second time from the files, by other means than the program's.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const shop = path.resolve(import.meta.dirname, '../../examples/shop')
const data = path.join(shop, 'data')
const temporary = mkdtempSync(path.join(tmpdir(), 'starbind-shop-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

describe('the generator', () => {
  it('writes exactly the committed data', () => {
    execFileSync(process.execPath, [path.join(shop, 'generate.mjs'), temporary])
    expect(contents(temporary)).toEqual(contents(data))
  })
})

describe('the data', () => {
  it('has every awkward value that the example promises', () => {
    const orders = allOrders()
    const items = orders.flatMap((order) => order.items)
    expect(new Set(orders.map((order) => order.id)).size).toBe(248)
    expect(orders).toHaveLength(250)
    expect(new Set(orders.map((order) => order.state)).size).toBeGreaterThan(6)
    expect(orders.some((order) => order.customer === '')).toBe(true)
    expect(orders.some((order) => order.customer === undefined)).toBe(true)
    expect(orders.some((order) => order.state === undefined)).toBe(true)
    expect(items.some((item) => item.cents === undefined)).toBe(true)
    expect(items.some((item) => item.quantity === undefined)).toBe(true)
    expect(items.some((item) => item.sku === '')).toBe(true)
    expect(items.some((item) => item.sku !== item.sku.trim().toUpperCase())).toBe(true)
    expect(read('orders/till-2025-h1.csv')).toMatch(/"Leave with the neighbour, no\. 12"/)
    expect(read('orders/till-2025-h1.csv')).toMatch(/"Says ""no hurry"""/)
    expect(read('orders/till-2025-h2.csv').split('\r\n')[0]).not.toBe(read('orders/till-2025-h1.csv').split('\n')[0])
  })
})

describe('the report', () => {
  const report = readFileSync(path.join(import.meta.dirname, 'golden/shop-report.txt'), 'utf8')
  const demo = readFileSync(path.join(import.meta.dirname, 'golden/demo.txt'), 'utf8')

  it('has the right figures', () => {
    const { states, categories, customers, unknown } = figures()
    expect(report.split('\n')[0]).toBe(
      `248 orders: ${[...states].map(([state, count]) => `${count} ${state}`).join(', ')}`,
    )
    expect(section(report, 'category')).toEqual(best(categories))
    expect(section(report, 'customer')).toEqual(best(customers))
    const tea = categories.get('tea') ?? 0
    const cups = categories.get('cups') ?? 0
    expect(demo).toContain(`${report}result: ${JSON.stringify({ orders: 248, unknownProducts: unknown })}\n`)
    expect(report.split('\n').at(-2)).toBe(`The sum of ${tea} and ${cups} is ${tea + cups}.`)
  })
})

interface Item {
  readonly sku: string
  readonly quantity: number | undefined
  readonly cents: number | undefined
}

interface Order {
  readonly id: string
  readonly customer: string | undefined
  readonly state: string | undefined
  readonly items: readonly Item[]
}

function figures() {
  const products = new Map(
    (JSON.parse(read('products.json')) as { sku: string; category?: string; cents: number }[]).map((p) => [p.sku, p]),
  )
  const returned = new Set(
    read('notes/returns.md')
      .match(/^- (O-\d+)/gm)
      ?.map((line) => line.slice(2)),
  )
  const rightNames = new Map<string, string>()
  for (const [, name, others] of read('notes/customers.md').matchAll(/^- (.+?): (.+)$/gm)) {
    for (const spelling of [name!, ...others!.split('; ')]) rightNames.set(plain(spelling), name!)
  }
  const states = new Map<string, number>()
  const categories = new Map<string, number>()
  const customers = new Map<string, number>()
  const unknown: string[] = []
  for (const order of new Map(allOrders().map((each) => [each.id, each])).values()) {
    const state = returned.has(order.id) ? 'returned' : plain(order.state ?? 'unmarked')
    add(states, state, 1)
    if (state === 'returned' || state === 'cancelled') continue
    const name = order.customer ?? ''
    for (const item of order.items) {
      const product = products.get(item.sku.trim().toUpperCase())
      if (product === undefined) unknown.push(order.id)
      const cents = (item.cents ?? product?.cents ?? 0) * (item.quantity ?? 1)
      add(categories, product === undefined ? 'unknown' : plain(product.category ?? 'vouchers'), cents)
      add(customers, rightNames.get(plain(name)) ?? (name === '' ? '(no name)' : name), cents)
    }
  }
  return { states, categories, customers, unknown }
}

/** Every record of every export, including the two repeated ones, in the order of the files' names. */
function allOrders(): Order[] {
  return readdirSync(path.join(data, 'orders'))
    .sort()
    .flatMap((file) =>
      file.endsWith('.json') ? jsonOrders(read(`orders/${file}`)) : csvOrders(read(`orders/${file}`)),
    )
}

interface RawOrder {
  id: string
  customer?: string | null
  status?: string | null
  items: { sku: string; qty?: number; cents?: number; price?: number | null }[]
}

function jsonOrders(text: string): Order[] {
  return (JSON.parse(text) as RawOrder[]).map((raw) => ({
    id: raw.id,
    customer: raw.customer ?? undefined,
    state: raw.status ?? undefined,
    items: raw.items.map(({ sku, qty, cents, price }) => ({
      sku,
      quantity: qty,
      cents: cents ?? (typeof price === 'number' ? Math.round(price * 100) : undefined),
    })),
  }))
}

/** Reads cell by cell: a cell is quoted, with doubled quotes inside, or runs to the next comma or line end. */
function csvOrders(text: string): Order[] {
  const [columns, ...rows] = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        (cell) => cell[1]?.replaceAll('""', '"') ?? cell[2]!,
      ),
    )
  return rows.map((cells) => {
    const cell = (name: string) => cells[columns!.indexOf(name)]!
    const cents = cell('price') === '' ? undefined : Number(cell('price').replace('.', ''))
    const quantity = cell('qty') === '' ? undefined : Number(cell('qty'))
    return {
      id: cell('id'),
      customer: cell('customer'),
      state: cell('status') || undefined,
      items: [{ sku: cell('sku'), quantity, cents }],
    }
  })
}

function best(totals: ReadonlyMap<string, number>): string[] {
  const ranked = [...totals].sort(([, a], [, b]) => b - a).slice(0, 6)
  return ranked.map(([name, cents]) => `${(cents / 100).toFixed(2).padStart(9)}  ${name}`)
}

function section(report: string, kind: string): string[] {
  return report.split(`Best by ${kind}, in euros\n`)[1]!.split('\n\n')[0]!.split('\n')
}

function add(totals: Map<string, number>, key: string, amount: number): void {
  totals.set(key, (totals.get(key) ?? 0) + amount)
}

function plain(text: string): string {
  return text.toLowerCase().trim().replace(/\s+/g, ' ')
}

function read(file: string): string {
  return readFileSync(path.join(data, file), 'utf8')
}

function contents(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map((entry) => path.join(entry.parentPath ?? entry.path, entry.name)).sort()
  return Object.fromEntries(paths.map((file) => [path.relative(folder, file), readFileSync(file, 'utf8')]))
}
