// The person at a terminal is asked: what stands on the screen, and what each key does.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Workplace } from '../fixtures/command.js'
import { atTerminal, hasTerminal } from '../fixtures/terminal.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

/** A folder with a configuration that asks before `close_issue`, which may have a note. */
function scene(name: string): { readonly cwd: string; readonly calls: () => string[] } {
  const cwd = path.join(place.folder, name)
  mkdirSync(cwd)
  const properties = { number: { type: 'integer' }, note: { type: 'string' } }
  const inputSchema = { type: 'object', properties, required: ['number'] }
  const get = { name: 'get_issue', inputSchema, annotations: { readOnlyHint: true } }
  writeFileSync(path.join(cwd, 'tools.json'), JSON.stringify([{ name: 'close_issue', inputSchema }, get]))
  const mcpServers = { issues: place.fixture('counted-server', { env: { COUNTED: cwd } }) }
  writeFileSync(path.join(cwd, 'starbind.json'), JSON.stringify({ mcpServers, codeMode: { approve: 'writes' } }))
  return { cwd, calls: () => readFileSync(path.join(cwd, 'calls'), 'utf8').trim().split('\n') }
}

const hasLess = spawnSync('less', ['--version']).status === 0

const ASKS = '[y]es, [a]ll of this tool in this run, [n]o, [q]uit and decide later? '

