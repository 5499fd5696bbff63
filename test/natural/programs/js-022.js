// Find duplicate contacts: normalised names, phone numbers and edit distance.
const STOP = new Set(['dr', 'mr', 'mrs', 'ms', 'prof', 'dipl', 'ing', 'jr']);
const SPECIAL = { ß: 'ss', ø: 'o', æ: 'ae', đ: 'd', ł: 'l', œ: 'oe' };

const fold = (s) =>
  s
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßøæđłœ]/g, (c) => SPECIAL[c]);

const nameKey = (name) => {
  const [family, given] = name.includes(',') ? name.split(',', 2) : [null, null];
  const words = fold(given ? `${given} ${family}` : name).match(/\p{L}+/gu) ?? [];
  return words.filter((w) => !STOP.has(w)).join(' ');
};

const phoneKey = (phone) => phone?.replace(/\D/g, '').replace(/^(?:00)?(?:49|351|1)(?=\d{9,})/, '').replace(/^0/, '') || null;

function distance(a, b, limit = Infinity) {
  if (Math.abs(a.length - b.length) > limit) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    if (Math.min(...next) > limit) return Infinity;
    row = next;
  }
  return row[b.length];
}

const contacts = [];
let cursor = null;
do {
  const { documents } = await mongodb.find({
    connectionId: 'crm', database: 'crm', collection: 'contacts',
    filter: cursor ? { _id: { $gt: cursor } } : {}, sort: { _id: 1 }, limit: 12,
  });
  contacts.push(...documents.map((d) => ({ ...d, key: nameKey(d.name ?? ''), tel: phoneKey(d.phone), mail: d.email?.trim().toLowerCase() ?? null })));
  cursor = documents.length === 12 ? documents[11]._id : null;
} while (cursor);

const links = [];
for (const [i, a] of contacts.entries()) {
  for (const b of contacts.slice(i + 1)) {
    const reasons = [];
    if (a.mail && a.mail === b.mail) reasons.push('same e-mail');
    if (a.tel && a.tel === b.tel) reasons.push('same phone');
    if (a.key && b.key) {
      const d = distance(a.key, b.key, 3);
      const similarity = 1 - d / Math.max(a.key.length, b.key.length);
      if (d === 0) reasons.push('same name');
      else if (similarity > 0.8) reasons.push(`similar name (${similarity.toFixed(2)})`);
      else if ([...a.key.split(' ')].sort().join() === [...b.key.split(' ')].sort().join()) reasons.push('swapped name');
    }
    const strong = reasons.filter((r) => r.startsWith('same')).length;
    if (strong >= 2 || (strong === 1 && reasons.length > 1) || (strong === 1 && /e-mail/.test(reasons[0]))) links.push({ a, b, reasons });
  }
}

const groupOf = new Map();
for (const { a, b } of links) {
  const merged = new Set([...(groupOf.get(a._id) ?? [a]), ...(groupOf.get(b._id) ?? [b])]);
  for (const member of merged) groupOf.set(member._id, merged);
}
const groups = [...new Set(groupOf.values())].map((g) => [...g].sort((x, y) => (y.updated ?? '').localeCompare(x.updated ?? '') || x._id.localeCompare(y._id)));

const merges = [];
for (const [keep, ...rest] of groups) {
  const merged = { ...keep };
  for (const other of rest) {
    for (const field of ['name', 'email', 'phone', 'company']) merged[field] ||= other[field];
  }
  const tags = [...new Set([keep, ...rest].flatMap((c) => c.tags ?? []))].sort(new Intl.Collator('de').compare);
  merges.push({ keep: keep._id, drop: rest.map((r) => r._id), tags });
  console.log(`${merged.name} <${merged.email ?? '-'}> ${merged.phone ?? ''} [${tags.join(', ')}]`);
  for (const { a, b, reasons } of links.filter((l) => groupOf.get(l.a._id) === groupOf.get(keep._id))) {
    console.log(`    ${a._id} ${a.name ?? '(no name)'} ≈ ${b._id} ${b.name ?? '(no name)'}: ${reasons.join(', ')}`);
  }
  await mongodb.update_many({ connectionId: 'crm', database: 'crm', collection: 'contacts', filter: { _id: { $in: rest.map((r) => r._id) } }, update: { $set: { mergedInto: keep._id } } });
}
const names = contacts.map((c) => c.name).filter(Boolean).sort((a, b) => a.localeCompare(b, 'en', { sensitivity: 'base' }));
console.log(`${contacts.length} contacts, ${groups.length} groups; first ${names[0]}, last ${names.at(-1)}`);
const result = { contacts: contacts.length, merges, kinds: links.flatMap((l) => l.reasons.map((r) => r.replace(/ \(.*/, ''))).reduce((o, k) => ({ ...o, [k]: (o[k] ?? 0) + 1 }), {}) };
