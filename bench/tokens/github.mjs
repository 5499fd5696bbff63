// GitHub: issues, pull requests and commits with the fields that its server gives.
import { day, hash, last, pick, range, sentence, turns } from './making.mjs'

const OWNER = 'acme'
const people = ['ines', 'kira', 'luis', 'mona', 'noor', 'omar', 'pia', 'ravi']
const areas = ['api', 'billing', 'docs', 'export', 'login', 'search']

function user(login) {
  const id = 1000 + people.indexOf(login)
  return {
    login,
    id,
    avatar_url: `https://avatars.example.com/u/${id}?v=4`,
    url: `https://api.example.com/users/${login}`,
    html_url: `https://example.com/${login}`,
  }
}

function issue(repo, i) {
  const number = 100 + i
  const base = `https://api.example.com/repos/${OWNER}/${repo}/issues/${number}`
  const open = i % 3 !== 0
  const labels = [i % 4 === 0 ? 'bug' : 'feature', pick(areas, i * 5)].map((name, j) => ({
    id: 900 + j,
    node_id: `LA_${hash(i + j).slice(0, 16)}`,
    url: `https://api.example.com/repos/${OWNER}/${repo}/labels/${name}`,
    name,
    color: 'd73a4a',
    default: j === 0,
    description: `Something about ${name}`,
  }))
  return {
    url: base,
    repository_url: `https://api.example.com/repos/${OWNER}/${repo}`,
    labels_url: `${base}/labels{/name}`,
    comments_url: `${base}/comments`,
    events_url: `${base}/events`,
    html_url: `https://example.com/${OWNER}/${repo}/issues/${number}`,
    id: 2_000_000 + i,
    node_id: `I_${hash(i).slice(0, 18)}`,
    number,
    title: `${sentence(i, 7)}`,
    user: user(pick(people, i)),
    labels,
    state: open ? 'open' : 'closed',
    locked: false,
    assignee: i % 5 === 0 ? null : user(pick(people, i * 3)),
    assignees: i % 5 === 0 ? [] : [user(pick(people, i * 3))],
    milestone: null,
    comments: (i * 7) % 13,
    created_at: day(i),
    updated_at: day(i + 20),
    closed_at: open ? null : day(i + 20),
    author_association: 'MEMBER',
    body: `${sentence(i, 60)}\n\n### Steps\n1. ${sentence(i + 1, 9)}\n2. ${sentence(i + 2, 9)}\n\n${sentence(i + 3, 30)}`,
    reactions: { url: `${base}/reactions`, total_count: i % 4, '+1': i % 3, heart: i % 2 },
  }
}

function pull(repo, i) {
  const number = 500 + i
  const base = `https://api.example.com/repos/${OWNER}/${repo}/pulls/${number}`
  const branch = (ref, sha) => ({ label: `${OWNER}:${ref}`, ref, sha, user: user(pick(people, i)) })
  return {
    url: base,
    id: 3_000_000 + i,
    number,
    state: 'open',
    locked: false,
    title: sentence(i + 50, 8),
    user: user(pick(people, i * 3)),
    body: sentence(i + 60, 50),
    created_at: day(i * 2),
    updated_at: day(i * 2 + 5),
    closed_at: null,
    merged_at: null,
    merge_commit_sha: hash(i),
    draft: i % 6 === 0,
    requested_reviewers: [user(pick(people, i * 7))],
    head: branch(`topic-${i}`, hash(i + 1)),
    base: branch('main', hash(7)),
    html_url: `https://example.com/${OWNER}/${repo}/pull/${number}`,
    diff_url: `https://example.com/${OWNER}/${repo}/pull/${number}.diff`,
  }
}

function file(number, j) {
  const name = `${pick(['src', 'test', 'docs'], number + j)}/${pick(areas, number * j)}/${pick(['index', 'main', 'view'], j)}-${j}.ts`
  return {
    sha: hash(number * 31 + j),
    filename: name,
    status: j % 4 === 0 ? 'added' : 'modified',
    additions: (number * 13 + j * 7) % 60,
    deletions: (number + j * 5) % 20,
    changes: ((number * 13 + j * 7) % 60) + ((number + j * 5) % 20),
    blob_url: `https://example.com/blob/${name}`,
    raw_url: `https://example.com/raw/${name}`,
    contents_url: `https://api.example.com/contents/${name}`,
    patch: `@@ -1,6 +1,9 @@\n ${sentence(number + j, 12)}\n+${sentence(number + j + 1, 14)}\n-${sentence(j, 12)}`,
  }
}

