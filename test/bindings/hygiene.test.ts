// What upstreams write stays inside its comment or string, whatever it is.

import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import {
  bindServers,
  serverStub,
  signatureText,
  type ToolServer,
  toolDocs,
  toolStub,
  toolWords,
} from '../../dist/bindings/index.js'
import { commentText, cutAtWord, firstSentence, pythonString } from '../../dist/bindings/quoting.js'
import { type Random, random } from './random.js'
import { readStub } from './stub-reader.js'

describe('a first sentence', () => {
  it.each([
    ['Lists issues. Use it often.', 100, 'Lists issues'],
    ['Lists issues', 100, 'Lists issues'],
    ['Gets e.g. a file, i.e. its text. More.', 100, 'Gets e.g. a file, i.e. its text'],
    ['Reads v1.2 of a file. More', 100, 'Reads v1.2 of a file'],
    ['Really? Yes.', 100, 'Really?'],
    ['  \n\n Gets\n  a   file.\nMore', 100, 'Gets a file'],
    ['Searches things:\n- one\n- two', 100, 'Searches things'],
    ['# Heading\n\nText', 100, 'Heading'],
    ['A rather long sentence that goes on and on', 20, 'A rather long…'],
    ['Donaudampfschifffahrtsgesellschaftskapitän', 10, 'Donaudamp…'],
    ['👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 4, '👩👩👧…'],
    ['type: ignore', 100, 'type : ignore'],
    ['', 100, ''],
    [' \u202e ', 100, ''],
  ])('of %j in %i characters is %j', (text, most, sentence) => {
    expect(firstSentence(text, most)).toBe(sentence)
  })
})

describe('words for a comment', () => {
  it.each([
    ['a\nb\r\nc\u2028d\u0085e', 'a b c d e'],
    ['a\u202e\u2066b\u200b\ufeffc\u0000d\u001b[31m', 'abcd[31m'],
    ['"""x""" \'\'\'y\'\'\' z*/', "''x'' ''y'' z* /"],
    ['\ud800a\udc00', 'a'],
    ['\u{e0041}\u{e0042}tags', 'tags'],
    ['pyright: basic', 'pyright : basic'],
    ['x # type: ignore', 'x # type : ignore'],
    ['coding: latin-1', 'coding : latin-1'],
  ])('of %j are %j', (text, words) => {
    expect(commentText(text)).toBe(words)
  })

  it('are cut by code points, never in the middle of one', () => {
    expect(cutAtWord('💥'.repeat(10), 4)).toBe('💥💥💥…')
    expect(cutAtWord('💥💥💥💥', 4)).toBe('💥💥💥💥')
  })
})

const evil = [
  '\n',
  '\r',
  '\r\n',
  '\u2028',
  '\u2029',
  '\u0085',
  '\v',
  '\f',
  '\t',
  '\0',
  '\u001b',
  '\\',
  '\\\n',
  '"',
  "'",
  '"""',
  "'''",
  '#',
  '*/',
  '/*',
  '//',
  '\u202e',
  '\u2066',
  '\u200b',
  '\ufeff',
  '\ud800',
  '\udfff',
  '\u{e0041}',
  '💥',
  'é',
  '(',
  ')',
  '[',
  '{',
  '}',
  ':',
  ';',
  '=',
  '->',
  '...',
  ', ',
  '`',
  '$',
  '{{',
  'f"{x}"',
  '\ndef evil(): ...\n',
  '\nclass Evil(TypedDict):\n    a: int\n',
  '"""\ndef evil(): ...\n"""',
  "'''\nimport os\n'''",
  '\n    def evil(): ...',
  '") -> Any: ...\ndef evil(',
  'type: ignore',
  'pyright: basic',
  '-*- coding: utf-7 -*-',
  'x',
  'word',
  ' ',
  '  ',
  '1',
  '. ',
  '\nresult = 1\n',
  'ﬁ',
  'K',
] as const

function text(from: Random): string {
  return Array.from({ length: from.below(9) }, () => from.pick(evil)).join('')
}

function schema(from: Random, depth: number): unknown {
  if (depth > 3 || from.chance(0.2))
    return { type: 'string', description: text(from), pattern: text(from), format: text(from) }
  const key = () => text(from) || 'k'
  return from.pick([
    () => ({ enum: [text(from), text(from), from.below(9), true, null], default: text(from) }),
    () => ({ const: text(from), title: text(from) }),
    () => ({ type: 'array', items: schema(from, depth + 1), examples: [text(from)] }),
    () => ({ anyOf: [schema(from, depth + 1), schema(from, depth + 1)], description: text(from) }),
    () => ({
      type: 'object',
      title: text(from),
      description: text(from),
      properties: Object.fromEntries(Array.from({ length: from.below(4) }, () => [key(), schema(from, depth + 1)])),
      required: [key()],
      default: { [key()]: text(from) },
      ...(from.chance(0.5) ? { additionalProperties: schema(from, depth + 1) } : {}),
    }),
    () => ({ $ref: `#/$defs/${text(from)}` }),
    () => ({ type: text(from) }),
  ])()
}

function servers(from: Random): ToolServer[] {
  return Array.from({ length: 2 }, () => ({
    name: text(from),
    description: text(from),
    tools: Array.from({ length: 1 + from.below(5) }, () => ({
      name: text(from),
      title: text(from),
      description: text(from),
      inputSchema: {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: from.below(5) }, () => [text(from), schema(from, 0)])),
        $defs: { [text(from)]: schema(from, 0) },
      },
      ...(from.chance(0.5) ? { outputSchema: schema(from, 0) as object } : {}),
    })),
  })).filter((server, i, all) => i === 0 || server.name !== all[0]!.name) as ToolServer[]
}

