// Group application log lines into error signatures and compare with yesterday.
const LINE = /^(?<time>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)\s+(?<level>[A-Z]+)\s+\[(?<thread>[^\]]*)\]\s+(?<logger>[\w.$]+)\s+-\s+(?<message>.*)$/;

async function* logLines(path, length = 40) {
  for (let offset = 0; ; offset += length) {
    const text = await desktop_commander.read_file({ path, offset, length });
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    yield* lines;
    if (lines.length < length) return;
  }
}

/** Lines that do not start an entry (stack traces) belong to the entry before them. */
async function* entries(lines) {
  let current = null;
  for await (const line of lines) {
    const groups = LINE.exec(line)?.groups;
    if (groups) {
      if (current) yield current;
      current = { ...groups, trace: [] };
    } else if (current && line.trim()) {
      current.trace.push(line);
    }
  }
  if (current) yield current;
}

const signature = (message) =>
  message
    .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<uuid>')
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '<ip>')
    .replace(/(["'“])[^"'”]*(["'”])/g, '$1…$2')
    .replace(/\b\d+(?:\.\d+)?(?=ms\b)/g, '<n>')
    .replace(/\b\d+\b/g, '<n>');

const percentile = (sorted, p) => {
  if (!sorted.length) return null;
  const at = (sorted.length - 1) * p;
  const [lo, hi] = [Math.floor(at), Math.ceil(at)];
  return sorted[lo] + (sorted[hi] - sorted[lo]) * (at - lo);
};

const groups = new Map();
const timings = {};
const levels = {};
const perMinute = new Map();
let total = 0;

for await (const entry of entries(logLines('/srv/app/app.log'))) {
  total++;
  levels[entry.level] = (levels[entry.level] ?? 0) + 1;
  const minute = entry.time.slice(11, 16);
  for (const [, what, ms] of entry.message.matchAll(/(\w+)\s+took\s+(\d+(?:\.\d+)?)ms/g)) {
    (timings[what] ??= []).push(Number(ms));
  }
  if (!['ERROR', 'WARN', 'FATAL'].includes(entry.level)) continue;
  perMinute.set(minute, (perMinute.get(minute) ?? 0) + 1);
  const key = `${entry.logger.split('.').pop()}: ${signature(entry.message)}`;
  const group = groups.get(key) ?? { key, count: 0, level: entry.level, first: entry.time, threads: new Set(), cause: null };
  group.count += 1;
  group.last = entry.time;
  group.threads.add(entry.thread);
  const cause = entry.trace.findLast((l) => l.startsWith('Caused by:'));
  group.cause ??= (cause ?? entry.trace[0])?.trim().replace(/^Caused by:\s*/, '') ?? null;
  groups.set(key, group);
}

const before = new Map(
  (await sqlite_npx.read_query({ query: "SELECT signature, count FROM signatures WHERE day = '2024-11-28'" })).map((r) => [r.signature, r.count]),
);

const sorted = [...groups.values()].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
console.log(`${total} entries, ${Object.entries(levels).map(([l, n]) => `${n} ${l}`).join(', ')}`);
for (const g of sorted) {
  const old = before.get(g.key);
  const trend = old === undefined ? 'NEW' : g.count > old * 1.5 ? `▲ from ${old}` : g.count < old / 1.5 ? `▼ from ${old}` : '=';
  console.log(`${String(g.count).padStart(4)} ${g.level.padEnd(5)} ${g.key} [${trend}]`);
  if (g.cause) console.log(`${' '.repeat(11)}${g.cause}`);
}
const gone = [...before.keys()].filter((k) => !groups.has(k));
console.log('gone:', gone.length ? gone.join(' | ') : '-');

console.log('\noperation      n    p50    p95    max');
for (const [what, list] of Object.entries(timings).sort()) {
  list.sort((a, b) => a - b);
  console.log(`${what.padEnd(12)}${String(list.length).padStart(4)}${[0.5, 0.95, 1].map((p) => percentile(list, p).toFixed(1).padStart(7)).join('')}`);
}

const peak = [...perMinute].reduce((best, cur) => (cur[1] > best[1] ? cur : best), ['-', 0]);
console.log(`peak at ${peak[0]} with ${peak[1]} problems`);

const values = sorted.map((g) => `('2024-11-29', '${g.key.replaceAll("'", "''")}', ${g.count})`).join(', ');
await sqlite_npx.write_query({ query: `INSERT INTO signatures (day, signature, count) VALUES ${values}` });

const result = { total, levels, signatures: sorted.length, fresh: sorted.filter((g) => !before.has(g.key)).map((g) => g.key), gone, peak };