function commit(repo, i) {
  const who = pick(people, i * 5)
  const at = { name: who, email: `${who}@example.com`, date: day(i) }
  return {
    sha: hash(i * 17),
    node_id: `C_${hash(i).slice(0, 20)}`,
    commit: {
      author: at,
      committer: at,
      message: `${pick(areas, i)}: ${sentence(i, 7)}\n\n${sentence(i + 9, 25)}`,
      tree: { sha: hash(i + 3), url: `https://api.example.com/repos/${OWNER}/${repo}/git/trees/${hash(i + 3)}` },
      url: `https://api.example.com/repos/${OWNER}/${repo}/git/commits/${hash(i * 17)}`,
      comment_count: 0,
    },
    url: `https://api.example.com/repos/${OWNER}/${repo}/commits/${hash(i * 17)}`,
    html_url: `https://example.com/${OWNER}/${repo}/commit/${hash(i * 17)}`,
    author: user(who),
    committer: user(who),
    parents: [],
  }
}

const issues = (repo) => range(75).map((i) => issue(repo, i))
const files = (number) => range(2 + (number % 7)).map((j) => file(number, j))
const PULLS = 12
const page = (all, { page: at = 1, per_page, perPage }) => {
  const size = per_page ?? perPage ?? 30
  return all.slice((at - 1) * size, at * size)
}

const created = []
export const github = {
  catalogue: 'github-reference',
  answer: {
    list_issues: ({ repo, state = 'open', labels = [], ...rest }) => {
      const wanted = (one) =>
        (state === 'all' || one.state === state) &&
        labels.every((name) => one.labels.some((label) => label.name === name))
      return page(issues(repo).filter(wanted), rest)
    },
    get_issue: ({ repo, issue_number }) => issue(repo, issue_number - 100),
    list_pull_requests: ({ repo, ...rest }) =>
      page(
        range(PULLS).map((i) => pull(repo, i)),
        rest,
      ),
    get_pull_request_files: ({ pull_number }) => files(pull_number),
    list_commits: ({ repo, ...rest }) =>
      page(
        range(90).map((i) => commit(repo, i)),
        rest,
      ),
    add_issue_comment: ({ issue_number, body }) => {
      created.push(issue_number)
      return {
        id: 77_000 + issue_number,
        body,
        user: user('ines'),
        created_at: day(99),
        html_url: 'https://example.com/c',
      }
    },
  },
}

const shop = { owner: OWNER, repo: 'shop' }
const listed = (extra) => ['github', 'list_issues', { ...shop, ...extra }]
const three = [1, 2, 3].map((at) => listed({ state: 'all', per_page: 30, page: at }))
const stale = issues('shop').filter(
  (one) => one.state === 'open' && one.labels[0].name === 'bug' && one.assignee === null,
)

