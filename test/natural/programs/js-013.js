// Compare two branches' versions of the same files and print a unified diff.
const CONTEXT = 2;

function lcsTable(a, b) {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
    }
  }
  return table;
}

function* diff(a, b) {
  const table = lcsTable(a, b);
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) yield { op: ' ', text: a[i], old: ++i, new: ++j };
    else if (i < a.length && (j === b.length || table[i + 1][j] >= table[i][j + 1])) yield { op: '-', text: a[i], old: ++i, new: j };
    else yield { op: '+', text: b[j], old: i, new: ++j };
  }
}

function hunks(steps) {
  const keep = new Set();
  steps.forEach(({ op }, at) => {
    if (op === ' ') return;
    for (let k = Math.max(0, at - CONTEXT); k <= Math.min(steps.length - 1, at + CONTEXT); k++) keep.add(k);
  });
  const groups = [];
  for (const k of [...keep].sort((x, y) => x - y)) {
    const group = groups.at(-1);
    if (group && group.at(-1) === k - 1) group.push(k);
    else groups.push([k]);
  }
  return groups.map((group) => group.map((k) => steps[k]));
}

/** Mark the changed words of a one-line replacement: a{-old-}{+new+}b */
function inline(before, after) {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const cut = (s) => s.slice(start, s.length - end);
  return `${before.slice(0, start)}{-${cut(before)}-}{+${cut(after)}+}${before.slice(before.length - end)}`;
}

const { owner, repo, base, head } = { owner: 'acme', repo: 'deploy', base: 'main', head: 'feature/eu-west' };
const paths = ['values.yaml', 'config/app.ini', 'README.md', 'scripts/roll.sh', 'config/old.ini'];

async function read(path, branch) {
  try {
    const file = await github_reference.get_file_contents({ owner, repo, path, branch });
    return file.content;
  } catch (e) {
    if (/not found/i.test(e.message)) return null;
    throw e;
  }
}

const summary = [];
const report = [];
for (const path of paths) {
  const [before, after] = await Promise.all([read(path, base), read(path, head)]);
  if (before === after) {
    summary.push({ path, status: before === null ? 'absent' : 'same', plus: 0, minus: 0 });
    continue;
  }
  const split = (t) => (t === null || t === '' ? [] : t.replace(/\n$/, '').split('\n'));
  const steps = [...diff(split(before), split(after))];
  const [plus, minus] = ['+', '-'].map((op) => steps.filter((s) => s.op === op).length);
  const status = before === null ? 'added' : after === null ? 'deleted' : 'modified';
  summary.push({ path, status, plus, minus });
  report.push(`--- ${before === null ? '/dev/null' : `a/${path}`}`, `+++ ${after === null ? '/dev/null' : `b/${path}`}`);
  for (const hunk of hunks(steps)) {
    const olds = hunk.filter((s) => s.op !== '+');
    const news = hunk.filter((s) => s.op !== '-');
    const range = (list, key) => {
      const first = list.length ? list[0][key] : hunk[0][key];
      return list.length === 1 ? `${first}` : `${first},${list.length}`;
    };
    report.push(`@@ -${range(olds, 'old')} +${range(news, 'new')} @@`);
    hunk.forEach((step, at) => {
      report.push(step.op + step.text);
      const other = hunk[at + 1];
      const single = hunk[at - 1]?.op !== '-' && hunk[at + 2]?.op !== '+';
      if (step.op === '-' && other?.op === '+' && single) report.push(`? ${inline(step.text, other.text)}`);
    });
  }
}

console.log(report.join('\n'));
console.log();
const width = Math.max(...summary.map((s) => s.path.length));
const most = Math.max(...summary.map((s) => s.plus + s.minus));
for (const { path, status, plus, minus } of summary) {
  const bar = (n, ch) => ch.repeat(Math.ceil((n / most) * 20));
  console.log(` ${path.padEnd(width)} | ${String(plus + minus).padStart(3)} ${bar(plus, '+')}${bar(minus, '-')} ${status}`);
}
const [plus, minus] = summary.reduce(([p, m], s) => [p + s.plus, m + s.minus], [0, 0]);
console.log(` ${summary.filter((s) => s.plus || s.minus).length} files changed, ${plus} insertions(+), ${minus} deletions(-)`);

await github_reference.add_issue_comment({ owner, repo, issue_number: 88, body: '```diff\n' + report.join('\n') + '\n```' });
const result = { summary, lines: report.length };
