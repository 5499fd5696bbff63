// Monthly cloud bill: compare with the budget, find anomalies, forecast the month.
const MONTH = '2024-11';
const DAYS = new Date(Date.UTC(2024, 11, 0)).getUTCDate();
const usd = (n) => n.toLocaleString('en-US', { style: 'currency', currency: 'USD' });

const { subscriptions } = await azure.subscription_list({});
const costs = [];
const errors = [];
for (const { subscriptionId, displayName, state } of subscriptions) {
  if (state !== 'Enabled') continue;
  try {
    const rows = await azure.monitor_workspace_log_query({
      subscription: subscriptionId,
      'resource-group': 'finops',
      workspace: 'billing',
      table: 'DailyCost_CL',
      query: `DailyCost_CL | where Month == '${MONTH}' | order by Day asc`,
      hours: 720,
    });
    costs.push(...rows.map((r) => ({ ...r, account: displayName })));
  } catch ({ message }) {
    errors.push(`${displayName}: ${message}`);
  }
}
const budgets = Object.fromEntries((await postgres_reference.query({ sql: `SELECT service, amount FROM budgets WHERE month = '${MONTH}'` })).map((b) => [b.service, Number(b.amount)]));

const services = costs.reduce((map, { Service, Day, Cost }) => {
  const days = map.get(Service) ?? new Array(DAYS).fill(null);
  if (Cost !== null) days[Day - 1] = (days[Day - 1] ?? 0) + Cost;
  return map.set(Service, days);
}, new Map());

const median = (list) => {
  const s = [...list].sort((a, b) => a - b);
  const m = s.length >> 1;
  return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2;
};

const rows = [];
const anomalies = [];
for (const [service, days] of services) {
  const known = days.map((cost, i) => ({ day: i + 1, cost })).filter(({ cost }) => cost !== null);
  const values = known.map(({ cost }) => cost);
  const middle = median(values);
  const mad = median(values.map((v) => Math.abs(v - middle))) * 1.4826 || Number.EPSILON;
  for (const { day, cost } of known) {
    const score = (cost - middle) / mad;
    if (Math.abs(score) > 3.5 && Math.abs(cost - middle) > 5) {
      anomalies.push({ service, date: `${MONTH}-${String(day).padStart(2, '0')}`, cost, expected: middle, score: Math.round(score * 10) / 10 });
    }
  }
  const spent = values.reduce((a, b) => a + b, 0);
  const recent = values.slice(-7);
  const rate = recent.reduce((a, b) => a + b, 0) / recent.length;
  const lastDay = known.at(-1).day;
  const forecast = spent + rate * (DAYS - lastDay);
  rows.push({ service, spent, forecast, budget: budgets[service] ?? null, days: values.length });
}
rows.sort((a, b) => b.forecast - a.forecast);

console.log(`${'service'.padEnd(22)}${'spent'.padStart(14)}${'forecast'.padStart(14)}${'budget'.padStart(14)}  use`);
for (const { service, spent, forecast, budget } of rows) {
  const use = budget ? forecast / budget : NaN;
  const gauge = Number.isNaN(use) ? '' : `${'■'.repeat(Math.min(20, Math.round(use * 10)))} ${Math.round(use * 100)}%`;
  console.log(`${service.padEnd(22)}${usd(spent).padStart(14)}${usd(forecast).padStart(14)}${(budget === null ? '-' : usd(budget)).padStart(14)}  ${gauge}`);
}
const sum = (key) => rows.reduce((s, r) => s + (r[key] ?? 0), 0);
console.log(`${'total'.padEnd(22)}${usd(sum('spent')).padStart(14)}${usd(sum('forecast')).padStart(14)}${usd(sum('budget')).padStart(14)}`);

console.log('\nanomalies');
for (const a of anomalies.sort((x, y) => Math.abs(y.cost - y.expected) - Math.abs(x.cost - x.expected))) {
  const weekday = new Date(`${a.date}T00:00:00Z`).toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' });
  console.log(`  ${weekday} ${a.date} ${a.service}: ${usd(a.cost)} instead of ${usd(a.expected)} (score ${a.score})`);
}
const unbudgeted = rows.filter((r) => r.budget === null).map((r) => r.service);
const unused = Object.keys(budgets).filter((b) => !services.has(b));
console.log(`without budget: ${unbudgeted.join(', ') || 'none'}; budget without cost: ${unused.join(', ') || 'none'}`);
errors.forEach((e) => console.log('error:', e));

const over = rows.filter((r) => r.budget !== null && r.forecast > r.budget);
await server_memory.add_observations({
  observations: over.map((r) => ({ entityName: `budget/${r.service}`, contents: [`${MONTH}: forecast ${usd(r.forecast)} exceeds ${usd(r.budget)}`] })),
});
const result = { over: over.map((r) => r.service), forecast: Math.round(sum('forecast') * 100) / 100, anomalies: anomalies.length, unbudgeted, unused, errors };
