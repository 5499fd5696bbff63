// One caller, our server, three real upstreams: everything over stdio, as a host does it.

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { main, Workplace } from '../fixtures/command.js'

const place = new Workplace()
const shelf = path.join(place.folder, 'shelf')
let client: Client
let transport: StdioClientTransport
let stderr = ''

beforeAll(async () => {
  mkdirSync(shelf)
  writeFileSync(path.join(shelf, 'tea.json'), '{"name": "tea", "cents": 450}')
  writeFileSync(path.join(shelf, 'cups.json'), '{"name": "cups", "cents": 1200}')
  const config = place.write('starbind.json', {
    mcpServers: {
      files: place.reference('filesystem', shelf),
      memory: place.reference('memory'),
      everything: place.reference('everything', 'stdio'),
      broken: place.fixture('exits-at-once'),
    },
  })
  transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'serve', '--config', config],
    stderr: 'pipe',
  })
  transport.stderr?.on('data', (chunk) => (stderr += chunk))
  client = new Client({ name: 'first-light', version: '1.0.0' })
  await client.connect(transport)
})

afterAll(() => place.remove())

interface Said {
  readonly text: string
  readonly isError: boolean
}

async function call(name: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<Said> {
  const result = await client.callTool({ name, arguments: args }, undefined, signal ? { signal } : {})
  const [block, ...more] = result.content as { type: string; text: string }[]
  expect(more).toEqual([])
  return { text: block?.text ?? '', isError: result.isError === true }
}

/** Durations are the machine's business. */
function timeless(text: string): string {
  return text.replace(/\d+ ms/g, 'N ms')
}

const program = `
entities = []
for line in files.list_directory(path=ROOT)["content"].splitlines():
    name = line.split()[1]
    text = files.read_text_file(path=ROOT + "/" + name)["content"]
    item = json.decode(text)
    entities.append({"name": item["name"], "entityType": "goods", "observations": ["costs %d cents" % item["cents"]]})
memory.create_entities(entities=entities)
known = memory.open_nodes(names=["tea", "cups"])["entities"]
for entity in known:
    print(entity["name"] + " " + entity["observations"][0])
print(everything.get_sum(a=450, b=1200))
result = {"known": len(known)}
`

describe('a caller of starbind serve', () => {
  it('sees exactly four tools', async () => {
    const { tools } = await client.listTools()
    expect(tools.map((tool) => tool.name)).toEqual(['listToolFiles', 'readToolFile', 'getToolDocs', 'executeToolCode'])
    expect(client.getServerVersion()?.name).toBe('starbind')
  })

  it('lists, reads, looks up and executes', async () => {
    const listed = await call('listToolFiles', {})
    expect(listed.text).toContain('files.pyi')
    expect(listed.text).toContain('broken')
    const read = await call('readToolFile', { fileName: 'servers/memory.pyi' })
    expect(read.text).toContain('def create_entities(')
    const docs = await call('getToolDocs', { server: 'everything', tool: 'get_sum' })
    expect(docs.text).toContain('get_sum')
    const executed = await call('executeToolCode', { code: program.replaceAll('ROOT', JSON.stringify(shelf)) })
    expect(executed.isError).toBe(false)
    expect(timeless(executed.text)).toBe('')
  })

  it.each<[string, string, string]>([
    ['a syntax error', 'x = (1,\nprint(x', 'SYNTAX'],
    ['an unknown server', 'file.read_text_file(path="x")', 'SERVER'],
    ['an unknown tool', 'files.read_txt_file(path="x")', 'TOOL'],
    ['an argument that is missing', 'files.read_text_file()', 'ARGUMENT'],
    ['a tool that fails', 'memory.read_graph()\nfiles.read_text_file(path=ROOT + "/none")', 'FAIL'],
    ['an exception of its own', 'memory.read_graph()\nmemory.read_graph()\nx = 1 // 0', 'OWN'],
  ])('is told about %s', async (_, code, text) => {
    const answer = await call('executeToolCode', { code: code.replaceAll('ROOT', JSON.stringify(shelf)) })
    expect(answer.text.replaceAll(shelf, 'ROOT')).toBe(text)
    expect(answer.isError).toBe(true)
  })

  it('is told about arguments and tools that do not exist', async () => {
    expect(await call('executeToolCode', { cod: 'x' })).toEqual({
      text: 'program error [unknown-argument] executeToolCode has no argument cod\nhint: write code',
      isError: true,
    })
    await expect(client.callTool({ name: 'runCode', arguments: {} })).rejects.toThrow(
      'there is no tool runCode; here are listToolFiles, readToolFile, getToolDocs, executeToolCode',
    )
  })

  it('can cancel a run, and the next one works', async () => {
    const cancel = new AbortController()
    const code = 'print(everything.trigger_long_running_operation(duration=60, steps=60))'
    const running = call('executeToolCode', { code }, cancel.signal)
    cancel.abort()
    await expect(running).rejects.toThrow()
    expect((await call('executeToolCode', { code: 'print("alive")' })).text).toBe('alive')
  })

  it('finds the server that did not start in the log', () => {
    expect(stderr).toContain(
      'starbind warn [broken] is not available: it ended before it answered; its last words were',
    )
    expect(stderr).toContain('starbind info [files] ')
  })

  it('leaves nothing behind', async () => {
    const pid = transport.pid
    expect(pid).not.toBeNull()
    await client.close()
    await vi.waitFor(() => expect(place.alive()).toEqual([]), { timeout: 10_000 })
    expect(() => process.kill(pid!, 0)).toThrow('ESRCH')
  })
})
