import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Ended, starbind, starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

function run(args: readonly string[], stdin?: string): Promise<Ended> {
  return starbindHere(['run', ...args], { cwd: place.folder, ...(stdin === undefined ? {} : { stdin }) })
}

/** The object that `--json` printed, with its figures replaced by their kinds. */
function golden(ended: Ended): unknown {
  expect(ended.stdout.endsWith('}\n')).toBe(true)
  expect(ended.stdout.trimEnd()).not.toContain('\n')
  const figures = new Set(['ms', 'wallMs', 'compileMs', 'runMs', 'toolWaitMs'])
  return JSON.parse(ended.stdout, (key, value: unknown) => {
    if (!figures.has(key)) return value
    return typeof value === 'number' && value >= 0 ? (value === 0 ? 'zero' : 'positive') : value
  })
}

describe('starbind run', () => {
  it('needs no configuration for a program without tools', async () => {
    expect(await run(['-e', 'print("a", 1)\nprint("b\\nc")\nresult = {"x": [1, 2.0, None, True, "é"]}'])).toEqual({
      status: 0,
      stdout: 'a 1\nb\nc\nresult: {"x":[1,2.0,null,true,"é"]}\n',
      stderr: '',
    })
  })

  it('explains how to show something if a program prints nothing', async () => {
    expect(await run(['-e', 'x = 1'])).toEqual({
      status: 0,
      stdout: '',
      stderr:
        'The program ran to its end but printed nothing and set no result. Assign to the global `result`, or print(), what you want to see.\n',
    })
  })

  it('writes the files of the program into a folder with --save, whether it succeeds or not', async () => {
    const code = 'artifacts.save("a.csv", "x,y")\nartifacts.save("../b.bin", bytes([0, 255]))\nprint(1 // 0)'
    const { status, stdout, stderr } = await run(['--save', 'out/files', '-e', code])
    const folder = path.join('out', 'files')
    expect({ status, stdout, saved: stderr.match(/^saved .*$/gm) }).toEqual({
      status: 1,
      stdout: '',
      saved: [
        `saved ${path.join(folder, 'a.csv')}: text/csv, 3 bytes`,
        `saved ${path.join(folder, '_b.bin')}: application/octet-stream, 2 bytes`,
      ],
    })
    expect(readdirSync(path.join(place.folder, folder)).sort()).toEqual(['_b.bin', 'a.csv'])
    expect([...readFileSync(path.join(place.folder, folder, '_b.bin'))]).toEqual([0, 255])
  })

  it('reports a folder that --save can’t write', async () => {
    place.write('taken', '')
    const { status, stderr } = await run(['--save', 'taken', '-e', 'artifacts.save("a", "x")'])
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: `starbind: --save can't write ${path.join('taken', 'a')}: EEXIST\n`,
    })
  })

  it('reads a file or stdin', async () => {
    place.write('hello.star', 'print("from a file")\n')
    expect((await run(['hello.star'])).stdout).toBe('from a file\n')
    expect((await run(['-'], 'print("from stdin")')).stdout).toBe('from stdin\n')
  })

  it('reads a pipe without -', async () => {
    expect((await run([], 'print("from a pipe")')).stdout).toBe('from a pipe\n')
    expect((await starbindHere(['check'], { cwd: place.folder, stdin: 'print("from a pipe")' })).stdout).toBe(
      'ok\nreaches: no tools\n',
    )
  })

  it('prints exactly one JSON object with --json', async () => {
    const ended = await run(['--json', '-e', 'print("hi")\nresult = {"big": 1180591620717411303424, "whole": 120.0}'])
    expect(ended.status).toBe(0)
    expect(ended.stderr).toBe('')
    expect(ended.stdout).toContain('"result":{"big":1180591620717411303424,"whole":120.0},')
    expect(Object.keys(JSON.parse(ended.stdout))).toEqual(['ok', 'result', 'logs', 'error', 'calls', 'stats'])
    expect(golden(ended)).toEqual({
      ok: true,
      result: { big: 2 ** 70, whole: 120 },
      logs: ['hi'],
      error: null,
      calls: [],
      stats: {
        wallMs: 'positive',
        compileMs: 'positive',
        runMs: 'positive',
        toolWaitMs: 'zero',
        memoryBytes: expect.any(Number),
      },
    })
  })

  it('shows the lines that were printed before a failure', async () => {
    const code = 'print("before")\nx = [1, 2]\nprint(x[5])'
    expect(await run(['-e', code])).toEqual({
      status: 1,
      stdout: 'before\n',
      stderr:
        'program error [index-error] IndexError: list index out of range\n' +
        '  program:3:7\n' +
        '  3 | print(x[5])\n' +
        '    |       ^^^^\n',
    })
    const json = await run(['--json', '-e', code])
    expect(json.status).toBe(1)
    expect(golden(json)).toMatchObject({ ok: false, result: null, logs: ['before'], error: { line: 3, column: 7 } })
  })
})

