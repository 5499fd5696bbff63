// `starbind check` as a person uses it: its output, its streams and its exit status.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Ended, starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
beforeAll(() => {
  place.write('starbind.json', { mcpServers: { odd: place.fixture('plain-server') } })
})
afterAll(async () => {
  await place.allGone()
  place.remove()
})

function check(args: readonly string[], stdin?: string): Promise<Ended> {
  return starbindHere(['check', ...args], { cwd: place.folder, ...(stdin === undefined ? {} : { stdin }) })
}

describe('starbind check', () => {
  it('lists the tools that a program can reach, and calls none of them', async () => {
    // A call of `crash` would end the server, and say so.
    expect(await check(['-e', 'odd.crash()\no = odd\no.greet(text="x")'])).toEqual({
      status: 0,
      stdout: 'ok\nreaches: odd.crash, odd.greet\n',
      stderr: '',
    })
    expect(await check(['-e', 'print([odd])'])).toEqual({
      status: 0,
      stdout: 'ok\nreaches: any tool of odd\n',
      stderr: '',
    })
    expect(await check(['-e', 'print(1)'])).toEqual({ status: 0, stdout: 'ok\nreaches: no tools\n', stderr: '' })
  })

  it('shows every mistake at once', async () => {
    expect(await check(['-e', 'x = odd.greet(txt="a")\nfor i in x.splitlines:\n    print(y)'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'program error [unknown-parameter] odd.greet has no parameter txt\n' +
        '  program:1:15\n' +
        '  1 | x = odd.greet(txt="a")\n' +
        '    |               ^^^\n' +
        'hint: did you mean text?\n' +
        '\n' +
        'program error [undefined-name] undefined: y\n' +
        '  program:3:11\n' +
        '  3 |     print(y)\n' +
        '    |           ^\n',
    })
  })

  it('warns of a mistake in a place that the program may not reach', async () => {
    expect(await check(['-e', 'def never():\n    return "a" + 1\nresult = 1'])).toEqual({
      status: 0,
      stdout: 'ok\nreaches: no tools\n',
      stderr:
        'warnings (the program may run):\n' +
        'program error [bad-operands] str + int is not possible\n' +
        '  program:2:12\n' +
        '  2 |     return "a" + 1\n' +
        '    |            ^^^^^^^\n' +
        'hint: convert the number with str(…), or use an f-string\n',
    })
  })

  it('reads a file or stdin in the given dialect', async () => {
    place.write('program.star', 'x = "a" if True else f"{1}"\n')
    expect((await check(['program.star'])).status).toBe(0)
    const strict = await check(['program.star', '--strict'])
    expect([strict.status, strict.stdout]).toEqual([1, ''])
    expect(strict.stderr).toMatch(/^program error \[/)
    expect((await check(['-'], 'odd.greet()')).stdout).toBe('ok\nreaches: odd.greet\n')
  })

  it('prints one JSON object with --json', async () => {
    const good = await check(['--json', '-e', 'if odd.greet(): print(len(3))'])
    const span = (column: number, endColumn: number) => ({ line: 1, column, endLine: 1, endColumn })
    expect([good.status, JSON.parse(good.stdout)]).toEqual([
      0,
      {
        ok: true,
        asks: [],
        warnings: [
          {
            class: 'program error',
            code: 'wrong-argument',
            message: 'len() got int, want a list, dict or str',
            span: span(27, 28),
          },
        ],
        reach: { tools: [{ namespace: 'odd', member: 'greet' }], widened: [] },
      },
    ])
    const bad = await check(['--json', '-e', 'odd.gret()'])
    expect([bad.status, bad.stderr, JSON.parse(bad.stdout)]).toEqual([
      1,
      '',
      {
        ok: false,
        diagnostics: [
          {
            class: 'program error',
            code: 'unknown-tool',
            message: 'odd has no tool gret',
            span: span(5, 9),
            hint: 'did you mean odd.greet?',
          },
        ],
      },
    ])
  })

  it('exits with 2 without a program', async () => {
    expect(await check(['missing.star'])).toEqual({
      status: 2,
      stdout: '',
      stderr: "starbind: the program missing.star can't be read: there is no such file\n",
    })
    expect((await check([])).status).toBe(2)
  })
})
