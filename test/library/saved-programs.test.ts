// Saved programs: a folder of files that people and models run by name, and that other programs call.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { CodeMode, DiagnosticError, type OpenOptions, silentLog } from '../../dist/index.js'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const REPORT = `
LIMIT = 2
seen = []
def note(line):
    global count
    count += 1
    seen.append(line)
count = 0

def main(month: str, top: int = 3, by: Literal["sum", "name"] = "sum", more: dict[str, list[float]] | None = None):
    """Sums a month's sales.

    Asks the shop for each day.
    """
    note(month)
    return {"month": month, "sum": sum([shop.sales(day=d) for d in range(top)]), "by": by, "seen": seen, "count": count}
`
const FILES = {
  'report.star': REPORT,
  'twice.star': 'def main(month: str):\n    return [programs.report(month=month, top=1)["sum"] for _ in range(2)]',
  'plain.star': '"Adds constants."\nresult = 1 + 2',
  'order.js': '// Orders one thing.\nreturn shop.order({ article: "tea" })',
  'wrong.star': 'def main(x: int):\n    y = (',
  'typed.star': 'def main(when: datetime.date, *rest):\n    pass',
  'to.star': 'result = programs.fro()',
  'fro.star': 'result = programs.to()',
  'odd-name.star': 'result = 1',
  'plain.js': 'return 1',
  'notes.txt': 'no program',
}

const FAILING = { ...FILES, 'fails.star': 'def main(d: dict):\n    return d["k"]' }

const sent: string[] = []
const servers: NonNullable<OpenOptions['servers']> = {
  shop: {
    inProcess: {
      sales: {
        inputSchema: { type: 'object', properties: { day: { type: 'integer' } }, required: ['day'] },
        annotations: { readOnlyHint: true },
        call: (args) => 10 + Number((args as { day: number }).day),
      },
      order: {
        inputSchema: { type: 'object', properties: { article: { type: 'string' } }, required: ['article'] },
        call: (args) => {
          sent.push((args as { article: string }).article)
          return 'ordered'
        },
      },
    },
  },
}

interface Opened {
  readonly codeMode: CodeMode
  readonly folder: string
}

async function open(
  files: Readonly<Record<string, string>> = FILES,
  options: OpenOptions = {},
  ends: (() => unknown)[] = closing,
): Promise<Opened> {
  const folder = mkdtempSync(path.join(tmpdir(), 'saved-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  mkdirSync(path.join(folder, 'folder.star'))
  const codeMode = await CodeMode.open({ servers, programs: folder, log: silentLog, ...options })
  sent.length = 0
  ends.push(
    () => rmSync(folder, { recursive: true }),
    () => codeMode.close(),
  )
  return { codeMode, folder }
}

const kept = new Map<object, Promise<Opened>>()
const closingLast: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closingLast.reverse()) await close()
})

/** The same for all tests with these files that change none. */
function opened(files: Readonly<Record<string, string>> = FILES): Promise<Opened> {
  sent.length = 0
  const known = kept.get(files) ?? open(files, {}, closingLast)
  kept.set(files, known)
  return known
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof DiagnosticError ? error.message : error),
  )

describe('a folder of saved programs', () => {
  it('is read at the start, with parameters, descriptions, and the mistakes of unusable files', async () => {
    const { codeMode } = await opened()
    const status = await codeMode.programs()
    expect(status.find(({ name }) => name === 'report')).toEqual({
      name: 'report',
      file: 'programs/report.star',
      language: 'starlark',
      description: "Sums a month's sales.\n\nAsks the shop for each day.",
      inputSchema: {
        type: 'object',
        properties: {
          month: { type: 'string' },
          top: { type: 'integer', default: 3 },
          by: { enum: ['sum', 'name'], default: 'sum' },
          more: {
            anyOf: [
              { type: 'object', additionalProperties: { type: 'array', items: { type: 'number' } } },
              { type: 'null' },
            ],
            default: null,
          },
        },
        required: ['month'],
        additionalProperties: false,
      },
    })
    expect(status.map(({ file, description, problem }) => [file, problem ?? description])).toEqual(
      [
        [
          'programs/fro.star',
          'programs/to.star:1:10: fro calls itself: fro → to → fro; a saved program may call others, but not itself',
        ],
        [
          'programs/odd-name.star',
          'programs/odd-name.star: its name is not a valid program name; name the file with a letter followed by letters, digits and _',
        ],
        ['programs/order.js', 'Orders one thing.'],
        ['programs/plain.js', ''],
        ['programs/plain.star', 'programs/plain.star: programs/plain.js has the same name; rename one of them'],
        ['programs/report.star', "Sums a month's sales.\n\nAsks the shop for each day."],
        [
          'programs/to.star',
          'programs/fro.star:1:10: to calls itself: to → fro → to; a saved program may call others, but not itself',
        ],
        ['programs/twice.star', ''],
        [
          'programs/typed.star',
          "programs/typed.star:1:10: main: when: datetime.date has a type that JSON can't express; annotate with int, float, str, bool, list[…], dict[str, …], Literal[…] or Optional[…]; defaults are constants",
        ],
        ['programs/wrong.star', "programs/wrong.star:2:9: '(' at 2:9 is never closed; close it with ')'"],
      ].map(([file, text]) => [file, file === 'programs/plain.js' ? '' : text]),
    )
  })

  it('is run by name, with arguments that are checked', async () => {
    const { codeMode } = await opened()
    const result = { month: 'May', sum: 33, by: 'sum', seen: ['May'], count: 1 }
    const call = { program: 'report', arguments: { month: 'May' } }
    expect(await codeMode.run(call)).toMatchObject({ ok: true, result, calls: [{}, {}, {}] })
    const answer = await codeMode.executeToolCode({ ...call, arguments: { month: 'May', top: 1, more: { a: [1.5] } } })
    expect(answer.text).toContain('{"month":"May","sum":10,"by":"sum","seen":["May"],"count":1}')
    expect((await codeMode.executeToolCode({ program: 'programs/order.js' })).text).toContain('ordered')
    expect(sent).toEqual(['tea'])
    expect(await codeMode.check(call)).toMatchObject({
      ok: true,
      reach: { tools: [{ namespace: 'shop', member: 'sales' }], widened: [] },
    })
  })

  it.each<[unknown, string]>([
    [
      { program: 'report', arguments: { mont: 'May', top: '3' } },
      'program error [wrong-program-arguments] programs.report: missing month; top: got str "3", want int; no key "mont" (nearest: month)\nhint: readToolFile("servers/programs.pyi") shows its parameters',
    ],
    [{ program: 'repotr' }, 'program error [no-saved-program] there is no saved program "repotr"\nhint: write report'],
    [
      { program: 'report', arguments: ['May'] },
      'program error [wrong-argument] executeToolCode: arguments is ["May"], want an object with the arguments of the program',
    ],
    [
      { arguments: { month: 'May' } },
      'program error [wrong-argument] executeToolCode: program is missing, want the name of a saved program for these arguments',
    ],
    [
      { program: 'report', code: 'print(1)' },
      'program error [wrong-argument] executeToolCode: code is "print(1)", want no code beside the name of a saved program',
    ],
  ])('refuses %j', async (args, message) => {
    const { codeMode } = await opened()
    expect((await codeMode.call('executeToolCode', args as Record<string, unknown>)).text).toBe(message)
  })

  it('reports that there are none', async () => {
    const { codeMode } = await open({}, { programs: false })
    expect(await refusal(codeMode.run({ program: 'report' }))).toBe(
      'program error [no-saved-program] there is no saved program "report"\nhint: there are none',
    )
    expect(await refusal(codeMode.run({ program: 1 } as never))).toBe(
      'host error [config-wrong-value] run: program: got 1, want a string',
    )
  })

  it('follows changes of its files', async () => {
    const { codeMode, folder } = await open()
    const file = path.join(folder, 'wrong.star')
    writeFileSync(file, 'result = "right"')
    utimesSync(file, 1, 1)
    expect(await codeMode.run({ program: 'wrong' })).toMatchObject({ result: 'right' })
    rmSync(file)
    expect(await refusal(codeMode.run({ program: 'wrong' }))).toContain('there is no saved program "wrong"')
  })

  it('appears to models like the tools of a server', async () => {
    const { codeMode } = await open({ 'report.star': REPORT, 'wrong.star': FILES['wrong.star'] })
    expect((await codeMode.listToolFiles()).text).toBe(
      [
        'servers/',
        '  programs.pyi  # 1 tool: Saved programs: call them as programs.NAME(…), or…',
        '  shop.pyi  # 2 tools: order, sales',
        'guide.md  # how to write programs',
        '# 3 tools. Search: listToolFiles(query="words"). One server: listToolFiles(server="programs").',
        "# can't be used: programs/wrong.star:2:9: '(' at 2:9 is never closed; close it with ')'",
      ].join('\n'),
    )
    const line =
      'def report(month: str, top: int = 3, by: Literal["sum", "name"] = "sum", more: dict[str, list[float]] | None = None) -> Any: ...'
    expect((await codeMode.readToolFile({ fileName: 'servers/programs.pyi' })).text).toBe(
      [
        '# programs: 1 tool, called as programs.name(...)',
        'from typing import Any, Literal',
        '# Saved programs: call them as programs.NAME(…), or executeToolCode(program="NAME", arguments={…})',
        '',
        `${line}  # Sums a month's sales`,
        '',
      ].join('\n'),
    )
    expect((await codeMode.listToolFiles({ query: 'sales of a month' })).text).toContain('programs.report(')
    expect((await codeMode.getToolDocs({ server: 'programs', tool: 'report' })).text).toContain(
      'Asks the shop for each day.',
    )
  })

  it('gives way to a server of its name', async () => {
    const { codeMode } = await open(FILES, { servers: { ...servers, programs: servers.shop! } })
    expect(await codeMode.run('result = programs.sales(day=1)')).toMatchObject({ result: 11 })
    expect(await refusal(codeMode.run({ program: 'report' }))).toBe(
      "host error [programs-taken] a server is named programs, so saved programs can't be called\nhint: give the server another name",
    )
  })
})

