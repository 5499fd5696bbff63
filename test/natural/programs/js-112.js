const products = sqlite.read_query({ query: 'SELECT sku, name, stock, reorder_point, pack_size, supplier, unit_cost FROM products WHERE active = 1' });
const sales = sqlite.read_query({ query: "SELECT sku, SUM(qty) AS sold FROM order_lines WHERE ordered_on >= '2025-04-01' AND ordered_on < '2025-05-01' GROUP BY sku" });
const incoming = sqlite.read_query({ query: "SELECT sku, qty FROM purchase_lines WHERE status = 'ordered'" });

const soldBySku = Object.fromEntries(sales.map(({ sku, sold }) => [sku, sold]));
const incomingBySku = {};
for (const { sku, qty } of incoming) incomingBySku[sku] = (incomingBySku[sku] ?? 0) + qty;

const COVER_DAYS = 45;
const orders = [];
const warnings = [];

for (const p of products) {
  const perDay = (soldBySku[p.sku] ?? 0) / 30;
  const available = Math.max(0, p.stock ?? 0) + (incomingBySku[p.sku] ?? 0);
  if (p.stock === null || p.stock < 0) warnings.push(`${p.sku} has odd stock: ${p.stock}`);
  const daysLeft = perDay > 0 ? available / perDay : Infinity;
  const target = Math.ceil(perDay * COVER_DAYS);
  if (available > p.reorder_point && daysLeft > 14) continue;
  const need = Math.max(target, p.reorder_point) - available;
  if (need <= 0) continue;
  const pack = p.pack_size || 1;
  const qty = Math.ceil(need / pack) * pack;
  if (!p.supplier) {
    warnings.push(`${p.sku} needs ${qty} but has no supplier`);
    continue;
  }
  orders.push({ ...p, qty, daysLeft, cost: qty * p.unit_cost });
}

const bySupplier = orders.reduce((groups, o) => {
  (groups[o.supplier] ||= []).push(o);
  return groups;
}, {});

const euro = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' });
const suppliers = Object.keys(bySupplier).sort((a, b) => a.localeCompare(b, 'de'));

for (const supplier of suppliers) {
  const lines = bySupplier[supplier].sort((a, b) => a.daysLeft - b.daysLeft);
  const sum = lines.reduce((s, l) => s + l.cost, 0);
  console.log(`${supplier} – ${lines.length} item(s), ${euro.format(sum)}`);
  for (const l of lines) {
    const left = Number.isFinite(l.daysLeft) ? `${l.daysLeft.toFixed(1)} days left` : 'no sales';
    console.log(`  ${l.sku.padEnd(8)} ${l.name.padEnd(24)} ${String(l.qty).padStart(5)}  ${left}`);
  }
}

const dead = products.filter((p) => !(p.sku in soldBySku) && p.stock > 0);
console.log(`\nNo sales last month: ${dead.map((p) => p.sku).join(', ')}`);
console.log(`Capital bound there: ${euro.format(dead.reduce((s, p) => s + p.stock * p.unit_cost, 0))}`);
for (const w of warnings) console.log('WARN', w);

const result = Object.fromEntries(suppliers.map((s) => [s, bySupplier[s].map(({ sku, qty }) => ({ sku, qty }))]));
