// The reference server for files: logs, exports and notes of a shop.
import { day, pick, range, sentence, turns } from './making.mjs'

const levels = ['INFO', 'INFO', 'INFO', 'WARN', 'INFO', 'ERROR', 'INFO']
const services = ['cart', 'mail', 'pay', 'stock']

function logOf(i) {
  const line = (j) => {
    const level = pick(levels, i * 3 + j * 5)
    return `${day(i)} ${level} ${pick(services, i + j)} request=${1000 + i * 100 + j} ${sentence(i + j, 10)} took=${(i * 37 + j * 91) % 900}ms`
  }
  return `${range(80).map(line).join('\n')}\n`
}

function ordersOf(i) {
  const row = (j) =>
    `${i * 100 + j},${pick(['EUR', 'USD'], j)},${((i * 7919 + j * 104_729) % 50_000) / 100},${pick(['paid', 'open', 'returned'], i + j * 7)}`
  return `id,currency,amount,status\n${range(60).map(row).join('\n')}\n`
}

function noteOf(i) {
  const todo = i % 3 === 0 ? `TODO(${pick(['kira', 'luis', 'mona'], i)}): ${sentence(i, 6)}\n` : ''
  return `# ${sentence(i, 4)}\n\n${sentence(i + 2, 120)}\n\n${todo}${sentence(i + 3, 90)}\n`
}

const contents = new Map([
  ...range(8).map((i) => [`/data/logs/day-${i}.log`, logOf(i)]),
  ...range(6).map((i) => [`/data/orders/week-${i}.csv`, ordersOf(i)]),
  ...range(12).map((i) => [`/data/notes/note-${String(i).padStart(2, '0')}.md`, noteOf(i)]),
  [
    '/data/config.json',
    JSON.stringify({ name: 'shop', port: 8080, features: { search: true, export: false } }, null, 2),
  ],
])
const inFolder = (folder) =>
  [...contents.keys()].filter((name) => name.startsWith(`${folder}/`) && !name.slice(folder.length + 1).includes('/'))
const textIn = (content) => ({ content })
const lookAt = (name) => {
  const found = contents.get(name)
  if (found === undefined) throw new Error(`ENOENT: no such file or directory, open '${name}'`)
  return found
}
const written = new Map()

export const filesystem = {
  catalogue: 'server-filesystem',
  answer: {
    list_directory: ({ path }) =>
      textIn(
        inFolder(path)
          .map((name) => `[FILE] ${name.slice(path.length + 1)}`)
          .join('\n'),
      ),
    read_text_file: ({ path }) => textIn(lookAt(path)),
    read_multiple_files: ({ paths }) => textIn(paths.map((name) => `${name}:\n${lookAt(name)}\n`).join('\n---\n')),
    search_files: ({ path }) => textIn(inFolder(path).join('\n')),
    write_file: ({ path, content }) => {
      written.set(path, content)
      return textIn(`Successfully wrote to ${path}`)
    },
  },
}

const list = (path) => ['filesystem', 'list_directory', { path }]
const read = (path) => ['filesystem', 'read_text_file', { path }]
const errorsIn = (i) =>
  logOf(i)
    .split('\n')
    .filter((line) => line.includes(' ERROR '))
const rows = range(6).flatMap((i) =>
  ordersOf(i)
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')),
)
const todos = inFolder('/data/notes').flatMap((name) => {
  const found = /TODO\((\w+)\): (.*)/.exec(contents.get(name))
  return found ? [[name.split('/').at(-1), found[1], found[2]]] : []
})

