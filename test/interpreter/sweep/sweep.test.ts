// Every builtin, operator and method with odd arguments: each answer must be CPython's, or the exception of the same
// class. CPython's answers are stored in answers/; UPDATE_GOLDENS=1 rewrites them if python3 is 3.11. Intended
// differences are in allowed.txt, each with its number in docs/dialect.md. By default each call gets an eighth of the odd
// arguments. The long form uses all of them, compares the stored answers with python3, and tries two odd arguments at
// once, with answers from python3 alone.

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile, readOutcome } from '../../../dist/interpreter/stages.js'
import { openSandbox, type Sandbox } from '../../../dist/sandbox/index.js'
import { amount, isLong } from '../../random.js'
import { isAskedAtLength, python, pythonIsRecent, whyNotAsked } from '../library/python.js'
import { type Answers, type Call, callsOf, named, programOf, readAnswers, topics, writeAnswers } from './program.js'

const folder = import.meta.dirname
const MIB = 2 ** 20
const limits = {
  ...{ wallMs: 600_000, cpuMs: 300_000, sourceBytes: 4 * MIB, memoryBytes: 256 * MIB },
  ...{ printedBytes: 16 * MIB, printedLines: 200_000 },
}

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openSandbox({ limits })
})
afterAll(() => sandbox.close())

/** CPython's answers. */
function askPython(calls: readonly Call[]): Answers {
  const { stdout, stderr, status } = spawnSync(python, [path.join(folder, 'python.py')], {
    encoding: 'utf8',
    env: { ...process.env, TZ: 'UTC' },
    input: programOf(calls),
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(stderr)
  return answersIn(stdout, calls)
}

/** Our answers. A call that ends the run omits all later answers, which show as differences. */
async function askStarbind(calls: readonly Call[]): Promise<Answers> {
  const compiled = compile({ text: programOf(calls), language: 'starlark' }, {})
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((d) => d.message).join('\n'))
  let printed = ''
  const { image, code } = compiled.program
  const end = await sandbox.run({
    ...{ image, code },
    onCall: () => Promise.reject(new Error('no tools here')),
    onPrint: (piece) => {
      printed += `${piece}\n`
    },
  })
  const outcome = end.kind === 'completed' ? readOutcome(compiled.program, end.payload) : undefined
  const why = outcome === undefined ? end.kind : outcome.ok ? '' : outcome.diagnostic.message
  if (why !== '') printed += `ended: ${why}\n`
  return answersIn(printed, calls)
}

function answersIn(printed: string, calls: readonly Call[]): Answers {
  const answers: Answers = new Map(calls.map(({ text }) => [text, new Map<string, string>()]))
  for (const line of printed.trimEnd().split('\n')) {
    const [, i, values, answer] = /^(\d+) \[(.*?)\]: (.*)$/.exec(line) ?? []
    const call = i === undefined ? undefined : calls[Number(i)]
    if (call === undefined) throw new Error(line)
    answers.get(call.text)!.set(values!, answer!)
  }
  return answers
}

/** `CALL with VALUES: OURS, not THEIRS` for each different answer. */
function differences(ours: Answers, theirs: Answers): string[] {
  return [...theirs].flatMap(([call, all]) =>
    [...all].flatMap(([values, answer]) => {
      const own = ours.get(call)?.get(values)
      const shown = named(values === '' ? [] : values.split(', ').map(Number))
      return own === answer ? [] : [`${call} with ${shown}: ${own}, not ${answer}`]
    }),
  )
}

const allowed = readFileSync(path.join(folder, 'allowed.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const [, number, calls, values] = /^(D\d+) (.*?)(?: with (.*))?$/.exec(line)!
    return { line, number: number!, pattern: new RegExp(`^${wild(calls!)} with ${wild(values ?? '…')}: `) }
  })

/** `…` stands for any text. */
function wild(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')
}

/** Of two arguments that are both wrong, either can be reported (D24). */
const isOtherFault = /: \w+Error, not \w+Error$/
const isAllowed = (difference: string): boolean => allowed.some(({ pattern }) => pattern.test(difference))
const answersFile = (topic: string): string => path.join(folder, 'answers', `${topic}.txt`)
/** The stored answers of CPython to these calls. */
function stored(topic: string, calls: readonly Call[]): Answers {
  const all = readAnswers(readFileSync(answersFile(topic), 'utf8'))
  const ofCall = ({ text, values }: Call) =>
    values.map((one) => one.join(', ')).map((key): [string, string] => [key, String(all.get(text)?.get(key))])
  return new Map(calls.map((call) => [call.text, new Map(ofCall(call))]))
}

describe('one odd argument', () => {
  const oneOf = (topic: string) => callsOf(topic, false, amount(8, 1))
  const used = new Set<string>()

  it.each(topics())('%s: answers as CPython does', async (topic) => {
    if (process.env.UPDATE_GOLDENS === '1' && pythonIsRecent)
      writeFileSync(answersFile(topic), writeAnswers(askPython(callsOf(topic, false))))
    const calls = oneOf(topic)
    const found = differences(await askStarbind(calls), stored(topic, calls))
    for (const { line, pattern } of allowed) if (found.some((f) => pattern.test(f))) used.add(line)
    expect(found.filter((f) => !isAllowed(f))).toEqual([])
  })

  it('has a number in docs/dialect.md for each line of allowed.txt', () => {
    const dialect = readFileSync(path.join(folder, '../../../docs/dialect.md'), 'utf8')
    expect(allowed.filter(({ number }) => !dialect.includes(`### ${number} `)).map(({ line }) => line)).toEqual([])
  })

  it.runIf(isLong)('needs every line of allowed.txt', () => {
    expect(allowed.map(({ line }) => line).filter((line) => !used.has(line) && !/\b__\b/.test(line))).toEqual([])
  })

  it.skipIf(!isAskedAtLength).each(topics())(`%s: is what python3 says${whyNotAsked}`, (topic) => {
    const calls = oneOf(topic)
    const found = differences(stored(topic, calls), askPython(calls))
    expect(found.filter((f) => !isAllowed(f))).toEqual([])
  })
})

describe.skipIf(!isAskedAtLength)(`two odd arguments${whyNotAsked}`, () => {
  it.each(topics().filter((topic) => callsOf(topic, true).length > 0))('%s: answers as CPython does', async (topic) => {
    const calls = callsOf(topic, true)
    const found = differences(await askStarbind(calls), askPython(calls))
    expect(found.filter((f) => !isAllowed(f) && !isOtherFault.test(f))).toEqual([])
  })
})
