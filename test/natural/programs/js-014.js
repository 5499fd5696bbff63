const NAMESPACE = 'platform';

const { items } = kubernetes_flux159.kubectl_get({ resourceType: 'deployments', namespace: NAMESPACE });

const graph = new Map();
const owners = {};
for (const { metadata: { name, annotations = {} } } of items) {
  const needs = (annotations['acme.io/depends-on'] ?? '').split(',').map((s) => s.trim()).filter(Boolean);
  graph.set(name, new Set(needs));
  owners[name] = annotations['acme.io/owner'] ?? null;
}

const external = new Set();
for (const needs of graph.values()) {
  for (const n of needs) if (!graph.has(n)) external.add(n);
}
external.forEach((n) => graph.set(n, new Set()));

// Tarjan: strongly connected components, so that cycles are reported as a whole
function components(g) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const onStack = new Set();
  const found = [];
  const visit = (v) => {
    index.set(v, index.size);
    low.set(v, index.get(v));
    stack.push(v);
    onStack.add(v);
    for (const w of g.get(v)) {
      if (!index.has(w)) {
        visit(w);
        low.set(v, Math.min(low.get(v), low.get(w)));
      } else if (onStack.has(w)) {
        low.set(v, Math.min(low.get(v), index.get(w)));
      }
    }
    if (low.get(v) === index.get(v)) {
      const component = [];
      let w;
      do {
        w = stack.pop();
        onStack.delete(w);
        component.push(w);
      } while (w !== v);
      found.push(component.sort());
    }
  };
  for (const v of g.keys()) if (!index.has(v)) visit(v);
  return found;
}

const cycles = components(graph).filter((c) => c.length > 1 || graph.get(c[0]).has(c[0]));
for (const cycle of cycles) {
  console.log('cycle:', cycle.join(' ⇄ '));
  // cut it where the alphabetically last member depends on the others
  const victim = cycle.at(-1);
  for (const other of cycle) graph.get(victim).delete(other);
}

// Kahn, level by level
const levels = [];
const remaining = new Map([...graph].map(([k, v]) => [k, new Set(v)]));
while (remaining.size) {
  const ready = [...remaining].filter(([, needs]) => needs.size === 0).map(([name]) => name).sort();
  if (!ready.length) throw new Error(`stuck with ${[...remaining.keys()].join(', ')}`);
  levels.push(ready);
  for (const name of ready) remaining.delete(name);
  for (const needs of remaining.values()) ready.forEach((r) => needs.delete(r));
}

levels.forEach((names, i) => {
  console.log(`level ${i}: ${names.map((n) => (external.has(n) ? `(${n})` : n)).join(', ')}`);
});

// what has to be restarted if one service changes?
const dependents = (start) => {
  const seen = new Set();
  const visit = (n) => {
    for (const [name, needs] of graph) {
      if (needs.has(n) && !seen.has(name)) {
        seen.add(name);
        visit(name);
      }
    }
  };
  visit(start);
  return seen;
};
const impact = [...graph.keys()]
  .map((name) => ({ name, size: dependents(name).size }))
  .sort((a, b) => b.size - a.size || a.name.localeCompare(b.name))
  .slice(0, 5);
impact.forEach(({ name, size }) => console.log(`${name.padEnd(12)} ${'▪'.repeat(size)} ${size}`));

const restarted = [];
const failures = [];
restart: for (const level of levels) {
  for (const name of level) {
    if (external.has(name)) continue;
    if (!dependents('auth').has(name) && name !== 'auth') continue;
    try {
      const text = kubernetes_flux159.kubectl_rollout({ subCommand: 'restart', resourceType: 'deployment', name, namespace: NAMESPACE });
      restarted.push(name);
      console.log(' ', text);
    } catch (e) {
      failures.push(`${name}: ${e.message}`);
      if (/quota/.test(e.message)) continue;
      console.log('  giving up:', e.message);
      break restart;
    }
  }
}

const result = {
  levels,
  cycles,
  external: [...external].sort(),
  impact: Object.fromEntries(impact.map(({ name, size }) => [name, size])),
  restarted,
  failures,
  unowned: Object.entries(owners).filter(([, o]) => o === null).map(([n]) => n),
};
