// What does our landing page load, from where, and what leaks into the query strings?
const PAGE = 1;
const SENSITIVE = /^(?:e-?mail|token|session(?:_?id)?|phone|password|auth)$/i;
const EMAIL = /[\w.+-]+@[\w-]+\.[\w.]+/;

await chrome_devtools.navigate_page({ pageId: PAGE, type: 'url', url: 'https://www.acme-shop.example/?utm_source=newsletter' });

const requests = [];
let pageIdx = 0;
do {
  const { items, totalPages } = await chrome_devtools.list_network_requests({ pageId: PAGE, pageSize: 25, pageIdx });
  requests.push(...items);
  pageIdx += 1;
  if (pageIdx >= totalPages) break;
} while (true);

const site = (host) => host.split('.').slice(-2).join('.');
const home = site('www.acme-shop.example');
const parties = new Map();
const leaks = [];
const invalid = [];
const duplicates = new Map();

for (const { reqid, url: raw, method, status, type, bytes } of requests) {
  let url;
  try {
    url = new URL(raw, 'https://www.acme-shop.example');
  } catch {
    invalid.push(raw);
    continue;
  }
  if (!['http:', 'https:'].includes(url.protocol)) continue;
  const key = site(url.hostname);
  const party = parties.get(key) ?? { requests: 0, bytes: 0, failed: 0, insecure: 0, types: new Set() };
  party.requests++;
  party.bytes += bytes ?? 0;
  party.failed += Number(status >= 400 || status === null);
  party.insecure += url.protocol === 'http:' ? 1 : 0;
  party.types.add(type);
  parties.set(key, party);

  for (const [name, value] of url.searchParams) {
    const kind = SENSITIVE.test(name) ? name.toLowerCase() : EMAIL.test(value) ? 'email in value' : null;
    if (kind && key !== home) leaks.push({ reqid, host: url.host, name, kind, value });
  }

  const clean = new URL(url);
  for (const name of [...clean.searchParams.keys()]) {
    if (/^(utm_|_|cb$|t$)/.test(name)) clean.searchParams.delete(name);
  }
  clean.searchParams.sort();
  clean.hash = '';
  const id = `${method} ${clean.href}`;
  duplicates.set(id, [...(duplicates.get(id) ?? []), reqid]);
}

const human = (n) => {
  const units = ['B', 'kB', 'MB'];
  let i = 0;
  for (; n >= 1000 && i < units.length - 1; i++) n /= 1000;
  return `${n.toFixed(i ? 1 : 0)} ${units[i]}`;
};

console.log(`${'site'.padEnd(26)}${'requests'.padStart(9)}${'size'.padStart(10)}  types`);
for (const [name, p] of [...parties].sort(([, a], [, b]) => b.bytes - a.bytes)) {
  const flags = [p.failed && `${p.failed} failed`, p.insecure && `${p.insecure} over http`, name !== home && 'third party'].filter(Boolean).join(', ');
  console.log(`${name.padEnd(26)}${String(p.requests).padStart(9)}${human(p.bytes).padStart(10)}  ${[...p.types].sort().join('/')}${flags ? ` (${flags})` : ''}`);
}

const mask = (v) => v.replace(EMAIL, (m) => `${m[0]}***@${m.split('@')[1]}`).replace(/^(\w{3})\w{6,}$/, '$1…');
console.log('\nleaks:');
for (const leak of leaks) console.log(`  #${leak.reqid} ${leak.host} ${leak.name}=${mask(leak.value)} (${leak.kind})`);

const repeated = [...duplicates].filter(([, ids]) => ids.length > 1);
console.log('\nrepeated:');
repeated.forEach(([id, ids]) => console.log(`  ${ids.length}× ${decodeURI(id)}`));

// the Content-Security-Policy the page would need
const directives = { script: 'script-src', stylesheet: 'style-src', image: 'img-src', font: 'font-src', fetch: 'connect-src', xhr: 'connect-src' };
const policy = {};
for (const { url, type } of requests) {
  const directive = directives[type];
  if (!directive || invalid.includes(url)) continue;
  const { origin, hostname } = new URL(url, 'https://www.acme-shop.example');
  if (origin !== 'null') (policy[directive] ??= new Set()).add(site(hostname) === home ? "'self'" : origin);
}
const csp = Object.entries(policy).sort(([a], [b]) => a.localeCompare(b)).map(([d, s]) => `${d} ${[...s].sort().join(' ')}`).join('; ');
console.log(`\nContent-Security-Policy: ${csp}`);

const report = new URL('https://reports.acme-shop.example/new');
report.search = new URLSearchParams({ page: '/', leaks: leaks.length, 'third parties': parties.size - 1, title: 'Prüfung & mehr' });
console.log(report.href);
const result = { parties: parties.size, leaks: leaks.map(({ host, name }) => `${host}:${name}`), repeated: repeated.length, invalid, csp, link: report.href };