describe('programs.NAME(…)', () => {
  it('is a call like any other: with the reach, the ledger and the limits of the program that makes it', async () => {
    const { codeMode } = await opened()
    const code = 'result = [programs.twice("May"), programs.report("June", top=2)["seen"]]'
    const run = await codeMode.run(code)
    expect(run).toMatchObject({ ok: true, result: [[10, 10], ['June']] })
    expect(run.calls.map(({ server, tool }) => `${server}.${tool}`)).toEqual(Array(4).fill('shop.sales'))
    expect(await codeMode.check(code)).toMatchObject({
      reach: { tools: [{ namespace: 'shop', member: 'sales' }], widened: [] },
    })
    const limited = await codeMode.run(code, { limits: { toolCalls: 3 } })
    expect(limited.error?.code).toBe('limit-tool-calls')
  })

  it('has the rights of its caller and asks the same person', async () => {
    const { codeMode } = await open({ 'buy.star': 'def main(article: str):\n    return shop.order(article=article)' })
    const reader = codeMode.session({ readOnly: true })
    expect((await reader.run('programs.buy("tea")')).error?.message).toBe('shop has no tool order')
    const paused = await codeMode.run('result = programs.buy("tea")', { approve: 'writes' })
    expect(sent).toEqual([])
    await codeMode.runs.approve(paused.paused!.runId)
    expect(await codeMode.resume(paused.paused!.runId)).toMatchObject({ ok: true, result: 'ordered' })
    expect(sent).toEqual(['tea'])
  })

  it('resumes with its original text after the file has changed', async () => {
    const { codeMode, folder } = await open({ 'buy.star': 'shop.order(article="tea")\nresult = "old"' })
    const { paused } = await codeMode.run('result = programs.buy()', { approve: 'writes' })
    writeFileSync(path.join(folder, 'buy.star'), 'result = "new"')
    utimesSync(path.join(folder, 'buy.star'), 1, 1)
    expect(await codeMode.run('result = programs.buy()')).toMatchObject({ result: 'new' })
    await codeMode.runs.approve(paused!.runId)
    expect(await codeMode.resume(paused!.runId)).toMatchObject({ ok: true, result: 'old' })
    expect(await codeMode.runs.replay(paused!.runId)).toMatchObject({ same: true })
  })

  it.each([
    [
      'print(programs.repotr("May"))',
      `program error [unknown-program] there is no saved program repotr
  program:1:7
  1 | print(programs.repotr("May"))
    |       ^^^^^^^^^^^^^^^
hint: did you mean programs.report?
Nothing was run and no tool was called.`,
    ],
    [
      'p = programs',
      `program error [programs-as-value] programs is not a value: the name of a saved program must follow it
  program:1:5
  1 | p = programs
    |     ^^^^^^^^
hint: write programs.NAME(…)
Nothing was run and no tool was called.`,
    ],
    [
      'programs.order()',
      `program error [program-in-other-language] programs/order.js is in another language than the program that calls it
  program:1:1
  1 | programs.order()
    | ^^^^^^^^^^^^^^
hint: write both in one language, or let executeToolCode run each
Nothing was run and no tool was called.`,
    ],
    [
      'programs.to()',
      `program error [program-cycle] to calls itself: to → fro → to
  programs/fro.star:1:10
  1 | result = programs.to()
    |          ^^^^^^^^^^^
hint: a saved program may call others, but not itself
Nothing was run and no tool was called.`,
    ],
    [
      'programs.report()',
      `program error [missing-argument] programs.report() needs month
  program:1:1
  1 | programs.report()
    | ^^^^^^^^^^^^^^^^^
hint: it takes month, top?, by?, more?
Nothing was run and no tool was called.`,
    ],
    [
      'x = 1\nprograms.fails({})',
      `program error [key-error] KeyError: 'k'
  programs/fails.star:2:12
  2 |     return d["k"]
    |            ^^^^^^
  in programs.fails at programs/fails.star:1:5
  in <toplevel> at 2:1`,
    ],
  ])('is explained: %s', async (code, report) => {
    const { codeMode } = await opened(FAILING)
    expect((await codeMode.run(code)).report).toBe(report)
  })

  it('means the program’s own variable of that name', async () => {
    const { codeMode } = await opened()
    expect(await codeMode.run('programs = [1]\nprograms.append(2)\nresult = programs')).toMatchObject({
      result: [1, 2],
    })
    expect(await codeMode.run('result = [programs.upper() for programs in ["a"]]')).toMatchObject({ result: ['A'] })
  })
})