export const tasks = [
  {
    id: 'files-port',
    question: 'Which port is in /data/config.json?',
    servers: ['filesystem'],
    direct: [[read('/data/config.json')]],
    codeMode: turns(
      'read a text file',
      'servers/filesystem.pyi',
      `import json
result = json.loads(filesystem.read_text_file(path="/data/config.json")["content"])["port"]`,
    ),
    expected: 8080,
  },
  {
    id: 'files-errors-by-service',
    question: 'How many errors did each service log, over all files in /data/logs?',
    servers: ['filesystem'],
    direct: [[list('/data/logs')], inFolder('/data/logs').map(read)],
    codeMode: turns(
      'read text files of a folder',
      'servers/filesystem.pyi',
      `names = [l.split()[1] for l in filesystem.list_directory(path="/data/logs")["content"].splitlines()]
print(names, filesystem.read_text_file(path="/data/logs/" + names[0])["content"][:300])`,
      `counts = {}
for l in filesystem.list_directory(path="/data/logs")["content"].splitlines():
    for line in filesystem.read_text_file(path="/data/logs/" + l.split()[1])["content"].splitlines():
        parts = line.split()
        if parts[1] == "ERROR":
            counts[parts[2]] = counts.get(parts[2], 0) + 1
result = dict(sorted(counts.items()))`,
    ),
    expected: () => {
      const counts = {}
      for (const line of range(8).flatMap(errorsIn)) counts[line.split(' ')[2]] = (counts[line.split(' ')[2]] ?? 0) + 1
      return counts
    },
  },
  {
    id: 'files-slowest',
    question: 'Which five requests in /data/logs took longest?',
    servers: ['filesystem'],
    direct: [[list('/data/logs')], inFolder('/data/logs').map(read)],
    codeMode: turns(
      'read log files',
      'servers/filesystem.pyi',
      `import re
found = []
for l in filesystem.list_directory(path="/data/logs")["content"].splitlines():
    text = filesystem.read_text_file(path="/data/logs/" + l.split()[1])["content"]
    for request, took in re.findall(r"request=(\\d+) .* took=(\\d+)ms", text):
        found.append((-int(took), int(request)))
result = [[request, -took] for took, request in sorted(found)[:5]]`,
    ),
    expected: () =>
      range(8)
        .flatMap((i) => [...logOf(i).matchAll(/request=(\d+) .* took=(\d+)ms/g)])
        .map(([, request, took]) => [Number(request), Number(took)])
        .sort((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, 5),
  },
  {
    id: 'files-revenue',
    question: 'What is the paid amount in each currency, over all order files in /data/orders?',
    servers: ['filesystem'],
    direct: [[list('/data/orders')], inFolder('/data/orders').map(read)],
    codeMode: turns(
      'read csv files',
      'servers/filesystem.pyi',
      `import csv
sums = {}
for l in filesystem.list_directory(path="/data/orders")["content"].splitlines():
    text = filesystem.read_text_file(path="/data/orders/" + l.split()[1])["content"]
    for row in csv.DictReader(text.splitlines()):
        if row["status"] == "paid":
            sums[row["currency"]] = sums.get(row["currency"], 0) + round(float(row["amount"]) * 100)
result = {currency: cents / 100 for currency, cents in sorted(sums.items())}`,
    ),
    expected: () => {
      const sum = (currency) =>
        rows
          .filter((row) => row[1] === currency && row[3] === 'paid')
          .reduce((total, row) => total + Math.round(Number(row[2]) * 100), 0) / 100
      return { EUR: sum('EUR'), USD: sum('USD') }
    },
  },
  {
    id: 'files-todos',
    question: 'Collect every TODO in /data/notes: file, person, text.',
    servers: ['filesystem'],
    direct: [[list('/data/notes')], inFolder('/data/notes').map(read)],
    codeMode: turns(
      'read markdown notes',
      'servers/filesystem.pyi',
      `import re
found = []
for l in filesystem.list_directory(path="/data/notes")["content"].splitlines():
    name = l.split()[1]
    for who, what in re.findall(r"TODO\\((\\w+)\\): (.*)", filesystem.read_text_file(path="/data/notes/" + name)["content"]):
        found.append([name, who, what])
result = found`,
    ),
    expected: () => todos,
  },
  {
    id: 'files-report',
    question: 'Write /data/errors.txt with the number of errors of each file in /data/logs, one “name: number” a line.',
    servers: ['filesystem'],
    direct: [
      [list('/data/logs')],
      inFolder('/data/logs').map(read),
      [
        [
          'filesystem',
          'write_file',
          {
            path: '/data/errors.txt',
            content: range(8)
              .map((i) => `day-${i}.log: ${errorsIn(i).length}\n`)
              .join(''),
          },
        ],
      ],
    ],
    codeMode: turns(
      'write a text file',
      'servers/filesystem.pyi',
      `report = ""
for l in filesystem.list_directory(path="/data/logs")["content"].splitlines():
    name = l.split()[1]
    text = filesystem.read_text_file(path="/data/logs/" + name)["content"]
    report += f"{name}: {text.count(' ERROR ')}\\n"
filesystem.write_file(path="/data/errors.txt", content=report)
result = len(report.splitlines())`,
    ),
    expected: 8,
    after: () =>
      written.get('/data/errors.txt') ===
      range(8)
        .map((i) => `day-${i}.log: ${errorsIn(i).length}\n`)
        .join(''),
    afterwards: true,
  },
]
