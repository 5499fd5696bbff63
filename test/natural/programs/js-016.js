const repo = '/repos/checkout';

const { tags } = git_cyanheads.git_tag({ path: repo, mode: 'list' });
const versions = tags
  .filter(({ name }) => /^v\d+\.\d+\.\d+$/.test(name))
  .map((t) => ({ ...t, parts: t.name.slice(1).split('.').map(Number) }))
  .sort((a, b) => a.parts[0] - b.parts[0] || a.parts[1] - b.parts[1] || a.parts[2] - b.parts[2]);
const latest = versions[versions.length - 1];

const commits = [];
for (let skip = 0; ; skip += 25) {
  const page = git_cyanheads.git_log({ path: repo, branch: `${latest.name}..main`, maxCount: 25, skip });
  commits.push(...page.commits);
  if (page.commits.length < 25) break;
}

const HEADER = /^(?<type>\w+)(?:\((?<scope>[^)]*)\))?(?<breaking>!)?:\s+(?<subject>.*)$/;

function parseCommit(commit) {
  const m = HEADER.exec(commit.subject);
  const trailers = {};
  const paragraphs = (commit.body ?? '').trim().split(/\n{2,}/);
  for (const [, key, value] of (paragraphs.at(-1) ?? '').matchAll(/^([A-Z][\w-]+|BREAKING CHANGE)(?:: | #)(.+(?:\n .+)*)$/gm)) {
    (trailers[key.toLowerCase()] ??= []).push(value.replace(/\n /g, ' '));
  }
  return {
    hash: commit.shortHash,
    author: commit.author ?? 'unknown',
    type: m?.groups.type.toLowerCase() ?? 'other',
    scope: m?.groups.scope || null,
    subject: m?.groups.subject ?? commit.subject,
    breaking: Boolean(m?.groups.breaking) || 'breaking change' in trailers,
    notes: trailers['breaking change'] ?? [],
    issues: [...`${commit.subject} ${commit.body ?? ''}`.matchAll(/(?:fix(?:es)?|closes|refs)\s+#(\d+)/gi)].map((x) => Number(x[1])),
    reverts: /^This reverts commit ([0-9a-f]{7,40})/m.exec(commit.body ?? '')?.[1] ?? null,
    merge: (commit.parents?.length ?? 1) > 1,
    coauthors: (trailers['co-authored-by'] ?? []).map((v) => v.replace(/\s*<.*>$/, '')),
  };
}

let parsed = commits.map(parseCommit).filter((c) => !c.merge);

// a commit and its revert cancel each other
const reverted = new Set(parsed.filter((c) => c.reverts).map((c) => c.reverts.slice(0, 7)));
const cancelled = parsed.filter((c) => reverted.has(c.hash));
parsed = parsed.filter((c) => !reverted.has(c.hash) && !(c.reverts && cancelled.some((x) => c.reverts.startsWith(x.hash))));

const [major, minor, patch] = latest.parts;
let bump = 'patch';
if (parsed.some((c) => c.type === 'feat')) bump = 'minor';
if (parsed.some((c) => c.breaking)) bump = major === 0 ? 'minor' : 'major';
const nextVersion = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] }[bump].join('.');

const titles = { feat: 'Features', fix: 'Bug Fixes', perf: 'Performance', docs: 'Documentation' };
const sections = new Map(Object.keys(titles).map((k) => [k, new Map()]));
for (const c of parsed) {
  const section = sections.get(c.type);
  if (!section) continue;
  const key = c.scope ?? '';
  section.set(key, [...(section.get(key) ?? []), c]);
}

const out = [];
out.push(`## ${nextVersion} (${new Date(1732838400000).toISOString().slice(0, 10)})`, '');
const breaking = parsed.filter((c) => c.breaking);
if (breaking.length) {
  out.push('### ⚠ BREAKING CHANGES', '');
  for (const { scope, subject, notes } of breaking) out.push(`* ${scope ? `**${scope}:** ` : ''}${notes[0] ?? subject}`);
  out.push('');
}
for (const [type, scopes] of sections) {
  if (!scopes.size) continue;
  out.push(`### ${titles[type]}`, '');
  for (const scope of [...scopes.keys()].sort()) {
    const list = scopes.get(scope);
    const line = (c) => `${c.subject} (${c.hash}${c.issues.map((i) => `, closes #${i}`).join('')})`;
    if (!scope) list.forEach((c) => out.push(`* ${line(c)}`));
    else if (list.length === 1) out.push(`* **${scope}:** ${line(list[0])}`);
    else out.push(`* **${scope}:**`, ...list.map((c) => `  * ${line(c)}`));
  }
  out.push('');
}

const thanks = [...new Set(parsed.flatMap((c) => [c.author, ...c.coauthors]))].filter((n) => !/\[bot\]$/.test(n)).sort(new Intl.Collator('en').compare);
out.push(`Thanks to ${new Intl.ListFormat('en', { type: 'conjunction' }).format(thanks)}.`);
const markdown = out.join('\n');
console.log(markdown);

const previous = server_filesystem.read_text_file({ path: `${repo}/CHANGELOG.md` }).content;
const updated = previous.replace(/^(# Changelog\n+)/, (_, head) => `${head}${markdown}\n\n`);
server_filesystem.write_file({ path: `${repo}/CHANGELOG.md`, content: updated });
console.log(`\n${commits.length} commits since ${latest.name}, ${cancelled.length} reverted, next is ${nextVersion} (${bump})`);

const tally = parsed.reduce((acc, { type }) => ({ ...acc, [type]: (acc[type] ?? 0) + 1 }), {});
const result = { next: nextVersion, bump, tally, issues: [...new Set(parsed.flatMap((c) => c.issues))].sort((a, b) => a - b), thanks, headings: updated.match(/^## /gm).length };
