class Item {
  #stock;
  static #count = 0;
  static kinds = new Map();

  static register(kind, cls) {
    Item.kinds.set(kind, cls);
    return cls;
  }

  static from(row) {
    const Kind = Item.kinds.get(row.kind) ?? Item;
    return new Kind(row);
  }

  static get count() {
    return Item.#count;
  }

  constructor({ sku, title, stock, cost_cents: cost, sold = [] }) {
    this.sku = sku;
    this.title = title;
    this.cost = cost;
    this.sold = sold;
    this.#stock = stock ?? 0;
    Item.#count += 1;
  }

  get stock() {
    return this.#stock;
  }

  set stock(n) {
    if (!Number.isInteger(n) || n < 0) throw new RangeError(`${this.sku}: stock cannot be ${n}`);
    this.#stock = n;
  }

  get daily() {
    return this.sold.length ? this.sold.reduce((a, b) => a + b, 0) / this.sold.length : 0;
  }

  get value() {
    return this.stock * this.cost;
  }

  target() {
    return Math.ceil(this.daily * 14);
  }

  reorder() {
    return Math.max(0, this.target() - this.stock);
  }

  toString() {
    return `${this.sku} ${this.title}`;
  }

  get [Symbol.toStringTag]() {
    return this.constructor.name;
  }
}

Item.register('perishable', class Perishable extends Item {
  target() {
    return Math.ceil(this.daily * 3);
  }

  get value() {
    return Math.round(super.value * 0.5);
  }
});

const Bundle = Item.register('bundle', class Bundle extends Item {
  constructor(row) {
    super(row);
    this.parts = row.parts;
  }

  resolve(bySku) {
    this.members = this.parts.map(({ sku, qty }) => ({ item: bySku.get(sku), qty }));
    if (this.members.some((m) => !m.item)) throw new ReferenceError(`${this.sku} contains an unknown part`);
  }

  get stock() {
    return Math.min(...this.members.map(({ item, qty }) => Math.floor(item.stock / qty)));
  }

  set stock(n) {
    throw new TypeError(`${this.sku} is a bundle, its stock is computed`);
  }

  get value() {
    return 0;
  }

  reorder() {
    return 0;
  }
});

const rows = await sqlite_npx.read_query({ query: 'SELECT sku, title, kind, stock, cost_cents, parts FROM items ORDER BY sku' });
const sales = await postgres_reference.query({ sql: "SELECT sku, array_agg(qty ORDER BY day) AS sold FROM sales WHERE day > '2024-11-14' GROUP BY sku" });
const soldBy = Object.fromEntries(sales.map(({ sku, sold }) => [sku, sold.map((n) => n ?? 0)]));

const bySku = new Map();
for (const row of rows) {
  const item = Item.from({ ...row, sold: soldBy[row.sku] });
  bySku.set(item.sku, item);
}
const problems = [];
const guarded = (fn) => {
  try {
    return fn();
  } catch (e) {
    problems.push(`${e.constructor.name}: ${e.message}`);
    return null;
  }
};
for (const item of bySku.values()) {
  if (item instanceof Bundle) guarded(() => item.resolve(bySku));
}
const usable = [...bySku.values()].filter((i) => !(i instanceof Bundle) || i.members?.every((m) => m.item));

const deliveries = (await mongodb.find({ connectionId: 'wh', database: 'shop', collection: 'movements', filter: { day: '2024-11-29' }, limit: 100 })).documents;
for (const { sku, delta } of deliveries) {
  guarded(() => {
    const item = bySku.get(sku) ?? (() => { throw new ReferenceError(`no item ${sku}`); })();
    item.stock += delta;
  });
}

console.log('sku     title               class        stock  daily  reorder      value');
for (const item of usable) {
  const kind = Object.prototype.toString.call(item).slice(8, -1);
  console.log(`${item.sku.padEnd(8)}${item.title.padEnd(20)}${kind.padEnd(12)}${String(item.stock).padStart(6)}${item.daily.toFixed(1).padStart(7)}${String(item.reorder()).padStart(9)}${(item.value / 100).toFixed(2).padStart(11)}`);
}
const total = usable.reduce((sum, { value }) => sum + value, 0);
console.log(`${Item.count} items created, worth ${(total / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`);
problems.forEach((p) => console.log('!', p));
const result = { total, reorder: Object.fromEntries(usable.filter((i) => i.reorder()).map((i) => [`${i}`, i.reorder()])), problems };
