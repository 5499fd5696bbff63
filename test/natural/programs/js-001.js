const OWNER = 'acme-labs';
const REPO = 'storefront';
const NOW = Date.UTC(2024, 10, 29, 12);
const DAY = 24 * 60 * 60 * 1000;

async function fetchAll() {
  const pulls = [];
  for (let page = 1; ; page++) {
    const batch = await github_reference.list_pull_requests({
      owner: OWNER, repo: REPO, state: 'open', per_page: 15, page,
    });
    pulls.push(...batch);
    if (batch.length < 15) return pulls;
  }
}

const ageInDays = (iso) => Math.floor((NOW - Date.parse(iso)) / DAY);

function bucketOf({ draft, age, idle }) {
  if (draft) return 'draft';
  if (idle > 30) return 'abandoned';
  if (idle > 7) return 'stale';
  return age > 14 ? 'slow' : 'fresh';
}

const pulls = await fetchAll();
const rows = pulls.map((pr) => {
  const age = ageInDays(pr.created_at);
  const idle = ageInDays(pr.updated_at ?? pr.created_at);
  return {
    number: pr.number,
    title: pr.title.trim(),
    author: pr.user?.login ?? 'ghost',
    reviewers: (pr.requested_reviewers ?? []).map((r) => r.login),
    age,
    idle,
    bucket: bucketOf({ draft: pr.draft, age, idle }),
  };
});

const order = ['abandoned', 'stale', 'slow', 'fresh', 'draft'];
rows.sort((a, b) => order.indexOf(a.bucket) - order.indexOf(b.bucket) || b.idle - a.idle || a.number - b.number);

const pad = (value, width, right = false) => {
  const text = String(value);
  const cut = text.length > width ? text.slice(0, width - 1) + '…' : text;
  return right ? cut.padStart(width) : cut.padEnd(width);
};

console.log(`${OWNER}/${REPO}: ${rows.length} open pull requests`);
console.log([pad('#', 5, true), pad('title', 40), pad('author', 12), pad('age', 4, true), pad('idle', 5, true), 'bucket'].join('  '));
console.log('-'.repeat(80));
for (const r of rows) {
  console.log([pad(r.number, 5, true), pad(r.title, 40), pad(r.author, 12), pad(r.age, 4, true), pad(r.idle, 5, true), r.bucket].join('  '));
}

const counts = Object.fromEntries(order.map((b) => [b, rows.filter((r) => r.bucket === b).length]));
const load = new Map();
for (const { reviewers } of rows) {
  for (const login of reviewers) load.set(login, (load.get(login) ?? 0) + 1);
}
const busiest = [...load].sort(([a, x], [b, y]) => y - x || a.localeCompare(b))[0];

const commented = [];
for (const r of rows.filter(({ bucket }) => bucket === 'abandoned')) {
  try {
    await github_reference.add_issue_comment({
      owner: OWNER,
      repo: REPO,
      issue_number: r.number,
      body: `This pull request has been idle for ${r.idle} days. Is it still needed, @${r.author}?`,
    });
    commented.push(r.number);
  } catch (err) {
    console.log(`could not comment on #${r.number}: ${err.message}`);
  }
}

console.log();
console.log('counts:', JSON.stringify(counts));
console.log(`busiest reviewer: ${busiest?.[0]} with ${busiest?.[1]} requests`);

const result = { counts, commented, busiest, unassigned: rows.filter((r) => r.reviewers.length === 0).map((r) => r.number) };
