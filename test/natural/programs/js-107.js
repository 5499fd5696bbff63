const path = '/srv/web/config/settings.json';
const raw = filesystem.read_text_file({ path });

// the file has // comments and trailing commas
const cleaned = raw
  .split('\n')
  .map((l) => l.replace(/^\s*\/\/.*$/, ''))
  .join('\n')
  .replace(/,(\s*[}\]])/g, '$1');
const settings = JSON.parse(cleaned);
const before = structuredClone(settings);

function setPath(obj, dotted, value) {
  const keys = dotted.split('.');
  const last = keys.pop();
  let node = obj;
  for (const k of keys) {
    if (typeof node[k] !== 'object' || node[k] === null) node[k] = {};
    node = node[k];
  }
  if (value === undefined) delete node[last];
  else node[last] = value;
}

setPath(settings, 'server.timeoutMs', 45_000);
setPath(settings, 'server.cors.origins', [...new Set([...(settings.server.cors?.origins ?? []), 'https://admin.example.com'])]);
setPath(settings, 'cache.redis.ttl', (settings.cache?.redis?.ttl ?? 60) * 2);
setPath(settings, 'features.newSearch', true);
setPath(settings, 'features.legacyUpload', undefined);
settings.version = settings.version.replace(/(\d+)$/, (n) => String(Number(n) + 1));

function* diff(a, b, prefix = '') {
  const keys = new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})]);
  for (const key of keys) {
    const p = prefix ? `${prefix}.${key}` : key;
    const x = a?.[key];
    const y = b?.[key];
    const bothObjects = [x, y].every((v) => v && typeof v === 'object' && !Array.isArray(v));
    if (bothObjects) yield* diff(x, y, p);
    else if (JSON.stringify(x) !== JSON.stringify(y)) yield { path: p, from: x, to: y };
  }
}

const changes = [...diff(before, settings)];
if (changes.length === 0) {
  console.log('Nothing to change');
  return { changed: 0 };
}

for (const { path: p, from, to } of changes) {
  const sign = from === undefined ? '+' : to === undefined ? '-' : '~';
  console.log(`${sign} ${p}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`);
}

const output = JSON.stringify(settings, null, 2) + '\n';
filesystem.write_file({ path: `${path}.bak`, content: raw });
const reply = filesystem.write_file({ path, content: output });
console.log(reply);
console.log(output);

const result = { changed: changes.length, paths: changes.map((c) => c.path), version: settings.version };
