const ROOT = '/srv/data';

const tree = JSON.parse((await server_filesystem.directory_tree({ path: ROOT, excludePatterns: ['.git', 'node_modules'] })).content);

const walk = (nodes, path = ROOT) =>
  nodes.flatMap((node) => {
    const here = `${path}/${node.name}`;
    return node.type === 'directory' ? [{ path: here, dir: true, empty: node.children.length === 0 }, ...walk(node.children, here)] : [{ path: here, dir: false }];
  });

const all = walk(tree);
const dirs = [{ path: ROOT, dir: true }, ...all.filter((e) => e.dir)];

const UNITS = { B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30 };
const sizes = new Map();
for (const { path, empty } of dirs) {
  if (empty) continue;
  const { content } = await server_filesystem.list_directory_with_sizes({ path, sortBy: 'size' });
  for (const { groups: { name, n, unit } } of content.matchAll(/^\[FILE\] (?<name>.+?)\s{2,}(?<n>[\d.]+) (?<unit>[KMG]?B)$/gm)) {
    sizes.set(`${path}/${name}`, Math.round(Number(n) * UNITS[unit]));
  }
}

const human = (bytes) => {
  const [unit, factor] = Object.entries(UNITS).findLast(([, f]) => bytes >= f) ?? ['B', 1];
  return `${(bytes / factor).toLocaleString('en-US', { maximumFractionDigits: 1 })} ${unit}`;
};

// size of every directory, children included
const total = new Map();
for (const [path, size] of sizes) {
  const parts = path.slice(ROOT.length + 1).split('/').slice(0, -1);
  for (let i = 0; i <= parts.length; i++) {
    const dir = [ROOT, ...parts.slice(0, i)].join('/');
    total.set(dir, (total.get(dir) ?? 0) + size);
  }
}

const print = (nodes, path, prefix = '') => {
  const sized = nodes
    .map((n) => ({ ...n, size: (n.type === 'directory' ? total : sizes).get(`${path}/${n.name}`) ?? 0 }))
    .sort((a, b) => b.size - a.size || a.name.localeCompare(b.name, 'en', { numeric: true }));
  sized.forEach((n, i) => {
    const last = i === sized.length - 1;
    const share = n.size / total.get(ROOT);
    console.log(`${prefix}${last ? '└── ' : '├── '}${n.name}${n.type === 'directory' ? '/' : ''} ${human(n.size)}${share > 0.1 ? ` ${(share * 100).toFixed(0)}%` : ''}`);
    if (n.children?.length && prefix.length < 8) print(n.children, `${path}/${n.name}`, prefix + (last ? '    ' : '│   '));
  });
};
console.log(`${ROOT} ${human(total.get(ROOT))}`);
print(tree, ROOT);

const byExtension = new Map();
for (const [path, size] of sizes) {
  const ext = /[^/.]+(\.(?:tar\.)?\w+)$/.exec(path)?.[1].toLowerCase() ?? '(none)';
  const { count, bytes } = byExtension.get(ext) ?? { count: 0, bytes: 0 };
  byExtension.set(ext, { count: count + 1, bytes: bytes + size });
}
console.log('\nextension   files      size');
for (const [ext, { count, bytes }] of [...byExtension].sort(([, a], [, b]) => b.bytes - a.bytes)) {
  console.log(ext.padEnd(10), String(count).padStart(6), human(bytes).padStart(10));
}

// same name and size in different places: probably copies
const copies = new Map();
for (const [path, size] of sizes) {
  const key = `${path.split('/').pop().replace(/ \(\d+\)(?=\.\w+$)| copy(?=\.\w+$)/, '')}|${size}`;
  copies.set(key, [...(copies.get(key) ?? []), path]);
}
const duplicates = [...copies.values()].filter((c) => c.length > 1);
const wasted = duplicates.reduce((sum, [first, ...rest]) => sum + rest.length * sizes.get(first), 0);
duplicates.forEach((d) => console.log(`copies: ${d.map((p) => p.slice(ROOT.length + 1)).join(' = ')}`));
console.log(`could free ${human(wasted)}`);

const result = {
  files: sizes.size,
  directories: dirs.length,
  unlisted: all.filter((e) => !e.dir && !sizes.has(e.path)).map((e) => e.path),
  bytes: total.get(ROOT),
  largest: [...sizes].reduce((a, b) => (b[1] > a[1] ? b : a)),
  wasted,
};