describe('starbind run with mistakes', () => {
  it('shows a syntax error with its place, and runs nothing', async () => {
    expect(await run(['-e', 'print("x")\nif True\n  print("y")'])).toEqual({
      status: 1,
      stdout: '',
      stderr:
        "program error [missing-colon] want ':' after the condition of if\n" +
        '  program:2:8\n' +
        '  2 | if True\n' +
        '    |        ^\n' +
        "hint: put ':' at the end of the line\n" +
        'Nothing was run and no tool was called.\n',
    })
  })

  it.each<[string[], string]>([
    [[], 'starbind: there is no program: give a file, - for stdin, or -e CODE\n'],
    [['a.star', '-e', 'x'], 'starbind: give either a file or -e CODE, not both\n'],
    [['nowhere.star'], "starbind: the program nowhere.star can't be read: there is no such file\n"],
    [
      ['-e', '1', '--timeout', 'soon'],
      "starbind: option '--timeout <duration>' argument 'soon' is invalid. Write 500ms, 5s or 2m.\nhint: starbind run --help shows its options and examples\n",
    ],
    [
      ['-e', '1', '--language', 'cobol'],
      "starbind: option '--language <name>' argument 'cobol' is invalid. Allowed choices are starlark, javascript.\nhint: starbind run --help shows its options and examples\n",
    ],
    [
      ['-e', '1', '--config', 'nowhere.json'],
      'host error [config-missing] there is no configuration file at nowhere.json\nhint: give the path of an existing file with --config\n',
    ],
  ])('explains wrong usage: %j', async (args, stderr) => {
    expect(await run(args)).toEqual({ status: 2, stdout: '', stderr })
  })

  it('explains a wrong configuration, also as one JSON object', async () => {
    place.write('wrong.json', '{ "mcpServers": {}, "codeMod": {} }')
    const message = 'wrong.json:1:21 codeMod is not a known key'
    const ended = await run(['-e', '1', '--config', 'wrong.json', '--json'])
    expect(ended.status).toBe(2)
    expect(ended.stderr).toBe(`host error [config-unknown-key] ${message}\nhint: write "codeMode"\n`)
    expect(golden(ended)).toEqual({
      ok: false,
      result: null,
      logs: [],
      error: {
        class: 'host error',
        code: 'config-unknown-key',
        message,
        line: null,
        column: null,
        hint: 'write "codeMode"',
      },
      calls: [],
      stats: { wallMs: 'zero', compileMs: 'zero', runMs: 'zero', toolWaitMs: 'zero', memoryBytes: 0 },
    })
    place.write('text.json', 'mcpServers:\n')
    expect(await run(['-e', '1', '--config', 'text.json'])).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'host error [config-not-json] text.json:1:1 is not valid JSON: expected a key in double quotes, found "mcpServers"\n',
    })
  })

  it('ends an endless loop', async () => {
    const code = 'print("on we go")\nwhile True:\n    pass'
    const stderr = (time: string) =>
      `limit [limit-wall-ms] the program ran longer than ${time} (limit wallMs)\n` +
      'hint: do less in one program, or ask for a longer timeout\n'
    const soon = await run(['--timeout', '300ms', '-e', code])
    // A machine that is busy may need longer than that to get to the first line, or to begin.
    const told = soon.stderr.replace('Nothing was run and no tool was called.\n', '')
    expect({ ...soon, stderr: told }).toEqual({
      status: 1,
      stdout: expect.stringMatching(/^(on we go\n)?$/),
      stderr: stderr('300 ms'),
    })
    const shown = soon.stdout === '' ? await run(['--timeout', '10s', '-e', code]) : soon
    expect(shown).toMatchObject({
      status: 1,
      stdout: 'on we go\n',
      stderr: expect.stringMatching(/^limit \[limit-wall-ms\]/),
    })
  })
})

