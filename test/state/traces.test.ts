// Kept traces: the same in memory and in a file, and within their bounds.

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { FileTraces, MemoryTraces, type TraceBounds, type TraceStore } from '../../dist/state/index.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-traces-'))
const open: TraceStore[] = []
afterAll(async () => {
  for (const store of open) await store.close()
  rmSync(folder, { recursive: true })
})

const wide: TraceBounds = { since: 0, maxTraces: 100, maxCharacters: 1_000_000 }
let folders = 0

describe.each([
  ['memory', () => new MemoryTraces()],
  ['a file', () => new FileTraces(path.join(folder, `${++folders}`, '.starbind'))],
])('traces in %s', (_, newStore) => {
  const opened = (): TraceStore => {
    const store = newStore()
    open.push(store)
    return store
  }
  const trace = (id: string, changedAt: number, messages = '[]', owner = 'ann') => ({
    id,
    owner,
    changedAt,
    facts: '{}',
    messages,
  })
  const names = async (store: TraceStore) => (await store.all()).map(({ id }) => id)

  it('are listed without their messages, the last changed first, and each replaces the one of its name', async () => {
    const store = opened()
    expect([await store.all(), await store.named('a')]).toEqual([[], undefined])
    for (const one of [trace('a', 1), trace('b', 2), trace('a', 3, '[1]')])
      expect(await store.keep(one, wide)).toBe(true)
    expect(await store.all()).toEqual([
      { id: 'a', owner: 'ann', changedAt: 3, facts: '{}' },
      { id: 'b', owner: 'ann', changedAt: 2, facts: '{}' },
    ])
    expect(await store.named('a')).toEqual(trace('a', 3, '[1]'))
  })

  it('are deleted by their name and owner', async () => {
    const store = opened()
    await store.remove('a', 'ann')
    for (const id of ['a', 'b']) await store.keep(trace(id, 1), wide)
    await store.remove('a', 'bob')
    await store.remove('b', 'ann')
    expect(await names(store)).toEqual(['a'])
  })

  it('keep their owner', async () => {
    const store = opened()
    await store.keep(trace('a', 1), wide)
    expect(await store.keep(trace('a', 2, '[2]', 'bob'), wide)).toBe(false)
    expect(await store.named('a')).toEqual(trace('a', 1))
  })

  it('make room by number, size and age, the last changed last', async () => {
    const store = opened()
    for (let i = 1; i <= 5; i++) await store.keep(trace(`t${i}`, i, 'x'.repeat(98)), wide)
    await store.keep(trace('t6', 6), { ...wide, maxTraces: 5 })
    expect(await names(store)).toEqual(['t6', 't5', 't4', 't3', 't2'])
    await store.keep(trace('t2', 7), { ...wide, maxCharacters: 250 })
    expect(await names(store)).toEqual(['t2', 't6', 't5', 't4'])
    await store.keep(trace('t7', 8), { ...wide, since: 7 })
    expect(await names(store)).toEqual(['t7', 't2'])
  })
})

describe('the traces of a CodeMode', () => {
  it('are each visible to its caller, and to those who see the runs of all', async () => {
    await using codeMode = await CodeMode.open({ warm: false })
    const [ann, bob] = ['ann', 'bob'].map((name) => codeMode.session({ name }))
    await ann!.traces.keep({ traceId: 'hers', facts: { n: 1 }, messages: [{ role: 'user' }] })
    expect((await ann!.traces.list()).map(({ traceId, facts }) => [traceId, facts])).toEqual([['hers', { n: 1 }]])
    expect(await bob!.traces.list()).toEqual([])
    expect(await codeMode.traces.show('hers')).toMatchObject({ owner: 'ann', messages: [{ role: 'user' }] })
    await expect(bob!.traces.show('hers')).rejects.toThrow('[no-such-trace] there is no kept trace "hers"')
    await expect(bob!.traces.show('none')).rejects.toThrow('[no-such-trace] there is no kept trace "none"')
    await expect(bob!.traces.keep({ traceId: 'hers', facts: {}, messages: [] })).rejects.toThrow(
      `[trace-of-another] the trace "hers" can't be kept: its name belongs to another caller`,
    )
  })

  it('outlive the process in a private file, without credentials, and for as long as runs', async () => {
    const state = path.join(folder, 'kept')
    const servers = { far: { url: 'http://127.0.0.1:9/mcp', headers: { authorization: 'Bearer s3cret-of-far' } } }
    const settings = { state, stateDays: 2, servers, warm: false, startServers: 'named' } as const
    {
      await using codeMode = await CodeMode.open(settings)
      await codeMode.traces.keep({ traceId: 'a', facts: {}, messages: [{ text: 'it is Bearer s3cret-of-far' }] })
    }
    const file = path.join(state, 'traces.db')
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0)
    await using codeMode = await CodeMode.open(settings)
    expect((await codeMode.traces.show('a')).messages).toEqual([{ text: 'it is [hidden]' }])
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3 * 86_400_000)
    await codeMode.traces.keep({ traceId: 'b', facts: {}, messages: [] }).finally(() => later.mockRestore())
    expect((await codeMode.traces.list()).map(({ traceId }) => traceId)).toEqual(['b'])
  })

  it('stay in memory where arguments may not be written down', async () => {
    const state = path.join(folder, 'unwritten')
    const settings = { state, keepArguments: false, warm: false }
    {
      await using codeMode = await CodeMode.open(settings)
      await codeMode.traces.keep({ traceId: 'a', facts: {}, messages: [] })
      expect((await codeMode.traces.list()).length).toBe(1)
    }
    await using codeMode = await CodeMode.open(settings)
    expect(await codeMode.traces.list()).toEqual([])
  })
})
