// Git, and tasks that need several servers.
import { hash, pick, range, sentence, turns } from './making.mjs'

const people = ['ines', 'kira', 'luis', 'mona']
const commits = range(60).map((i) => ({
  hash: hash(i),
  shortHash: hash(i).slice(0, 7),
  author: pick(people, i * i),
  authorEmail: `${pick(people, i * i)}@example.com`,
  timestamp: 1_780_000_000 + i * 40_000,
  subject: `${pick(['api', 'login', 'search'], i)}: ${sentence(i, 6)}`,
  body: i % 3 === 0 ? `${sentence(i, 20)}\n\nFixes #${100 + (i % 40)}` : '',
  parents: [hash(i + 1)],
}))
const blamed = range(90).map((i) => ({
  lineNumber: i + 1,
  commitHash: hash(i % 11),
  author: pick(people, (i * 7) % 11),
  timestamp: 1_780_000_000 + (i % 11) * 40_000,
  content: `  ${sentence(i, 8)}`,
}))

export const git = {
  catalogue: 'git-cyanheads',
  answer: {
    git_log: ({ maxCount = 10 }) => ({
      success: true,
      commits: commits.slice(0, maxCount),
      totalCount: Math.min(maxCount, 60),
    }),
    git_blame: ({ filePath }) => ({ success: true, filePath, lines: blamed, totalLines: 90 }),
  },
}

const log = ['git', 'git_log', { path: '/repo', maxCount: 60 }]
const fixed = commits.flatMap(({ body }) => [...body.matchAll(/Fixes #(\d+)/g)].map((match) => Number(match[1])))
/** Issues of the GitHub world are open but for every third. */
const stillOpen = [...new Set(fixed)].sort((a, b) => a - b).filter((number) => (number - 100) % 3 !== 0)

export const tasks = [
  {
    id: 'git-owners',
    question: 'Whose lines are in src/price.ts of the repository /repo, and how many of each?',
    servers: ['git'],
    direct: [[['git', 'git_blame', { path: '/repo', filePath: 'src/price.ts' }]]],
    codeMode: turns(
      'who wrote a line',
      'servers/git.pyi',
      `counts = {}
for l in git.git_blame(path="/repo", filePath="src/price.ts")["lines"]:
    counts[l["author"]] = counts.get(l["author"], 0) + 1
result = dict(sorted(counts.items()))`,
    ),
    expected: () =>
      Object.fromEntries(people.map((who) => [who, blamed.filter(({ author }) => author === who).length])),
  },
  {
    id: 'git-last-commit',
    question: 'What is the latest commit of /repo?',
    servers: ['git'],
    direct: [[['git', 'git_log', { path: '/repo', maxCount: 1 }]]],
    codeMode: turns(
      'commit history',
      'servers/git.pyi',
      'result = git.git_log(path="/repo", maxCount=1)["commits"][0]["subject"]',
    ),
    expected: () => commits[0].subject,
  },
  {
    id: 'git-fixes-still-open',
    question: 'Commits of /repo say “Fixes #N”. Which of these issues are still open in acme/shop on GitHub?',
    servers: ['git', 'github'],
    direct: [
      [log],
      [...new Set(fixed)].map((issue_number) => ['github', 'get_issue', { owner: 'acme', repo: 'shop', issue_number }]),
    ],
    codeMode: turns(
      'commit history, get an issue',
      ['servers/git.pyi', 'servers/github.pyi'],
      `import re
numbers = set()
for c in git.git_log(path="/repo", maxCount=60)["commits"]:
    numbers |= {int(n) for n in re.findall(r"Fixes #(\\d+)", c.get("body", ""))}
issues = [github.get_issue(owner="acme", repo="shop", issue_number=n) for n in sorted(numbers)]
result = [i["number"] for i in issues if i["state"] == "open"]`,
    ),
    expected: () => stillOpen,
  },
]
