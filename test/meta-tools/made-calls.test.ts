import { expect, test } from 'vitest'
import { type MadeCall, MadeCalls } from '../../dist/meta-tools/read-ahead/made-calls.js'

const READ = { server: 'api', tool: 'get', safeToRepeat: true, annotations: { readOnlyHint: true } }
const WRITE = { server: 'api', tool: 'put', safeToRepeat: false }

function callOf(id: number, tool: Partial<typeof READ> & typeof WRITE, changes: Partial<MadeCall> = {}): MadeCall {
  const argumentDigest = id.toString(16).padStart(64, '0')
  const outcome = id % 2 === 0 ? 'answered' : 'reused'
  const size = { startedAtMs: id + 0.25, ms: id / 3, bytes: 5_000_000_000 + id, argumentBytes: 7 * id }
  return {
    id,
    ahead: ([undefined, 'for good', 'guarded'] as const)[id % 3],
    writesBefore: id >> 1,
    place: undefined,
    entry: undefined,
    sent: { server: tool.server, tool: tool.tool, argumentDigest },
    record: { ...tool, ok: true, outcome, ...size, argumentDigest },
    isAhead: false,
    isOutside: false,
    reply: `J${id}`,
    ...changes,
  }
}

/** Two hundred calls, all of them answered. */
function twoHundred(): MadeCall[] {
  const failed = { reply: 'E{}', place: { start: 3, end: 9 } } as const
  return Array.from({ length: 200 }, (_, i) => callOf(i + 1, i % 5 === 0 ? WRITE : READ, i === 150 ? failed : {}))
}

function packed(calls: readonly MadeCall[]): MadeCalls {
  const made = new MadeCalls()
  for (const call of calls) made.pack(made.add(call))
  return made
}

test('packed calls are read as they were made', () => {
  const calls = twoHundred()
  expect([...packed(calls)]).toEqual(calls)
})

test('a tool that its server declares anew keeps what its earlier calls were', () => {
  const anew = { server: 'api', tool: 'get', safeToRepeat: false }
  const calls = [callOf(1, READ), callOf(2, anew), callOf(3, { ...READ, annotations: { readOnlyHint: true } })]
  const made = packed(calls)
  expect([...made]).toEqual(calls)
  expect(
    Array.from(
      made.records(() => true),
      ({ safeToRepeat }) => safeToRepeat,
    ),
  ).toEqual([true, false, true])
})

test('records are those of the calls that are asked for, in order', () => {
  const calls = twoHundred()
  const asked: unknown[] = []
  const records = packed(calls).records(({ id }, sent) => {
    asked.push([id, sent?.server, sent?.tool])
    return id > 140 && sent?.tool === 'get'
  })
  const read = Array.from(records, ({ argumentDigest, outcome, ms }) => ({ argumentDigest, outcome, ms }))
  const meant = calls.filter(({ id, sent }) => id > 140 && sent?.tool === 'get')
  expect(read).toEqual(
    meant.map(({ record }) => ({ argumentDigest: record?.argumentDigest, outcome: record?.outcome, ms: record?.ms })),
  )
  expect(asked).toEqual(calls.map(({ id, sent }) => [id, sent?.server, sent?.tool]))
})

test('dropping replies leaves those of failures', () => {
  const calls = twoHundred()
  const made = packed(calls)
  made.dropReplies()
  expect(Array.from(made, ({ reply }) => reply)).toEqual(calls.map(({ id }) => (id === 151 ? 'E{}' : undefined)))
})

test('calls that ran ahead are found until they are answered', () => {
  const made = new MadeCalls()
  const calls = [1, 2, 3].map((id) => callOf(id, READ, { isAhead: true }))
  const indexes = calls.map((call) => made.add(call))
  calls[0]!.isAhead = false
  made.pack(indexes[0]!)
  expect(made.oldestAhead()).toBe(calls[1])
  expect(made.isLast(calls[2]!)).toBe(true)
  for (const call of calls) call.isAhead = false
  expect(made.oldestAhead()).toBe(undefined)
})
