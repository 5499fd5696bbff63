// Nothing of what goes through a program is in its answer, unless the program prints it. Random programs over tools
// whose every answer holds marked secrets: they compute, branch, fail and are cut, and only counts, lengths and sums of
// what they saw are printed.

import { describe, expect, it } from 'vitest'
import { before, during } from '../messages/mistakes.js'
import { amount, random as newRandom } from '../random.js'
import { bench, failure, structured, text } from './bench.js'

const SECRET = 'SECRET'
const ROUNDS = amount(20, 5_000)
const data = Buffer.from(`${SECRET} bytes`).toString('base64')

const outputSchema = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'number' } } },
  required: ['items'],
}
const upstream = () =>
  bench(
    {
      rows: {
        answers: text(JSON.stringify(Array.from({ length: 30 }, (_, i) => ({ id: i, name: `${SECRET}-${i}` })))),
      },
      record: { answers: structured({ name: `${SECRET}-a`, n: 3, inner: { token: `${SECRET}-b` } }) },
      page: { answers: text(`${SECRET}\n`.repeat(50)) },
      picture: {
        answers: {
          isError: false,
          structuredContent: { n: 1 },
          content: [
            { type: 'image', data, mimeType: `image/${SECRET}` },
            { type: 'resource', resource: { uri: `secret:${SECRET}`, text: SECRET } },
            { type: SECRET, data },
          ],
        },
      },
      wrong: { outputSchema, answers: structured({ items: [`${SECRET}`], [SECRET]: { [SECRET]: 1 } }) },
      late: { answers: failure('try again later') },
    },
    { answerMaxChars: 900 },
  )

const SOURCES = ['api.rows()', 'api.record()', 'api.page()', 'api.picture()', 'api.wrong()', 'api.rows.safe().value']
const USES = [
  'n += len(x)',
  'n += len(str(x))',
  'xs.append(x)',
  'n += len([e for e in x])',
  'y = json.dumps(x)',
  'f(x)',
  'n += 1 if "SECRET" in str(x) else 0',
  'd[str(n)] = x',
  'print(len(xs), n)',
  'for i in range(40):\n    print("line", i, len(str(x)))',
  'try:\n    api.late(a=str(x))\nexcept ToolError as e:\n    n += len(str(e))',
]
const ENDS = [
  '',
  'result = n',
  'result = list(range(n % 700))',
  '1 // 0',
  'f(f(g))',
  'api.late()',
  'xs["k"]',
  'raise ValueError("gave up")',
  'n.nothing',
  'api.rows(1, 2, 3)',
]

it('random programs answer only with values that they printed', async () => {
  const random = newRandom()
  const { seed } = random
  const { execute } = upstream()
  for (let round = 0; round < ROUNDS; round++) {
    const lines = [
      'import json',
      'n = 0',
      'xs = []',
      'd = {}',
      'def f(v):\n    global n\n    n += len(str(v))\n    return n',
    ]
    for (let i = 0; i < 1 + random.below(5); i++) lines.push(`x = ${random.pick(SOURCES)}`, random.pick(USES))
    const code = [...lines, random.pick(ENDS)].join('\n')
    const answer = await execute({ code })
    const seen = JSON.stringify([answer.text, answer.brief])
    if (seen.includes(SECRET) || seen.includes(data))
      throw new Error(`seed ${seed}, round ${round}:\n${code}\n\n${answer.text}`)
    expect(answer.text.length).toBeLessThanOrEqual(900)
  }
})

