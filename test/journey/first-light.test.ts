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

/** Durations depend on the machine. */
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
    expect(
      tools.map(({ title, annotations }) => [title, annotations?.readOnlyHint, annotations?.openWorldHint]),
    ).toEqual([
      ['List tool files', true, false],
      ['Read tool files', true, false],
      ['Get tool docs', true, false],
      ['Execute tool code', false, true],
    ])
    expect(client.getInstructions()).toBe(
      'Programs call the tools of these servers: files, memory, everything, broken. Find tools with listToolFiles, read them with readToolFile, then send one program with executeToolCode.',
    )
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
    expect(timeless(executed.text)).toBe(
      `cups costs 1200 cents
tea costs 450 cents
The sum of 450 and 1200 is 1650.
result: {"known":2}
called files.list_directory ×1: N ms, 32 bytes
called files.read_text_file ×2: N ms, 60 bytes
called memory.create_entities ×1: N ms, 218 bytes
called memory.open_nodes ×1: N ms, 285 bytes
called everything.get_sum ×1: N ms, 32 bytes`,
    )
  })

  it.each<[string, string, string]>([
    [
      'a syntax error',
      'memory.read_graph()\nprint(x',
      "program error [unclosed-bracket] '(' at 2:6 is never closed\n" +
        '  program:2:6\n  2 | print(x\n    |      ^\n' +
        "hint: close it with ')'\nNothing was run and no tool was called.",
    ],
    [
      'an unknown server',
      'memory.read_graph()\nfile.read_text_file(path="x")',
      'program error [undefined-name] undefined: file\n' +
        '  program:2:1\n  2 | file.read_text_file(path="x")\n    | ^^^^\n' +
        'hint: write files.read_text_file(…)\nNothing was run and no tool was called.',
    ],
    [
      'an unknown tool',
      'files.read_txt_file(path="x")',
      'program error [unknown-tool] files has no tool read_txt_file\n' +
        '  program:1:7\n  1 | files.read_txt_file(path="x")\n    |       ^^^^^^^^^^^^^\n' +
        'hint: did you mean files.read_text_file or files.read_file?\nNothing was run and no tool was called.',
    ],
    [
      'an argument that is missing',
      'files.read_text_file()',
      'program error [missing-argument] files.read_text_file needs path\n' +
        '  program:1:1\n  1 | files.read_text_file()\n    | ^^^^^^^^^^^^^^^^^^^^^^\n' +
        'hint: it takes path, tail?, head?\nNothing was run and no tool was called.',
    ],
    [
      'a tool that fails',
      'memory.read_graph()\nname = "/none"\nfiles.read_text_file(path=ROOT + name)',
      `tool error [tool-failed] files.read_text_file failed: "ENOENT: no such file or directory, open 'ROOT/none'"\n` +
        '  program:3:1\n  3 | files.read_text_file(path="ROOT" + name)\n    | ^^^^CARETS\n' +
        'done before this: memory.read_graph (safe to repeat), files.read_text_file (failed) (safe to repeat)',
    ],
    [
      'an exception of its own',
      'memory.read_graph()\nmemory.read_graph()\nx = 1 // 0',
      'program error [zero-division-error] ZeroDivisionError: integer division or modulo by zero\n' +
        '  program:3:5\n  3 | x = 1 // 0\n    |     ^^^^^^\n' +
        'done before this: memory.read_graph ×2 (safe to repeat)',
    ],
  ])('is told about %s', async (_, code, text) => {
    const answer = await call('executeToolCode', { code: code.replaceAll('ROOT', JSON.stringify(shelf)) })
    expect(answer.text.replaceAll(shelf, 'ROOT').replace(/\^{40,}/, '^^^^CARETS')).toBe(text)
    expect(answer.isError).toBe(true)
  })

  it('gets messages about arguments and tools that do not exist', async () => {
    expect(await call('executeToolCode', { cod: 'x' })).toEqual({
      text: 'program error [unknown-argument] executeToolCode has no argument cod\nhint: write code',
      isError: true,
    })
    await expect(client.callTool({ name: 'runCode', arguments: {} })).rejects.toThrow(
      'there is no tool runCode; the tools are listToolFiles, readToolFile, getToolDocs, executeToolCode',
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

  it('finds the server that did not start in the log', async () => {
    await expect
      .poll(() => stderr)
      .toContain('starbind warn [broken] is not available: it ended before it answered; its last output was')
    await expect.poll(() => stderr).toContain('starbind info [files] ')
  })

  it('leaves nothing behind', async () => {
    const pid = transport.pid
    expect(pid).not.toBeNull()
    await client.close()
    await place.allGone()
    await vi.waitFor(() => expect(() => process.kill(pid!, 0)).toThrow('ESRCH'), { timeout: 120_000 })
  })
})
