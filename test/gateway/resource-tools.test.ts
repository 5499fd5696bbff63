// Resources and prompts of servers, as programs reach them: with the reference server over stdio, and with a server in
// this process for what it lacks.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { Catalogues, CodeMode, readConfiguration } from '../../dist/index.js'
import { PIXEL } from '../fixtures/pixel.js'

const require = createRequire(import.meta.url)
const everything = {
  command: process.execPath,
  args: [require.resolve('@modelcontextprotocol/server-everything/dist/index.js')],
}
const long = Array.from({ length: 30_000 }, (_, i) => `line ${i} of a long resource`).join('\n')

function library() {
  const server = new McpServer({ name: 'library', version: '1.0.0' })
  const asked: string[] = []
  const add = (name: string, uri: string, ...contents: object[]) =>
    server.registerResource(name, uri, {}, () => {
      asked.push(uri)
      return { contents: contents.map((one) => ({ uri, ...one })) as never }
    })
  add('prices', 'book://prices', { mimeType: 'application/json', text: '{"dune": 12.0, "emma": 7}' })
  add('cover', 'book://cover', { mimeType: 'image/png', blob: PIXEL })
  add('folder', 'book://folder', { text: 'one' }, { mimeType: 'application/pdf', blob: 'JVBERi0=' })
  add('long', 'book://long', { text: long })
  add('empty', 'book://empty')
  add('wrong', 'book://wrong', { mimeType: 'image/png' })
  server.registerResource(
    'chapter',
    new ResourceTemplate('book://{title}/chapters/{number}{?lines}', { list: undefined }),
    {},
    ({ href }) => ({ contents: [{ uri: href, text: href }] }),
  )
  server.registerPrompt('review', { argsSchema: { title: z.string() } }, ({ title }) => ({
    description: 'Asks for a review',
    messages: [
      { role: 'user', content: { type: 'text', text: `Review ${title}.` } },
      { role: 'user', content: { type: 'image', mimeType: 'image/png', data: PIXEL } },
    ],
  }))
  server.registerTool('prompts', { inputSchema: {}, annotations: { readOnlyHint: true } }, () => ({
    content: [{ type: 'text', text: 'its own' }],
  }))
  return { server, asked }
}

let codeMode: CodeMode
let folder: string
const own = library()
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'starbind-resources-'))
  codeMode = await CodeMode.open({
    servers: {
      everything,
      library: { inProcess: own.server },
      closed: { inProcess: library().server, resources: false, prompts: false },
      tools: { inProcess: { sum: { call: () => 1 } } },
    },
    catalogueFolder: folder,
    approve: 'writes',
  })
})
afterAll(async () => {
  await codeMode.close()
  rmSync(folder, { recursive: true, force: true })
})

async function run(code: string, language?: 'javascript') {
  const { error, result } = await codeMode.run(code, language === undefined ? {} : { language })
  return error === null
    ? result
    : `${error.class} [${error.code}] ${error.message}${error.hint ? ` (${error.hint})` : ''}`
}

const toolsOf = (server: string) =>
  codeMode
    .bindings()
    .find(({ name }) => name === server)
    ?.tools.map(({ name }) => name)