describe('a program that names tools', () => {
  it('is compared with those that are known, when it is read and when they change', async () => {
    const lines: string[] = []
    const { codeMode } = await open(
      {
        'good.star': 'result = shop.sales(day=1)',
        'gone.star': 'def main():\n    return shop.sails(day=1)',
        'gone_too.js': 'return shop.ordr({})',
        'caller.star': 'result = programs.gone()',
        'elsewhere.star': 'result = bank.pay()',
        'keeps.star': 'memory.set("a", 1)',
      },
      { log: ({ level, message }) => void (level === 'warn' && lines.push(message)) },
    )
    const problems = async () => (await codeMode.programs()).flatMap(({ problem }) => problem ?? [])
    const wrong = [
      'programs/gone.star:2:17: shop has no tool sails; list its tools with readToolFile("shop")',
      'programs/gone.star:2:17: shop has no tool sails; list its tools with readToolFile("shop")',
      'programs/gone_too.js:1:8: shop has no tool ordr; did you mean shop.order?',
    ]
    expect(await problems()).toEqual(wrong)
    expect(lines).toEqual([...new Set(wrong)].map((problem) => `a saved program can't be used: ${problem}`))
    expect(await codeMode.run({ program: 'good' })).toMatchObject({ ok: true, result: 11 })
    expect((await codeMode.listToolFiles()).text).toContain(`# can't be used: ${wrong[0]}`)
    await codeMode.servers.add('bank', { inProcess: { paid: { call: () => 1 } } })
    expect(await problems()).toEqual([
      wrong[0],
      expect.stringMatching(/^programs\/elsewhere\.star:1:15: bank has no tool pay/),
      ...wrong.slice(1),
    ])
    await codeMode.servers.update('bank', { inProcess: { pay: { call: () => 1 } } })
    expect(await problems()).toEqual(wrong)
  })
})

