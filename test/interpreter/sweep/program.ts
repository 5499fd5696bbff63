// The sweep: calls of builtins and methods, each with every odd value in the place of `_`. A topic is a file in calls/
// with a call in every line; the program's head, which runs in CPython and here, defines everything else.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { usualSeed } from '../../random.js'

const folder = import.meta.dirname

/** One line of a topic. */
export interface Call {
  readonly text: string
  /** The values for `_` (or for `_` and `__`), by index into `oddValues`; a call without a placeholder is made once. */
  readonly values: readonly (readonly number[])[]
}

/** Each is created for each call. */
export const oddValues: readonly string[] = [
  ...['0', '1', '-1', '3', 'True', '2**31', '-(2**31)', '2**53', '-(2**53)', '2**63', '-(2**63)', '10**400'],
  ...['0.0', '-0.0', '1.0', '1.5', '1e300', '5e-324', 'float("nan")', 'float("inf")', 'float("-inf")'],
  ...['None', '...', '""', '"a"', '"12"', '"ß "', '"a-b c"', 'b""', 'b"a"', 'bytearray(b"12")'],
  ...['[]', '[1]', '["a", "b"]', '()', '(1, 2)', '("a",)', '{}', '{"a": 1}', '{3: "x"}', 'set()', '{1}'],
  ...['frozenset("a")', 'range(3)', 'range(0)', 'iter([1, 2])', 'len', 'int', 'str', 'abs', 'Thing', 'Thing()'],
  ...['Text("a")', 'Whole(3)', 'Real(1.5)', 'Row([1, 2])', 'Pairs(a=1)', 'Trio((1, 2, 3))', 'Index()', 'Broken()'],
  ...['Point(1, 2)', 'Item(1)', 'Decimal("1.5")', 'Fraction(1, 2)', 'date(2024, 2, 29)', 'timedelta(1)'],
]

// Calls that would use up a computer's memory or time in Python.
const huge = /^\(?-?\(?(2\*\*(31|53|63)|10\*\*400|1e300)/
const endless = /^float\("/
/** One of each kind: for two at once. */
const fewer = [
  '0',
  '-1',
  '2**53',
  '10**400',
  '1.5',
  'float("nan")',
  'float("inf")',
  'True',
  'None',
  '""',
  '"a"',
  'b"a"',
]
  .concat(['[]', '(1, 2)', '{"a": 1}', '{1}', 'len', 'Whole(3)', 'Text("a")', 'Index()', 'Thing()'])
  .map((value) => oddValues.indexOf(value))

export function topics(): string[] {
  return readdirSync(path.join(folder, 'calls'))
    .map((file) => path.basename(file, '.txt'))
    .sort()
}

/**
 * The calls of a topic, or those with two odd values at once. The note `small` behind a call excludes huge numbers,
 * `tame` also NaN and the infinities. `every`: each call gets every `every`-th odd value.
 */
export function callsOf(topic: string, withPairs: boolean, every = 1): Call[] {
  const lines = readFileSync(path.join(folder, 'calls', `${topic}.txt`), 'utf8').split('\n')
  return lines
    .filter((line) => line !== '' && !line.startsWith('#') && /\b__\b/.test(line) === withPairs)
    .map((line, turn) => {
      const [text, note] = line.split(/ +# (?=(?:small|tame)$)/) as [string, string?]
      const fits = (i: number): boolean =>
        note === undefined || !(huge.test(oddValues[i]!) || (note === 'tame' && endless.test(oddValues[i]!)))
      const all = (withPairs ? fewer : [...oddValues.keys()]).filter(fits)
      if (withPairs) return { text, values: all.flatMap((a) => all.map((b) => [a, b])) }
      return {
        text,
        values: /\b_\b/.test(text) ? all.filter((a) => (a + turn + usualSeed) % every === 0).map((a) => [a]) : [[]],
      }
    })
}

/** A program that prints `INDEX OF CALL, INDICES OF VALUES: ANSWER` for every call from one on. */
export function programOf(calls: readonly Call[]): string {
  const head = readFileSync(path.join(folder, 'head.py'), 'utf8')
  const values = oddValues.map((value) => `    lambda: ${value},\n`).join('')
  const lines = calls.map(({ text, values }, i) => {
    const names = ['_', '__'].slice(0, values[0]!.length).join(', ')
    const which = values.length === oddValues.length ? 'every' : JSON.stringify(values)
    return `sweep(${i}, ${which}, lambda${names === '' ? '' : ` ${names}`}: ${text})`
  })
  return `${head}\nodd = [\n${values}]\nevery = [[i] for i in range(len(odd))]\n\n${lines.join('\n')}\n`
}

/** The name of a value in a report. */
export function named(values: readonly number[]): string {
  return values.map((i) => oddValues[i]).join(' and ')
}

/** By call, then by the indices of the values. */
export type Answers = Map<string, Map<string, string>>

/** A call a line, and under it which values it answers with what: `0 3-5: int 7`. */
export function writeAnswers(answers: Answers): string {
  let text = ''
  for (const [call, all] of answers) {
    const grouped = new Map<string, string[]>()
    for (const [values, answer] of all) grouped.set(answer, [...(grouped.get(answer) ?? []), values])
    text += `${call}\n`
    for (const [answer, values] of grouped) text += `  ${runs(values).join(' ')}: ${answer}\n`
  }
  return text
}

function runs(values: readonly string[]): string[] {
  const out: string[] = []
  for (let i = 0; i < values.length; ) {
    const from = i++
    while (i < values.length && Number(values[i]) === Number(values[i - 1]) + 1) i++
    out.push(i - from > 1 ? `${values[from]}-${values[i - 1]}` : values[from]!)
  }
  return out
}

export function readAnswers(text: string): Answers {
  const answers: Answers = new Map()
  let all = new Map<string, string>()
  for (const line of text.trimEnd().split('\n')) {
    const [, values, answer] = /^ {2}([-\d ]*): (.*)$/.exec(line) ?? []
    if (values === undefined) {
      all = new Map()
      answers.set(line, all)
    } else if (values === '') all.set('', answer!)
    else
      for (const run of values.split(' ')) {
        const [from, to = from] = run.split('-').map(Number)
        for (let i = from!; i <= to!; i++) all.set(String(i), answer!)
      }
  }
  return answers
}