describe('a failure quotes no value that came through a tool', () => {
  const NUMBER = 4815162342
  const marked = () =>
    bench({
      row: {
        answers: text(
          JSON.stringify({
            name: `${SECRET} name`,
            [SECRET]: 1,
            n: NUMBER,
            f: 4815.162342,
            day: 1996,
            quotes: `SECRET',want"SECRET'"`,
            state: SECRET,
          }),
        ),
      },
      names: { answers: text(JSON.stringify([`${SECRET}a`, `${SECRET}b`])) },
      page: { answers: text(`${SECRET} on a page`) },
      typed: {
        inputSchema: {
          type: 'object',
          properties: {
            limit: { type: 'integer', maximum: 1000 },
            state: { enum: ['open', 'closed'] },
            when: { type: 'string', pattern: '^[0-9-]+$' },
            inner: { type: 'object', additionalProperties: { type: 'integer' } },
          },
          additionalProperties: false,
        },
        answers: text('ok'),
      },
    })

  it.each<[string, string]>([
    [
      'int(row["name"])',
      'ValueError: invalid literal for int() with base 10: a str of 11 characters (letters, spaces)',
    ],
    ['float(row["name"])', 'ValueError: could not convert string to float: a str of 11 characters (letters, spaces)'],
    ['{}[row["name"]]', 'KeyError: a str of 11 characters (letters, spaces)'],
    ['{}[row["n"]]', 'KeyError: an int'],
    ['{}[row["f"]]', 'KeyError: a float'],
    ['{}[row["name"], row["n"]]', 'KeyError: (a str of 11 characters (letters, spaces), an int)'],
    ['[].index(row["name"])', 'ValueError: a str of 11 characters (letters, spaces) is not in list'],
    ['[].index(row["n"])', 'ValueError: an int is not in list'],
    ['{}[row["name"].encode()]', 'KeyError: bytes of length 11'],
    ['{}[datetime.date(row["day"], 2, 29)]', 'KeyError: a datetime.date'],
    [
      '[].index((row["day"], row["quotes"]))',
      'ValueError: (an int, a str of 21 characters (letters, other signs)) is not in list',
    ],
    [
      'int(row["quotes"])',
      'ValueError: invalid literal for int() with base 10: a str of 21 characters (letters, other signs)',
    ],
    [
      'api.typed(limit=row["quotes"])',
      'TypeError: api.typed: limit: got a str of 21 characters (letters, other signs), want int',
    ],
    [
      'int("12345 " * 20000)',
      'ValueError: invalid literal for int() with base 10: a str of 120000 characters (digits, spaces)',
    ],
    [
      'from collections import namedtuple\nnamedtuple(row["name"], "a")',
      'ValueError: Type names and field names must be valid identifiers: a str of 11 characters (letters, spaces)',
    ],
    ['from enum import Enum\nEnum(row["state"], "a b")(row["n"])', 'ValueError: an int is not a valid *'],
    ['import re\nre.compile("[" + row["name"])', 'error: unterminated character set at position 0'],
    ['from decimal import Decimal\nDecimal(row["name"])', "InvalidOperation: [<class 'decimal.ConversionSyntax'>]"],
    ['[].remove(row["name"])', 'ValueError: list.remove(x): x not in list'],
    ['row["nam"]', "KeyError: 'nam'"],
    ['row["secret"]', "KeyError: 'secret'"],
    ['row.nothing', "AttributeError: 'dict' object has no attribute 'nothing'"],
    ['row["name"] + 1', 'TypeError: can only concatenate str (not "int") to str'],
    ['row["name"]()', "TypeError: 'str' object is not callable"],
    [
      'getattr(row, row["name"])',
      "AttributeError: 'dict' object has no attribute a str of 11 characters (letters, spaces)",
    ],
    ['getattr(api, row["state"])', "AttributeError: 'server' object has no attribute a str of 6 characters (letters)"],
    [
      'datetime.datetime.fromisoformat(row["name"])',
      'ValueError: Invalid isoformat string: a str of 11 characters (letters, spaces)',
    ],
    [
      'datetime.datetime.strptime(row["name"], "%Y")',
      "ValueError: time data a str of 11 characters (letters, spaces) does not match format '%Y'",
    ],
    [
      'datetime.datetime.strptime("2024" + row["name"], "%Y")',
      'ValueError: unconverted data remains: a str of 11 characters (letters, spaces)',
    ],
    ['datetime.date(row["n"], 1, 1)', 'OverflowError: Python int too large to convert to C int'],
    ['json.loads(api.page())', 'JSONDecodeError: Expecting value: line 1 column 1 (char 0)'],
    ['"%d" % row["name"]', 'TypeError: %d format: a real number is required, not str'],
    ['f"{row[\'name\']:d}"', "ValueError: Unknown format code 'd' for object of type 'str'"],
    ['"{x}".format(**{row["state"]: 1})', "KeyError: 'x'"],
    ['math.sqrt(row["name"])', 'TypeError: must be real number, not str'],
    ['a, b, c = api.names()', 'ValueError: not enough values to unpack (expected 3, got 2)'],
    ['api.typed(limit=row["n"])', 'TypeError: api.typed: limit: got an int, want at most 1000'],
    [
      'api.typed(limit=row["f"])',
      'TypeError: api.typed: limit: got a float, want int; limit: got a float, want at most 1000',
    ],
    [
      'api.typed(limit=row["name"])',
      'TypeError: api.typed: limit: got a str of 11 characters (letters, spaces), want int',
    ],
    [
      'api.typed(state=row["state"])',
      'TypeError: api.typed: state: got a str of 6 characters (letters), want Literal["open", "closed"]',
    ],
    [
      'api.typed(when=row["name"])',
      'TypeError: api.typed: when: got a str of 11 characters (letters, spaces), want text that matches ^[0-9-]+$',
    ],
    [
      'api.typed(when=row)',
      'TypeError: api.typed: when: got a str of 127 characters (letters, digits, spaces, other signs), want text that matches ^[0-9-]+$',
    ],
    ['api.typed(inner={row["state"]: "x"})', 'TypeError: api.typed: inner.*: got str "x", want int'],
    ['api.typed(**{row["state"]: 1})', 'TypeError: api.typed: no parameter a str of 6 characters (letters)'],
    ['runtime.describe_server(row["state"])', 'TypeError: there is no server a str of 6 characters (letters)'],
    ['base64.b64decode(row["name"] + "x")', 'Error: Incorrect padding'],
    ['api.typed(**{row["state"]: {1, 2}})', "TypeError: api.typed: * can't be sent as JSON: JSON has no set"],
    ['api.typed(**{row["name"]: {1}})', "TypeError: api.typed: * can't be sent as JSON: JSON has no set"],
    ['api.typed({1, 2})', "TypeError: api.typed: argument 1 can't be sent as JSON: JSON has no set"],
    [
      'from dataclasses import make_dataclass\nmake_dataclass(row["state"], ["x"])()',
      "TypeError: *.__init__() missing 1 required positional argument: 'x'",
    ],
    ['def f(x):\n    return x\n[f][0]()', "TypeError: f() missing 1 required positional argument: 'x'"],
    [
      'row["name"].encode("ascii").decode(row["state"])',
      'LookupError: unknown encoding: a str of 6 characters (letters)',
    ],
  ])('%s', async (code, message) => {
    const { execute } = marked()
    const program = `import json, datetime, math, base64\nrow = api.row()\n${code}`
    const answer = await execute({ code: program })
    expect(answer.text.split('\n')[0]).toBe(`program error [${answer.text.split('] ')[0]!.split('[')[1]}] ${message}`)
    const seen = JSON.stringify([answer.text, answer.structured])
    expect(seen).not.toMatch(/SECRET|481516/)
  })

  it('and keeps the program’s own words and printed values', async () => {
    const { execute } = marked()
    const first = async (code: string) =>
      (await execute({ code })).text.split('\n').find((line) => line.includes('Error:'))
    expect(await first('row = api.row()\nraise ValueError(f"no room for {row[\'name\']}")')).toBe(
      'program error [value-error] ValueError: no room for SECRET name',
    )
    expect(await first('row = api.row()\nassert False, row["n"]')).toBe(
      'program error [assertion-error] AssertionError: 4815162342',
    )
    expect(await first('row = api.row()\nprint(row["name"])\nint(row["name"])')).toBe(
      "program error [value-error] ValueError: invalid literal for int() with base 10: 'SECRET name'",
    )
    // Nothing came through a tool.
    expect(await first('int("SECR" + "ET name")')).toBe(
      "program error [value-error] ValueError: invalid literal for int() with base 10: 'SECRET name'",
    )
    // The text is the same to the program.
    const caught = 'row = api.row()\ntry:\n    int(row["name"])\nexcept ValueError as e:\n    print(len(str(e)))'
    expect((await execute({ code: caught })).text.split('\n')[0]).toBe('53')
  })

  it.each<[string, string]>([
    ['api.typed({ limit: row.n })', 'TypeError: api.typed: limit: got an integer, want at most 1000'],
    [
      'api.typed({ limit: row.name })',
      'TypeError: api.typed: limit: got a string of 11 characters (letters, spaces), want integer',
    ],
    ['api.typed({ [row.state]: 1 })', 'TypeError: api.typed: no parameter a string of 6 characters (letters)'],
    ['api[row.state]()', 'TypeError: api has no tool a string of 6 characters (letters)'],
    [
      'JSON.parse(row.name)',
      'SyntaxError: JSON.parse: unexpected token: a string of 6 characters (letters), in a string of 11 characters (letters, spaces)',
    ],
    [
      'await Promise.reject({ [row.state]: row.name, code: 1 })',
      'the program threw { *: a string of 11 characters (letters, spaces), code: 1 }',
    ],
    ['new Intl.NumberFormat(row.name)', 'RangeError: Incorrect locale information provided'],
    [
      'new Intl.NumberFormat("en", { style: row.name })',
      'RangeError: Value a string of 11 characters (letters, spaces) out of range for Intl.NumberFormat options property style',
    ],
    [
      'new Intl.DateTimeFormat("en", { timeZone: row.state })',
      'RangeError: Invalid time zone specified: a string of 6 characters (letters)',
    ],
    ['row.nothing.more', 'TypeError: row.nothing is undefined, so it has no .more'],
    ['throw new Error(`no "${row.name}"`)', 'Error: no "SECRET name"'],
    ['class Gone extends Error {}\nthrow new Gone(row.n + " is gone")', 'Error: 4815162342 is gone'],
  ])('in JavaScript: %s', async (code, message) => {
    const waits = code.includes('await') ? 'await ' : ''
    const { execute } = marked()
    const answer = await execute({ code: `const row = ${waits}api.row()\n${code}`, language: 'javascript' })
    expect(answer.text.split('\n')[0]!.replace(/^[^\]]*\] /, '')).toBe(message)
    if (!code.includes('throw')) expect(JSON.stringify([answer.text, answer.structured])).not.toMatch(/SECRET|481516/)
  })

  it('in the typical mistakes', async () => {
    const issue = { number: NUMBER, title: `${SECRET} title`, labels: [SECRET], [SECRET]: { [SECRET]: SECRET } }
    const inputSchema = { type: 'object', properties: { title: { type: 'string' }, body: {}, owner: {}, path: {} } }
    const { execute } = bench(
      {
        list_issues: { inputSchema, answers: text(JSON.stringify([issue, issue])) },
        create_issue: { inputSchema, answers: text(JSON.stringify(issue)) },
        read_file: { inputSchema, answers: text(`${SECRET} words`) },
        merge: { answers: failure('not mergeable') },
        crash: { answers: failure('crashed') },
        huge: { answers: text(SECRET.repeat(700)) },
      },
      { limits: { responseBytes: 3_000, wallMs: 2_000, toolCalls: 20 } },
    )
    for (const code of [...before, ...during]) {
      const answer = await execute({ code })
      if (!answer.isError) continue
      expect([code, JSON.stringify([answer.text, answer.structured])]).toEqual([
        code,
        expect.not.stringMatching(/SECRET|481516/),
      ])
    }
  })
})
