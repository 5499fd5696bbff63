class Version {
  static pattern = /^v?(?<major>\d+)(?:\.(?<minor>\d+))?(?:\.(?<patch>\d+))?(?:-(?<pre>[0-9A-Za-z.-]+))?(?:\+[\w.-]+)?$/;

  constructor(major, minor, patch, pre = []) {
    Object.assign(this, { major, minor, patch, pre });
    Object.freeze(this);
  }

  static parse(text) {
    const m = Version.pattern.exec(text.trim());
    if (m === null) return null;
    const { major, minor = '0', patch = '0', pre } = m.groups;
    return new Version(+major, +minor, +patch, pre?.split('.') ?? []);
  }

  *[Symbol.iterator]() {
    yield this.major;
    yield this.minor;
    yield this.patch;
  }

  static compare(a, b) {
    const [x, y] = [[...a], [...b]];
    for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return x[i] - y[i];
    if (!a.pre.length || !b.pre.length) return b.pre.length - a.pre.length;
    for (let i = 0; i < Math.max(a.pre.length, b.pre.length); i++) {
      const [p, q] = [a.pre[i], b.pre[i]];
      if (p === undefined) return -1;
      if (q === undefined) return 1;
      if (p === q) continue;
      const [pn, qn] = [/^\d+$/.test(p), /^\d+$/.test(q)];
      if (pn && qn) return Number(p) - Number(q);
      if (pn !== qn) return pn ? -1 : 1;
      return p < q ? -1 : 1;
    }
    return 0;
  }

  toString() {
    return [...this].join('.') + (this.pre.length ? `-${this.pre.join('.')}` : '');
  }
}

function satisfies(version, range) {
  return range.split('||').some((alternative) =>
    alternative.trim().split(/\s+/).every((part) => {
      const m = /^(?<op>\^|~|>=|<=|>|<|=)?(?<rest>.*)$/.exec(part);
      const { op = '=', rest } = m.groups;
      if (rest === '*' || rest === 'latest') return true;
      const bound = Version.parse(rest);
      if (!bound) return false;
      const c = Version.compare(version, bound);
      switch (op) {
        case '^': {
          const fixed = bound.major > 0 ? 1 : bound.minor > 0 ? 2 : 3;
          return c >= 0 && [...version].slice(0, fixed).every((n, i) => n === [...bound][i]);
        }
        case '~':
          return c >= 0 && version.major === bound.major && version.minor === bound.minor;
        case '>=': return c >= 0;
        case '<=': return c <= 0;
        case '>': return c > 0;
        case '<': return c < 0;
        default: return c === 0;
      }
    }),
  );
}

const found = await server_filesystem.search_files({ path: '/srv/mono', pattern: '**/package.json', excludePatterns: ['**/node_modules/**'] });
const manifests = [];
for (const path of found.content.split('\n').filter(Boolean)) {
  try {
    const { content } = await server_filesystem.read_text_file({ path });
    manifests.push({ path, ...JSON.parse(content) });
  } catch (err) {
    console.log(`skipping ${path}: ${err instanceof SyntaxError ? 'not valid JSON' : err.message}`);
  }
}

const wanted = new Map();
for (const { name, dependencies = {}, devDependencies = {} } of manifests) {
  for (const [dep, range] of Object.entries({ ...devDependencies, ...dependencies })) {
    if (range.startsWith('workspace:')) continue;
    if (!wanted.has(dep)) wanted.set(dep, []);
    wanted.get(dep).push({ by: name, range, dev: !(dep in dependencies) });
  }
}

const names = [...wanted.keys()].sort();
const rows = await sqlite_npx.read_query({
  query: `SELECT name, version FROM releases WHERE name IN (${names.map((n) => `'${n}'`).join(', ')})`,
});
const releases = new Map();
for (const { name, version } of rows) {
  const v = Version.parse(version);
  if (v) releases.set(name, [...(releases.get(name) ?? []), v]);
}

const plan = [];
for (const dep of names) {
  const versions = (releases.get(dep) ?? []).sort(Version.compare);
  const stable = versions.filter((v) => v.pre.length === 0);
  const latest = stable.at(-1);
  const users = wanted.get(dep);
  const common = versions.filter((v) => users.every(({ range }) => satisfies(v, range))).at(-1);
  const behind = latest ? users.filter(({ range }) => !satisfies(latest, range)) : [];
  plan.push({ dep, latest: latest?.toString() ?? null, common: common?.toString() ?? null, behind: behind.map((u) => u.by) });
  const note = !latest ? 'no stable release' : !common ? 'CONFLICT' : behind.length ? `update ${behind.map((u) => `${u.by} (${u.range})`).join(', ')}` : 'ok';
  console.log(`${dep.padEnd(14)} latest ${String(latest ?? '-').padEnd(10)} common ${String(common ?? '-').padEnd(12)} ${note}`);
}

const result = { packages: manifests.length, conflicts: plan.filter((p) => p.latest && !p.common).map((p) => p.dep), outdated: plan.filter((p) => p.behind.length).length, plan };
