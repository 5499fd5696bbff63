// Wall: no text exhausts the stack of a parser or of a later traversal, which would end the host's process. Attack: all
// nesting constructs, alone and combined, as deep as the length of a program allows, in both languages and with a
// guessed language.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { amount, random } from '../random.js'

/** At length: as long as a program may be. A thousand levels are far beyond every bound. */
const LONGEST = amount(14, 256) * 1024

/** The text before, inside and behind the nested part. */
type Shape = readonly [open: string, close: string, inner?: string, before?: string]

const javascript: readonly Shape[] = [
  ['`${', '}`'],
  ['()=>{', '}', ''],
  ['if(1){', '}', ''],
  ['(', ')'],
  ['[', ']'],
  ['{a:', '}', '1', 'x='],
  ['{', '}', ''],
  ['(', ''],
  ['-', ''],
  ['!', ''],
  ['typeof ', ''],
  ['void ', ''],
  ['await ', ''],
  ['yield ', '', '1', 'function*f(){'],
  ['new ', '', 'f'],
  ['++', '', 'a'],
  ['a=>', ''],
  ['(a)=>', ''],
  ['async a=>', ''],
  ['(a=', ')=>1'],
  ['if(1)', '', ';'],
  ['if(1);else ', '', ';'],
  ['1?1:', ''],
  ['1?', ':1'],
  ['x=', ''],
  ['a:', '', ';'],
  ['2**', ''],
  ['1+', ''],
  ['1||', ''],
  ['1??', ''],
  ['1,', ''],
  ['1+2*', ''],
  ['', '.b', 'a'],
  ['', '()', 'a'],
  ['', '[0]', 'a'],
  ['', '``', 'a'],
  ['', '?.b', 'a'],
  ['for(;;)', '', ';'],
  ['while(1)', '', ';'],
  ['do ', ' while(0)', ';'],
  ['class A{a=', '}'],
  ['class A extends ', '{}', 'B'],
  ['try{', '}catch{}', ''],
  ['function f(){', '}', ''],
  ['function(){return ', '}', '1', 'x='],
  ['{f(){return ', '}}', '1', 'x='],
  ['[...', ']', 'x'],
  ['f(', ')'],
  ['[', ']=1', 'a', 'let '],
  ['{a:', '}', 'b', 'let {b}=1,'],
  ['[a=', ']', '1', 'let '],
  ['switch(1){case 1:', '}', ''],
  ['import(', ')'],
  ['(', ')', 'a', '/'],
  ['(?:', ')*', 'a', '/'],
  ['(?=', ')', 'a', '/'],
  ['[', ']', 'a', '/'],
  ['A<', '>', 'B', 'let a:'],
  ['(', ')', 'B', 'let a:'],
  ['{a:', '}', 'B', 'let a:'],
  ['B extends C?D:', '', 'E', 'type A='],
  ['keyof ', '', 'E', 'type A='],
  ['()=>', '', 'E', 'type A='],
  ['', '[]', 'E', 'type A='],
  ['A|', '', 'B', 'type A='],
  ['`${', '}`', 'E', 'type A='],
  ['<B>', '', '1', 'let a:B='],
  ['', ' as B', '1', 'x='],
  ['', '!', 'a', 'x='],
  ['', '!.b', 'a', 'x='],
  ['declare namespace a{', '}', ''],
  ['a.', '{}', 'b', 'declare module '],
  ['(a:A)=>', '', '1', 'x='],
  ['(a:A=', ')=>1', '1', 'x='],
  ['f<A>(', ')', '1', 'let a:A='],
  ['a<', '', 'b', 'let a:A='],
  ['a<(', ')', 'b', 'let a:A='],
  ['a?(b):', '', 'c', 'let a:A='],
  ['({a})=>({b:', '})', 'c', 'let a:A='],
  ['async(', ')', '1', 'let a:A='],
  ['a=', '', '1', 'enum A{'],
  ['@a ', '', 'class A{}'],
]

const starlark: readonly Shape[] = [
  ['(', ')'],
  ['[', ']'],
  ['{1:', '}'],
  ['f(', ')'],
  ['a[', ']'],
  ['-', ''],
  ['not ', ''],
  ['2**', ''],
  ['lambda: ', ''],
  ['lambda a=', ''],
  ['a if b else ', '', 'c'],
  ['[a for a in ', ']', 'b'],
  ['f"{', ''],
  ['f\'{f"{', '}"}\''],
  ['a:', '', '', 'f"{'],
  ['[', '] = b', 'a'],
  ['', '.b', 'a'],
  ['', '()', 'a'],
  ['1 + ', ''],
  ['1 or ', ''],
  ['1 < ', ''],
  ['1 + 2 * ', ''],
  ['elif b: pass\n', '', '', 'if a: pass\n'],
  ['for a in b ', '', '', '[a '],
  ['a = ', '', '1'],
  ['[', ']: pass', 'a', 'match x:\n  case '],
  ['A(', '): pass', 'a', 'match x:\n  case '],
  ['a | ', ': pass', 'b', 'match x:\n  case '],
  ['{1: ', '}: pass', 'b', 'match x:\n  case '],
  ['(', '): pass', 'a', 'with '],
  ['await ', ''],
  ['(yield ', ')', '1', 'def f():\n  x = '],
  ['*', '', 'a', 'x = '],
  ['@', '', 'a\ndef f(): pass'],
  ['"a" ', '', '"b"', 'x = '],
  ['list[', ']', 'a', 'x: '],
  ['(a := ', ')'],
]

