// Compare who may push to our projects with who should be able to.
const LEVELS = new Map([[10, 'guest'], [20, 'reporter'], [30, 'developer'], [40, 'maintainer'], [50, 'owner']]);
const union = (...sets) => new Set(sets.flatMap((s) => [...s]));
const minus = (a, b) => new Set([...a].filter((x) => !b.has(x)));
const both = (a, b) => new Set([...a].filter((x) => b.has(x)));

const projects = ['apps/web', 'apps/api', 'ops/terraform'];
const inventory = await sqlite_npx.read_query({ query: 'SELECT project, team, level FROM grants' });
const people = await postgres_reference.query({ sql: 'SELECT username, teams, active, mfa FROM people' });

const everyone = new Map(people.map((p) => [p.username, Object.freeze({ ...p, teams: new Set(p.teams ?? []) })]));
const active = new Set(people.filter((p) => p.active).map((p) => p.username));

async function members(project_id) {
  const all = [];
  let page = 1;
  for (;;) {
    const batch = await gitlab_zereight.list_project_members({ project_id, include_inheritance: true, per_page: 10, page });
    all.push(...batch);
    if (batch.length < 10) break;
    page += 1;
  }
  return all.filter(({ state }) => state === 'active');
}

const report = {};
for (const project of projects) {
  let actual;
  try {
    actual = await members(project);
  } catch (e) {
    report[project] = { error: e.message };
    console.log(`${project}: ${e.message}`);
    continue;
  }
  const level = new Map(actual.map((m) => [m.username, m.access_level]));
  const granted = new Map();
  for (const { team, level: l } of inventory.filter((g) => g.project === project || g.project === '*')) {
    for (const [username, person] of everyone) {
      if (person.active && person.teams.has(team)) granted.set(username, Math.max(granted.get(username) ?? 0, l));
    }
  }
  const has = new Set(level.keys());
  const should = new Set(granted.keys());
  const extra = minus(has, should);
  const missing = minus(should, has);
  const tooHigh = [...both(has, should)].filter((u) => level.get(u) > granted.get(u));
  const tooLow = [...both(has, should)].filter((u) => level.get(u) < granted.get(u));
  const unknown = minus(has, new Set(everyone.keys()));
  const leavers = minus(minus(extra, unknown), active);
  const noMfa = [...has].filter((u) => everyone.get(u)?.mfa === false && level.get(u) >= 30);

  report[project] = {
    members: has.size,
    extra: [...minus(extra, union(unknown, leavers))].sort(),
    unknown: [...unknown].sort(),
    leavers: [...leavers].sort(),
    missing: [...missing].sort(),
    tooHigh: tooHigh.sort(),
    tooLow: tooLow.sort(),
    noMfa: noMfa.sort(),
  };

  console.log(`\n${project} (${has.size} members)`);
  const describe = (u) => `${u} (${LEVELS.get(level.get(u)) ?? 'none'}${granted.has(u) ? ` → ${LEVELS.get(granted.get(u))}` : ''})`;
  for (const [kind, users] of Object.entries(report[project])) {
    if (Array.isArray(users) && users.length) console.log(`  ${kind.replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`).padEnd(9)} ${users.map(describe).join(', ')}`);
  }
}

const risk = {};
const weights = { leavers: 10, unknown: 8, tooHigh: 4, noMfa: 3, extra: 2 };
for (const [project, kinds] of Object.entries(report)) {
  for (const [kind, weight] of Object.entries(weights)) {
    for (const user of kinds[kind] ?? []) {
      risk[user] ??= { score: 0, where: new Set() };
      risk[user].score += weight;
      risk[user].where.add(project);
    }
  }
}
const worst = Object.entries(risk)
  .sort(([a, x], [b, y]) => y.score - x.score || a.localeCompare(b, 'en'))
  .slice(0, 5)
  .map(([user, { score, where }]) => ({ user, score, where: [...where] }));

console.log('\nhighest risk');
worst.forEach(({ user, score, where }, i) => console.log(`  ${i + 1}. ${user.padEnd(14)} ${String(score).padStart(3)}  ${where.join(', ')}`));

const { iid } = await gitlab_zereight.create_issue({
  project_id: 'ops/terraform',
  title: 'Quarterly access review',
  description: worst.map((w) => `- [ ] @${w.user} (${w.score}): ${w.where.join(', ')}`).join('\n'),
  labels: ['security', 'access'],
});

return JSON.parse(JSON.stringify({ report, worst, issue: iid }, (key, value) => (Array.isArray(value) && value.length === 0 ? undefined : value)));
