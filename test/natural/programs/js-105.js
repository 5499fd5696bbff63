const text = filesystem.read_text_file({ path: '/var/log/app/worker.log' });

// join stack traces to the line they belong to
const entries = [];
for (const line of text.split(/\r?\n/)) {
  const m = /^(\d{4}-\d{2}-\d{2}T[\d:.]+Z) \[(\w+)\] (?:\((?<logger>[^)]+)\) )?(.*)$/.exec(line);
  if (m) {
    entries.push({ time: new Date(m[1]), level: m[2].toUpperCase(), logger: m.groups.logger ?? 'root', message: m[4], stack: [] });
  } else if (line.trim() && entries.length) {
    entries[entries.length - 1].stack.push(line.trim());
  }
}

function fingerprint(message) {
  return message
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<uuid>')
    .replace(/"[^"]*"|'[^']*'/g, '<str>')
    .replace(/\b\d+(\.\d+)?(ms|s|MB)?\b/g, (_, frac, unit) => `<n>${unit ?? ''}`)
    .trim();
}

const levels = entries.reduce((acc, e) => ({ ...acc, [e.level]: (acc[e.level] || 0) + 1 }), {});
console.log(`${entries.length} entries`, levels);

const clusters = {};
for (const e of entries) {
  if (e.level !== 'ERROR' && e.level !== 'FATAL') continue;
  const fp = `${e.logger}: ${fingerprint(e.message)}`;
  if (!clusters[fp]) clusters[fp] = { count: 0, first: e.time, last: e.time, example: e.message, frames: new Set() };
  const c = clusters[fp];
  c.count++;
  if (e.time < c.first) c.first = e.time;
  if (e.time > c.last) c.last = e.time;
  const frame = e.stack.find((s) => s.startsWith('at ') && !s.includes('node_modules'));
  if (frame) c.frames.add(frame.slice(3));
}

const ranked = Object.entries(clusters).sort((a, b) => b[1].count - a[1].count || a[0].localeCompare(b[0]));
const hhmm = (d) => d.toISOString().substring(11, 19);

ranked.forEach(([fp, c], i) => {
  console.log(`\n${i + 1}. ${fp}`);
  console.log(`   ${c.count}x between ${hhmm(c.first)} and ${hhmm(c.last)}`);
  console.log(`   e.g. ${c.example}`);
  if (c.frames.size) console.log(`   in ${[...c.frames].join(' | ')}`);
});

const perMinute = new Map();
for (const e of entries) {
  if (e.level === 'ERROR') {
    const minute = e.time.toISOString().slice(11, 16);
    perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1);
  }
}
const peak = [...perMinute].sort((a, b) => b[1] - a[1])[0];
if (peak) console.log(`\nPeak: ${peak[1]} errors at ${peak[0]}`);

const result = ranked.map(([fingerprint, { count, first, last }]) => ({ fingerprint, count, first, last }));