/** Without the lines that are redrawn, and up to the table of calls. */
const shown = (screen: string) =>
  screen
    .replace(/\x1b\[\d+[AJ]/g, '')
    .replace(/^[⠀-⣿].*\n/gm, '')
    .replace(/\ntool .*/s, '')
    .replace(/run-\w{10}/g, 'RUN')
    .split('\n')

describe.skipIf(!hasTerminal).concurrent('at a terminal', () => {
  it('asks about each call and takes yes, no, and yes for all calls of the tool', async () => {
    const { cwd, calls } = scene('keys')
    const code = [
      'issues.close_issue(number=1, note="\\u202e\\x1b[2J")',
      'try:',
      '    issues.close_issue(number=2)',
      'except ApprovalDenied as e:',
      '    print(e)',
      'for n in [3, 4]: issues.close_issue(number=n)',
      'result = issues.get_issue(number=5)["number"]',
    ].join('\n')
    const typed = ['what\n', 'Y\n', 'n\n', 'a\n'].map((keys) => [ASKS, keys] as const)
    const { status, screen } = await atTerminal(['run', '-e', code], { cwd, typed })
    expect({ status, calls: calls(), screen: shown(screen) }).toEqual({
      status: 0,
      calls: ['close_issue 1', 'close_issue 3', 'close_issue 4', 'get_issue 5'],
      screen: [
        'the program can also call issues.get_issue',
        '1 | issues.close_issue(number=1, note="\\u202e\\x1b[2J")',
        'call issues.close_issue with',
        '  {',
        '    "number": 1,',
        '    "note": "\\u{202e}\\u001b[2J"',
        '  }',
        `${ASKS}what`,
        `${ASKS}Y`,
        'the program can also call issues.get_issue',
        '3 |     issues.close_issue(number=2)',
        'call issues.close_issue with',
        '  {',
        '    "number": 2',
        '  }',
        `${ASKS}n`,
        'issues.close_issue was not called: a person denied it',
        'the program can also call issues.get_issue',
        '6 | for n in [3, 4]: issues.close_issue(number=n)',
        'call issues.close_issue with',
        '  {',
        '    "number": 3',
        '  }',
        `${ASKS}a`,
        'result: 5',
      ],
    })
  })

  it.each([
    ['in the pager', 'cat'],
    ['whole where the pager does not work', 'exit 1;'],
  ])('shows arguments that are longer than the screen %s', async (_, PAGER) => {
    const { cwd, calls } = scene(`long-${PAGER.charAt(0)}`)
    const code = 'issues.close_issue(number=1, note="a" * 2000 + "\\u202e<the end>")'
    const asks = `[v]iew all arguments, ${ASKS}`
    const typed = ['v\n', 'y\n'].map((keys) => [asks, keys] as const)
    const { status, screen } = await atTerminal(['run', '-e', code], { cwd, typed, env: { PAGER } })
    const before = [
      `1 | ${code.replace('\u202e', '\\u{202e}')}`,
      'call issues.close_issue with',
      '  {',
      '    "number": 1,',
      `    "note": "${'a'.repeat(67)}`,
      ...Array.from({ length: 13 }, () => 'a'.repeat(80)),
      '  … and 13 more lines of arguments',
    ]
    const all = ['  {', '    "number": 1,', `    "note": "${'a'.repeat(2000)}\\u{202e}<the end>"`, '  }']
    const lines = shown(screen)
    const end = lines.indexOf(`${asks}y`)
    expect({ status, calls: calls(), lines: lines.slice(0, end) }).toEqual({
      status: 0,
      calls: ['close_issue 1'],
      lines: [...before, `${asks}v`, ...all],
    })
  })

  it.skipIf(!hasLess)('shows long arguments in the pager', async () => {
    const { cwd, calls } = scene('pages')
    const code = 'issues.close_issue(number=1, note="a" * 4000 + "<the end>")'
    const asks = `[v]iew all arguments, ${ASKS}`
    const typed = [
      [asks, 'v\n'],
      ['"note": "aa', 'G'],
      ['<the end>', 'q'],
      [asks, 'y\n'],
    ] as const
    const { status } = await atTerminal(['run', '-e', code], { cwd, typed, env: { PAGER: '', TERM: 'xterm' } })
    expect({ status, calls: calls() }).toEqual({ status: 0, calls: ['close_issue 1'] })
  })

  it('leaves the run waiting after q, and asks about the open calls when it is resumed', async () => {
    const { cwd, calls } = scene('quits')
    const code = 'result = len(parallel(lambda n: issues.close_issue(number=n), [1, 2]))'
    const asked = (number: number) => [
      `1 | ${code}`,
      'call issues.close_issue with',
      '  {',
      `    "number": ${number}`,
      '  }',
    ]
    const quits = [
      [ASKS, 'y\n'],
      [ASKS, 'q\n'],
    ] as const
    const { status, screen } = await atTerminal(['run', '-e', code], { cwd, typed: quits })
    expect({ status, screen: shown(screen) }).toEqual({
      status: 3,
      screen: [
        ...asked(1),
        `${ASKS}y`,
        ...asked(2),
        `${ASKS}q`,
        'to continue later: starbind approve RUN, then starbind resume RUN',
        "paused [needs-approval] the program stopped before issues.close_issue ×2 and waits for a person's answer",
        '  program:1:33',
        `  1 | ${code}`,
        '    |                                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^',
        'hint: starbind approve RUN or starbind deny RUN; then starbind resume RUN continues from here and repeats no call',
        '',
      ],
    })
    const [, run] = /starbind resume (run-\w+)/.exec(screen) ?? []
    const resumed = await atTerminal(['resume', run!], { cwd, typed: [[ASKS, 'y\n']] })
    expect({ status: resumed.status, screen: shown(resumed.screen), calls: calls().sort() }).toEqual({
      status: 0,
      screen: [...asked(2), `${ASKS}y`, 'result: 2'],
      calls: ['close_issue 1', 'close_issue 2'],
    })
  })

  it('asks at the prompt, too, once for each call', async () => {
    const { cwd, calls } = scene('prompt')
    const asks = '[y]es, [a]ll of this tool in this run, [n]o, [q]uit? '
    const typed = [
      ['> ', 'issues.close_issue(number=1)\n'],
      [asks, 'y\n'],
      ['> ', 'issues.close_issue(number=2)\n'],
      [asks, 'q\n'],
      ['> ', 'issues.get_issue(number=5)["number"]\n'],
      ['> ', '.program\n'],
      ['> ', '.exit\n'],
    ] as const
    const { status, screen } = await atTerminal(['repl'], { cwd, typed, env: { TERM: 'dumb' } })
    expect({ status, calls: calls() }).toEqual({ status: 0, calls: ['close_issue 1', 'get_issue 5'] })
    expect(screen).toContain('issues.close_issue(number=1)\nissues.get_issue(number=5)["number"]\n')
    expect(screen).not.toContain('starbind approve')
    expect(screen).toContain('hint: this run is not kept; run it again at a terminal to be asked again\n')
  })
})
