// The terminal's view: colours that change no character, lines for calls in flight, the table of calls.

import pc from 'picocolors'
import { afterAll, describe, expect, it } from 'vitest'
import { LiveCalls } from '../../dist/command-line/live-calls.js'
import { viewOf } from '../../dist/command-line/result-view.js'
import { callTable } from '../../dist/command-line/summary.js'
import { sizeText, timeText } from '../../dist/command-line/units.js'
import type { CallSummary, RunResult } from '../../dist/index.js'
import { starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
place.write('starbind.json', { mcpServers: { memory: place.reference('memory') } })
afterAll(async () => {
  await place.allGone()
  place.remove()
})

const plain = pc.createColors(false)

describe('colours', () => {
  it.each([
    ['a tree', ['ls']],
    ['stubs', ['cat', 'servers/memory.pyi', 'guide.md']],
    ['documentation', ['docs', 'memory', 'open_nodes']],
    ['a failure', ['run', '-e', 'memory.open_nodes(names=["x"])\nx = {}["key"]']],
    ['wrong usage', ['run', 'nowhere.star']],
    ['a check', ['check', '-e', 'memory.read_graph()']],
  ])('of %s change no character', async (_, args) => {
    const [bare, painted] = await Promise.all([
      starbindHere(args, { cwd: place.folder, env: { FORCE_COLOR: '', NO_COLOR: '1' } }),
      starbindHere(args, { cwd: place.folder, env: { FORCE_COLOR: '1', NO_COLOR: '' } }),
    ])
    const colours = /\x1b\[\d+m/g
    expect(bare.stdout + bare.stderr).not.toMatch(colours)
    expect(painted.stdout + painted.stderr).toMatch(colours)
    expect(painted.stdout.replace(colours, '')).toBe(bare.stdout)
    expect(painted.stderr.replace(colours, '')).toBe(bare.stderr)
    expect(painted.status).toBe(bare.status)
  })

  it('are absent from --json and --events', async () => {
    for (const form of ['--json', '--events']) {
      const { stdout } = await starbindHere(['run', form, '-e', 'result = "x"'], {
        cwd: place.folder,
        env: { FORCE_COLOR: '1', NO_COLOR: '' },
      })
      for (const line of stdout.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow()
    }
  })
})

describe('lines for calls underway', () => {
  const told = { runId: 'run-1', parentId: null, time: 0, sequence: 1 }
  const ofCall = (callId: string, tool: string) => ({ ...told, callId, server: 'api', tool })

  it('are below the output and disappear at the end', () => {
    const written: string[] = []
    let now = 0
    const live = new LiveCalls({ columns: 30, write: (text: string) => written.push(text) }, plain, { now: () => now })
    live.draw()
    expect(written).toEqual([])
    live.onEvent({ type: 'call.started', ...ofCall('run-1/1', 'search'), argumentDigest: '' })
    now = 1_500
    live.onEvent({
      type: 'call.started',
      ...ofCall('run-1/2', 'a_tool_with_a_very_long_name\x1b[2J'),
      argumentDigest: '',
    })
    live.draw()
    live.above(() => written.push('printed\n'))
    live.onEvent({ type: 'call.finished', ...ofCall('run-1/1', 'search'), record: {} as never })
    live.draw()
    live.end()
    expect(written).toEqual([
      '⠙ api.search 1.5 s\n⠙ api.a_tool_with_a_ver… 0 ms\n',
      '\x1b[2A\x1b[0J',
      'printed\n',
      '⠹ api.a_tool_with_a_ver… 0 ms\n',
      '\x1b[1A\x1b[0J',
    ])
  })

  it('show the progress of a call if its server reports it', () => {
    const written: string[] = []
    const live = new LiveCalls({ columns: 60, write: (text: string) => written.push(text) }, plain, { now: () => 0 })
    live.onEvent({ type: 'call.started', ...ofCall('run-1/1', 'copy'), argumentDigest: '' })
    live.onEvent({ type: 'call.progress', ...ofCall('run-1/1', 'copy'), progress: 40, total: 120 })
    live.onEvent({ type: 'call.progress', ...ofCall('run-1/9', 'gone'), progress: 1 })
    live.draw()
    expect(written).toEqual(['⠋ api.copy: 40 of 120 0 ms\n'])
    live.end()
  })

  it('are followed by the names of servers that are still starting', () => {
    const written: string[] = []
    let starting = ['slow', 'far\x1b[2J']
    const live = new LiveCalls({ columns: 30, write: (text: string) => written.push(text) }, plain, {
      starting: () => starting,
    })
    live.draw()
    starting = Array.from({ length: 9 }, (_, i) => `server${i}`)
    live.draw()
    starting = []
    live.draw()
    live.end()
    expect(written).toEqual([
      '⠋ still starting: slow, far\ufffd…\n',
      '\x1b[1A\x1b[0J⠙ still starting: server0, s…\n',
      '\x1b[1A\x1b[0J',
    ])
  })

  it('never exceed the height of the terminal', () => {
    const written: string[] = []
    const live = new LiveCalls({ columns: 80, write: (text: string) => written.push(text) }, plain, { now: () => 0 })
    for (let i = 0; i < 20; i++)
      live.onEvent({ type: 'call.started', ...ofCall(`run-1/${i}`, `t${i}`), argumentDigest: '' })
    live.draw()
    expect(written.join('').split('\n').slice(-3)).toEqual(['⠋ api.t7 0 ms', '  and 12 more', ''])
    live.end()
  })
})

describe('a result', () => {
  const view = (result: unknown, columns = 80) =>
    viewOf({ result, resultJson: JSON.stringify(result) } as RunResult, { columns, colours: plain })?.split('\n')

  it('that is a list of objects is shown as a table of all their keys', () => {
    const rows = [
      { id: 7, name: 'two\nlines\x1b[2J', tags: ['a', { b: 1 }] },
      { id: 1234.5, name: '12', note: null },
    ]
    expect(view(rows)).toEqual([
      '    id  name           tags           note',
      '     7  two lines\ufffd[2J  ["a",{"b":1}]',
      '1234.5  "12"                          null',
    ])
    expect(view([{ a: 'x'.repeat(100), b: 1 }], 40)).toEqual([`a${' '.repeat(19)}b`, `${'x'.repeat(17)}…  1`])
  })

  it('that is another list or object, or has too many columns, is shown as a tree', () => {
    expect(view({ a: [{ x: 1, y: [] }, [2, ['']]], 'b c': { d: null } })).toEqual([
      'a:',
      '  - x: 1',
      '    y: []',
      '  - - 2',
      '    - - ""',
      'b c:',
      '  d: null',
    ])
    expect(view([{ a: 1, b: 2, c: 3 }], 25)).toEqual(['- a: 1', '  b: 2', '  c: 3'])
  })

  it('is shown unchanged if it is short, or if its numbers have too many digits for a table', () => {
    for (const result of ['text', 7, null, [], {}]) expect(view(result)).toBe(undefined)
    expect(
      viewOf({ result: [1], resultJson: '[12345678901234567890]' } as RunResult, { columns: 80, colours: plain }),
    ).toBe(undefined)
  })
})

describe('the table', () => {
  const call = (tool: string, ok: boolean, ms: number, bytes: number): CallSummary => ({
    server: 'api',
    tool,
    ok,
    ms,
    bytes,
    startedAtMs: 0,
    argumentDigest: '',
    outcome: ok ? 'answered' : 'failed',
    safeToRepeat: true,
  })

  it('has a row for each tool', () => {
    expect(
      callTable([call('search', true, 10, 100), call('get', true, 5, 20), call('search', true, 20, 45_500)], plain),
    ).toBe(
      [
        'tool        calls   time    bytes',
        'api.search      2  30 ms  45.6 kB',
        'api.get         1   5 ms     20 B',
      ].join('\n'),
    )
  })

  it('has a column for failures if there are any', () => {
    expect(callTable([call('get', false, 1_200, 20)], plain)).toBe(
      ['tool     calls  failed   time  bytes', 'api.get      1       1  1.2 s   20 B'].join('\n'),
    )
  })

  it('has figures in readable units', () => {
    expect([0.4, 999, 1_000, 61_000].map(timeText)).toEqual(['0 ms', '999 ms', '1.0 s', '1.0 min'])
    expect([999, 1_000, 2_500_000].map(sizeText)).toEqual(['999 B', '1.0 kB', '2.5 MB'])
  })
})

describe('--events', () => {
  it('prints each event as a JSON line, and the result at the end', async () => {
    const ended = await starbindHere(['run', '--events', '-e', 'print("a")\nmemory.read_graph()\nresult = 120.0'], {
      cwd: place.folder,
    })
    const lines = ended.stdout.trimEnd().split('\n')
    const events = lines.map((line) => JSON.parse(line) as { type: string })
    expect(events.map(({ type }) => type)).toEqual([
      'run.started',
      'print',
      'call.started',
      'call.finished',
      'run.finished',
      'result',
    ])
    expect(lines.at(-1)).toMatch(
      /^\{"type":"result","ok":true,"result":120\.0,"logs":\["a"\],"error":null,"calls":\[\{/,
    )
    expect(ended).toMatchObject({ status: 0, stderr: '' })
  })

  it('ends with the failure if nothing ran', async () => {
    const ended = await starbindHere(['run', '--events', 'nowhere.star'], { cwd: place.folder })
    expect(ended.status).toBe(2)
    expect(JSON.parse(ended.stdout)).toMatchObject({ type: 'result', ok: false, error: { code: 'wrong-usage' } })
  })
})
