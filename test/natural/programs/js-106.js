const connectionId = mongodb.list_connections({}).connections[0].connectionId;

const { documents: orders } = mongodb.find({
  connectionId,
  database: 'shop',
  collection: 'orders',
  filter: { status: { $in: ['paid', 'shipped'] }, createdAt: { $gte: '2025-01-01' } },
  limit: 500,
});
const { documents: products } = mongodb.find({ connectionId, database: 'shop', collection: 'products', filter: {}, projection: { name: 1, category: 1 } });

const productById = new Map(products.map((p) => [p._id, p]));
const months = {};

for (const order of orders) {
  const month = order.createdAt.slice(0, 7);
  const m = (months[month] ||= { revenue: 0, orders: 0, units: 0, products: new Map() });
  m.orders++;
  for (const { productId, qty = 1, price } of order.items ?? []) {
    const discount = order.coupon?.percent ? 1 - order.coupon.percent / 100 : 1;
    const value = Math.round(qty * price * discount * 100) / 100;
    m.revenue += value;
    m.units += qty;
    const prev = m.products.get(productId) ?? { qty: 0, value: 0 };
    m.products.set(productId, { qty: prev.qty + qty, value: prev.value + value });
  }
}

const result = [];
let previous = null;
for (const month of Object.keys(months).sort()) {
  const m = months[month];
  const growth = previous ? ((m.revenue - previous.revenue) / previous.revenue) * 100 : null;
  const label = new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  console.log(`${label}: ${m.orders} orders, ${m.units} units, €${m.revenue.toFixed(2)}${growth === null ? '' : ` (${growth >= 0 ? '+' : ''}${growth.toFixed(1)}%)`}`);

  const top = [...m.products.entries()]
    .sort(([, a], [, b]) => b.value - a.value)
    .slice(0, 3)
    .map(([id, { qty, value }]) => ({ name: productById.get(id)?.name ?? `unknown product ${id}`, qty, value: Number(value.toFixed(2)) }));
  top.forEach((t, i) => console.log(`   ${i + 1}. ${t.name} × ${t.qty} = €${t.value.toFixed(2)}`));
  result.push({ month, revenue: Number(m.revenue.toFixed(2)), top: top.map((t) => t.name) });
  previous = m;
}

const categories = {};
for (const { products: sold } of Object.values(months)) {
  for (const [id, { value }] of sold) {
    const category = productById.get(id)?.category || 'uncategorised';
    categories[category] = (categories[category] || 0) + value;
  }
}
const total = Object.values(categories).reduce((sum, v) => sum + v, 0);
console.log('\nCategory share:');
for (const [name, value] of Object.entries(categories).sort((a, b) => b[1] - a[1])) {
  console.log(`  ${name.padEnd(16)}${(value / total * 100).toFixed(1).padStart(5)}%`);
}
