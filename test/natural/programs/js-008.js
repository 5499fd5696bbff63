class LRU {
  #map = new Map();
  hits = 0;
  misses = 0;

  constructor(limit) {
    this.limit = limit;
  }

  get size() {
    return this.#map.size;
  }

  fetch(key, make) {
    if (this.#map.has(key)) {
      const value = this.#map.get(key);
      this.#map.delete(key);
      this.#map.set(key, value);
      this.hits++;
      return value;
    }
    this.misses++;
    const value = make(key);
    this.#map.set(key, value);
    if (this.#map.size > this.limit) this.#map.delete(this.#map.keys().next().value);
    return value;
  }

  *keys() {
    yield* this.#map.keys();
  }
}

const memoize = (fn, limit = 50) => {
  const cache = new LRU(limit);
  const wrapped = (...args) => cache.fetch(JSON.stringify(args), () => fn(...args));
  return Object.assign(wrapped, { cache });
};

const { entities, relations } = await server_memory.read_graph({});
const kind = new Map(entities.map(({ name, entityType }) => [name, entityType]));
const next = new Map();
for (const { from, to, relationType } of relations) {
  if (!kind.has(from) || !kind.has(to)) {
    console.log(`dangling: ${from} —${relationType}→ ${to}`);
    continue;
  }
  for (const [a, b, label] of [[from, to, relationType], [to, from, `is ${relationType} by`]]) {
    if (!next.has(a)) next.set(a, []);
    next.get(a).push({ to: b, label });
  }
}

const shortest = memoize((start, goal) => {
  const cameFrom = new Map([[start, null]]);
  const queue = [start];
  while (queue.length) {
    const here = queue.shift();
    if (here === goal) break;
    for (const { to, label } of next.get(here) ?? []) {
      if (!cameFrom.has(to)) {
        cameFrom.set(to, { from: here, label });
        queue.push(to);
      }
    }
  }
  if (!cameFrom.has(goal)) return null;
  const path = [];
  for (let at = goal; cameFrom.get(at); at = cameFrom.get(at).from) path.unshift([cameFrom.get(at).from, cameFrom.get(at).label, at]);
  return path;
}, 8);

const people = entities.filter((e) => e.entityType === 'person').map((e) => e.name).sort((a, b) => a.localeCompare(b, 'de'));
const services = entities.filter((e) => e.entityType === 'service').map((e) => e.name);

console.log(`distance     ${services.map((s) => s.padEnd(9)).join('')}`);
const reach = {};
for (const person of people) {
  const distances = services.map((s) => shortest(person, s)?.length ?? Infinity);
  reach[person] = distances.filter(Number.isFinite).length;
  console.log(person.padEnd(13) + distances.map((d) => (d === Infinity ? '∞' : String(d)).padEnd(9)).join(''));
}

for (const [a, b] of [['Ana', 'billing'], ['Ana', 'billing'], ['Øystein', 'auth'], ['Zoë', 'auth']]) {
  const path = shortest(a, b);
  console.log(path ? [a, ...path.map(([, label, to]) => `—${label}→ ${to}`)].join(' ') : `${a} and ${b} are not connected`);
}

// connected components
const seen = new Set();
const components = [];
for (const { name } of entities) {
  if (seen.has(name)) continue;
  const stack = [name];
  const members = new Set();
  while (stack.length) {
    const at = stack.pop();
    if (members.has(at)) continue;
    members.add(at);
    stack.push(...(next.get(at) ?? []).map((e) => e.to).filter((n) => !members.has(n)));
  }
  members.forEach((m) => seen.add(m));
  components.push([...members].sort());
}
components.sort((a, b) => b.length - a.length || a[0].localeCompare(b[0]));
console.log('components:', components.map((c) => c.length).join(', '));

const { hits, misses, size } = shortest.cache;
console.log(`cache: ${hits} hits, ${misses} misses, ${size} kept, oldest ${shortest.cache.keys().next().value}`);
const lonely = components.filter((c) => c.length === 1).flat();
if (lonely.length) await server_memory.delete_entities({ entityNames: lonely });

const result = { reach, components: components.length, lonely, cache: { hits, misses, size } };
