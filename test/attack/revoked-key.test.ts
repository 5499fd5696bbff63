// A key is taken away while its caller's program waits for a tool: nothing more may happen in its name.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { addKey, removeKey } from '../../dist/index.js'
import { openGateway } from '../serving/callers.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-revoked-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('removing a key ends its sessions and their pending calls', async () => {
  const happened: string[] = []
  const wait = (_: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise((_, reject) => {
      happened.push('waiting')
      signal.addEventListener('abort', () => {
        happened.push('aborted')
        reject(new Error('aborted'))
      })
    })
  const servers = { shop: { inProcess: { wait: { call: wait }, sell: { call: () => void happened.push('sold') } } } }
  const keysFile = path.join(folder, 'keys.json')
  const key = addKey(keysFile, 'gone')
  const { caller, fetch } = await openGateway({ servers, serve: { keysFile } })
  const client = await caller({ headers: { authorization: `Bearer ${key}` } })
  const code = 'try:\n    shop.wait()\nexcept Exception:\n    pass\nshop.sell()'
  const answer = client.callTool({ name: 'executeToolCode', arguments: { code } }).catch(() => 'no answer')
  await vi.waitFor(() => expect(happened).toEqual(['waiting']), { timeout: 120_000 })
  removeKey(keysFile, 'gone')
  // The gateway checks the file at every request with a key, and once a second.
  await vi.waitFor(() => expect(happened).toEqual(['waiting', 'aborted']), { timeout: 120_000 })
  const health = async () => ((await (await fetch('/health')).json()) as { sessions: number }).sessions
  await vi.waitFor(async () => expect(await health()).toBe(0), { timeout: 120_000 })
  await client.close()
  expect(await answer).toBe('no answer')
  expect(happened).toEqual(['waiting', 'aborted'])
})
