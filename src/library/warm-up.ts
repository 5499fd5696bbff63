// Starts what the first program needs ahead of need. A thread and its image save starting them; a program that runs
// saves the engine, which compiles its code when it is first used, and V8, which optimises what has run. Threads without
// work practise with one, which takes no time of the host's own thread.
// Invariant: a program that nobody asked for calls nobody, and no count, record or file shows it.

import { setTimeout } from 'node:timers/promises'
import { bindServers, type ToolOutcome } from '../bindings/index.js'
import type { Configuration } from '../gateway/index.js'
import { guestImage, type Language } from '../interpreter/index.js'
import { type RunContext, RunHistory, type RunResult, runProgram } from '../meta-tools/index.js'
import { openVfs } from '../vfs/index.js'

const TOOL = {
  name: 'add',
  inputSchema: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } }, required: ['a', 'b'] },
}

/** A program that comes right after opening finds the threads free, and nothing practises then. */
const PRACTICE_AFTER_MS = 50

const CALLS: Readonly<Record<Language, string>> = {
  starlark: 'total += practice.add(a=i, b=1)["sum"]',
  javascript: 'total += practice.add({ a: i, b: 1 }).sum',
}

/** They do a little of what programs do: functions, records, texts, sorting, large numbers, and a hundred `calls`. */
const PROGRAMS: Readonly<Record<Language, (calls: string) => string>> = {
  starlark: (calls) => `
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def main():
    rows, counts, large = [], {}, 1
    for i in range(600):
        name = "k%d" % (i % 50)
        counts[name] = counts.get(name, 0) + i
        rows.append({"name": name.upper(), "i": i, "part": i / 3})
        large = large * 7 % (1 << 200)
    rows = sorted(rows, key=lambda row: (row["name"], -row["i"]))
    text = ",".join(["{}:{}".format(row["name"], row["part"]) for row in rows if row["i"] % 2])
    total = fib(12) + len(text.split(","))
    for i in range(100):
        ${calls || 'total += i'}
    return [total, large, rows[:20]]

result = main()
`,
  javascript: (calls) => `
const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2))
const counts = new Map()
let rows = []
for (let i = 0; i < 600; i++) {
  const name = \`k\${i % 50}\`
  counts.set(name, (counts.get(name) ?? 0) + i)
  rows.push({ name: name.toUpperCase(), i, part: i / 3 })
}
rows = rows.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : b.i - a.i))
const text = rows.filter((row) => row.i % 2).map((row) => \`\${row.name}:\${row.part}\`).join(',')
let total = fib(12) + text.split(',').length
for (let i = 0; i < 100; i++) ${calls || 'total += i'}
return [total, rows.slice(0, 20)]
`,
}

/**
 * Starts the threads for programs, which practise if no program comes. `runs`: a program of our own runs instead, the
 * whole way, in some 0.2 s of processor time. Failures are not reported: a program that needs the same fails again, with
 * a message. Resolves to the result of that program.
 */
export async function warmUp(
  context: Omit<RunContext, 'bindings' | 'unavailable' | 'caller' | 'vfs' | 'history' | 'dialect'>,
  { strict = false }: Pick<Configuration, 'strict'>,
  { runs }: { readonly runs: boolean },
): Promise<RunResult | undefined> {
  const { language } = context
  context.desk.warm()
  const image = language === 'javascript' ? language : strict ? 'starlark-strict' : 'starlark-bare'
  await context.sandbox.warm(guestImage(image)).catch(() => {})
  if (!runs) return practise(context, { strict })
  if (context.sandbox.isClosed) return undefined
  const caller = {
    call: (_server: string, _tool: string, { a, b }: Readonly<Record<string, unknown>>): ToolOutcome => ({
      isError: false,
      content: [],
      structuredContent: { sum: Number(a) + Number(b) },
    }),
  }
  return runProgram(
    { text: PROGRAMS[language](CALLS[language]), language },
    {
      ...context,
      limits: {},
      caller,
      bindings: bindServers([{ name: 'practice', tools: [TOOL] }]),
      unavailable: () => ({}),
      vfs: openVfs(),
      history: new RunHistory(0),
      dialect: { strict },
    },
  )
}

/** Lets threads that nobody uses read and run a program. */
async function practise(
  { language, desk, sandbox }: Pick<RunContext, 'language' | 'desk' | 'sandbox'>,
  dialect: { readonly strict: boolean },
): Promise<undefined> {
  await setTimeout(PRACTICE_AFTER_MS, undefined, { ref: false })
  const prepared = await desk.practise({ text: PROGRAMS[language](''), language }, dialect)
  if (prepared?.ok) sandbox.practise(guestImage(prepared.image), prepared.code)
}
