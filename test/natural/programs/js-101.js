const owner = 'acme';
const repo = 'mobile-app';
const since = new Date('2025-04-15T00:00:00Z');

const prs = [];
for (let page = 1; ; page++) {
  const batch = await github.list_pull_requests({ owner, repo, state: 'closed', base: 'main', per_page: 10, page });
  prs.push(...batch);
  if (batch.length < 10) break;
}

const merged = prs.filter((pr) => pr.merged_at && new Date(pr.merged_at) >= since);
console.log(`${merged.length} of ${prs.length} closed PRs were merged since ${since.toISOString().slice(0, 10)}`);

const SECTIONS = [
  ['breaking', '💥 Breaking changes'],
  ['feature', '✨ New'],
  ['bug', '🐛 Fixed'],
  ['performance', '⚡ Faster'],
];

const groups = new Map(SECTIONS.map(([, title]) => [title, []]));
groups.set('Other', []);

for (const pr of merged) {
  const labels = (pr.labels ?? []).map((l) => l.name.toLowerCase());
  if (labels.includes('skip-changelog')) continue;
  const section = SECTIONS.find(([label]) => labels.includes(label));
  groups.get(section ? section[1] : 'Other').push(pr);
}

function entry(pr) {
  const title = pr.title
    .replace(/^\[?[A-Z]{2,}-\d+\]?:?\s*/, '')
    .replace(/\s*\(#\d+\)$/, '')
    .trim();
  const closes = [...(pr.body ?? '').matchAll(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\s+#(\d+)/gi)].map((m) => `#${m[1]}`);
  const suffix = closes.length ? ` (closes ${closes.join(', ')})` : '';
  return `- ${title[0].toUpperCase()}${title.slice(1)} by @${pr.user?.login ?? 'ghost'} in #${pr.number}${suffix}`;
}

let md = '## Unreleased\n';
for (const [title, items] of groups) {
  if (!items.length) continue;
  items.sort((a, b) => a.merged_at.localeCompare(b.merged_at));
  md += `\n### ${title}\n\n${items.map(entry).join('\n')}\n`;
}

const authors = [...new Set(merged.map((pr) => pr.user?.login).filter((l) => l && !l.endsWith('[bot]')))].sort();
md += `\nThanks to ${authors.map((a) => '@' + a).join(', ')}!\n`;
console.log(md);

const result = {
  merged: merged.length,
  sections: Object.fromEntries([...groups].map(([title, items]) => [title, items.map((p) => p.number)])),
  authors,
};
