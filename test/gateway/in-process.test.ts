// Servers that live in this process: functions with schemas, a server object and a client object of the SDK.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as z3 from 'zod/v3'
import { checkConfiguration, Upstreams } from '../../dist/gateway/index.js'
import { CodeMode, type InProcessTools } from '../../dist/index.js'

const given: unknown[] = []
const shop: InProcessTools = {
  'list-orders': {
    description: 'Orders of a customer. Newest first.',
    inputSchema: z.object({ customer: z.string(), limit: z.int().min(1).default(2) }),
    outputSchema: z.array(z.object({ id: z.int(), total: z.number() })),
    annotations: { readOnlyHint: true },
    call: (args) => {
      given.push(args)
      return [{ id: 7, total: 1.5, note: undefined }]
    },
  },
  count: { outputSchema: { type: 'integer' }, call: () => 3 },
  greet: {
    inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    call: (args) => `hello ${(args as { name: string }).name}`,
  },
  profile: { call: async () => ({ name: 'Ada', since: new Date(0) }) },
  nothing: { call: () => undefined },
  lone: {
    inputSchema: { type: 'object', properties: { of: { type: 'string' } }, required: ['of'] },
    call: (args) => ({ number: 3, fraction: 1.5, truth: true, null: null, digits: '5' })[(args as { of: string }).of],
  },
  raw: { call: () => ({ content: [{ type: 'text', text: 'as it is' }], isError: true }) },
  fail: {
    call: () => {
      throw new Error('out of stock')
    },
  },
  endless: {
    call: (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  },
  circle: {
    call: () => {
      const circle: unknown[] = []
      circle.push(circle)
      return circle
    },
  },
}

describe('in-process functions', () => {
  it('return their values to programs, with and without an output schema', async () => {
    await using codeMode = await CodeMode.open({ servers: { shop: { inProcess: shop } } })
    const run = await codeMode.run(
      'result = [shop.lone(of=x) for x in ["number", "fraction", "truth", "null", "digits"]] + [shop.lone(of="number") + 1]',
    )
    expect(run.error).toBeNull()
    expect(run.result).toEqual([3, 1.5, true, null, '5', 4])
  })

  it('are tools with stubs, documentation, checked arguments and results', async () => {
    await using codeMode = await CodeMode.open({ servers: { shop: { inProcess: shop } } })
    expect((await codeMode.readToolFile({ fileName: 'shop' })).text).toContain(
      'def list_orders(customer: str, limit: int = 2) -> list[',
    )
    const run = await codeMode.run(`
orders = shop.list_orders(customer="Ada")
result = [orders[0]["total"], shop.count() + 1, shop.greet(name="you"), shop.profile()["since"], shop.nothing()]`)
    expect(run.error).toBeNull()
    expect(run.result).toEqual([1.5, 4, 'hello you', '1970-01-01T00:00:00.000Z', null])
    // The default was filled in before the function was called.
    expect(given).toEqual([{ customer: 'Ada', limit: 2 }])
  })

  it('fail like other tools', async () => {
    await using codeMode = await CodeMode.open({ servers: { shop: { inProcess: shop } } })
    const message = async (code: string) => (await codeMode.run(code)).error?.message
    expect(await message('shop.fail()')).toContain('out of stock')
    expect(await message('shop.raw()')).toContain('as it is')
    expect(await message('shop.list_orders(customer="Ada", limit=0)')).toContain('limit')
    expect(await message('shop.circle()')).toContain('circular structure')
    expect((await codeMode.run('shop.endless()', { limits: { wallMs: 300 } })).error?.class).toBe('limit')
  })

  it('are answered synchronously if they return a value, and awaited if they return any thenable', async () => {
    const thenable = { then: (resolve: (value: string) => void) => resolve('later') }
    const tools: InProcessTools = {
      now: { call: () => 'now' },
      later: { call: () => thenable },
      none: { call: () => Promise.reject(new Error('sold out')) },
    }
    const upstreams = await Upstreams.open(
      checkConfiguration({ mcpServers: { shop: { inProcess: tools } } }, { folder: '/', placeOf: () => 'test' })
        .servers,
      { version: '1.0.0', connectTimeoutMs: 10_000, log: () => undefined },
    )
    const text = (words: string, isError = false) => ({ isError, content: [{ type: 'text', text: words }] })
    expect(upstreams.call('shop', 'now', {})).toEqual(text('now'))
    const later = upstreams.call('shop', 'later', {})
    expect([later instanceof Promise, await later]).toEqual([true, text('later')])
    expect(await upstreams.call('shop', 'none', {})).toEqual(text('sold out', true))
    await upstreams.close()
  })

  it('get an aborted signal even if they read it after the cancellation', async () => {
    const cancel = new AbortController()
    const isOver = new Promise((resolve) => cancel.signal.addEventListener('abort', () => setImmediate(resolve)))
    let isAborted: boolean | undefined
    const wait: InProcessTools[string] = {
      call: async (_, context) => {
        cancel.abort()
        await isOver
        isAborted = context.signal.aborted
      },
    }
    await using codeMode = await CodeMode.open({ servers: { slow: { inProcess: { wait } } } })
    const run = await codeMode.run('slow.wait()', { signal: cancel.signal })
    expect(run.error?.code).toBe('cancelled')
    await expect.poll(() => isAborted).toBe(true)
  })

  it('may copy what they learn of the call', async () => {
    const cancel = new AbortController()
    let copied: object = {}
    const wait: InProcessTools[string] = {
      call: (_, context) => {
        const { signal, ...others } = { ...context, tenant: 'ada' }
        copied = { isAborted: signal.aborted, ...others, tellProgress: typeof others.tellProgress }
        setImmediate(() => cancel.abort())
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
      },
    }
    await using codeMode = await CodeMode.open({ servers: { slow: { inProcess: { wait } } } })
    const run = await codeMode.run('slow.wait()', { signal: cancel.signal })
    expect([run.error?.code, copied]).toEqual([
      'cancelled',
      { isAborted: false, headers: {}, kept: undefined, tellProgress: 'function', tenant: 'ada' },
    ])
  })

  it('may have schemas of zod 3', async () => {
    const inputSchema = z3.object({
      name: z3.string(),
      kind: z3.enum(['a', 'b']).default('a'),
      size: z3.number().int().optional(),
    })
    const outputSchema = z3.object({ said: z3.array(z3.string()) })
    const greet = { inputSchema, outputSchema, call: (args: unknown) => ({ said: [JSON.stringify(args)] }) }
    await using codeMode = await CodeMode.open({ servers: { old: { inProcess: { greet } } } })
    expect((await codeMode.readToolFile({ fileName: 'old' })).text).toContain(`class GreetResult(TypedDict):
    said: list[str]

def greet(name: str, kind: Literal["a", "b"] = "a", size: int = ...) -> GreetResult: ...`)
    expect((await codeMode.run('result = old.greet(name="you")["said"][0]')).result).toBe('{"name":"you","kind":"a"}')
    expect((await codeMode.run('old.greet(name=1)')).error?.code).toBe('wrong-argument')
  })

  it('are refused without a schema or with one that has no JSON Schema', async () => {
    const open = (inProcess: unknown) =>
      CodeMode.open({ servers: { shop: { inProcess: inProcess as InProcessTools } } })
    await expect(open({ a: { inputSchema: z.object({ a: z.bigint() }), call: () => 1 } })).rejects.toThrow(
      "CodeMode.open: servers.shop.inProcess.a: got a schema that JSON Schema can't express (BigInt cannot be represented in JSON Schema), want schemas of data",
    )
    await expect(open({ a: {} })).rejects.toThrow(
      'CodeMode.open: servers.shop.inProcess: got an object, want tools with a function call, or a server or client object of the MCP SDK',
    )
    await expect(CodeMode.open({ servers: { shop: { inProcess: shop, command: 'x' } } })).rejects.toThrow(
      'CodeMode.open: servers.shop.command: got a value, want no such key for a server in this process',
    )
  })

  it('are replaced only if they changed', async () => {
    await using codeMode = await CodeMode.open({ servers: { shop: { inProcess: shop } } })
    const fewer = { count: { outputSchema: { type: 'integer' }, call: () => 4 } }
    expect(await codeMode.servers.update('shop', { inProcess: fewer })).toMatchObject({ tools: ['count'] })
    expect(await codeMode.run('result = shop.count()')).toMatchObject({ result: 4 })
  })
})

function library(): McpServer {
  const server = new McpServer({ name: 'library', version: '1.0.0' }, { instructions: 'Books. And more.' })
  server.registerTool('find', { inputSchema: { title: z.string() } }, ({ title }) => ({
    content: [{ type: 'text', text: `${title} is on shelf 3` }],
  }))
  return server
}

describe('objects of the SDK', () => {
  it('can be a server', async () => {
    const server = library()
    await using codeMode = await CodeMode.open({ servers: { library: { inProcess: server } } })
    expect(await codeMode.run('result = library.find(title="Emma")')).toMatchObject({ result: 'Emma is on shelf 3' })
    server.registerTool('lend', {}, () => ({ content: [] }))
    await expect.poll(async () => (await codeMode.listToolFiles()).text).toContain('2 tools: Books')
  })

  it('can be a connected client, which stays connected', async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    const server = library()
    await server.connect(theirs)
    const client = new Client({ name: 'mine', version: '1.0.0' })
    await client.connect(ours)
    const codeMode = await CodeMode.open({ servers: { library: { inProcess: client } } })
    expect(await codeMode.run('result = library.find(title="Emma")')).toMatchObject({ result: 'Emma is on shelf 3' })
    server.registerTool('lend', {}, () => ({ content: [] }))
    await expect.poll(async () => (await codeMode.listToolFiles()).text).toContain('2 tools: Books')
    await codeMode.close()
    expect((await client.listTools()).tools.length).toBe(2)
    await client.close()
  })

  it('are reported as lost when they close', async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await library().connect(theirs)
    const client = new Client({ name: 'mine', version: '1.0.0' })
    await client.connect(ours)
    await using codeMode = await CodeMode.open({ servers: { library: { inProcess: client } } })
    await client.close()
    await expect.poll(() => codeMode.servers.status()[0]).toMatchObject({ state: 'failed' })
    expect((await codeMode.run('library.find(title="x")')).error?.message).toContain('library is not available')
  })
})
