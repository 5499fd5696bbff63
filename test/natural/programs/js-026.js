// Summarise JUnit reports without an XML library: a tokenizer and a stack are enough.
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const decode = (s) => s.replace(/&(#x?[0-9a-f]+|\w+);/gi, (all, e) => {
  if (e[0] === '#') return String.fromCodePoint(e[1].toLowerCase() === 'x' ? parseInt(e.slice(2), 16) : Number(e.slice(1)));
  return ENTITIES[e] ?? all;
});

function parseXml(text) {
  const root = { tag: '#root', attrs: {}, children: [] };
  const stack = [root];
  const token = /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[(?<cdata>[\s\S]*?)\]\]>|<\/(?<close>[\w:.-]+)\s*>|<(?<open>[\w:.-]+)(?<attrs>(?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(?<self>\/?)>|(?<text>[^<]+)/gy;
  let match;
  let end = 0;
  while ((match = token.exec(text)) !== null) {
    end = token.lastIndex;
    const { cdata, close, open, attrs, self, text: chars } = match.groups;
    const top = stack[stack.length - 1];
    if (cdata !== undefined) top.children.push(cdata);
    else if (chars !== undefined) top.children.push(decode(chars));
    else if (open) {
      const node = { tag: open, attrs: {}, children: [] };
      for (const [, name, a, b] of attrs.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) node.attrs[name] = decode(a ?? b);
      top.children.push(node);
      if (!self) stack.push(node);
    } else if (close) {
      if (top.tag !== close) throw new SyntaxError(`</${close}> closes <${top.tag}>`);
      stack.pop();
    }
  }
  if (end !== text.length) throw new SyntaxError(`unexpected ${JSON.stringify(text.slice(end, end + 12))} at ${end}`);
  if (stack.length > 1) throw new SyntaxError(`<${stack.pop().tag}> is never closed`);
  return root;
}

const elements = (node) => node.children.filter((c) => typeof c === 'object');
const textOf = (node) => node.children.map((c) => (typeof c === 'string' ? c : textOf(c))).join('');
function* descendants(node, tag) {
  for (const child of elements(node)) {
    if (child.tag === tag) yield child;
    yield* descendants(child, tag);
  }
}

const listing = server_filesystem.list_directory({ path: '/ci/reports' }).content;
const paths = [...listing.matchAll(/^\[FILE\] (.+\.xml)$/gm)].map(([, name]) => `/ci/reports/${name}`);

const suites = new Map();
const failures = [];
const unreadable = [];
let slowest = [];
files: for (const path of paths) {
  let root;
  try {
    root = parseXml(server_filesystem.read_text_file({ path }).content);
  } catch (e) {
    unreadable.push({ path, why: e.message });
    continue files;
  }
  for (const suite of descendants(root, 'testsuite')) {
    const { name } = suite.attrs;
    const s = suites.get(name) ?? { tests: 0, failed: 0, skipped: 0, time: 0 };
    suites.set(name, s);
    for (const test of elements(suite).filter((e) => e.tag === 'testcase')) {
      const id = `${test.attrs.classname}#${test.attrs.name}`;
      const time = parseFloat(test.attrs.time ?? '0') || 0;
      s.tests++;
      s.time += time;
      slowest.push([time, id]);
      for (const child of elements(test)) {
        switch (child.tag) {
          case 'skipped':
            s.skipped++;
            break;
          case 'failure':
          case 'error':
            s.failed++;
            failures.push({ id, kind: child.tag, message: child.attrs.message ?? textOf(child).trim().split('\n')[0], where: /\(([^()]+:\d+)\)/.exec(textOf(child))?.[1] ?? null });
        }
      }
      if (failures.length > 50) {
        console.log('too many failures');
        break files;
      }
    }
  }
}

for (const [name, { tests, failed, skipped, time }] of [...suites].sort(([a], [b]) => (a < b ? -1 : 1))) {
  const ok = tests - failed - skipped;
  console.log(`${name.padEnd(16)} ${'█'.repeat(Math.round((ok / tests) * 10)).padEnd(10, '░')} ${ok}/${tests} ok, ${failed} failed, ${skipped} skipped, ${time.toFixed(2)}s`);
}
failures.forEach((f, i) => console.log(`${i + 1}) ${f.id} ${f.kind}: ${f.message}${f.where ? ` at ${f.where}` : ''}`));
unreadable.forEach(({ path, why }) => console.log(`cannot read ${path}: ${why}`));
slowest = slowest.sort(([a], [b]) => b - a).slice(0, 3);
console.log('slowest:', slowest.map(([t, id]) => `${id} ${t}s`).join('; '));

const open = gitlab_zereight.list_issues({ project_id: '9', labels: ['ci'], state: 'opened' });
const fresh = failures.filter((f) => !open.some(({ title }) => title.includes(f.id)));
const filed = fresh.map((f) => gitlab_zereight.create_issue({ project_id: '9', title: `${f.id} fails`, description: f.message, labels: ['ci'] }).iid);
const result = { suites: Object.fromEntries(suites), failures, unreadable, filed };
