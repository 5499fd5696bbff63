// Reconcile a bank statement (CSV with quotes and line breaks) with the ledger.
function* csvRecords(text, separator = ';') {
  let field = '';
  let record = [];
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const ch = text[i];
    if (quoted) {
      if (ch !== '"') field += ch;
      else if (text[i + 1] === '"') {
        field += '"';
        i++;
      } else quoted = false;
    } else if (ch === '"') quoted = true;
    else if (ch === separator) {
      record.push(field);
      field = '';
    } else if (ch === '\n' || ch === '\r') {
      if (ch === '\r' && text[i + 1] === '\n') i++;
      record.push(field);
      if (record.length > 1 || record[0] !== '') yield record;
      record = [];
      field = '';
    } else field += ch;
  }
  if (field !== '' || record.length) yield [...record, field];
}

function* csvObjects(text, options) {
  const records = csvRecords(text, options?.separator);
  const { value: header } = records.next();
  for (const record of records) {
    yield Object.fromEntries(header.map((h, i) => [h.trim(), record[i] ?? '']));
  }
}

/** Cents as an integer, so that no float ever gets compared. */
function cents(text) {
  const t = text.replace(/\s/g, '').replace(/[€]/g, '');
  const m = /^(?<sign>[-+]?)(?<whole>[\d.]*\d)(?:,(?<frac>\d{1,2}))?$/.exec(t);
  if (!m) throw new TypeError(`bad amount "${text}"`);
  const { sign, whole, frac = '' } = m.groups;
  const value = Number(whole.replaceAll('.', '')) * 100 + Number(frac.padEnd(2, '0'));
  return sign === '-' ? -value : value;
}

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' });
const show = (c) => money.format(c / 100);

const statement = (await server_filesystem.read_text_file({ path: '/finance/statement.csv' })).content;
const ledger = await postgres_reference.query({ sql: 'SELECT id, booked, cents, party FROM ledger ORDER BY booked, id' });

const bank = [];
const bad = [];
let line = 1;
for (const row of csvObjects(statement)) {
  line += 1;
  try {
    const [d, m, y] = row.Date.split('.').map(Number);
    const when = new Date(Date.UTC(y, m - 1, d));
    if (when.getUTCDate() !== d) throw new RangeError(`bad date ${row.Date}`);
    bank.push({ day: when.toISOString().slice(0, 10), cents: cents(row.Amount), text: row.Text.replace(/\s+/g, ' ').trim() });
  } catch ({ name, message }) {
    bad.push({ line, name, message });
  }
}

const free = new Map(ledger.map((l) => [l.id, l]));
const daysBetween = (a, b) => Math.abs(Date.parse(a) - Date.parse(b)) / 86_400_000;
const matches = [];
const unmatched = [];
for (const b of bank) {
  const [best] = [...free.values()]
    .filter((l) => l.cents === b.cents && daysBetween(l.booked, b.day) <= 5)
    .map((l) => ({ l, gap: daysBetween(l.booked, b.day), known: l.party && b.text.toLowerCase().includes(l.party.toLowerCase().split(' ')[0]) }))
    .sort((x, y) => Number(y.known) - Number(x.known) || x.gap - y.gap);
  if (best) {
    free.delete(best.l.id);
    matches.push({ ...b, id: best.l.id, gap: best.gap });
  } else unmatched.push(b);
}

for (const { day, cents: c, text, id, gap } of matches) {
  console.log(`${day} ${show(c).padStart(14)}  ${text.slice(0, 34).padEnd(34)} ↔ #${id}${gap ? ` (${gap}d)` : ''}`);
}
console.log('\nnot in the ledger:');
unmatched.forEach((b) => console.log(`  ${b.day} ${show(b.cents).padStart(14)}  ${b.text}`));
console.log('\nnot on the statement:');
for (const l of free.values()) console.log(`  #${l.id} ${l.booked} ${show(l.cents)} ${l.party ?? '(unknown)'}`);
bad.forEach((b) => console.log(`line ${b.line}: ${b.name}: ${b.message}`));

const sum = (list) => list.reduce((s, x) => s + x.cents, 0);
const result = {
  matched: matches.length,
  unmatched: unmatched.length,
  open: [...free.keys()],
  difference: show(sum(bank) - sum(ledger)),
  bad: bad.map((b) => b.line),
};
