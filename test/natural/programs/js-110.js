const projects = ['gh/acme/web', 'gh/acme/api', 'gh/acme/legacy'];
const owner = 'acme';
const created = [];
const updated = [];

for (const projectSlug of projects) {
  let report;
  try {
    report = await circleci.find_flaky_tests({ params: { projectSlug } });
  } catch (e) {
    console.log(`${projectSlug}: ${e.message}`);
    continue;
  }

  // The tool answers with text blocks separated by "====="
  const tests = report
    .split(/^=+$/m)
    .map((block) => Object.fromEntries([...block.matchAll(/^([A-Za-z ]+):[ \t]*(.*)$/gm)].map((m) => [m[1].trim(), m[2].trim()])))
    .filter((t) => t['Test Name']);

  const repo = projectSlug.split('/').pop();
  console.log(`${projectSlug}: ${tests.length} flaky test(s)`);
  if (!tests.length) continue;

  const open = await github.search_issues({ q: `repo:${owner}/${repo} is:issue is:open label:flaky-test` });
  const byTitle = new Map(open.items.map((i) => [i.title, i]));

  for (const t of tests) {
    const title = `Flaky test: ${t['Test Name']}`;
    const times = parseInt(t['Times flaked'], 10) || 1;
    const existing = byTitle.get(title);
    if (existing) {
      const body = `Still flaky: ${times} time(s) in the last 14 days.`;
      await github.add_issue_comment({ owner, repo, issue_number: existing.number, body });
      updated.push(`${repo}#${existing.number}`);
      continue;
    }
    if (times < 3) {
      console.log(`  ignoring ${t['Test Name']} (${times}x)`);
      continue;
    }
    const issue = await github.create_issue({
      owner,
      repo,
      title,
      body: ['**Class**: `' + (t['Classname'] || 'n/a') + '`', `**File**: ${t.File || 'unknown'}`, `**Flaked**: ${times} times`].join('\n'),
      labels: times >= 10 ? ['flaky-test', 'priority:high'] : ['flaky-test'],
    });
    created.push(`${repo}#${issue.number}`);
    console.log(`  opened #${issue.number}: ${title}`);
  }
}

console.log(`Created ${created.length}: ${created.join(', ') || 'none'}`);
console.log(`Updated ${updated.length}: ${updated.join(', ') || 'none'}`);
const result = { created, updated };
