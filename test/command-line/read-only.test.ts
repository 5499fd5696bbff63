// Restrictions of programs: --read-only, --ask, and the library's `readOnly` behind them.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { starbindHere, Workplace } from '../fixtures/command.js'
import { atTerminal, hasTerminal } from '../fixtures/terminal.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

const tool = (name: string, readOnlyHint?: boolean) => ({
  name,
  inputSchema: { type: 'object' },
  ...(readOnlyHint === undefined ? {} : { annotations: { readOnlyHint } }),
})
const lists = (...tools: object[]) => writeFileSync(path.join(place.folder, 'own', 'tools.json'), JSON.stringify(tools))
mkdirSync(path.join(place.folder, 'own'))
lists(tool('look', true), tool('write', false), tool('unsaid'))
const own = place.fixture('listed-server', { env: { LISTED: path.join(place.folder, 'own') } })
place.write('starbind.json', { mcpServers: { own } })
const env = { XDG_STATE_HOME: path.join(place.folder, 'state') }
const run = (...args: string[]) => starbindHere(args, { cwd: place.folder, env })

describe('--read-only', () => {
  const refusal =
    'program error [not-read-only] the program can call own.write, own.unsaid, which their servers do not declare read-only\n' +
    'hint: run it without --read-only, or with --ask to be asked before each such call\n'
  const writer = 'own.look()\nif False:\n    own.write()\n    own.unsaid()'

  it('refuses a program that can call other tools, before it runs', async () => {
    expect(await run('run', '--read-only', '-e', writer)).toEqual({ status: 1, stdout: '', stderr: refusal })
    expect(await run('check', '--read-only', '-e', writer)).toEqual({ status: 1, stdout: '', stderr: refusal })
    const { status, stdout } = await run('run', '--read-only', '--json', '-e', writer)
    expect([status, JSON.parse(stdout)]).toMatchObject([1, { ok: false, error: { code: 'not-read-only' }, calls: [] }])
    expect((await run('run', '-e', writer)).status).toBe(0)
  })

  it('runs a program that only reads', async () => {
    expect(await run('run', '--read-only', '-e', 'result = own.look()')).toMatchObject({
      status: 0,
      stdout: 'result: "look"\n',
    })
    expect(await run('check', '--read-only', '-e', 'own.look()')).toMatchObject({ status: 0 })
  })

  it('uses the server’s current declarations', async () => {
    rmSync(env.XDG_STATE_HOME, { recursive: true })
    lists(tool('look', true), tool('once', true))
    await run('ls')
    lists(tool('look', true), tool('once', false))
    expect(await run('run', '--read-only', '-e', 'own.look()\nown.once()')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^program error \[unknown-tool\] own has no tool once\n/),
    })
    lists(tool('look', true), tool('write', false), tool('unsaid'))
  })

  it('refuses other tools that a program finds at run time', async () => {
    const found = 'f = getattr(own, "wr" + "ite")\nf()'
    expect((await run('run', '-e', found)).status).toBe(0)
    expect(await run('run', '--read-only', '-e', found)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('write'),
    })
  })
})

describe('--ask', () => {
  it('needs a person at a terminal', async () => {
    expect(await run('run', '--ask', '-e', 'own.look()')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'starbind: --ask needs a person at a terminal\n',
    })
  })

  describe.skipIf(!hasTerminal)('at a terminal', () => {
    const question = '[q]uit and decide later? '
    const asked = async (keys: readonly string[], code: string) => {
      const typed = keys.map((key) => [question, `${key}\n`] as const)
      const { status, screen } = await atTerminal(['run', '--ask', '-e', code], { cwd: place.folder, env, typed })
      // A line with what is underway is drawn again and again.
      return { status, screen: screen.replace(/\x1b\[\d+[AJ]/g, '') }
    }

    it('asks only before calls that are not declared read-only', async () => {
      const { status, screen } = await asked(['y', 'y'], 'print(own.look(), own.write(), own.unsaid())')
      expect(status).toBe(0)
      expect(screen.match(/^call .*/gm)).toEqual(['call own.write with', 'call own.unsaid with'])
      expect(screen).toMatch(/^look write unsaid$/m)
    })

    it('does not make a denied call or list it among the calls', async () => {
      const { status, screen } = await asked(['n'], 'own.look()\nown.write()')
      expect(status).toBe(1)
      expect(screen).toContain('tool error [approval-denied] own.write was not called: a person denied it\n')
      expect(screen).toMatch(/^done before this: own\.look \(safe to repeat\)$/m)
      expect(screen).not.toMatch(/^own\.write +\d/m)
    })
  })
})

it('a denied call has no events', async () => {
  const inProcess = {
    look: { annotations: { readOnlyHint: true }, call: () => 'seen' },
    write: { call: () => 'written' },
  }
  await using codeMode = await CodeMode.open({
    servers: { own: { inProcess } },
    approve: 'writes',
    onApproval: () => 'deny',
  })
  for (const code of [
    'own.look()\nown.write()',
    'own.look()\ntry:\n    own.write()\nexcept ApprovalDenied:\n    fail("x")',
    'import asyncio\nawait asyncio.gather(own.look(), own.write(), own.write())',
    'parallel([lambda: own.look(), lambda: own.write()])',
  ]) {
    const events: string[] = []
    const { calls, report, stats } = await codeMode.run(code, {
      onEvent: (event) => 'tool' in event && events.push(`${event.type} ${event.tool}`),
    })
    expect([code, events]).toEqual([code, ['call.started look', 'call.finished look']])
    expect([code, calls.map(({ tool }) => tool), report.match(/^done before this.*/m)?.[0]]).toEqual([
      code,
      ['look'],
      'done before this: own.look (safe to repeat)',
    ])
    // The run was begun twice, and compiled once.
    expect(stats.compileMs).toBeGreaterThan(0)
  }
})

it('a read-only session has no other tools, for programs and direct callers', async () => {
  await using codeMode = await CodeMode.open({ servers: { own: { ...own, codeMode: false } } })
  const reader = codeMode.session({ readOnly: true })
  expect(reader.status().map(({ tools }) => tools)).toEqual([['look']])
  expect(
    reader
      .session()
      .status()
      .map(({ tools }) => tools),
  ).toEqual([['look']])
  expect((await reader.direct.tools()).map(({ name }) => name)).toEqual(['own_look'])
})
