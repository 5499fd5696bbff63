function parseCsv(text) {
  const rows = [];
  let row = [];
  let field = '';
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const ch = text[i];
    if (quoted) {
      if (ch === '"' && text[i + 1] === '"') {
        field += '"';
        i++;
      } else if (ch === '"') quoted = false;
      else field += ch;
    } else if (ch === '"') quoted = true;
    else if (ch === ',') {
      row.push(field);
      field = '';
    } else if (ch === '\n') {
      row.push(field.replace(/\r$/, ''));
      rows.push(row);
      row = [];
      field = '';
    } else field += ch;
  }
  if (field || row.length) {
    row.push(field);
    rows.push(row);
  }
  return rows;
}

const toCsv = (rows) => rows.map((r) => r.map((v) => (/[",\n]/.test(v) ? `"${v.replaceAll('"', '""')}"` : v)).join(',')).join('\n') + '\n';

const sources = ['newsletter.csv', 'shop.csv', 'event-2025.csv'];
const people = new Map();
const rejected = [];

for (const file of sources) {
  const rows = parseCsv(filesystem.read_text_file({ path: `/imports/${file}` }));
  const [header, ...data] = rows;
  const cols = header.map((h) => h.trim().toLowerCase().replace(/\s+/g, '_'));
  let n = 0;
  for (const cells of data) {
    if (cells.every((c) => c.trim() === '')) continue;
    const rec = Object.fromEntries(cols.map((c, i) => [c, (cells[i] ?? '').trim()]));
    const email = (rec.email || rec.e_mail || '').toLowerCase();
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
      rejected.push({ file, email });
      continue;
    }
    const key = email.replace(/\+[^@]*(?=@)/, '');
    const name = rec.name || [rec.first_name, rec.last_name].filter(Boolean).join(' ');
    const existing = people.get(key);
    if (existing) {
      existing.sources.add(file);
      if (name.length > existing.name.length) existing.name = name;
      existing.optOut ||= rec.unsubscribed === 'true' || rec.unsubscribed === '1';
    } else {
      people.set(key, { email: key, name, sources: new Set([file]), optOut: ['true', '1'].includes(rec.unsubscribed) });
    }
    n++;
  }
  console.log(`${file}: ${n} usable rows of ${data.length}`);
}

const all = [...people.values()];
const active = all.filter((p) => !p.optOut).sort((a, b) => (a.email < b.email ? -1 : 1));
const out = toCsv([['email', 'name', 'sources'], ...active.map((p) => [p.email, p.name, [...p.sources].join(';')])]);
filesystem.write_file({ path: '/imports/subscribers.csv', content: out });

console.log(out);
console.log('Rejected:', rejected);
const overlap = all.filter((p) => p.sources.size > 1).length;
console.log(`${all.length} unique, ${overlap} in several lists, ${all.length - active.length} opted out`);

const result = { unique: all.length, active: active.length, overlap, rejected: rejected.length };
