// Writes docs/errors.md: every message that a program or its author can get, from the templates. Run it after a build;
// a test compares the file with the templates. Each template is called with the names of its parameters in ‹ › as
// values.
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const rooms = [
  ['interpreter/syntax', 'Reading the program', 'Nothing has run.'],
  ['interpreter/resolve', 'Names', 'Nothing has run.'],
  ['interpreter', 'Saved programs', 'Nothing has run.'],
  ['interpreter/check', 'Checks before the run', 'Nothing has run.'],
  [
    'interpreter/javascript',
    'Programs in JavaScript',
    'Nothing has run. Calls of tools are checked with the messages above.',
  ],
  ['bindings', 'Calls of tools', 'The program ran up to the call; a call with wrong arguments is not sent.'],
  ['gateway', 'Configuration and upstream servers', ''],
  ['meta-tools', 'Meta-tools and runs', ''],
  ['agent', 'Agents', 'A tool error is the answer to a call of a model; the others end a run, or refuse its options.'],
  ['state', 'Kept runs', "If the entry of a call can't be stored, the call is not made."],
]
const classes = {
  program: 'program error',
  tool: 'tool error',
  limit: 'limit',
  denied: 'tool error',
  host: 'host error',
}
const lists = /^(near|nearest|names|known|parameters|problems|meant|open|fields|modules|servers|missing|unknown)$/
const place = { line: 1, column: 1, endLine: 1, endColumn: 2 }

/** The document, from the templates of a build. */
export async function errorsDocument(dist = path.join(root, 'dist')) {
  const sections = []
  for (const [room, title, remark] of rooms) {
    const module = await import(pathToFileURL(path.join(dist, room, 'messages.js')).href)
    const rows = templates(module).flatMap(([name, template]) => row(name, template))
    sections.push(section(title, remark, rows))
  }
  const { limitDiagnostic, limitNames, defaultLimits } = await import(
    pathToFileURL(path.join(dist, 'sandbox/limits.js')).href
  )
  const limits = limitNames.map((name) => cells(limitDiagnostic(name, defaultLimits[name])))
  sections.push(section('Limits', 'The run has ended; its printed lines are kept. Amounts are the defaults.', limits))
  return `${head}\n${sections.join('\n')}`
}

const head = `# Messages

Every failure has a class, a constant code, one fact, and a hint if the solution is certain. The class says who has to
act: \`program error\` (edit the program), \`tool error\` (change arguments or plan), \`limit\` (do less), \`host error\` (a
person has to act), \`paused\` (a person has to answer). ‹ › marks text of the program or the server. After a tool call, a
run's messages quote only values that are in the program's text, its output or a signature; for others they give the
type and length. Exceptions that a program raises keep Python's names and words: \`KeyError\` has the code \`key-error\`.

\`node scripts/errors.mjs\` writes this file from the templates in the rooms' \`messages.ts\`.
`

function templates(module) {
  return Object.entries({ ...module, ...(module.messages ?? {}) }).filter(
    ([, one]) => typeof one === 'function' || (typeof one === 'object' && one !== null && 'code' in one),
  )
}

function row(name, template) {
  const made = typeof template === 'function' ? call(template) : template
  if (made === null || typeof made !== 'object' || typeof made.code !== 'string') return []
  return [cells(made, name)]
}

function call(template) {
  const declared = /^[^(]*\(((?:[^()]|\([^()]*\))*)\)/.exec(template.toString())?.[1] ?? ''
  const parts = declared
    .split(/,(?![^{]*\})/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  for (const asText of [false, true]) {
    try {
      return template(...parts.map((part) => sample(part, asText)))
    } catch {
      // The template wants other types: called again with texts for numbers.
    }
  }
  return undefined
}

function sample(part, asText) {
  if (part.startsWith('{')) return new Proxy({}, { get: (_, key) => sample(String(key), asText) })
  const name = part.split('=')[0].trim()
  if (/^(span|first)$/.test(name)) return place
  if (/^(called|tool)$/.test(name) && !asText)
    return name === 'called' ? { server: '‹server›', tool: '‹tool›' } : `‹${name}›`
  if (lists.test(name)) return [`‹${name}›`]
  return `‹${name}›`
}

function cells({ class: given, kind, code, message, hint = '' }) {
  const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  return `| ${given ?? classes[kind] ?? 'program error'} | \`${code}\` | ${cell(message)} | ${cell(hint)} |`
}

function section(title, remark, rows) {
  const sorted = [...new Set(rows)].sort((a, b) => (codeOf(a) < codeOf(b) ? -1 : codeOf(a) > codeOf(b) ? 1 : 0))
  const table = ['| class | code | fact | hint |', '| --- | --- | --- | --- |', ...sorted].join('\n')
  return `## ${title}\n\n${remark === '' ? '' : `${remark}\n\n`}${table}\n`
}

function codeOf(line) {
  return /`([^`]*)`/.exec(line)?.[1] ?? ''
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const dist = process.env.TESTED_DIST ?? path.join(root, 'dist')
  if (!readdirSync(dist).includes('sandbox')) throw new Error('build first')
  writeFileSync(path.join(root, 'docs/errors.md'), await errorsDocument(dist))
}