function nested([open, close, inner = '1', before = '']: Shape, length: number): string {
  const times = Math.floor((length - before.length - inner.length) / (open.length + close.length))
  return before + open.repeat(times) + inner + close.repeat(times)
}

/** Several shapes within one another, again and again. */
function mixed(shapes: readonly Shape[], length: number): string {
  const open = shapes.map(([text]) => text).join('')
  const close = shapes
    .map(([, text]) => text)
    .reverse()
    .join('')
  return nested([open, close], length)
}

const blocks = (head: string, depth: number) =>
  `${Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}${head}\n`).join('')}${' '.repeat(depth)}pass`

interface Program {
  readonly name: string
  readonly text: string
  readonly language?: 'javascript' | 'starlark'
}

/** The process that answers one program after another; a new one is started if it dies. */
let answering: { readonly child: ChildProcess; readonly lines: AsyncIterator<string> } | undefined
afterAll(async () => {
  if (answering === undefined) return
  const ended = once(answering.child, 'close')
  answering.child.stdin!.end()
  await ended
})

function start(): NonNullable<typeof answering> {
  const script = fileURLToPath(new URL('../fixtures/run-programs.mjs', import.meta.url))
  const child = spawn(process.execPath, [script], { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.on('error', () => {})
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

async function answerTo({ text, language }: Program): Promise<string> {
  answering ??= start()
  answering.child.stdin!.write(`${JSON.stringify({ text, language })}\n`)
  const { value, done } = await answering.lines.next()
  if (!done) return value
  answering = undefined
  return 'the process died'
}

/** Checks that every program was answered, and that only the program was blamed. */
async function expectAnswers(programs: readonly Program[]): Promise<void> {
  const ends: string[] = []
  for (const program of programs)
    ends.push(`${program.language ?? 'guessed'} ${program.name}: ${await answerTo(program)}`)
  expect(ends.filter((end) => !/: (?:ok|program error \[[a-z-]+\]|limit \[[a-z-]+\])$/.test(end)).slice(0, 3)).toEqual(
    [],
  )
}

describe('each nesting construct, as deep as possible', { timeout: 600_000 }, () => {
  it.each([
    ['javascript', javascript],
    ['starlark', starlark],
  ] as const)('is accepted or refused in %s', async (language, shapes) => {
    const programs = shapes.map(
      (shape): Program => ({ name: JSON.stringify(shape), text: nested(shape, LONGEST), language }),
    )
    const deep = ['if x:', 'for x in y:', 'while x:', 'def f():', 'class A:', 'try:', 'match x:', 'with x:'].map(
      (head): Program => ({ name: head, text: blocks(head, 700), language }),
    )
    await expectAnswers([...programs, ...deep])
  })

  it('is refused if the language is not specified', async () => {
    const shapes = [...javascript, ...starlark]
    await expectAnswers(
      shapes.map((shape) => ({ name: JSON.stringify(shape), text: nested(shape, amount(8_000, 40_000)) })),
    )
  })
})

describe('constructs that nest in one another', { timeout: 600_000 }, () => {
  it.each(['javascript', 'starlark', undefined] as const)('are accepted or refused in %s', async (language) => {
    const { pick, below, seed } = random()
    const shapes =
      language === 'starlark' ? starlark : language === 'javascript' ? javascript : [...javascript, ...starlark]
    const programs = Array.from({ length: amount(10, 400) }, (): Program => {
      const chosen = Array.from({ length: 2 + below(3) }, () => pick(shapes))
      // Around the bounds and far beyond them.
      const text = mixed(chosen, pick([300, 1500, 6000, 60_000]))
      return {
        name: `STARBIND_SEED=${seed} ${JSON.stringify(chosen)}`,
        text,
        ...(language === undefined ? {} : { language }),
      }
    })
    await expectAnswers(programs)
  })
})

describe('programs of people are not affected', () => {
  it.each([
    [
      'a chain of 200 else if',
      `let y; const x = 150\n${Array.from({ length: 200 }, (_, i) => `if (x === ${i}) y = ${i}\nelse `).join('')}y = -1\ny`,
    ],
    ['2,000 texts put together', `(${'"a" + '.repeat(2000)}"b").length`],
    ['10,000 numbers', `[${'1, '.repeat(10_000)}].length`],
    ['300 calls of methods', `"a"${'.trim()'.repeat(300)}`],
    ['brackets, 100 deep', `${'['.repeat(100)}1${']'.repeat(100)}`],
    ['functions in functions, 50 deep', `${'(() => { return '.repeat(50)}1${' })()'.repeat(50)}`],
    [
      'typed functions in functions, 20 deep',
      `${'((x: number) => { if (x < 1) return 2 as number; return '.repeat(20)}1${' })(1)'.repeat(20)}`,
    ],
    ['conditions, 60 in a row', `${'0 ? 1 : '.repeat(60)}2`],
  ])('such as %s', async (name, text) => {
    expect(await answerTo({ name, text, language: 'javascript' })).toBe('ok')
  })
})