describe('functions for resources and prompts', () => {
  it('are counted alike by status, bindings and listings', async () => {
    const counts = codeMode.servers.status().map(({ name, tools }) => [name, tools.length])
    const listed = codeMode.bindings().map(({ server, tools }) => [server, tools.length])
    expect(counts.sort()).toEqual(listed.sort())
    const { text } = await codeMode.listToolFiles()
    for (const [name, count] of counts) expect(text).toMatch(new RegExp(`${name}\\.pyi +# ${count} tools?\\b`))
  })

  it('exist if the server declares resources or prompts and its entry allows it', () => {
    expect(toolsOf('library')).toEqual(['get_prompt', 'prompts', 'read_resource', 'resource_templates', 'resources'])
    expect(toolsOf('closed')).toEqual(['prompts'])
    expect(toolsOf('tools')).toEqual(['sum'])
  })

  it('have stubs with return types', async () => {
    const { text } = await codeMode.readToolFile({ fileName: 'servers/everything.pyi' })
    expect(
      text.split('\n').filter((line) => /^def (get_prompt|\w*resource(s|_templates)?|prompts)\(/.test(line)),
    ).toEqual([
      'def get_prompt(name: str, arguments: dict[str, str | float | bool] = ...) -> dict[str, Any]: ...  # read-only: Fills in a prompt: its description and its messages (role, content)',
      expect.stringMatching(/^def gzip_file_as_resource\(/),
      'def prompts() -> list[dict[str, Any]]: ...  # read-only: Lists prompts: name, title, description, arguments (name, description, required)',
      'def read_resource(uri: str, arguments: dict[str, str | float | bool] = ...) -> Any: ...  # read-only: Reads a resource as text, as data where it is JSON, or as a record with a path',
      'def resource_templates() -> list[dict[str, Any]]: ...  # read-only: Lists templates of URIs for read_resource: uriTemplate, name, title, description, mimeType',
      'def resources() -> list[dict[str, Any]]: ...  # read-only: Lists resources: uri, name, and where known title, description, mimeType, size',
    ])
  })

  it('give way to a tool of the same name', async () => {
    expect(await run('result = library.prompts()')).toBe('its own')
  })

  it('can be excluded by a filter', async () => {
    const readers = codeMode.session({ filters: { toolsToExecute: ['library/resources'] } })
    expect(readers.bindings().map(({ name, tools }) => [name, tools.map((tool) => tool.name)])).toEqual([
      ['library', ['resources']],
    ])
    const { error } = await readers.run('result = library.read_resource("book://prices")')
    expect(error?.code).toBe('unknown-tool')
  })

  it('are not tools for direct callers', async () => {
    const direct = codeMode.session({ codeMode: false })
    const names = (await direct.direct.tools()).map(({ name }) => name).filter((name) => name.startsWith('library'))
    expect(names).toEqual(['library_prompts'])
  })

  it('exist for a cached catalogue, too', () => {
    const file = path.join(folder, 'starbind.json')
    writeFileSync(file, JSON.stringify({ mcpServers: { everything } }))
    const text = Catalogues.remembered(readConfiguration(file), folder).listToolFiles({
      server: 'everything',
      query: 'read_resource',
    }).text
    expect(text).toContain('read_resource(uri')
  })
})

describe('a server that never lists its resources', () => {
  it('starts after two seconds, with its tools', async () => {
    const { server } = new McpServer(
      { name: 'silent', version: '1.0.0' },
      { capabilities: { resources: {}, tools: {} } },
    )
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: 'sum', inputSchema: { type: 'object' } }],
    }))
    server.setRequestHandler(ListResourcesRequestSchema, () => new Promise(() => {}))
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => new Promise(() => {}))
    // Two seconds are over at once, and no longer time is ever over.
    const real = setTimeout
    const waited = new Set<number>()
    const early = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms = 0, ...rest: []) => {
      waited.add(ms)
      return real(act, ms === 2000 ? 0 : ms < 2000 ? ms : 2 ** 30, ...rest)
    }) as typeof setTimeout)
    try {
      await using silent = await CodeMode.open({ servers: { silent: { inProcess: server as never } }, warm: false })
      expect([waited.has(2000), silent.servers.status()]).toMatchObject([true, [{ state: 'ready', tools: ['sum'] }]])
    } finally {
      early.mockRestore()
    }
  })
})

describe('resources', () => {
  it('are listed with the server’s descriptions', async () => {
    expect(await run('result = library.resources()[:2]')).toEqual([
      { uri: 'book://prices', name: 'prices' },
      { uri: 'book://cover', name: 'cover' },
    ])
    expect(await run('result = library.resource_templates()')).toEqual([
      { uriTemplate: 'book://{title}/chapters/{number}{?lines}', name: 'chapter' },
    ])
    expect(await run('result = [t["uriTemplate"] for t in everything.resource_templates()]')).toEqual([
      'demo://resource/dynamic/text/{resourceId}',
      'demo://resource/dynamic/blob/{resourceId}',
    ])
  })

  it('are text, data, or a record with a path', async () => {
    expect(
      await run('p = library.read_resource("book://prices")\nresult = [p["dune"], p["emma"] + 1, "dune" in p]'),
    ).toEqual([12, 8, true])
    expect(await run('result = library.read_resource("book://cover")')).toMatchObject({
      mimeType: 'image/png',
      path: 'results/library.read_resource-image.png',
    })
    expect(await run('result = [sorted(part) for part in library.read_resource("book://folder")]')).toEqual([
      ['bytes', 'mimeType', 'name', 'path', 'sha256', 'text', 'type', 'uri'],
      ['bytes', 'mimeType', 'name', 'path', 'sha256', 'type', 'uri'],
    ])
    expect(await run('result = library.read_resource("book://empty")')).toBe(null)
    expect(
      await run('result = everything.read_resource("demo://resource/static/document/startup.md").split("\\n")[0]'),
    ).toBe('# Everything Server - Startup Process')
  })

  it('arrive whole at any length', async () => {
    const code = 'text = library.read_resource("book://long")\nresult = [len(text), text.split("\\n")[-1]]'
    expect(await run(code)).toEqual([long.length, 'line 29999 of a long resource'])
  })

  it('beyond the limit of an answer end the run', async () => {
    const { error } = await codeMode.run('library.read_resource("book://long")', { limits: { responseBytes: 1000 } })
    expect(error).toMatchObject({ class: 'limit', message: expect.stringContaining('library.read_resource') })
  })

  it('of a template take values for its variables', async () => {
    expect(
      await run(
        'result = library.read_resource("book://{title}/chapters/{number}{?lines}", {"title": "a b", "number": 3, "lines": True})',
      ),
    ).toBe('book://a%20b/chapters/3?lines=true')
    expect(
      await run('result = everything.read_resource("demo://resource/dynamic/text/{resourceId}", {"resourceId": 7})'),
    ).toMatch(/^Resource 7: /)
  })

  it('can be read in JavaScript', async () => {
    const code = 'result = library.read_resource({ uri: "book://prices" }).emma'
    expect(await run(code, 'javascript')).toBe(7)
  })

  it('are read concurrently until a value is needed', async () => {
    const code =
      'a = library.read_resource("book://prices")\nb = library.read_resource("book://long")\nresult = [a["emma"], len(b)]'
    const { result, calls } = await codeMode.run(code)
    expect(result).toEqual([7, long.length])
    expect(calls.map(({ tool, ok }) => [tool, ok])).toEqual([
      ['read_resource', true],
      ['read_resource', true],
    ])
  })

  it('have independent observed shapes', async () => {
    await run('library.read_resource("book://prices")')
    const { text } = await codeMode.getToolDocs({ server: 'library', tool: 'read_resource' })
    expect(text).not.toContain('observed')
  })
})

