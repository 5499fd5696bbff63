class Heap {
  constructor(compare, items = []) {
    this.compare = compare;
    this.a = [];
    for (const item of items) this.push(item);
  }

  get length() {
    return this.a.length;
  }

  peek() {
    return this.a[0];
  }

  push(item) {
    const { a } = this;
    let i = a.push(item) - 1;
    while (i > 0) {
      const p = (i - 1) >> 1;
      if (this.compare(a[i], a[p]) >= 0) break;
      [a[i], a[p]] = [a[p], a[i]];
      i = p;
    }
    return this;
  }

  pop() {
    const { a } = this;
    const top = a[0];
    const last = a.pop();
    if (a.length) {
      a[0] = last;
      for (let i = 0; ; ) {
        const l = 2 * i + 1;
        const r = l + 1;
        let m = i;
        if (l < a.length && this.compare(a[l], a[m]) < 0) m = l;
        if (r < a.length && this.compare(a[r], a[m]) < 0) m = r;
        if (m === i) break;
        [a[i], a[m]] = [a[m], a[i]];
        i = m;
      }
    }
    return top;
  }

  *drain() {
    while (this.length) yield this.pop();
  }
}

const SEVERITY = { blocker: 0, critical: 1, major: 2, minor: 3 };
const SLA_HOURS = [4, 24, 72, 240];
const START = Date.UTC(2024, 10, 29, 8);
const HOUR = 3_600_000;

const issues = [];
for (let page = 1, more = true; more; page++) {
  const batch = await gitlab_zereight.list_issues({ project_id: 'support/desk', state: 'opened', labels: ['bug'], page, per_page: 20 });
  issues.push(...batch);
  more = batch.length === 20;
}
const members = await postgres_reference.query({ sql: "SELECT name, skills, hours_per_day FROM engineers WHERE on_call = false ORDER BY name" });

const tasks = issues.map(({ iid, title, labels, weight, created_at, due_date }) => {
  const severity = SEVERITY[labels.find((l) => l in SEVERITY)] ?? SEVERITY.minor;
  const slaDue = Date.parse(created_at) + SLA_HOURS[severity] * HOUR;
  const due = due_date ? Math.min(slaDue, Date.parse(`${due_date}T18:00:00Z`)) : slaDue;
  const skill = labels.find((l) => l.startsWith('area::'))?.slice(6) ?? null;
  return { iid, title, severity, due, skill, hours: weight ?? 2 };
});

// most severe first, then whatever is due first
const queue = new Heap((x, y) => x.severity - y.severity || x.due - y.due || x.iid - y.iid, tasks);
const engineers = new Heap(
  (x, y) => x.free - y.free || x.name.localeCompare(y.name),
  members.map((m) => ({ ...m, free: 0, done: [] })),
);

const assignments = [];
const impossible = [];
for (const task of queue.drain()) {
  const aside = [];
  let chosen = null;
  while (engineers.length && !chosen) {
    const e = engineers.pop();
    if (task.skill === null || e.skills?.includes(task.skill)) chosen = e;
    else aside.push(e);
  }
  if (chosen) {
    const start = chosen.free;
    chosen.free += task.hours * (8 / chosen.hours_per_day);
    chosen.done.push(task.iid);
    const finish = START + chosen.free * HOUR * 3; // eight working hours make a day
    assignments.push({ ...task, who: chosen.name, start, finish, late: finish > task.due });
    engineers.push(chosen);
  } else impossible.push(task);
  aside.forEach((e) => engineers.push(e));
}

const label = (s) => Object.keys(SEVERITY)[s];
for (const t of assignments) {
  const due = new Date(t.due).toISOString().slice(5, 16).replace('T', ' ');
  console.log(`${String(t.start.toFixed(1)).padStart(5)}h ${t.who.padEnd(8)} #${t.iid} ${label(t.severity).padEnd(8)} ${t.title.padEnd(34)} due ${due}${t.late ? ' LATE' : ''}`);
}
for (const t of impossible) console.log(`nobody can do #${t.iid} (${t.skill})`);

const late = assignments.filter((a) => a.late);
const load = [...engineers.drain()].map(({ name, free, done }) => ({ name, hours: Number(free.toFixed(2)), count: done.length }));
console.log('\n' + load.map((l) => `${l.name}: ${l.count} issues, ${l.hours}h`).join('\n'));
console.log(`${late.length} of ${assignments.length} late (${((late.length / assignments.length) * 100).toFixed(0)}%)`);

for (const { iid, who } of late.filter((t) => t.severity < 2)) {
  await gitlab_zereight.create_note({ project_id: 'support/desk', noteable_type: 'issue', noteable_iid: iid, body: `Planned for ${who}, but after its deadline.` });
}
const result = { load, late: late.map((t) => t.iid), impossible: impossible.map((t) => t.iid) };
