const INCIDENT = 'INC-5120';
const ZONES = ['UTC', 'Europe/Lisbon', 'America/New_York', 'Asia/Tokyo'];
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Milliseconds since the epoch from any of the formats our tools emit, or null. */
function parseTime(text) {
  if (typeof text === 'number') return text < 1e12 ? text * 1000 : text;
  if (!text) return null;
  let m;
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+(Z|[+-]\d{2}:\d{2})$/.test(text)) return Date.parse(text);
  if ((m = /^(\d{2})\/(\w{3})\/(\d{4}):(\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/.exec(text))) {
    const [, d, mon, y, hh, mm, ss, sign, oh, om] = m;
    const offset = (Number(oh) * 60 + Number(om)) * 60_000 * (sign === '+' ? 1 : -1);
    return Date.UTC(y, MONTHS.indexOf(mon), d, hh, mm, ss) - offset;
  }
  if ((m = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})Z$/.exec(text))) {
    return Date.UTC(m[1], m[2] - 1, m[3], m[4], m[5]);
  }
  return null;
}

const [{ items }, deployments, { entities: [incident] }, errors] = [
  await kubernetes_flux159.kubectl_get({ resourceType: 'events', namespace: 'shop' }),
  await gitlab_zereight.list_deployments({ project_id: 'shop/api', environment: 'production', order_by: 'updated_at', sort: 'desc' }),
  await server_memory.open_nodes({ names: [INCIDENT] }),
  await desktop_commander.read_file({ path: '/var/log/nginx/errors.log', offset: 0, length: 100 }),
];

const entries = [];
const add = (time, source, text) => {
  const at = parseTime(time);
  if (at === null || Number.isNaN(at)) dropped.push(`${source}: ${text}`);
  else entries.push({ at, source, text });
};
const dropped = [];

for (const e of items) {
  add(e.lastTimestamp ?? e.eventTime, 'k8s', `${e.reason} ${e.involvedObject.name}${e.count > 1 ? ` ×${e.count}` : ''}`);
}
for (const { updated_at, ref, status, user } of deployments) {
  add(updated_at, 'deploy', `${ref} ${status} (${user?.name ?? 'automation'})`);
}
for (const note of incident.observations) {
  const { groups: { time, text } = { time: null, text: note } } = /^(?<time>\S+)\s+(?<text>.+)$/s.exec(note) ?? {};
  add(/^\d{10}$/.test(time) ? Number(time) : time, 'note', text);
}
for (const [, time, text] of errors.matchAll(/^\S+ \[([^\]]+)\] (.*)$/gm)) add(time, 'nginx', text);

entries.sort((a, b) => a.at - b.at || a.source.localeCompare(b.source));

// squeeze runs of the same message
const squeezed = entries.reduce((acc, e) => {
  const last = acc.at(-1);
  if (last?.source === e.source && last.text === e.text) {
    last.until = e.at;
    last.times = (last.times ?? 1) + 1;
  } else acc.push({ ...e });
  return acc;
}, []);

const clock = Object.fromEntries(
  ZONES.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23', day: '2-digit', month: 'short' }),
  ]),
);
const span = (ms) => {
  const s = Math.round(ms / 1000);
  const parts = [[86400, 'd'], [3600, 'h'], [60, 'm'], [1, 's']].reduce(
    ([rest, out], [size, unit]) => [rest % size, rest >= size ? [...out, `${Math.floor(rest / size)}${unit}`] : out],
    [s, []],
  )[1];
  return parts.slice(0, 2).join(' ') || '0s';
};

let previous = null;
for (const { at, source, text, times, until } of squeezed) {
  const gap = previous === null ? '' : `+${span(at - previous)}`;
  const more = times ? ` (${times}× until ${new Date(until).toISOString().slice(11, 19)})` : '';
  console.log(`${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} ${gap.padStart(8)}  ${source.padEnd(7)} ${text}${more}`);
  previous = until ?? at;
}

const started = squeezed.find((e) => e.text.includes('#start'))?.at;
const ended = squeezed.findLast((e) => e.text.includes('#end'))?.at;
console.log('\nstart as seen from:');
for (const zone of ZONES) console.log(`  ${zone.padEnd(18)} ${clock[zone].format(new Date(started))}`);
const suspect = squeezed.filter((e) => e.source === 'deploy' && e.at < started && started - e.at < 3_600_000).at(-1);
console.log(`lasted ${span(ended - started)}, suspect: ${suspect?.text ?? 'none'}`);
dropped.forEach((d) => console.log('no time:', d));

const result = { entries: entries.length, shown: squeezed.length, started: new Date(started), minutes: (ended - started) / 60_000, suspect: suspect?.text, dropped: dropped.length };
