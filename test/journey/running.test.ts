// Everything that a caller of `starbind serve` gets besides the answer's text, with real servers: progress,
// cancellation that reaches the upstream, kept files, timeouts, and JSON as text or data, depending on the program.

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { main, Workplace } from '../fixtures/command.js'

const place = new Workplace()
const shelf = path.join(place.folder, 'shelf')
const client = new Client({ name: 'running', version: '1.0.0' })
interface Heard {
  readonly method?: string
  readonly params?: { readonly progress: number; readonly message?: string }
  readonly result?: unknown
}
const heard: Heard[] = []
let stderr = ''

beforeAll(async () => {
  mkdirSync(shelf)
  writeFileSync(path.join(shelf, 'tea.json'), '{"name": "tea", "cents": 450.0}\n')
  const config = place.write('starbind.json', {
    mcpServers: {
      files: place.reference('filesystem', shelf),
      everything: place.reference('everything', 'stdio'),
      odd: place.fixture('misbehaving-server', {
        timeoutMs: 250_000,
        tools: { refuse: { results: 'text' }, hang: {} },
      }),
      slow: place.fixture('misbehaving-server', { tools: { hang: { timeoutMs: 300 } } }),
    },
    codeMode: { answer: { structured: true } },
  })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, 'serve', '--config', config],
    stderr: 'pipe',
  })
  transport.stderr?.on('data', (chunk) => (stderr += chunk))
  await client.connect(transport)
  // The messages on the wire: the SDK's client drops the last progress notice if it arrives in one piece with the
  // answer.
  const receive = transport.onmessage
  transport.onmessage = (message) => {
    heard.push(message as Heard)
    receive?.(message)
  }
})

afterAll(async () => {
  await client.close()
  await place.allGone()
  place.remove()
})

async function execute(code: string, options: Parameters<Client['callTool']>[2] = {}) {
  const { content, structuredContent, isError } = await client.callTool(
    { name: 'executeToolCode', arguments: { code: code.replaceAll('ROOT', JSON.stringify(shelf)) } },
    undefined,
    options,
  )
  const [block] = content as { text: string }[]
  return { text: block!.text.replace(/\d+ ms/g, 'N ms'), structuredContent, isError }
}

describe('a program', () => {
  it('gets a file as text or as data, depending on its use', async () => {
    const code = `
read = files.read_text_file(path=ROOT + "/tea.json")
text = read["content"]
print(text.strip(), json.loads(text)["cents"], len(text))`
    expect((await execute(code)).text).toMatch(/^\{"name": "tea", "cents": 450\.0\} 450\.0 32\n/)
  })

  it('gets JSON in a text block as text or as data, depending on its use', async () => {
    const code =
      'x = odd.echo(text="a b")\nprint(x["text"], json.loads(x) == x, x.split()[0], isinstance(x, str))\nprint(x)'
    expect((await execute(code)).text).toMatch(/^a b True \{"text":"a True\n\{"text":"a b"\}\n/)
  })

  it('gets images as records whose bytes can be read', async () => {
    const code = 'blocks = everything.get_tiny_image()\nresult = [b for b in blocks if isinstance(b, dict)]'
    const { structuredContent } = await execute(code)
    const [image] = (structuredContent as { result: { path: string; mimeType: string; bytes: number }[] }).result
    expect(image).toMatchObject({
      type: 'image',
      mimeType: 'image/png',
      path: expect.stringMatching(/^results\/.*\.png$/),
    })
    const read = await client.callTool({ name: 'readToolFile', arguments: { fileName: image!.path } })
    const shown = read.content as { type: string; data?: string }[]
    expect(shown.map(({ type }) => type)).toEqual(['text', 'image'])
    expect(Buffer.from(shown[1]!.data!, 'base64')).toHaveLength(image!.bytes)
  })

  it('waits for a tool for the configured time, and can continue', async () => {
    const code = 'try:\n    slow.hang()\nexcept ToolError as e:\n    print(e)'
    expect((await execute(code)).text).toMatch(/^slow\.hang gave no answer within N ms; it may have taken effect\n/)
    await vi.waitFor(() => expect(stderr).toContain('[slow] hang was cancelled'), { timeout: 120_000 })
  })

  it('survives a server that crashes in mid-call', async () => {
    const code = 'try:\n    slow.crash()\nexcept ToolError as e:\n    print(e)\nprint(odd.echo(text="on")["text"])'
    expect((await execute(code)).text).toMatch(
      /^the connection to slow was lost before crash answered; it may have taken effect\non\n/,
    )
  })
})

describe('a caller', () => {
  it('that asks for progress is notified of every finished call before the answer', async () => {
    const code = 'for i in range(3):\n    everything.get_sum(a=i, b=1)\nprint("done")'
    heard.length = 0
    const { text } = await execute(code, { onprogress: () => {} })
    expect(text).toMatch(/^done\n/)
    const told = heard.map(({ method, params, result }) =>
      method === 'notifications/progress'
        ? [params?.progress, params?.message?.replace(/\d+ ms/, 'N ms')]
        : result === undefined
          ? method
          : 'the answer',
    )
    expect(told).toEqual([
      [1, 'everything.get-sum: 24 bytes in N ms'],
      [2, 'everything.get-sum: 24 bytes in N ms'],
      [3, 'everything.get-sum: 24 bytes in N ms'],
      'the answer',
    ])
  })

  it('that asks for progress gets the progress of the called server', async () => {
    heard.length = 0
    await execute('everything.trigger_long_running_operation(duration=0.2, steps=2)', { onprogress: () => {} })
    const told = heard.flatMap(({ params }) => (params?.message === undefined ? [] : [params]))
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, i) => i + 1))
    // Newer notices replace those that a slow caller has not taken yet.
    const [first, ...rest] = told.map(({ message }) => message)
    expect(first).toMatch(/^everything\.trigger-long-running-operation: [12] of 2$/)
    expect(rest.at(-1)).toMatch(/^everything\.trigger-long-running-operation: \d+ bytes in \d+ ms$/)
  })

  it('gets the answer as data, too, if configured', async () => {
    expect((await execute('print("a")\nresult = [1]')).structuredContent).toMatchObject({
      ok: true,
      result: [1],
      logs: ['a'],
      error: null,
      calls: [],
    })
  })

  it('that cancels ends the run and the call in flight at the upstream', async () => {
    const cancel = new AbortController()
    const running = execute('print("begin")\nodd.hang()', { signal: cancel.signal })
    await vi.waitFor(() => expect(stderr).toContain('[odd] hanging'), { timeout: 120_000 })
    cancel.abort()
    await expect(running).rejects.toThrow()
    await vi.waitFor(() => expect(stderr).toContain('[odd] hang was cancelled'), { timeout: 120_000 })
    expect((await execute('print("alive")')).text).toBe('alive')
  })
})
