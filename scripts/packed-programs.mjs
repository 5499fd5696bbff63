// Compares the package with the form that the tests use. The guest's texts and the modules of threads are minified in
// the package, so each program here runs in both and must print, return and report the same: the natural programs, in
// Python and in JavaScript, with their servers; those that use Python's library; those about the language, also in the
// strict dialect, where most of them fail; and the pieces about JavaScript.
//
//   node scripts/packed-programs.mjs ENTRY      the package's entry; this repository must be built
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const root = path.dirname(import.meta.dirname)
const folders = {
  natural: path.join(root, 'test/natural/programs'),
  library: path.join(root, 'test/interpreter/library/programs'),
  python: path.join(root, 'test/interpreter/python/programs'),
  javascript: path.join(root, 'test/interpreter/javascript/programs'),
}
const textsIn = (folder, extension) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .map((name) => ({ name, text: readFileSync(path.join(folder, name), 'utf8') }))

const natural = ['.py', '.js'].flatMap((extension) =>
  textsIn(folders.natural, extension).map(({ name, text }) => ({
    name,
    text,
    language: extension === '.py' ? 'starlark' : 'javascript',
    servers: JSON.parse(readFileSync(path.join(folders.natural, name.replace(/\.[a-z]+$/, '.json')), 'utf8')),
  })),
)
const chunks = textsIn(folders.python, '.py').flatMap(({ name, text }) =>
  text.split(/^(?=# ---)/m).map((chunk, i) => ({ name: `${name}, chunk ${i + 1}`, text: chunk, language: 'starlark' })),
)
const pieces = textsIn(folders.javascript, '.txt').flatMap(({ name, text }) =>
  text
    .split(/^### /m)
    .slice(1)
    .map((piece) => {
      const [title, ...lines] = piece.split(/^>>>$/m)[0].split('\n')
      return { name: `${name}: ${title}`, text: lines.join('\n'), language: 'javascript' }
    }),
)
const library = textsIn(folders.library, '.py').map((program) => ({ ...program, language: 'starlark' }))
const programs = [...natural, ...library, ...chunks, ...pieces]

const packed = await outcomesOf(path.resolve(process.argv[2]))
const tested = await outcomesOf(path.join(root, 'dist/index.js'))
const different = [...tested].filter(([name, outcome]) => packed.get(name) !== outcome)
for (const [name, outcome] of different.slice(0, 5))
  console.error(
    `${name}\n  in tests:       ${outcome.slice(0, 600)}\n  in the package: ${packed.get(name).slice(0, 600)}`,
  )
const ended = [...tested.values()].filter((outcome) => outcome.startsWith('{"ok":true')).length
console.log(`${tested.size} programs, of which ${ended} end well and ${different.length} differ in the package`)
if (different.length > 0 || ended < tested.size / 3) process.exitCode = 1

/** What programs gave, by their names. */
async function outcomesOf(entry) {
  const { CodeMode } = await import(pathToFileURL(entry).href)
  const outcomes = new Map()
  let servers
  const options = { limits: { wallMs: 120_000, cpuMs: 60_000 } }
  const codeMode = await CodeMode.open({ ...options, servers: inProcess((server, tool) => servers?.[server]?.[tool]) })
  for (const program of programs) {
    servers = program.servers
    outcomes.set(program.name, shown(await codeMode.run(program.text, { language: program.language })))
  }
  await codeMode.close()
  const strict = await CodeMode.open({ ...options, strict: true })
  for (const { name, text } of chunks) outcomes.set(`${name}, strict`, shown(await strict.run(text)))
  await strict.close()
  return outcomes
}

function shown({ ok, result, logs, error }) {
  return JSON.stringify({ ok, result, logs, error })
}

/** Every tool of a natural program, once. `find`: the tool of the current program. */
function inProcess(find) {
  const all = {}
  for (const { servers } of natural)
    for (const [server, tools] of Object.entries(servers))
      for (const [tool, { params }] of Object.entries(tools)) {
        const properties = Object.fromEntries(params.map((param) => [param, {}]))
        const one = ((all[server] ??= {})[tool] ??= { inputSchema: { type: 'object', properties } })
        Object.assign(one.inputSchema.properties, properties)
        one.call = (args) => answerOf(find(server, tool), args)
      }
  return Object.fromEntries(Object.entries(all).map(([server, tools]) => [server, { inProcess: tools }]))
}

function answerOf(tool, args) {
  const wanted = JSON.stringify(Object.entries(args).sort())
  const found = tool?.replies.find((reply) => JSON.stringify(Object.entries(reply.args ?? {}).sort()) === wanted)
  const { error, text, json, value } = found ?? tool?.default ?? { error: tool?.error ?? 'no such record' }
  const sent = error ?? text ?? json ?? (value === undefined ? undefined : JSON.stringify(value))
  const content = sent === undefined ? [] : [{ type: 'text', text: sent }]
  return { isError: error !== undefined, content, ...(value === undefined ? {} : { structuredContent: value }) }
}
