const stores = { staging: 'appcs-acme-stg', production: 'appcs-acme-prd' };
const ignore = [/^diagnostics:/, /:lastDeployed$/];

const load = async (account) => {
  const res = await azure.appconfig_kv_get({ account, subscription: 'acme-main' });
  const map = new Map();
  for (const { key, label, value, locked } of res.results.settings) {
    if (ignore.some((re) => re.test(key))) continue;
    map.set(label ? `${key} (${label})` : key, { value, locked: Boolean(locked) });
  }
  return map;
};

const [staging, production] = await Promise.all(Object.values(stores).map(load));
console.log(`staging: ${staging.size} keys, production: ${production.size} keys`);

const mask = (key, value) => (/secret|password|token|connectionstring/i.test(key) && value ? '•••' + value.slice(-3) : value);
const asBool = (v) => ({ true: true, '1': true, on: true, false: false, '0': false, off: false }[String(v).toLowerCase()]);

const onlyStaging = [];
const onlyProduction = [];
const different = [];
const expected = [];

const keys = [...new Set([...staging.keys(), ...production.keys()])].sort();
for (const key of keys) {
  const s = staging.get(key);
  const p = production.get(key);
  if (!p) onlyStaging.push(key);
  else if (!s) onlyProduction.push(key);
  else if (s.value !== p.value) {
    const sb = asBool(s.value);
    if (sb !== undefined && sb === asBool(p.value)) continue;
    const normalised = s.value?.replaceAll('staging', 'production').replaceAll('-stg', '-prd');
    (normalised === p.value ? expected : different).push({ key, staging: s.value, production: p.value, locked: p.locked });
  }
}

console.log('\nOnly in staging:', onlyStaging.length ? onlyStaging.join(', ') : 'none');
console.log('Only in production:', onlyProduction.length ? onlyProduction.join(', ') : 'none');
console.log(`Environment-specific as expected: ${expected.length}`);

console.log('\n| Key | staging | production | |');
console.log('|---|---|---|---|');
for (const { key, staging: a, production: b, locked } of different) {
  console.log(`| ${key} | ${mask(key, a) ?? '_null_'} | ${mask(key, b) ?? '_null_'} | ${locked ? '🔒' : ''} |`);
}

const numeric = different
  .map((d) => ({ ...d, ratio: Number(d.production) / Number(d.staging) }))
  .filter((d) => Number.isFinite(d.ratio) && d.ratio > 0);
for (const { key, ratio } of numeric) console.log(`${key}: production is ${ratio.toFixed(2)}x staging`);

return { onlyStaging, onlyProduction, different: different.map((d) => d.key), expected: expected.length };