describe('prompts', () => {
  it('are listed with their arguments', async () => {
    expect(await run('result = [p for p in everything.prompts() if p["name"] == "args-prompt"]')).toEqual([
      {
        name: 'args-prompt',
        title: 'Arguments Prompt',
        description: 'A prompt with two arguments, one required and one optional',
        arguments: [
          { name: 'city', description: 'Name of the city', required: true },
          { name: 'state', required: false },
        ],
      },
    ])
  })

  it('are filled in without the bytes of pictures', async () => {
    expect(await run('result = library.get_prompt("review", {"title": "Emma"})')).toEqual({
      description: 'Asks for a review',
      messages: [
        { role: 'user', content: { type: 'text', text: 'Review Emma.' } },
        { role: 'user', content: { type: 'image', mimeType: 'image/png', size: Buffer.byteLength(PIXEL, 'base64') } },
      ],
    })
  })
})

describe('a mistake', () => {
  it('in the arguments of a template gets the variables’ names, and no request is sent', async () => {
    const template = 'book://{title}/chapters/{number}{?lines}'
    expect(await run(`library.read_resource("${template}", {"title": "x", "page": 3})`)).toBe(
      `program error [template-arguments] TypeError: library.read_resource was not called: the template "${template}" needs number, lines and has no page (give arguments={"title": …, "number": …, "lines": …})`,
    )
    expect(await run('library.read_resource("book://cover", {"page": 3})')).toBe(
      'program error [template-arguments] TypeError: library.read_resource was not called: "book://cover" is no template and has no page',
    )
  })

  it('in a template is reported, whatever its variables are called', async () => {
    expect(await run('library.read_resource("book://{a}{b", {"a": 1})')).toBe(
      'program error [template-arguments] TypeError: library.read_resource was not called: "book://{a}{b" can\'t be read as a template: Unclosed template expression',
    )
    expect(await run('library.read_resource("book://{constructor}")')).toBe(
      'program error [template-arguments] TypeError: library.read_resource was not called: the template "book://{constructor}" needs constructor (give arguments={"constructor": …})',
    )
  })

  it('in the arguments of the function is found before the run', async () => {
    expect(await run('library.read_resource(url="book://prices")')).toMatch(
      /^program error \[unknown-parameter\] library\.read_resource has no parameter url/,
    )
  })

  it('of the server is reported in its words', async () => {
    expect(await run('library.read_resource("book://nothing")')).toBe(
      'tool error [tool-refused] library refused the call of read_resource: "Resource book://nothing not found"',
    )
    expect(await run('library.get_prompt("review", {})')).toMatch(
      /^tool error \[tool-refused\] library refused the call of get_prompt: "/,
    )
  })

  it('of a server that sends neither text nor bytes is visible in the record', async () => {
    expect(await run('result = library.read_resource("book://wrong")')).toEqual({
      type: 'resource',
      uri: 'book://wrong',
      mimeType: 'image/png',
    })
  })
})
