// The end of commands that are interrupted, or that can't write their output.

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { Workplace } from '../fixtures/command.js'
import { isLong } from '../random.js'

/** In the long form all of them, at other times those but the first, and with the second signal the last of them. */
const some = <T>(all: readonly T[], signal: string): readonly T[] =>
  isLong ? all : all.slice(signal === 'SIGINT' ? 1 : -1)

const main = path.resolve('dist/main.js')
const place = new Workplace()
afterAll(() => place.remove())
// Says on stderr that it was started, and nothing else ever.
const hang = { command: process.execPath, args: ['-e', 'console.error("started"); setTimeout(() => {}, 600_000)'] }
place.write('.mcp.json', { mcpServers: { hang } })

describe.skipIf(process.platform === 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while a server starts', (signal, status) => {
  const commands: readonly [args: string[], said: string][] = [
    [['check', '-e', 'hang.x()'], 'interrupted\n'],
    [['cat', 'servers/hang.pyi'], 'interrupted\n'],
    [
      ['run', '-e', 'hang.x()'],
      'host error [cancelled] the run was interrupted\nNothing was run and no tool was called.\n',
    ],
  ]
  it.each(some(commands, signal))('ends %j with its own status and a message', async (args, said) => {
    const child = spawn(process.execPath, [main, ...args, '--log-level', 'info'], { cwd: place.folder })
    const out = text(child.stdout)
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      err += chunk
      if (chunk.includes('started')) child.kill(signal)
    })
    const ended = await new Promise((resolve) => child.once('close', resolve))
    expect([ended, await out, err.replace(/^starbind .*\n/gm, '')]).toEqual([status, '', said])
  })
})

describe.skipIf(process.platform === 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while import reads', (signal, status) => {
  it('ends it with its own status, and it writes no file', async () => {
    const folder = path.join(place.folder, signal)
    mkdirSync(path.join(folder, '.cursor'), { recursive: true })
    // Who reads it waits until somebody has written.
    const pipe = path.join(folder, '.cursor', 'mcp.json')
    execFileSync('mkfifo', [pipe])
    const home = path.join(folder, 'home')
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home }
    const child = spawn(process.execPath, [main, 'import'], { cwd: folder, env })
    const [out, err] = [text(child.stdout), text(child.stderr)]
    const ended = new Promise((resolve) => child.once('close', resolve))
    const writer = await open(pipe, 'w')
    child.kill(signal)
    await writer.writeFile('{"mcpServers": {"a": {"command": "x"}}}')
    await writer.close()
    expect([await ended, await out, (await err).split('\n').at(-2)]).toEqual([status, '', 'interrupted'])
    expect(readdirSync(folder)).toEqual(['.cursor'])
  })
})

describe.skipIf(process.platform === 'win32').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s at a prompt', (signal, status) => {
  const commands: readonly [args: string[], typed: string, sign: string][] = [
    [['try'], '', 'calls in one program'],
    [['repl'], 'print("up")\nprint("typed', 'up'],
    [['repl'], 'print("up")\nhang.x()\n', 'up'],
  ]
  it.each(some(commands, signal))('ends %j with its own status and a message', async (args, typed, sign) => {
    const child = spawn(process.execPath, [main, ...args], { cwd: place.folder })
    const said = text(child.stderr)
    child.stdin.write(typed)
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const before = out.includes(sign)
      out += chunk
      if (!before && out.includes(sign)) child.kill(signal)
    })
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(status)
    expect(await said).toMatch(/(^|\n)interrupted\n$/)
  })
})

describe('output that can’t be written', () => {
  const commands: readonly [args: string[], typed: string][] = [
    [['try'], ''],
    [['import', '--print'], ''],
    [['docs', 'own', 'x'], ''],
    [['ls'], ''],
    [['repl'], '1 + 1\n'],
  ]
  it.skipIf(!existsSync('/dev/full')).each(isLong ? commands : commands.slice(-2))(
    'to a full disk fails: %j',
    async (args, typed) => {
      const folder = path.join(place.folder, 'full')
      mkdirSync(path.join(folder, '.vscode'), { recursive: true })
      writeFileSync(path.join(folder, '.vscode', 'mcp.json'), '{"servers": {"a": {"command": "x"}}}')
      const tools = [{ name: 'x', inputSchema: { type: 'object' } }]
      writeFileSync(path.join(folder, 'tools.json'), JSON.stringify(tools))
      const own = place.fixture('listed-server', { env: { LISTED: folder } })
      writeFileSync(path.join(folder, 'starbind.json'), JSON.stringify({ mcpServers: { own } }))
      const child = spawn(process.execPath, [main, ...args], {
        cwd: folder,
        stdio: ['pipe', openSync('/dev/full', 'w'), 'pipe'],
        env: { ...process.env, HOME: folder },
      })
      child.stdin?.on('error', () => {})
      child.stdin?.end(typed)
      const said = text(child.stderr!)
      expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2)
      expect(await said).toContain(
        "host error [output-failed] stdout can't be written: ENOSPC: no space left on device, write\n",
      )
    },
  )

  it.skipIf(!existsSync('/dev/full'))('to a full disk fails', async () => {
    const child = spawn(process.execPath, [main, 'run', '-e', 'print(1)'], {
      cwd: place.folder,
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    })
    const said = text(child.stderr!)
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2)
    expect(await said).toBe(
      "host error [output-failed] stdout can't be written: ENOSPC: no space left on device, write\n",
    )
  })

  it.skipIf(process.platform === 'win32')('to a closed pipe ends the command quietly', async () => {
    const child = spawn(process.execPath, [main, 'run', '-e', 'for i in range(900):\n    print("x" * 1000)'], {
      cwd: place.folder,
    })
    const said = text(child.stderr)
    child.stdout.destroy()
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(141)
    expect(await said).toBe('')
  })
})
