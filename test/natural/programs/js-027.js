// Check the pages of a site for accessibility problems, using the accessibility snapshot.
const { pages } = await chrome_devtools.list_pages({});

const report = (strings, ...values) =>
  strings.reduce((out, s, i) => out + s + (i < values.length ? (Array.isArray(values[i]) ? values[i].join(', ') || 'none' : String(values[i] ?? '–')) : ''), '');

// "- role "name" [attr=value] [flag]:" lines, indented by two spaces per level
const NODE = /^(?<indent> *)- (?<role>[\w-]+)(?: "(?<name>(?:[^"\\]|\\.)*)")?(?<attrs>(?: \[[^\]]+\])*)(?::(?: (?<text>.*))?)?$/;

function parseSnapshot(text) {
  const root = { role: 'root', children: [], depth: -1 };
  const path = [root];
  for (const line of text.split('\n')) {
    const m = NODE.exec(line);
    if (!m) continue;
    const { indent, role, name, attrs, text: inline } = m.groups;
    const depth = indent.length / 2;
    while (path.at(-1).depth >= depth) path.pop();
    const node = {
      role,
      name: name?.replace(/\\(.)/g, '$1') ?? inline?.trim() ?? '',
      attrs: Object.fromEntries([...attrs.matchAll(/\[([\w-]+)(?:=([^\]]*))?\]/g)].map(([, k, v = true]) => [k, v])),
      depth,
      children: [],
    };
    path.at(-1).children.push(node);
    path.push(node);
  }
  return root;
}

function* walk(node, parents = []) {
  for (const child of node.children) {
    yield [child, parents];
    yield* walk(child, [...parents, child]);
  }
}

const CHECKS = {
  'image without text': ({ role, name }) => role === 'img' && !name,
  'control without name': ({ role, name }) => ['button', 'link', 'textbox', 'combobox'].includes(role) && !name,
  'vague link': ({ role, name }) => role === 'link' && /^(click here|here|more|hier|mehr)$/i.test(name),
  'interactive inside interactive': ({ role }, parents) => role === 'button' && parents.some((p) => p.role === 'link'),
};

const results = {};
for (const { id: pageId, url } of pages) {
  const page = decodeURIComponent(new URL(url).pathname);
  let snapshot;
  try {
    snapshot = await chrome_devtools.take_snapshot({ pageId });
  } catch (e) {
    results[page] = { error: e.message };
    continue;
  }
  const tree = parseSnapshot(snapshot);
  const nodes = [...walk(tree)];
  const problems = [];
  for (const [node, parents] of nodes) {
    for (const [title, test] of Object.entries(CHECKS)) {
      if (test(node, parents)) problems.push(`${title} (${node.attrs.ref ?? node.role})`);
    }
  }
  const headings = nodes.map(([n]) => n).filter((n) => n.role === 'heading').map((n) => Number(n.attrs.level));
  if (headings.filter((l) => l === 1).length !== 1) problems.push(`${headings.filter((l) => l === 1).length} main headings`);
  headings.reduce((before, level) => {
    if (level > before + 1) problems.push(`heading level jumps from ${before} to ${level}`);
    return level;
  }, 0);
  if (!nodes.some(([n]) => n.role === 'main')) problems.push('no main landmark');

  const log = await chrome_devtools.list_console_messages({ pageId, types: ['error', 'warn'] });
  const errors = [...log.matchAll(/^\[(?<level>ERROR|WARNING)\] (?<text>.*?)(?: @ (?<where>\S+))?$/gm)].map((m) => ({ ...m.groups }));
  const roles = nodes.reduce((acc, [{ role }]) => ({ ...acc, [role]: (acc[role] ?? 0) + 1 }), {});
  results[page] = { nodes: nodes.length, depth: Math.max(0, ...nodes.map(([n]) => n.depth)), problems, errors: errors.filter((e) => e.level === 'ERROR').map((e) => e.text), links: roles.link ?? 0 };
}

for (const [page, r] of Object.entries(results)) {
  console.log(
    r.error
      ? report`${page}: ${r.error}`
      : report`${page}: ${r.nodes} nodes, depth ${r.depth}, ${r.links} links
   problems: ${r.problems}
   console:  ${r.errors}`,
  );
}
for (const { id, url } of pages.slice(1)) {
  if (!results[decodeURIComponent(new URL(url).pathname)].problems?.length) await chrome_devtools.close_page({ pageId: id });
}
const ranked = Object.entries(results).filter(([, r]) => r.problems).sort(([, a], [, b]) => b.problems.length - a.problems.length);
const result = { worst: ranked[0][0], total: ranked.reduce((n, [, r]) => n + r.problems.length, 0), results };