export const tasks = [
  {
    id: 'github-issue-state',
    question: 'Is issue 112 of acme/shop still open, and how many comments does it have?',
    servers: ['github'],
    direct: [[['github', 'get_issue', { ...shop, issue_number: 112 }]]],
    codeMode: turns(
      'get an issue',
      'servers/github.pyi',
      `i = github.get_issue(owner="acme", repo="shop", issue_number=112)
result = {"state": i["state"], "comments": i["comments"]}`,
    ),
    expected: { state: 'closed', comments: 6 },
  },
  {
    id: 'github-issues-by-assignee',
    question: 'How many open issues of acme/shop does each person have, and how many has nobody?',
    servers: ['github'],
    direct: [[1, 2].map((at) => listed({ state: 'open', per_page: 30, page: at }))],
    codeMode: turns(
      'list issues of a repository',
      'servers/github.pyi',
      `first = github.list_issues(owner="acme", repo="shop", state="open", per_page=1)
print(list(first[0].keys()), first[0]["assignee"])`,
      `counts = {}
page = 1
while True:
    issues = github.list_issues(owner="acme", repo="shop", state="open", per_page=100, page=page)
    for i in issues:
        who = i["assignee"]["login"] if i["assignee"] else "nobody"
        counts[who] = counts.get(who, 0) + 1
    if len(issues) < 100:
        break
    page += 1
result = dict(sorted(counts.items()))`,
    ),
    expected: () => {
      const counts = {}
      for (const one of issues('shop').filter(({ state }) => state === 'open')) {
        const who = one.assignee?.login ?? 'nobody'
        counts[who] = (counts[who] ?? 0) + 1
      }
      return counts
    },
  },
  {
    id: 'github-oldest-bugs',
    question: 'Which are the five oldest bugs of acme/shop that are open and that nobody has been assigned?',
    servers: ['github'],
    direct: [[listed({ state: 'open', labels: ['bug'], per_page: 100 })]],
    codeMode: turns(
      'list issues with a label',
      'servers/github.pyi',
      `bugs = github.list_issues(owner="acme", repo="shop", state="open", labels=["bug"], per_page=100)
free = sorted([b for b in bugs if not b["assignees"]], key=lambda b: b["created_at"])
result = [[b["number"], b["title"], b["created_at"]] for b in free[:5]]`,
    ),
    expected: () => stale.slice(0, 5).map((one) => [one.number, one.title, one.created_at]),
  },
  {
    id: 'github-largest-pulls',
    question: 'Which open pull requests of acme/shop change more than 150 lines, and do they touch tests?',
    servers: ['github'],
    direct: [
      [['github', 'list_pull_requests', { ...shop, state: 'open' }]],
      range(PULLS).map((i) => ['github', 'get_pull_request_files', { ...shop, pull_number: 500 + i }]),
    ],
    codeMode: turns(
      'pull request files',
      'servers/github.pyi',
      `found = []
for p in github.list_pull_requests(owner="acme", repo="shop", state="open"):
    files = github.get_pull_request_files(owner="acme", repo="shop", pull_number=p["number"])
    lines = sum(f["changes"] for f in files)
    if lines > 150:
        found.append({"number": p["number"], "lines": lines, "tests": any(f["filename"].startswith("test/") for f in files)})
result = found`,
    ),
    expected: () =>
      range(PULLS)
        .map((i) => ({ number: 500 + i, all: files(500 + i) }))
        .map(({ number, all }) => ({
          number,
          lines: all.reduce((sum, one) => sum + one.changes, 0),
          tests: all.some((one) => one.filename.startsWith('test/')),
        }))
        .filter(({ lines }) => lines > 150),
  },
  {
    id: 'github-commit-authors',
    question: 'Who has committed to acme/shop how often in the last 90 commits, and which area did each touch most?',
    servers: ['github'],
    direct: [[1, 2, 3].map((at) => ['github', 'list_commits', { ...shop, perPage: 30, page: at }])],
    codeMode: turns(
      'list commits of a branch',
      'servers/github.pyi',
      `import collections
areas = {}
for page in range(1, 4):
    for c in github.list_commits(owner="acme", repo="shop", perPage=30, page=page):
        who = c["commit"]["author"]["name"]
        areas.setdefault(who, collections.Counter())[c["commit"]["message"].split(":")[0]] += 1
result = {who: [sum(n.values()), min(n, key=lambda a: (-n[a], a))] for who, n in sorted(areas.items())}`,
    ),
    expected: () => {
      const all = {}
      for (const i of range(90)) {
        const counts = (all[pick(people, i * 5)] ??= {})
        counts[pick(areas, i)] = (counts[pick(areas, i)] ?? 0) + 1
      }
      const most = (counts) => Object.keys(counts).sort((a, b) => counts[b] - counts[a] || (a < b ? -1 : 1))[0]
      const sum = (counts) => Object.values(counts).reduce((total, n) => total + n, 0)
      return Object.fromEntries(Object.entries(all).map(([who, counts]) => [who, [sum(counts), most(counts)]]))
    },
  },
  {
    id: 'github-remind',
    question:
      'Write “Please have a look: nobody has been assigned.” under every open bug of acme/shop without assignee.',
    servers: ['github'],
    direct: [
      [listed({ state: 'open', labels: ['bug'], per_page: 100 })],
      stale.map(({ number }) => [
        'github',
        'add_issue_comment',
        { ...shop, issue_number: number, body: 'Please have a look: nobody has been assigned.' },
      ]),
    ],
    codeMode: turns(
      'comment on an issue',
      'servers/github.pyi',
      `done = []
for b in github.list_issues(owner="acme", repo="shop", state="open", labels=["bug"], per_page=100):
    if not b["assignees"]:
        github.add_issue_comment(owner="acme", repo="shop", issue_number=b["number"], body="Please have a look: nobody has been assigned.")
        done.append(b["number"])
result = done`,
    ),
    expected: () => stale.map(({ number }) => number),
    /** The expected effect of the calls. */
    after: () => last(created, stale.length).sort((a, b) => a - b),
  },
  {
    id: 'github-closed-share',
    question: 'What part of all issues of acme/shop is closed, for each area label?',
    servers: ['github'],
    direct: [three],
    codeMode: turns(
      'list issues of a repository',
      'servers/github.pyi',
      `total, closed = {}, {}
for page in range(1, 4):
    for i in github.list_issues(owner="acme", repo="shop", state="all", per_page=30, page=page):
        for label in i["labels"]:
            name = label["name"]
            if name not in ("bug", "feature"):
                total[name] = total.get(name, 0) + 1
                closed[name] = closed.get(name, 0) + (i["state"] == "closed")
result = {name: f"{closed[name]}/{total[name]}" for name in sorted(total)}`,
    ),
    expected: () => {
      const parts = areas.map((name) => {
        const those = issues('shop').filter((one) => one.labels.some((label) => label.name === name))
        return [name, `${those.filter(({ state }) => state === 'closed').length}/${those.length}`]
      })
      return Object.fromEntries(parts)
    },
  },
]
