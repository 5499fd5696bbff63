// The prompt with its input from a pipe: the same entries as a person types.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { complete } from '../../dist/command-line/repl/complete.js'
import { Conversation } from '../../dist/command-line/repl/conversation.js'
import { CodeMode, type Language } from '../../dist/index.js'
import { type Ended, starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
place.write('starbind.json', { mcpServers: { memory: place.reference('memory') } })
afterAll(async () => {
  await place.allGone()
  place.remove()
})

function talk(...lines: readonly string[]): Promise<Ended> {
  return starbindHere(['repl'], { cwd: place.folder, stdin: lines.map((line) => `${line}\n`).join('') })
}

describe('starbind repl', () => {
  it('keeps definitions and shows the value of expressions only', async () => {
    const ended = await talk(
      'x = [1,',
      '2]',
      'x',
      'def f(a):',
      '    return a * 10',
      '',
      'f(x[1])',
      'x == [1]',
      'print("hi")',
    )
    expect(ended).toEqual({
      status: 0,
      stdout: 'result: [1,2]\nresult: 20\nresult: false\nhi\n',
      stderr: '',
    })
  })

  it('makes no call twice', async () => {
    const ended = await talk(
      'memory.create_entities(entities=[{"name": "a", "entityType": "t", "observations": []}])["entities"][0]["name"]',
      'graph = memory.read_graph()',
      'n = len(graph["entities"])',
      'len(graph["entities"])',
      'len(memory.read_graph()["entities"])',
    )
    expect(ended.stdout).toBe('result: "a"\nresult: 1\nresult: 1\n')
    expect(ended.stderr.replace(/\d+ (ms|bytes)/g, 'N $1')).toBe(
      'called memory.create_entities ×1: N ms, N bytes\n' +
        'called memory.read_graph ×1: N ms, N bytes\n' +
        'called memory.read_graph ×2, 1 taken from the earlier run: N ms, N bytes\n',
    )
  })

  it('forgets an entry that fails, and shows its text', async () => {
    const ended = await talk('x = [1, 2]', 'y = x[5]', 'y', 'x')
    expect(ended.status).toBe(0)
    expect(ended.stdout).toBe('result: [1,2]\n')
    expect(ended.stderr).toContain('  4 | y = x[5]\n    |     ^^^^\n')
    expect(ended.stderr).toContain('program error [undefined-name] undefined: y')
  })

  it('accepts JavaScript, too', async () => {
    const lines = [
      'const x = [1,',
      '2]',
      'x.map((n) => n * 2)',
      'function f(a) {',
      '  return a + 1',
      '}',
      'f(x[1])',
      'let y = f',
    ]
    const stdin = lines.map((line) => `${line}\n`).join('')
    expect(await starbindHere(['repl', '--language', 'javascript'], { cwd: place.folder, stdin })).toEqual({
      status: 0,
      stdout: 'result: [2,4]\nresult: 3\n',
      stderr: '',
    })
  })

  it('answers commands, and saves a program that runs', async () => {
    const ended = await talk(
      'for i in [1, 2]:',
      '    print(i)',
      '',
      '.program',
      '.save kept.star',
      '.reset',
      '.program',
      '.nothing',
    )
    expect(ended.stdout).toBe('1\n2\nfor i in [1, 2]:\n    print(i)\n\nsaved; run it with: starbind run kept.star\n\n')
    expect(ended.stderr).toBe('there is no command .nothing; .help lists them\n')
    expect(readFileSync(path.join(place.folder, 'kept.star'), 'utf8')).toBe('for i in [1, 2]:\n    print(i)\n\n')
    expect((await starbindHere(['run', 'kept.star'], { cwd: place.folder })).stdout).toBe('1\n2\n')
  })

  it('answers the questions of a model', async () => {
    const ended = await talk('.ls read graph', '.cat servers/memory/read_graph.pyi', '.docs memory read_graph')
    expect(ended.stdout).toMatch(/^# servers\/memory\.pyi\nmemory\.read_graph\(\)/)
    expect(ended.stdout.match(/def read_graph\(/g)).toHaveLength(2)
  })

  it('exits with 1 if the last entry of a pipe failed, and runs an unfinished entry at the end of the input', async () => {
    expect(await talk('1 // 0')).toMatchObject({ status: 1, stdout: '' })
    expect(await talk('if True:', '    print("unfinished")')).toMatchObject({ status: 0, stdout: 'unfinished\n' })
  })
})

describe('an entry that changes how earlier entries wait for their calls', () => {
  /** Answers `second` before `first`, if both are underway. */
  function inTurns() {
    const calls: string[] = []
    let goOn = () => {}
    const annotations = { readOnlyHint: true }
    const first = async () => {
      calls.push('first')
      await new Promise<void>((resolve) => (goOn = resolve))
      calls.push('first is answered')
      return 1
    }
    const second = () => {
      calls.push('second')
      setImmediate(() => goOn())
      return 2
    }
    const inProcess = { first: { annotations, call: first }, second: { annotations, call: second } }
    return { calls, servers: { s: { inProcess } } }
  }

  it.each<[Language, string[], string]>([
    [
      'starlark',
      ['def keep(x):\n    return x\n', 'a = [keep(s.first()), s.second()]', 'keep = lambda x: x', 'a'],
      '[1,2]',
    ],
    ['javascript', ['let all = Promise.all([s.first(), s.second()])', 'await 1', 'await all'], '[1,2]'],
  ])('repeats no call: %s', async (language, entries, result) => {
    const { calls, servers } = inTurns()
    await using codeMode = await CodeMode.open({ servers, warm: false })
    const conversation = new Conversation(codeMode, { language })
    const signal = new AbortController().signal
    let last: string | undefined
    for (const entry of entries) {
      const { ok, report, resultText } = await conversation.run(entry, {
        onEvent: () => {},
        onApproval: undefined,
        signal,
      })
      expect(ok, report).toBe(true)
      last = resultText
    }
    expect({ calls, last }).toEqual({ calls: ['first', 'second', 'first is answered'], last: result })
  })
})

describe('the Tab key', () => {
  const servers = [
    {
      name: 'github',
      server: 'github',
      tools: [
        { name: 'list_issues', tool: 'list-issues', parameters: ['owner', 'state', 'limit'] },
        { name: 'list_repos', tool: 'list_repos', parameters: [] },
        { name: 'get_me', tool: 'get_me', parameters: [] },
      ],
    },
    { name: 'gitlab', server: 'gitlab', tools: [] },
  ]

  it.each<[string, [string[], string]]>([
    ['gi', [['github.', 'gitlab.'], 'gi']],
    ['x = github.li', [['list_issues(', 'list_repos('], 'li']],
    ['github.list_issues(', [['owner=', 'state=', 'limit='], '']],
    ['github.list_issues(owner="o", st', [['state='], 'st']],
    ['github.list_issues(owner="o", ', [['state=', 'limit='], '']],
    ['nobody.', [[], '']],
    ['.d', [['.docs'], '.d']],
    ['.docs gith', [['github'], 'gith']],
    ['.docs github ge', [['get_me'], 'ge']],
    ['.cat servers/gitl', [['servers/gitlab.pyi'], 'servers/gitl']],
    ['tot', [['total'], 'tot']],
    ['', [[], '']],
  ])('%s', (line, offers) => {
    expect(complete(line, servers, 'total = 5\ntotal')).toEqual(offers)
  })
})