describe('a program in JavaScript', () => {
  const SCRIPTS = {
    'sales.js': `/**
 * Sums a month's sales.
 *
 * @param {object} args
 * @param {string} args.month Its name.
 * @param {integer} [args.top=3]
 * @param {"sum"|"name"} by - What is wanted.
 * @param {Object<string, number[]> | null} more
 */
async function main({ month, top = 3, by = 'sum', more = null }) {
  total = 0
  for (let day = 0; day < top; day++) total += await shop.sales({ day })
  return { month, total, by, more }
}
let total = 0`,
    'both.js': `const main = async ({ months, top }) => {
  const all = await Promise.all(months.map((month) => programs.sales({ month, top })))
  return all.map(({ total }) => total)
}`,
    'plain.js':
      '#!/usr/bin/env node\n// Counts.\ncount = 0\nfor (const n of [1, 2]) count += n // the last line has a comment\ncount + shop.sales({ day: 1 })',
    'result.js': 'result = { day: shop.sales({ day: 2 }) } // no semicolon',
    'typed.js':
      'interface A { a: number }\nfunction main({ n = -1, list = [1, "a"], any }: { n: number }) {\n  return [n, list, any]\n}',
    'fails.js': 'function main({ x }) {\n  return x.y.z\n}',
    'from_star.star': 'result = programs.plain()',
    'to.js': 'return programs.fro()',
    'fro.js': 'function main() { return programs.to() }',
    'across.js': 'return programs.from_star()',
    'wrong.js': 'function main({ x ) {}',
    'many.js': 'function main(a, b = 1) {}',
    'odd.js': '/** @param {Date} when */\nfunction main({ when, later = shop }) {}',
    'all.js': 'return Object.keys(programs)',
  }

  it('has arguments: what main takes apart, with the types of its comment', async () => {
    const { codeMode } = await opened(SCRIPTS)
    const status = await codeMode.programs()
    const of = (wanted: string) => status.find(({ name }) => name === wanted)
    expect(of('sales')).toEqual({
      name: 'sales',
      file: 'programs/sales.js',
      language: 'javascript',
      description: "Sums a month's sales.",
      inputSchema: {
        type: 'object',
        properties: {
          month: { type: 'string', description: 'Its name.' },
          top: { type: 'integer', default: 3 },
          by: { enum: ['sum', 'name'], description: 'What is wanted.', default: 'sum' },
          more: {
            anyOf: [
              { type: 'object', additionalProperties: { type: 'array', items: { type: 'number' } } },
              { type: 'null' },
            ],
            default: null,
          },
        },
        required: ['month'],
        additionalProperties: false,
      },
    })
    expect(of('typed')?.inputSchema).toMatchObject({
      properties: { n: { type: 'number', default: -1 }, list: { default: [1, 'a'] }, any: {} },
      required: ['any'],
    })
    expect(status.flatMap(({ problem }) => problem ?? [])).toEqual([
      'programs/across.js:1:8: programs/from_star.star is in another language than the program that calls it; write both in one language, or let executeToolCode run each',
      'programs/all.js:1:20: programs is not a value: the name of a saved program must follow it; write programs.NAME(…)',
      'programs/to.js:1:8: fro calls itself: fro → to → fro; a saved program may call others, but not itself',
      'programs/from_star.star:1:10: programs/plain.js is in another language than the program that calls it; write both in one language, or let executeToolCode run each',
      'programs/many.js:1:15: main: a is not a destructured object; write function main({ month, top = 3 }), with types such as string, number, integer, boolean, string[] and "a"|"b" in @param; defaults are constants',
      `programs/odd.js:2:17: main: when has a type that JSON can't express; write function main({ month, top = 3 }), with types such as string, number, integer, boolean, string[] and "a"|"b" in @param; defaults are constants`,
      'programs/fro.js:1:26: to calls itself: to → fro → to; a saved program may call others, but not itself',
      expect.stringMatching(/^programs\/wrong\.js:1:19: /),
    ])
  })

  it('is run by name, and calls others', async () => {
    const { codeMode } = await opened(SCRIPTS)
    const run = async (program: string, args: object = {}) => {
      const { ok, result, report } = await codeMode.run({ program, arguments: args as Record<string, unknown> })
      return ok ? result : report.split('\n')[0]
    }
    expect(await run('sales', { month: 'May', more: { a: [1.5] } })).toEqual({
      month: 'May',
      total: 33,
      by: 'sum',
      more: { a: [1.5] },
    })
    expect(await run('both', { months: ['a', 'b'], top: 1 })).toEqual([10, 10])
    expect([await run('plain'), await run('result'), await run('typed', { any: '__proto__' })]).toEqual([
      14,
      { day: 12 },
      [-1, [1, 'a'], '__proto__'],
    ])
    await expect(run('sales', { top: 'x' })).rejects.toThrow(
      'programs.sales: missing month; top: got str "x", want int',
    )
    const code = 'const a = programs.plain(); const b = programs.plain(); return [a, b, programs.result().day]'
    expect(await codeMode.run(code, { language: 'javascript' })).toMatchObject({ ok: true, result: [14, 14, 12] })
    const own = 'const programs = { plain: () => 5 }\nreturn programs.plain()'
    expect(await codeMode.run(own, { language: 'javascript' })).toMatchObject({ ok: true, result: 5 })
    expect(await codeMode.check('programs.sales', { language: 'javascript' })).toMatchObject({
      ok: true,
      reach: { tools: [{ namespace: 'shop', member: 'sales' }], widened: [] },
    })
  })

  it.each([
    [
      'const r = await programs.fails({ x: {} })\nreturn r',
      'program error [type-error] TypeError: x.y is undefined, so it has no .z\n  programs/fails.js:2:10',
    ],
    ['programs.sales({ mont: 1 })', 'TypeError: programs.sales has no parameter "mont"'],
    ['programs.sales({})', 'TypeError: programs.sales: missing month'],
    ['programs.sales("May")', 'TypeError: programs.sales takes one object'],
    ['programs.plain({ a: 1 })', 'TypeError: programs.plain has no parameter "a"'],
    ['programs.sale({})', '[unknown-program] there is no saved program sale'],
    [
      'const r = programs.sales({ month: "a" })\nprint(r.total)',
      'programs.sales(…) gives a promise, and a promise has no .total\n  program:2:7',
    ],
  ])('names a mistake: %s', async (code, message) => {
    const { codeMode } = await opened(SCRIPTS)
    expect((await codeMode.run(code, { language: 'javascript' })).report).toContain(message)
  })
})
