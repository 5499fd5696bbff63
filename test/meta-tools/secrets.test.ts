// Nothing of what goes through a program is in its answer, unless the program prints it. Random programs over tools whose every answer holds
// marked secrets: they compute, branch, fail and are cut, and only counts, lengths and sums of what they saw are printed.

import { expect, it } from 'vitest'
import { bench, failure, structured, text } from './bench.js'
import { Random } from './random.js'

const SECRET = 'SECRET'
const ROUNDS = 80
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

it('random programs answer with nothing that they did not print', { timeout: 120_000 }, async () => {
  const seed = Number(process.env.STARBIND_SEED ?? 20261121)
  const random = new Random(seed)
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
