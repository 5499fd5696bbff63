const today = new Date('2025-06-01');
const DAY = 24 * 60 * 60 * 1000;

const invoices = postgres.query({
  sql: "SELECT number, customer, due_date, amount, paid, currency FROM invoices WHERE status <> 'void'",
});

const buckets = ['current', '1-30', '31-60', '61-90', '90+'];
function bucketFor(days) {
  if (days <= 0) return 'current';
  if (days <= 30) return '1-30';
  if (days <= 60) return '31-60';
  if (days <= 90) return '61-90';
  return '90+';
}

const byCustomer = {};
const totals = Object.fromEntries(buckets.map((b) => [b, 0]));
let skipped = 0;

for (const inv of invoices) {
  const open = Number(inv.amount) - Number(inv.paid ?? 0);
  if (open <= 0.005) continue;
  if (!inv.due_date || inv.currency !== 'EUR') {
    skipped++;
    continue;
  }
  const days = Math.floor((today - new Date(inv.due_date)) / DAY);
  const bucket = bucketFor(days);
  const c = (byCustomer[inv.customer] ??= { total: 0, oldest: 0, buckets: {} });
  c.total += open;
  c.oldest = Math.max(c.oldest, days);
  c.buckets[bucket] = (c.buckets[bucket] || 0) + open;
  totals[bucket] += open;
}

const fmt = (n) => (n ? n.toFixed(2).replace(/\B(?=(\d{3})+(?!\d))/g, ',') : '-');
const rows = Object.entries(byCustomer).sort(([, a], [, b]) => b.total - a.total);

console.log('Customer'.padEnd(20) + buckets.map((b) => b.padStart(12)).join('') + 'Total'.padStart(13));
for (const [name, c] of rows) {
  console.log(name.padEnd(20) + buckets.map((b) => fmt(c.buckets[b]).padStart(12)).join('') + fmt(c.total).padStart(13));
}
const grand = Object.values(totals).reduce((a, b) => a + b, 0);
console.log('-'.repeat(93));
console.log('Total'.padEnd(20) + buckets.map((b) => fmt(totals[b]).padStart(12)).join('') + fmt(grand).padStart(13));

const overdueShare = ((grand - totals.current) / grand) * 100;
console.log(`\n${overdueShare.toFixed(1)}% of open receivables are overdue; ${skipped} invoices skipped`);

const escalate = rows.filter(([, c]) => c.oldest > 90).map(([name, c]) => ({ name, days: c.oldest, total: +c.total.toFixed(2) }));
for (const e of escalate) console.log(`Escalate: ${e.name}, oldest ${e.days} days`);

return { total: +grand.toFixed(2), overduePercent: +overdueShare.toFixed(1), escalate };
