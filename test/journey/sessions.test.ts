// One CodeMode, several callers: the rights of each, everywhere they could show, and the state of each.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CodeMode, type ServerEntry, type Session } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'

const place = new Workplace()
let codeMode: CodeMode
beforeAll(async () => {
  codeMode = await CodeMode.open({
    servers: {
      memory: { ...(place.reference('memory') as ServerEntry), toolsToDeny: ['delete_*'], pingMs: 0 },
      files: { ...(place.reference('filesystem', place.folder) as ServerEntry), pingMs: 0 },
    },
  })
})
afterEach(() => expect(codeMode.status().map(({ state }) => state)).toEqual(['ready', 'ready']))
afterAll(async () => {
  await codeMode.close()
  await place.allGone()
  place.remove()
})

/** The names of the tools that a program finds. */
async function toolsOf(session: Session): Promise<unknown> {
  const { result } = await session.run(
    'result = {s: [t["name"] for t in runtime.list_tools(s)] for s in runtime.list_servers()}',
  )
  return result
}

describe('a session with a filter', () => {
  const reader = () =>
    codeMode.session({ filters: { toolsToExecute: ['memory/read_graph', 'memory/delete_entities', 'files/read_*'] } })

  it('shows nothing else in listings, stubs, docs and search', async () => {
    const session = reader()
    expect((await session.listToolFiles({ server: 'memory' })).structured).toEqual({
      server: 'memory',
      tools: ['read_graph'],
    })
    const stub = (await session.readToolFile({ fileName: 'memory' })).text
    expect(stub.match(/^def \w+/gm)).toEqual(['def read_graph'])
    expect(await session.readToolFile({ fileName: 'servers/memory/create_entities.pyi' })).toMatchObject({
      isError: true,
    })
    expect((await session.getToolDocs({ server: 'memory', tool: 'create_entities' })).text).toMatch(
      /^program error \[unknown-tool\]/,
    )
    const found = (await session.listToolFiles({ query: 'create entities' })).structured as { results: object[] }
    expect(found.results).toEqual([])
    expect(session.status().map(({ name, tools }) => [name, tools])).toEqual([
      ['memory', ['read_graph']],
      ['files', expect.arrayContaining(['read_text_file'])],
    ])
  })

  it('allows nothing else in the check, in the module runtime and in calls', async () => {
    const session = reader()
    expect(await session.check('memory.create_entities(entities=[])')).toMatchObject({ ok: false })
    expect(await session.check('memory.read_graph()')).toMatchObject({ ok: true })
    expect(await toolsOf(session)).toEqual({
      files: ['read_file', 'read_media_file', 'read_multiple_files', 'read_text_file'],
      memory: ['read_graph'],
    })
    const hidden = await session.run('x = "delete_entities"\ngetattr(memory, x)(entityNames=[])')
    expect(hidden).toMatchObject({ ok: false, calls: [] })
    expect(await session.run('result = memory.read_graph()')).toMatchObject({ ok: true })
  })

  it('gives sessions that may do less, never more', async () => {
    const session = reader().session({ filters: { toolsToExecute: ['*'] } })
    expect(await toolsOf(session)).toEqual(await toolsOf(reader()))
    const less = reader().session({ headers: { 'x-mcp-include-clients': 'memory' } })
    expect(await toolsOf(less)).toEqual({ memory: ['read_graph'] })
    const none = less.session({ headers: { 'x-bf-mcp-include-tools': '' } })
    expect(await toolsOf(none)).toEqual({})
    expect(none.status()).toEqual([])
  })

  it('does not name what it hides', async () => {
    const session = codeMode.session({ filters: { servers: ['memory'] } })
    const answers = await Promise.all([
      session.listToolFiles(),
      session.readToolFile({ fileName: 'files' }),
      session.getToolDocs({ server: 'files', tool: 'read_file' }),
      session.executeToolCode({ code: 'files.read_file(path="x")' }),
    ])
    for (const { text } of answers) expect(text).not.toMatch(/write_file|list_directory|files\.pyi/)
  })
})

it('names the tools that need consent', async () => {
  const shop = { inProcess: { count: { call: () => 3 }, sell: { call: () => 3 } }, toolsToAutoExecute: ['count'] }
  await using gateway = await CodeMode.open({ servers: { shop } })
  const strict = gateway.session({ filters: { toolsToAutoExecute: [] } })
  const asked = (session: Session) => ['count', 'sell', 'none'].map((tool) => session.autoExecutes('shop', tool))
  expect([asked(gateway), asked(strict)]).toEqual([
    [true, false, false],
    [false, false, false],
  ])
})

describe('the results of a session', () => {
  const long = 'result = ["%d" % i for i in range(20000)]'

  it('are its own, and so are its runs', async () => {
    const [one, two] = [codeMode.session(), codeMode.session()]
    await one.executeToolCode({ code: long })
    expect((await one.run('result = results.list()')).result).toEqual(['run-1'])
    expect((await two.run('result = results.list()')).result).toEqual([])
    expect(await two.readToolFile({ fileName: 'results/run-1.json' })).toMatchObject({ isError: true })
    expect((await codeMode.run('result = results.list()')).result).toEqual([])
  })

  it('are shared on request', async () => {
    const one = codeMode.session({ filters: { servers: ['memory'] } })
    const part = one.session({ results: 'shared', headers: { 'x-mcp-include-tools': 'memory/read_graph' } })
    await one.executeToolCode({ code: long })
    expect((await part.run('result = results.list()')).result).toEqual(['run-1'])
    await part.executeToolCode({ code: long })
    expect((await one.run('result = results.list()')).result).toEqual(['run-1', 'run-3'])
    expect((await one.readToolFile({ fileName: 'memory' })).text).toContain('def create_entities')
    expect((await part.readToolFile({ fileName: 'memory' })).text).not.toContain('def create_entities')
  })
})

describe('observed results of tools', () => {
  it('are collected by each session for itself if configured', async () => {
    const shop = { inProcess: { stock: { call: () => ({ pears: 3 }) } } }
    const stub = async (session: Session) => (await session.readToolFile({ fileName: 'shop' })).text
    for (const observations of ['shared', 'session'] as const) {
      await using gateway = await CodeMode.open({ servers: { shop }, serve: { observations } })
      const [one, two] = [gateway.session(), gateway.session()]
      await one.run('shop.stock()')
      expect(await stub(one)).toContain('pears')
      if (observations === 'shared') expect(await stub(two)).toContain('pears')
      else expect(await stub(two)).not.toContain('pears')
    }
  })
})
