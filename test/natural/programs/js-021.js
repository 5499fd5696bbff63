// Forecast storage growth per tenant by least squares (with optional weekday effect).
const DAY = 86_400_000;

const transpose = (m) => m[0].map((_, j) => m.map((row) => row[j]));
const multiply = (a, b) => a.map((row) => b[0].map((_, j) => row.reduce((s, v, k) => s + v * b[k][j], 0)));

function solve(matrix, rhs) {
  const n = matrix.length;
  const m = matrix.map((row, i) => [...row, rhs[i]]);
  for (let c = 0; c < n; c++) {
    let pivot = c;
    for (let r = c + 1; r < n; r++) if (Math.abs(m[r][c]) > Math.abs(m[pivot][c])) pivot = r;
    if (Math.abs(m[pivot][c]) < 1e-12) throw new RangeError('singular system');
    [m[c], m[pivot]] = [m[pivot], m[c]];
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const f = m[r][c] / m[c][c];
      for (let k = c; k <= n; k++) m[r][k] -= f * m[c][k];
    }
  }
  return m.map((row, i) => row[n] / row[i]);
}

function fit(xs, ys) {
  const X = xs;
  const Xt = transpose(X);
  const beta = solve(multiply(Xt, X), multiply(Xt, ys.map((y) => [y])).flat());
  const predict = (x) => x.reduce((s, v, i) => s + v * beta[i], 0);
  const mean = ys.reduce((a, b) => a + b, 0) / ys.length;
  const ss = ys.reduce((s, y) => s + (y - mean) ** 2, 0);
  const rss = ys.reduce((s, y, i) => s + (y - predict(X[i])) ** 2, 0);
  return { beta, predict, r2: ss === 0 ? 1 : 1 - rss / ss, sigma: Math.sqrt(rss / Math.max(1, ys.length - beta.length)) };
}

const spark = (values) => {
  const ticks = '▁▂▃▄▅▆▇█';
  const [lo, hi] = [Math.min(...values), Math.max(...values)];
  return values.map((v) => (hi === lo ? ticks[3] : ticks[Math.round(((v - lo) / (hi - lo)) * (ticks.length - 1))])).join('');
};

const samples = postgres_reference.query({ sql: "SELECT tenant, day, gb FROM storage_daily WHERE day >= '2024-10-01' ORDER BY tenant, day" });
const quotas = new Map(sqlite_npx.read_query({ query: 'SELECT tenant, quota_gb FROM plans' }).map((p) => [p.tenant, p.quota_gb]));

const series = {};
for (const { tenant, day, gb } of samples) {
  if (gb === null || gb === undefined) continue;
  (series[tenant] ??= []).push([Date.parse(day), gb]);
}

const weekend = (t) => Number([0, 6].includes(new Date(t).getUTCDay()));
const forecasts = {};
for (const [tenant, points] of Object.entries(series)) {
  const t0 = points[0][0];
  const features = { linear: (t) => [1, (t - t0) / DAY], weekly: (t) => [1, (t - t0) / DAY, weekend(t)] };
  const ys = points.map(([, y]) => y);
  const models = Object.entries(features).flatMap(([name, f]) => {
    try {
      const model = fit(points.map(([t]) => f(t)), ys);
      const k = model.beta.length;
      return ys.length > k + 1 ? [{ name, f, ...model, score: 1 - ((1 - model.r2) * (ys.length - 1)) / (ys.length - k - 1) }] : [];
    } catch (e) {
      if (e instanceof RangeError) return [];
      throw e;
    }
  });
  if (models.length === 0) {
    console.log(`${tenant.padEnd(10)} too few points (${ys.length})`);
    continue;
  }
  const best = models.reduce((a, b) => (b.score > a.score + 0.005 ? b : a));
  const last = points.at(-1)[0];
  const quota = quotas.get(tenant);
  let full = null;
  if (quota && best.beta[1] > 0) {
    for (let t = last; t < last + 365 * DAY; t += DAY) {
      if (best.predict(best.f(t)) + best.sigma >= quota) {
        full = new Date(t).toISOString().slice(0, 10);
        break;
      }
    }
  }
  const outliers = points.filter(([t, y]) => Math.abs(y - best.predict(best.f(t))) > 2.5 * best.sigma && best.sigma > 1e-9).map(([t]) => new Date(t).toISOString().slice(5, 10));
  forecasts[tenant] = { model: best.name, slope: Number(best.beta[1].toFixed(3)), r2: Number(best.r2.toFixed(4)), full, outliers };
  console.log(`${tenant.padEnd(10)} ${spark(ys.slice(-30))} ${best.name.padEnd(7)} ${best.beta[1].toFixed(2).padStart(7)} GB/day  R²=${best.r2.toFixed(3)}  ${full ? `full on ${full}` : quota ? 'fits' : 'no quota'}${outliers.length ? `  outliers ${outliers.join(' ')}` : ''}`);
}

const urgent = Object.entries(forecasts).filter(([, f]) => f.full).sort(([, a], [, b]) => (a.full < b.full ? -1 : 1));
urgent.forEach(([tenant, { full }]) => sqlite_npx.write_query({ query: `UPDATE plans SET warn_on = '${full}' WHERE tenant = '${tenant.replace(/'/g, "''")}'` }));
const result = { forecasts, urgent: urgent.map(([t]) => t) };
