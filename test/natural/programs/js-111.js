await playwright.browser_navigate({ url: 'https://shop.example.com/checkout' });
await playwright.browser_wait_for({ text: 'Order summary' });
const network = await playwright.browser_network_requests({ static: true });
const consoleText = await playwright.browser_console_messages({ level: 'warning' });
const timing = await playwright.browser_evaluate({
  function: '() => performance.getEntriesByType("resource").map(e => ({ name: e.name, duration: e.duration, size: e.transferSize, type: e.initiatorType }))',
});
await playwright.browser_close({});

const requests = network
  .split('\n')
  .map((l) => l.match(/^\d+\. \[(\w+)\] (\S+) => \[(\d{3}|FAILED)\] ?(.*)$/))
  .filter(Boolean)
  .map(([, method, url, status, text]) => ({ method, url: new URL(url), status: status === 'FAILED' ? 0 : Number(status), text }));

const failed = requests.filter((r) => r.status === 0 || r.status >= 400);
console.log(`${requests.length} requests, ${failed.length} failed`);
for (const r of failed) {
  console.log(`  ${r.status || 'ERR'} ${r.method} ${r.url.host}${r.url.pathname} ${r.text}`);
}

const byHost = new Map();
for (const t of timing) {
  const { host, hostname } = new URL(t.name);
  const h = byHost.get(host) ?? { count: 0, bytes: 0, slowest: 0, thirdParty: !hostname.endsWith('example.com') };
  h.count++;
  h.bytes += t.size ?? 0;
  h.slowest = Math.max(h.slowest, t.duration);
  byHost.set(host, h);
}

console.log('\nHost                        count      KiB   slowest');
for (const [host, h] of [...byHost].sort((a, b) => b[1].bytes - a[1].bytes)) {
  console.log(
    `${host.padEnd(28)}${String(h.count).padStart(5)}${(h.bytes / 1024).toFixed(1).padStart(9)}${Math.round(h.slowest).toString().padStart(7)} ms${h.thirdParty ? '  third party' : ''}`
  );
}

const slow = timing
  .filter((t) => t.duration > 1000)
  .sort((a, b) => b.duration - a.duration)
  .map((t) => ({ path: new URL(t.name).pathname, ms: Math.round(t.duration), type: t.type }));
console.log('\nSlower than one second:');
slow.forEach((s) => console.log(`  ${s.ms} ms  ${decodeURIComponent(s.path)} (${s.type})`));

const duplicates = Object.entries(
  requests.reduce((acc, r) => {
    const k = `${r.method} ${r.url.href}`;
    acc[k] = (acc[k] ?? 0) + 1;
    return acc;
  }, {})
).filter(([, n]) => n > 1);
for (const [k, n] of duplicates) console.log(`Requested ${n} times: ${k}`);

const warnings = consoleText.split('\n').filter((l) => /^\[(WARNING|ERROR)\]/.test(l));
console.log(`\n${warnings.length} console warnings/errors`);
warnings.slice(0, 3).forEach((w) => console.log('  ' + w));

const thirdPartyBytes = [...byHost.values()].filter((h) => h.thirdParty).reduce((n, h) => n + h.bytes, 0);
return { failed: failed.map((r) => r.url.href), slow, duplicates: duplicates.length, warnings: warnings.length, thirdPartyKiB: Math.round(thirdPartyBytes / 1024) };
