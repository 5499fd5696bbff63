// The files in results/ as resources of MCP.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { addKey, type InProcessTools, type ServerEntry } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'
import { openGateway } from './callers.js'

const place = new Workplace()
const folder = mkdtempSync(path.join(tmpdir(), 'starbind-kept-'))
afterAll(async () => {
  await place.allGone()
  place.remove()
  rmSync(folder, { recursive: true })
})

const shop: InProcessTools = { count: { call: () => 3 } }
const inPrograms = { shop: { inProcess: shop } }

const run = (client: Client, code: string) => client.callTool({ name: 'executeToolCode', arguments: { code } })
const uris = async (client: Client) => (await client.listResources()).resources.map(({ uri }) => uri)

describe('kept files', () => {
  it('are resources with type and size: pictures of a real server, files, and results that were too long', async () => {
    const everything = place.reference('everything') as ServerEntry
    const { caller } = await openGateway({ servers: { everything } })
    const client = await caller()
    const code = `everything.get_tiny_image()
artifacts.save("table.csv", "a,b\\n1,2\\n")
artifacts.save("all.bin", bytes(range(256)))
result = ["%d" % i for i in range(20000)]`
    await run(client, code)
    const { resources } = await client.listResources()
    const lastModified = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(resources.slice(0, 3)).toEqual([
      {
        uri: 'starbind://results/everything.get_tiny_image-image.png',
        name: 'everything.get_tiny_image-image.png',
        description: '20 × 20 pixels',
        mimeType: 'image/png',
        size: 4033,
        annotations: { lastModified },
      },
      {
        uri: 'starbind://results/table.csv',
        name: 'table.csv',
        mimeType: 'text/csv',
        size: 8,
        annotations: { lastModified },
      },
      {
        uri: 'starbind://results/all.bin',
        name: 'all.bin',
        mimeType: 'application/octet-stream',
        size: 256,
        annotations: { lastModified },
      },
    ])
    expect(resources.slice(3)).toMatchObject([{ uri: 'starbind://results/run-1.json', mimeType: 'application/json' }])
    const read = async (name: string) =>
      (await client.readResource({ uri: `starbind://results/${name}` })).contents[0] as {
        readonly text?: string
        readonly blob?: string
      }
    expect(await read('table.csv')).toEqual({
      uri: 'starbind://results/table.csv',
      mimeType: 'text/csv',
      text: 'a,b\n1,2\n',
    })
    expect([...Buffer.from((await read('all.bin')).blob!, 'base64')]).toEqual([...Array(256).keys()])
    const picture = Buffer.from((await read('everything.get_tiny_image-image.png')).blob!, 'base64')
    expect([picture.length, picture.subarray(1, 4).toString()]).toEqual([4033, 'PNG'])
    expect(JSON.parse((await read('run-1.json')).text!).result).toHaveLength(20_000)
  })

  it('belong to one caller: to a session, or to a key in all of its sessions', async () => {
    const { caller } = await openGateway({ servers: inPrograms })
    const [one, two] = [await caller(), await caller()]
    await run(one, 'artifacts.save("mine.txt", "secret")')
    expect([await uris(one), await uris(two)]).toEqual([['starbind://results/mine.txt'], []])
    const uri = 'starbind://results/mine.txt'
    await expect(two.readResource({ uri })).rejects.toMatchObject({ code: -32002 })
    await expect(two.subscribeResource({ uri })).rejects.toMatchObject({ code: -32002 })

    const keysFile = path.join(folder, 'keys.json')
    const [ann, ben] = ['ann', 'ben'].map((name) => ({
      headers: { Authorization: `Bearer ${addKey(keysFile, name)}` },
    }))
    const keyed = await openGateway({ servers: inPrograms, serve: { keysFile } })
    await run(await keyed.caller(ann), 'artifacts.save("mine.txt", "secret")')
    expect(await uris(await keyed.caller(ann))).toEqual([uri])
    const other = await keyed.caller(ben)
    expect(await uris(other)).toEqual([])
    await expect(other.readResource({ uri })).rejects.toMatchObject({ code: -32002 })
  })

  it('send notifications when they are added, changed and deleted', async () => {
    const { caller } = await openGateway({ servers: inPrograms, results: { maxFiles: 1 } })
    const client = await caller()
    const updated: string[] = []
    let changes = 0
    client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void changes++)
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updated.push(params.uri))
    const uri = 'starbind://results/a'
    await run(client, 'for i in range(50):\n    artifacts.save("a", str(i))')
    await vi.waitFor(() => expect(changes).toBeGreaterThan(0))
    expect(changes).toBeLessThan(25)
    await client.subscribeResource({ uri })
    await run(client, 'artifacts.save("a", "again")')
    // The last of the fifty changes may be told this late, too: changes are told together.
    await vi.waitFor(() => expect(updated).toContain(uri))
    await client.unsubscribeResource({ uri })
    const told = [...updated]
    expect([...new Set(told)]).toEqual([uri])
    const before = changes
    await run(client, 'artifacts.save("b", "another")')
    await vi.waitFor(() => expect(changes).toBeGreaterThan(before))
    expect([updated, await uris(client)]).toEqual([told, ['starbind://results/b']])
  })

  it('that are too long for a message are refused', async () => {
    const { caller } = await openGateway({ servers: inPrograms, limits: { argumentBytes: 10_000_000 } })
    const client = await caller()
    await run(client, 'artifacts.save("long.txt", "x" * 5000001)')
    await expect(client.readResource({ uri: 'starbind://results/long.txt' })).rejects.toThrow(
      'starbind://results/long.txt has 5000001 bytes, and at most 5000000 are read at once',
    )
  })

  it('are announced to callers with programs', async () => {
    const offered = async (servers: Record<string, ServerEntry>) => {
      const client = await (await openGateway({ servers })).caller()
      return client.getServerCapabilities()?.resources
    }
    expect(await offered(inPrograms)).toEqual({ subscribe: true, listChanged: true })
    expect(await offered({ shop: { inProcess: shop, codeMode: false } })).toBeUndefined()
  })
})