describe('starbind run with servers', () => {
  const config = place.write('servers.json', {
    mcpServers: {
      odd: place.fixture('misbehaving-server'),
      broken: place.fixture('exits-at-once'),
    },
  })
  const withServers = (...args: string[]) => run(['--config', config, ...args])
  const quietly = (...args: string[]) => withServers('--log-level', 'silent', ...args)

  it('starts the servers that the program names and reports those that do not start', async () => {
    const ended = await withServers('-e', 'result = odd.echo(text="hi")')
    expect(ended.status).toBe(0)
    expect(ended.stdout).toBe('result: {"text":"hi"}\n')
    expect(ended.stderr).not.toContain('broken')
    expect(ended.stderr).toMatch(/called odd\.echo ×1: \d+ ms, 13 bytes\n$/)
    const broken = await withServers('-e', 'broken.echo()')
    expect(broken.status).toBe(1)
    expect(broken.stderr).toBe(
      "host error [server-unavailable] broken can't be reached: it ended before it answered\n" +
        '  program:1:1\n  1 | broken.echo()\n    | ^^^^^^\nNothing was run and no tool was called.\n' +
        'starbind warn [broken] its last output was "reading the token file | Error: no token for hunter2secret"\n',
    )
  })

  it('knows the names of servers that it did not start', async () => {
    const { stderr } = await withServers('-e', 'od.echo(text="hi")', '--fresh')
    expect(stderr).toContain('program error [undefined-name] undefined: od\n')
    expect(stderr).toContain('hint: did you mean odd or ord?\n')
  })

  it('finds the configuration in a folder above', async () => {
    const inner = path.join(place.folder, 'a', 'b')
    mkdirSync(inner, { recursive: true })
    place.write(path.join('a', 'starbind.json'), { mcpServers: { up: place.fixture('misbehaving-server') } })
    const ended = await starbindHere(['run', '-e', 'result = up.echo(text="up")', '--log-level', 'silent'], {
      cwd: inner,
    })
    expect(ended.stdout).toBe('result: {"text":"up"}\n')
  })

  it('lists the calls before a failure', async () => {
    const code = 'odd.echo(text="1")\nodd.echo(text="2")\nodd.fail()\nprint("never")'
    expect(await quietly('-e', code)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'tool error [tool-failed] odd.fail failed: "no such issue"\n' +
        '  program:3:1\n' +
        '  3 | odd.fail()\n' +
        '    | ^^^^^^^^^^\n' +
        'done before this: odd.echo ×2, odd.fail (failed)\n',
    })
    const json = await quietly('--json', '-e', code)
    expect(json.status).toBe(1)
    expect(golden(json)).toEqual({
      ok: false,
      result: null,
      logs: [],
      error: {
        class: 'tool error',
        code: 'tool-failed',
        message: 'odd.fail failed: "no such issue"',
        line: 3,
        column: 1,
        hint: null,
      },
      calls: [
        { server: 'odd', tool: 'echo', ok: true, ms: 'positive', bytes: 12 },
        { server: 'odd', tool: 'echo', ok: true, ms: 'positive', bytes: 12 },
        { server: 'odd', tool: 'fail', ok: false, ms: 'positive', bytes: 13 },
      ],
      stats: {
        wallMs: 'positive',
        compileMs: 'positive',
        runMs: 'positive',
        toolWaitMs: 'positive',
        memoryBytes: expect.any(Number),
      },
    })
  })

  it('reports a server that crashes during a call', async () => {
    const ended = await quietly('-e', 'odd.crash()')
    expect(ended).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'tool error [server-lost] the connection to odd was lost before crash answered; it may have taken effect\n' +
        '  program:1:1\n' +
        '  1 | odd.crash()\n' +
        '    | ^^^^^^^^^^^\n' +
        'done before this: odd.crash (failed)\n',
    })
  })

  it('ends on a signal during a call, together with every process that it started', async () => {
    let killed = false
    const ended = await starbind(['run', '--config', config, '--log-level', 'info', '-e', 'print("x")\nodd.hang()'], {
      cwd: place.folder,
      onStderr: (soFar, kill) => {
        if (!killed && soFar.includes('[odd] hanging')) kill('SIGTERM')
        killed ||= soFar.includes('[odd] hanging')
      },
    })
    expect(ended.status).toBe(143)
    expect(ended.stdout).toBe('x\n')
    expect(ended.stderr).toMatch(
      /host error \[cancelled\] the run was interrupted\ndone before this: odd\.hang \(failed\)\n$/,
    )
    expect(place.alive()).toEqual([])
  })
})
