// Any text of an upstream stays inside its comment or string.

import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bindServers, serverStub, signatureText, toolDocs, toolStub, toolWords } from '../../dist/bindings/index.js'
import { commentText, cutAtWord, firstSentence, pythonString } from '../../dist/bindings/quoting.js'
import { random } from '../random.js'
import { hostileServers, hostileText } from './hostile-servers.js'
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

  it('are cut between code points', () => {
    expect(cutAtWord('💥'.repeat(10), 4)).toBe('💥💥💥…')
    expect(cutAtWord('💥💥💥💥', 4)).toBe('💥💥💥💥')
  })
})

describe('hostile tools', () => {
  const from = random()
  const bindings = Array.from({ length: 150 }, () => bindServers(hostileServers(from)))
  const stubs: string[] = []
  const docs: string[] = []

  it(`produce stubs with exactly their functions (seed ${from.seed})`, () => {
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

  it(`produce no invisible characters and no comments with a meaning (seed ${from.seed})`, () => {
    for (const text of [...stubs, ...docs]) {
      expect(text).not.toMatch(/[\0\r\u0085\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\ufeff]/)
      // A comment in one of the first two lines can change how Python decodes a file.
      expect(text.split('\n').slice(0, 2).join('\n')).not.toMatch(/^\s*#.*coding[:=]\s*[-\w.]+/m)
    }
    // Strings may hold what comments may not.
    for (const text of stubs) {
      const comments = text.match(/"(?:[^"\\\n]|\\.)*"|#.*/g)?.filter((part) => part.startsWith('#')) ?? []
      expect(comments.filter((comment) => /#\s*(type|pyright):/.test(comment))).toEqual([])
    }
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

  it(`produce strings with the original values (seed ${from.seed})`, () => {
    for (let i = 0; i < 500; i++) {
      const value = hostileText(from)
      const stub = readStub(`def f(x: Literal[${pythonString(value)}]) -> Any: ...\n`)
      const { type } = stub.functions.get('f')!.parameters[0]!
      expect(type.kind === 'IndexExpr' && type.index.kind === 'StringLiteral' && type.index.value).toBe(value)
    }
  })
})
