// Find meeting slots for people in different time zones, DST included.
const MINUTE = 60_000;
const LENGTH = 45 * MINUTE;
const STEP = 15 * MINUTE;
const DAYS = [[2024, 11, 1], [2024, 11, 4], [2024, 11, 5]];

const formatters = new Map();
function local(ms, timeZone) {
  if (!formatters.has(timeZone)) {
    formatters.set(timeZone, new Intl.DateTimeFormat('en-US', {
      timeZone, hourCycle: 'h23', weekday: 'short', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit',
    }));
  }
  const parts = Object.fromEntries(formatters.get(timeZone).formatToParts(new Date(ms)).map(({ type, value }) => [type, value]));
  return {
    weekday: parts.weekday,
    date: `${parts.year}-${parts.month}-${parts.day}`,
    minutes: Number(parts.hour) * 60 + Number(parts.minute),
    clock: `${parts.hour}:${parts.minute}`,
  };
}

// the instant at which a zone shows the given wall clock time
function instant(date, clock, timeZone) {
  const [y, mo, d] = date.split('-').map(Number);
  const [h, m] = clock.split(':').map(Number);
  const wanted = Date.UTC(y, mo - 1, d, h, m);
  let guess = wanted;
  for (let i = 0; i < 2; i++) {
    const shown = local(guess, timeZone);
    const [sy, smo, sd] = shown.date.split('-').map(Number);
    guess += wanted - (Date.UTC(sy, smo - 1, sd) + shown.minutes * MINUTE);
  }
  return guess;
}

const toMinutes = (hhmm) => hhmm.split(':').reduce((h, m) => Number(h) * 60 + Number(m));
const { documents: people } = await mongodb.find({ connectionId: 'cal', database: 'team', collection: 'people', filter: { squad: 'comet' } });
const events = await postgres_reference.query({ sql: "SELECT who, day, starts, ends, zone, status FROM events WHERE day BETWEEN '2024-10-31' AND '2024-11-06'" });

const busy = new Map(people.map((p) => [p._id, []]));
const ignored = [];
for (const { who, day, starts, ends, zone, status } of events) {
  if (status === 'declined' || !busy.has(who)) continue;
  try {
    const timeZone = zone ?? people.find((p) => p._id === who).tz;
    const from = instant(day, starts ?? '00:00', timeZone);
    const to = instant(day, ends ?? '23:59', timeZone);
    busy.get(who).push(from <= to ? { from, to } : { from, to: to + 24 * 60 * MINUTE });
  } catch (e) {
    ignored.push(`${who} ${day}: ${e.name}`);
  }
}

const available = ({ _id, tz, hours = ['09:00', '17:00'], lunch }, from, to) => {
  const [a, b] = [local(from, tz), local(to, tz)];
  if (/Sat|Sun/.test(a.weekday) || a.date !== b.date) return false;
  if (a.minutes < toMinutes(hours[0]) || b.minutes > toMinutes(hours[1])) return false;
  if (lunch && a.minutes < toMinutes(lunch) + 60 && b.minutes > toMinutes(lunch)) return false;
  return busy.get(_id).every((x) => to <= x.from || from >= x.to);
};

const required = people.filter((p) => !p.optional);
const optional = people.filter((p) => p.optional);
const slots = [];
for (const [y, m, d] of DAYS) {
  const midnight = Date.UTC(y, m - 1, d);
  for (let t = midnight; t < midnight + 24 * 60 * MINUTE; t += STEP) {
    if (required.every((p) => available(p, t, t + LENGTH))) {
      slots.push({ t, extra: optional.filter((p) => available(p, t, t + LENGTH)).map((p) => p.name) });
    }
  }
}
slots.sort((a, b) => b.extra.length - a.extra.length || a.t - b.t);

console.log(`${slots.length} slots for ${required.map((p) => p.name).join(', ')}`);
for (const { t, extra } of slots.slice(0, 6)) {
  console.log(`\n${new Date(t).toISOString().slice(0, 16).replace('T', ' ')} UTC${extra.length ? ` (+ ${extra.join(', ')})` : ''}`);
  for (const { name, tz } of required) {
    const { weekday, clock } = local(t, tz);
    console.log(`  ${name.padEnd(10)} ${weekday} ${clock}  ${tz}`);
  }
}
const ny = ['2024-11-02', '2024-11-03', '2024-11-04'].map((day) => new Date(instant(day, '09:00', 'America/New_York')).toISOString().slice(11, 16));
console.log('\n09:00 in New York is', ny.join(', '), 'UTC; ignored:', ignored);
const result = { slots: slots.length, best: slots[0] && new Date(slots[0].t).toISOString(), ny, ignored, busy: Object.fromEntries([...busy].map(([k, v]) => [k, v.reduce((s, { from, to }) => s + (to - from) / MINUTE, 0)])) };
