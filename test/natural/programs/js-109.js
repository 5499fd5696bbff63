const notes = filesystem.read_text_file({ path: '/notes/2025-05-19-sync.md' });
const graph = memory.read_graph({});

const known = new Map(graph.entities.map((e) => [e.name.toLowerCase(), e]));
const date = notes.match(/^date:\s*(\S+)/m)?.[1] ?? 'unknown date';
const attendees = (notes.match(/^attendees:\s*(.+)$/m)?.[1] ?? '').split(',').map((s) => s.trim()).filter(Boolean);

let section = '';
const actions = [];
const decisions = [];
for (const line of notes.split('\n')) {
  const heading = line.match(/^##\s+(.*)/);
  if (heading) {
    section = heading[1].trim().toLowerCase();
    continue;
  }
  const item = line.match(/^\s*[-*]\s+(?:\[( |x)\]\s+)?(.*)$/i);
  if (!item) continue;
  const [, box, text] = item;
  if (section.startsWith('action')) {
    const owner = text.match(/@([\p{L}-]+)/u)?.[1];
    const due = text.match(/\bby (\d{4}-\d{2}-\d{2})/)?.[1] ?? null;
    actions.push({ text: text.replace(/@[\p{L}-]+:?\s*/u, ''), owner, due, done: box?.toLowerCase() === 'x' });
  } else if (section.startsWith('decision')) {
    decisions.push(text);
  }
}

const resolve = (handle) => {
  if (!handle) return null;
  const h = handle.toLowerCase();
  for (const [name, e] of known) {
    if (e.entityType === 'person' && (name === h || name.split(' ')[0] === h)) return e.name;
  }
  return null;
};

const newPeople = attendees.filter((a) => !resolve(a) && !known.has(a.toLowerCase()));
if (newPeople.length) {
  const created = memory.create_entities({
    entities: newPeople.map((name) => ({ name, entityType: 'person', observations: [`First seen in sync ${date}`] })),
  });
  console.log(`Created ${(created.entities ?? created).length} people: ${newPeople.join(', ')}`);
  newPeople.forEach((name) => known.set(name.toLowerCase(), { name, entityType: 'person', observations: [] }));
}

const additions = new Map();
for (const a of actions.filter((a) => !a.done)) {
  const person = resolve(a.owner);
  if (!person) {
    console.log(`No owner found for "${a.text}"${a.owner ? ` (@${a.owner})` : ''}`);
    continue;
  }
  const observation = `Action (${date}): ${a.text}`;
  if (known.get(person.toLowerCase()).observations.includes(observation)) continue;
  if (!additions.has(person)) additions.set(person, []);
  additions.get(person).push(observation);
}

const observations = [...additions].map(([entityName, contents]) => ({ entityName, contents }));
if (decisions.length) observations.push({ entityName: 'Project Aurora', contents: decisions.map((d) => `Decision (${date}): ${d}`) });
const { results } = memory.add_observations({ observations });

for (const { entityName, addedObservations } of results) {
  console.log(`${entityName}:`);
  for (const o of addedObservations) console.log(`  + ${o}`);
}
console.log(`${actions.length} actions (${actions.filter((a) => a.done).length} already done), ${decisions.length} decisions`);

return { date, attendees: attendees.length, newPeople, open: observations.reduce((n, o) => n + o.contents.length, 0) };
