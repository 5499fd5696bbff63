// Servers that take long to start, sleep or are down: whoever names one waits for it and learns why it is not there, and
// nobody else does.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(() => place.remove())

const serve = path.join(import.meta.dirname, '../fixtures/stdio-server.mjs')
const echo = {
  name: 'echo',
  description: 'Echoes back the input string',
  inputSchema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
}
const start = `import(${JSON.stringify(serve)}).then(({ serve }) => serve({
  name: 'echoing',
  list: () => ({ tools: [${JSON.stringify(echo)}] }),
  call: ({ arguments: { message } }) => ({ content: [{ type: 'text', text: 'Echo: ' + message }] }),
}))`
const started = (afterMs: number) => ({
  command: process.execPath,
  args: ['-e', `setTimeout(() => { ${start} }, ${afterMs})`],
})
/** Starts once this file exists. */
const startedWith = (file: string) => ({
  command: process.execPath,
  args: [
    '-e',
    `const look = setInterval(() => {
      if (!fs.existsSync(${JSON.stringify(file)})) return
      clearInterval(look)
      ${start}
    }, 20)`,
  ],
})
/** Longer than anybody waits for a list. */
const slow = { ...started(2_500), lazy: true }
const never = { ...started(600_000), lazy: true }
const down = { command: 'no-such-command-here', lazy: true }

describe('a lazy server that starts slowly', () => {
  it('starts once for two programs that wait for it', async () => {
    await using codeMode = await CodeMode.open({ servers: { slow } })
    const runs = await Promise.all(['a', 'b'].map((word) => codeMode.run(`result = slow.echo(message="${word}")`)))
    expect(runs.map(({ result }) => result)).toEqual(['Echo: a', 'Echo: b'])
  })

  it('delays a question about it, and no list', async () => {
    await using codeMode = await CodeMode.open({ servers: { slow, never, quick: started(0) } })
    const listed = await codeMode.listToolFiles()
    expect(listed.text).toContain('quick.pyi')
    expect(listed.text.split('\n').at(-1)).toBe('# never is not connected now: it is still starting')
    const [stub, docs] = await Promise.all([
      codeMode.readToolFile({ fileName: 'servers/slow/echo.pyi' }),
      codeMode.getToolDocs({ server: 'slow', tool: 'echo' }),
    ])
    expect(stub.text).toContain('def echo(message: str)')
    expect(docs.text).toContain('Echoes back the input string')
  })

  it('does not delay programs that do not name it', async () => {
    const sign = path.join(place.folder, 'start')
    await using codeMode = await CodeMode.open({ servers: { slow: { ...startedWith(sign), lazy: true } } })
    const first = codeMode.run('result = slow.echo(message="late")')
    const others = ['1 + 1', '"slowly"'].map((code) => codeMode.run(`result = ${code}`))
    // They end before it starts.
    expect((await Promise.all(others)).map(({ result }) => result)).toEqual([2, 'slowly'])
    writeFileSync(sign, '')
    expect((await first).result).toBe('Echo: late')
  })

  it('delays a program no longer than its limit', async () => {
    await using codeMode = await CodeMode.open({ servers: { never } })
    const run = await codeMode.run('never.echo(message="x")', { limits: { wallMs: 300 } })
    expect(run.error).toMatchObject({ code: expect.stringMatching(/^server-unavailable$|^limit-wall-ms$/) })
  })
})

it('every question about a server that is down gets the reason', async () => {
  await using codeMode = await CodeMode.open({ servers: { down, quick: started(0) } })
  const said = "host error [server-unavailable] down can't be reached: there is no command no-such-command-here"
  expect((await codeMode.readToolFile({ fileName: 'servers/down.pyi' })).text).toBe(said)
  expect((await codeMode.readToolFile({ fileName: 'down/x' })).text).toBe(said)
  expect((await codeMode.getToolDocs({ server: 'down', tool: 'x' })).text).toBe(said)
  expect((await codeMode.listToolFiles({ server: 'down' })).text.split('\n')[0]).toBe(said)
  expect((await codeMode.executeToolCode({ code: 'down.x()' })).text.split('\n')[0]).toBe(said)
  const caught = 'try:\n    runtime.list_tools("down")\nexcept TypeError as e:\n    result = str(e)'
  expect((await codeMode.run(caught)).result).toBe(said.replace(/^.*?\] /, ''))
})

describe('servers that start on demand', () => {
  it('do not start for a program that names another, and are suggested for wrong names', async () => {
    const servers = { never: started(600_000), quick: started(0) }
    await using codeMode = await CodeMode.open({ servers, startServers: 'named' })
    expect(codeMode.servers.status().map(({ state }) => state)).toEqual(['idle', 'idle'])
    expect((await codeMode.run('result = quick.echo(message="x")')).result).toBe('Echo: x')
    expect(codeMode.servers.status().map(({ state }) => state)).toEqual(['idle', 'ready'])
    expect((await codeMode.run('nevr.echo(message="x")')).error?.hint).toBe('did you mean never?')
  })

  it('start concurrently in the background', async () => {
    const servers = { never: started(600_000), quick: started(0) }
    await using codeMode = await CodeMode.open({ servers, startServers: 'meanwhile' })
    expect(codeMode.servers.status().map(({ state }) => state)).toEqual(['connecting', 'connecting'])
    expect((await codeMode.run('result = quick.echo(message="x")')).result).toBe('Echo: x')
  })
})
