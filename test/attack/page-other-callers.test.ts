// The holder of a key looks at the runs of others, by their names and in the stream.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { addKey } from '../../dist/index.js'
import { openPage } from '../page/page-service.js'

interface Body {
  readonly runs: readonly unknown[]
  readonly approvals: readonly unknown[]
}

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-page-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('a key sees its own runs alone, unless it may approve', async () => {
  const keysFile = path.join(folder, 'keys.json')
  const keys = {
    eve: addKey(keysFile, 'eve', { page: true }),
    boss: addKey(keysFile, 'boss', { page: true, mayApprove: true }),
  }
  const servers = { shop: { inProcess: { order: { call: () => 'done' } } } }
  const { url, ask, events } = await openPage({ servers, approve: 'writes', serve: { port: 0, keysFile } })
  const as = async (name: keyof typeof keys, path: string, method = 'GET') => {
    const response = await fetch(`${url}api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${keys[name]}` },
      ...(method === 'POST' ? { body: '{}' } : {}),
    })
    return { status: response.status, body: (await response.json()) as Body }
  }
  const stream = await fetch(`${url}api/v1/events`, { headers: { authorization: `Bearer ${keys.eve}` } })
  const waiting = events(({ type }) => type === 'approval')
  const { runId } = (await ask('POST', 'runs', { code: 'shop.order(secret="tea")' })).body
  await waiting
  for (const path of [`runs/${runId}`, `runs/${runId}/calls/1`, `runs/${runId}/timeline.svg`])
    expect((await as('eve', path)).status).toBe(404)
  for (const path of [
    `runs/${runId}/cancel`,
    `runs/${runId}/replay`,
    `approvals/${runId}/allow`,
    `approvals/${runId}/deny`,
  ])
    expect((await as('eve', path, 'POST')).status).toBe(404)
  expect((await as('eve', 'runs')).body.runs).toEqual([])
  expect((await as('eve', 'runs?owner=local')).body.runs).toEqual([])
  expect((await as('eve', 'approvals')).body.approvals).toEqual([])
  expect((await as('boss', 'approvals')).body.approvals).toMatchObject([{ runId, owner: 'local' }])
  // What eve's own run does comes after everything that the other one did.
  expect((await as('eve', `runs`, 'POST')).status).toBe(400)
  const own = await fetch(`${url}api/v1/runs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keys.eve}` },
    body: JSON.stringify({ code: 'print("mine")' }),
  })
  const { runId: mine } = (await own.json()) as { runId: string }
  let text = ''
  for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.includes('"state":"ok"')) break
  }
  expect(text).toContain(mine)
  expect(text).not.toContain(runId)
})
