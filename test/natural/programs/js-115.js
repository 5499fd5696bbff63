const DIR = '/app/src/locales';
const listing = filesystem.list_directory({ path: DIR });
const locales = listing
  .split('\n')
  .filter((l) => l.startsWith('[FILE]') && l.endsWith('.json'))
  .map((l) => l.slice('[FILE] '.length, -'.json'.length));

function flatten(obj, prefix = '', out = {}) {
  for (const [key, value] of Object.entries(obj)) {
    const path = prefix ? `${prefix}.${key}` : key;
    if (value !== null && typeof value === 'object') flatten(value, path, out);
    else out[path] = value;
  }
  return out;
}

const translations = {};
for (const locale of locales) {
  const content = filesystem.read_text_file({ path: `${DIR}/${locale}.json` });
  try {
    translations[locale] = flatten(JSON.parse(content));
  } catch (e) {
    console.log(`${locale}.json is not valid JSON, skipped`);
  }
}

const { en: base, ...others } = translations;
const baseKeys = Object.keys(base);
console.log(`en has ${baseKeys.length} keys; comparing ${Object.keys(others).join(', ')}`);

const placeholders = (s) => [...String(s).matchAll(/\{\{?\s*(\w+)\s*\}?\}/g)].map((m) => m[1]).sort().join(',');

const report = {};
for (const [locale, strings] of Object.entries(others)) {
  const missing = baseKeys.filter((k) => !(k in strings) || strings[k] === '' || strings[k] === null);
  const extra = Object.keys(strings).filter((k) => !Object.hasOwn(base, k));
  const untranslated = baseKeys.filter((k) => strings[k] === base[k] && /[a-z]{4,}/.test(base[k]));
  const mismatched = baseKeys
    .filter((k) => strings[k] && placeholders(strings[k]) !== placeholders(base[k]))
    .map((k) => ({ key: k, expected: placeholders(base[k]), found: placeholders(strings[k]) }));
  const tooLong = baseKeys.filter((k) => strings[k] && [...strings[k]].length > [...base[k]].length * 1.8 + 10);
  const coverage = 1 - missing.length / baseKeys.length;
  report[locale] = { coverage: Number((coverage * 100).toFixed(1)), missing, extra, untranslated, mismatched, tooLong };

  console.log(`\n${locale}: ${(coverage * 100).toFixed(1)}% complete`);
  if (missing.length) console.log(`  missing:      ${missing.join(', ')}`);
  if (extra.length) console.log(`  obsolete:     ${extra.join(', ')}`);
  if (untranslated.length) console.log(`  same as en:   ${untranslated.join(', ')}`);
  for (const { key, expected, found } of mismatched) console.log(`  placeholders: ${key} expects {${expected}}, has {${found}}`);
  if (tooLong.length) console.log(`  very long:    ${tooLong.join(', ')}`);
}

const worst = Object.entries(report).sort(([, a], [, b]) => a.coverage - b.coverage)[0];
console.log(`\nLeast complete: ${worst[0]}`);

const missingEverywhere = baseKeys.filter((k) => Object.values(report).every((r) => r.missing.includes(k)));
const result = { report, missingEverywhere };
