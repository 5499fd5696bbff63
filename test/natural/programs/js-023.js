// Compare .env and .ini settings of three environments and report drift.
const ENVIRONMENTS = ['development', 'staging', 'production'];

function parseIni(text) {
  const out = {};
  let section = out;
  let pending = null;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (pending && /^\s+\S/.test(raw)) {
      section[pending] += `\n${line}`;
      continue;
    }
    pending = null;
    if (!line || /^[;#]/.test(line)) continue;
    const header = /^\[(?<path>[^\]]+)\]$/.exec(line);
    if (header) {
      section = header.groups.path.split('.').reduce((node, part) => (node[part] ??= {}), out);
      continue;
    }
    const at = line.indexOf('=');
    const key = (at < 0 ? line : line.slice(0, at)).trim();
    const value = at < 0 ? true : line.slice(at + 1).replace(/\s[;#].*$/, '').trim();
    if (key.endsWith('[]')) (section[key.slice(0, -2)] ??= []).push(value);
    else section[key] = value;
    pending = typeof value === 'string' && !key.endsWith('[]') ? key : null;
  }
  return out;
}

function parseEnv(text) {
  const env = {};
  for (const { groups: { key, double, single, bare } } of text.matchAll(/^\s*(?:export\s+)?(?<key>[A-Z_][A-Z0-9_]*)\s*=\s*(?:"(?<double>(?:[^"\\]|\\.)*)"|'(?<single>[^']*)'|(?<bare>[^\n#]*))/gm)) {
    const value = double?.replace(/\\(.)/g, (_, c) => ({ n: '\n', t: '\t' })[c] ?? c) ?? single ?? bare.trim();
    env[key] = single !== undefined ? value : value.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_, name, fallback = '') => env[name] ?? fallback);
  }
  return env;
}

// looking up an unknown setting is an error, not undefined
const strict = (name, target) =>
  new Proxy(target, {
    get(t, key) {
      if (typeof key === 'symbol' || key in t) return Reflect.get(t, key);
      throw new ReferenceError(`${name} has no setting "${key}"`);
    },
    set() {
      throw new TypeError(`${name} is read only`);
    },
  });

const flatten = (node, prefix = '') =>
  Object.entries(node).flatMap(([k, v]) => (v && typeof v === 'object' && !Array.isArray(v) ? flatten(v, `${prefix}${k}.`) : [[prefix + k, v]]));

const configs = {};
for (const name of ENVIRONMENTS) {
  const [ini, env] = await Promise.all([
    server_filesystem.read_text_file({ path: `/config/${name}/app.ini` }),
    server_filesystem.read_text_file({ path: `/config/${name}/.env` }),
  ]).then((files) => files.map((f) => f.content));
  const settings = { ...parseIni(ini), env: parseEnv(env) };
  configs[name] = strict(name, Object.fromEntries(flatten(settings)));
}

const keys = [...new Set(Object.values(configs).flatMap((c) => Object.keys(c)))].sort();
const secret = /password|secret|token|_key$/i;
const display = (key, v) => (v === undefined ? '—' : secret.test(key) ? '•'.repeat(Math.min(8, String(v).length)) : JSON.stringify(v));
const drift = [];
const missing = {};
for (const key of keys) {
  const values = ENVIRONMENTS.map((e) => (key in configs[e] ? configs[e][key] : undefined));
  ENVIRONMENTS.filter((_, i) => values[i] === undefined).forEach((e) => (missing[e] ??= []).push(key));
  if (new Set(values.map((v) => JSON.stringify(v))).size > 1) {
    drift.push(key);
    console.log(`${key.padEnd(24)} ${values.map((v) => display(key, v).padEnd(26)).join(' ')}`.trimEnd());
  }
}

const complaints = [];
const rules = {
  'no debug in production': (c) => c.production['app.debug'] !== 'true',
  'pool is numeric': (c) => Object.values(c).every((e) => /^\d+$/.test(e['db.pool'])),
  'staging uses the sandbox': (c) => new URL(c.staging['env.PAY_URL']).hostname.startsWith('sandbox.'),
  'secrets differ': (c) => new Set(Object.values(c).map((e) => e['env.SECRET_KEY'])).size === ENVIRONMENTS.length,
  'tracing configured': (c) => Boolean(c.production['trace.endpoint']),
  'settings are frozen': (c) => (c.development['app.debug'] = 'false'),
};
for (const [title, rule] of Object.entries(rules)) {
  try {
    if (!rule(configs)) complaints.push(title);
    else console.log(`✓ ${title}`);
  } catch (e) {
    complaints.push(`${title}: ${e.message}`);
  }
}
complaints.forEach((c) => console.log(`✗ ${c}`));
await github_reference.create_issue({ owner: 'acme', repo: 'config', title: `Configuration drift (${drift.length} settings)`, body: complaints.map((c) => `- ${c}`).join('\n') });
const result = { settings: keys.length, drift, missing, complaints };