describe('hostile tools', () => {
  const from = random()
  const bindings = Array.from({ length: 150 }, () => bindServers(servers(from)))
  const stubs: string[] = []
  const docs: string[] = []

  it(`give stubs with exactly their functions (seed ${from.seed})`, () => {
    for (const { servers } of bindings)
      for (const server of servers) {
        const options = { descriptionLength: 1 + from.below(200) }
        const names = server.tools.map((tool) => tool.name)
        const whole = serverStub(server, options)
        const stub = readStub(whole)
        expect([...stub.functions.keys()]).toEqual(names)
        expect(stub.strangers).toEqual([])
        expect([...stub.records.keys(), ...stub.aliases.keys()].filter((name) => names.includes(name))).toEqual([])
        stubs.push(whole)
        for (const tool of server.tools) {
          const one = toolStub(tool, options)
          expect([...readStub(one).functions.keys()]).toEqual([tool.name])
          const all = toolDocs(tool)
          const read = readStub(all)
          expect([...read.functions.keys()]).toEqual([tool.name])
          expect(read.strangers.length).toBeLessThanOrEqual(1)
          expect(read.strangers.every((line) => line.startsWith(`${server.name}.${tool.name}(`))).toBe(true)
          for (const line of [signatureText(tool), toolWords(tool, 100)]) expect(line).not.toMatch(/[\n\r\u2028\u202e]/)
          stubs.push(one)
          docs.push(all)
        }
      }
  })

  it(`give lines that no look-alike can start (seed ${from.seed})`, () => {
    for (const text of [...stubs, ...docs]) {
      expect(text).not.toMatch(/[\0\r\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff]/)
      // A comment in one of the first two lines can change how Python decodes a file.
      expect(text.split('\n').slice(0, 2).join('\n')).not.toMatch(/^\s*#.*coding[:=]\s*[-\w.]+/m)
    }
    // Strings may hold what comments may not.
    for (const text of stubs) expect(text.replace(/"(?:[^"\\\n]|\\.)*"/g, '')).not.toMatch(/#\s*(type|pyright):/)
  })

  it.skipIf(spawnSync('python3', ['--version']).status !== 0)(
    `give stubs and docs that python3 reads (seed ${from.seed}; skipped where there is none)`,
    () => {
      const program =
        'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text.encode("utf-8", "strict"))\nprint("parsed")'
      expect(
        execFileSync('python3', ['-c', program], { input: JSON.stringify([...stubs, ...docs]), encoding: 'utf8' }),
      ).toBe('parsed\n')
    },
  )

  it(`give strings that say what was meant (seed ${from.seed})`, () => {
    for (let i = 0; i < 500; i++) {
      const value = text(from)
      const stub = readStub(`def f(x: Literal[${pythonString(value)}]) -> Any: ...\n`)
      const { type } = stub.functions.get('f')!.parameters[0]!
      expect(type.kind === 'IndexExpr' && type.index.kind === 'StringLiteral' && type.index.value).toBe(value)
    }
  })
})
