// What did the shop sell and to whom, and what in its files needs a look?
const read = async (path) => (await filesystem.read_text_file({ path })).content

const csvRows = (text) => {
  // Every second part was inside quotes: its commas stay.
  const cells = (line) =>
    line
      .split('"')
      .map((part, i) => (i % 2 ? part : part.replaceAll(',', '\n')))
      .join('')
      .split('\n')
  const [names, ...rows] = text.trimEnd().split(/\r?\n/).map(cells)
  return rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])))
}

const fold = (text) => (text ?? '').toLowerCase().split(/\s+/).filter(Boolean).join(' ')

const best = (sums) =>
  Object.entries(sums)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 6)
    .map(([name, cents]) => [name, (cents / 100).toFixed(2)])

const [goods, notes, customers, listing] = await Promise.all([
  read('products.json'),
  read('notes/returns.md'),
  read('notes/customers.md'),
  filesystem.list_directory({ path: 'orders' }),
])
const products = new Map(JSON.parse(goods).map((p) => [p.sku, p]))
const returned = notes.match(/O-\d+/g)
const people = {}
for (const line of customers.split('\n')) {
  const spellings = line.replace(/^- /, '').replaceAll(': ', '; ').split('; ') // the right one is first
  for (const spelling of spellings) people[fold(spelling)] = spellings[0]
}

const files = listing.content
  .split('\n')
  .sort()
  .map((entry) => entry.split(' ')[1])
const texts = await Promise.all(files.map((file) => read(`orders/${file}`)))
const orders = {} // one export repeats two orders of another
texts.forEach((text, i) => {
  for (const order of files[i].endsWith('.json') ? JSON.parse(text) : csvRows(text)) orders[order.id] = order
})

const states = {}
const unknown = []
const sales = { category: {}, customer: {} }
for (const order of Object.values(orders)) {
  const state = returned.includes(order.id) ? 'returned' : fold(order.status || 'unmarked')
  states[state] = (states[state] ?? 0) + 1
  if (['returned', 'cancelled'].includes(state)) continue
  const customer = people[fold(order.customer)] ?? (order.customer || '(no name)')
  for (const item of order.items ?? [order]) {
    const product = products.get(item.sku.trim().toUpperCase()) ?? { category: 'unknown', cents: 0 }
    const each = item.cents || Math.round(Number(item.price || 0) * 100) || product.cents
    const category = (product.category || 'vouchers').trim().toLowerCase()
    if (category === 'unknown') unknown.push(order.id)
    for (const [kind, name] of [
      ['category', category],
      ['customer', customer],
    ])
      sales[kind][name] = (sales[kind][name] ?? 0) + each * Number(item.qty || 1)
  }
}

console.log(
  `${Object.keys(orders).length} orders: ${Object.entries(states)
    .map(([s, n]) => `${n} ${s}`)
    .join(', ')}`,
)
for (const kind of ['category', 'customer']) {
  const lines = best(sales[kind]).map(([name, euros]) => `${euros.padStart(9)}  ${name}`)
  console.log(`\nBest by ${kind}, in euros\n${lines.join('\n')}`)
  const entities = best(sales[kind]).map(([name, euros]) => ({
    name,
    entityType: kind,
    observations: [`sold for ${euros} euros`],
  }))
  await memory.create_entities({ entities })
}
const known = (await memory.search_nodes({ query: 'sold for' })).entities.map((entity) => entity.name)
console.log(`\nIn memory now, ${known.length} names: ${known.slice(0, 8).join(', ')}, ...`)
console.log(await everything.get_sum({ a: sales.category.tea, b: sales.category.cups }))
result = { orders: Object.keys(orders).length, unknownProducts: unknown }
