import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Ended, starbind, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(() => {
  expect(place.alive()).toEqual([])
  place.remove()
})

function run(args: readonly string[], stdin?: string): Promise<Ended> {
  return starbind(['run', ...args], { cwd: place.folder, ...(stdin === undefined ? {} : { stdin }) })
}

/** The object that `--json` printed, with its figures replaced by their kinds. */
function golden(ended: Ended): unknown {
  expect(ended.stdout.endsWith('}\n')).toBe(true)
  expect(ended.stdout.trimEnd()).not.toContain('\n')
  const figures = new Set(['ms', 'wallMs', 'compileMs', 'runMs', 'toolWaitMs', 'memoryBytes'])
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

  it('says how to show something when a program is mute', async () => {
    expect(await run(['-e', 'x = 1'])).toEqual({
      status: 0,
      stdout: '',
      stderr:
        'The program ran to its end but printed nothing and set no result. Assign to the global `result`, or print(), what you want to see.\n',
    })
  })

  it('reads a file or stdin', async () => {
    place.write('hello.star', 'print("from a file")\n')
    expect((await run(['hello.star'])).stdout).toBe('from a file\n')
    expect((await run(['-'], 'print("from stdin")')).stdout).toBe('from stdin\n')
  })

  it('prints exactly one JSON object with --json', async () => {
    const ended = await run(['--json', '-e', 'print("hi")\nresult = {"big": 1180591620717411303424, "whole": 120.0}'])
    expect(ended.status).toBe(0)
    expect(ended.stderr).toBe('')
    expect(ended.stdout).toContain('"result":{"big":1180591620717411303424,"whole":120.0},')
    expect(Object.keys(JSON.parse(ended.stdout))).toEqual(['ok', 'result', 'logs', 'error', 'calls', 'stats'])
    expect(golden(ended)).toEqual({
      ok: true,
      result: { big: 1180591620717411303424, whole: 120 },
      logs: ['hi'],
      error: null,
      calls: [],
      stats: {
        wallMs: 'positive',
        compileMs: 'positive',
        runMs: 'positive',
        toolWaitMs: 'zero',
        memoryBytes: 'positive',
      },
    })
  })

  it('keeps what was printed before a failure', async () => {
    const code = 'print("before")\nx = [1, 2]\nprint(x[5])'
    expect(await run(['-e', code])).toEqual({
      status: 1,
      stdout: 'before\n',
      stderr:
        'program error [index-out-of-range] list index 5 out of range, the list has 2 elements\n' +
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
  it('shows a syntax error with its place', async () => {
    const ended = await run(['-e', 'x = 1\nif x\n  print(x)'])
    expect(ended).toEqual({ status: 1, stdout: '', stderr: 'SYNTAX' })
  })

  it.each<[string[], string]>([
    [
      [],
      'host error [wrong-usage] there is no program: give a file, - for stdin, or -e CODE\nhint: starbind --help lists commands and options\n',
    ],
    [
      ['a.star', '-e', 'x'],
      'host error [wrong-usage] give either a file or -e CODE, not both\nhint: starbind --help lists commands and options\n',
    ],
    [
      ['nowhere.star'],
      "host error [wrong-usage] the program nowhere.star can't be read: there is no such file\nhint: starbind --help lists commands and options\n",
    ],
    [
      ['-e', '1', '--timeout', 'soon'],
      "host error [wrong-usage] option '--timeout <duration>' argument 'soon' is invalid. Write 500ms, 5s or 2m.\nhint: starbind --help lists commands and options\n",
    ],
    [
      ['-e', '1', '--language', 'cobol'],
      "host error [wrong-usage] option '--language <name>' argument 'cobol' is invalid. Allowed choices are starlark, javascript.\nhint: starbind --help lists commands and options\n",
    ],
    [
      ['-e', '1', '--jsn'],
      "host error [wrong-usage] unknown option '--jsn'\n(Did you mean --json?)\nhint: starbind --help lists commands and options\n",
    ],
    [
      ['-e', '1', '--config', 'nowhere.json'],
      'host error [config-missing] there is no configuration file at nowhere.json\nhint: give the path of an existing file with --config\n',
    ],
  ])('explains wrong usage: %j', async (args, stderr) => {
    expect(await run(args)).toEqual({ status: 2, stdout: '', stderr })
  })

  it('explains a wrong configuration, as one JSON object too', async () => {
    place.write('wrong.json', '{ "mcpServers": { "files": { "comand": "npx" } } }')
    const message = 'wrong.json:1:30 mcpServers.files.comand is not a key that is known here'
    const ended = await run(['-e', '1', '--config', 'wrong.json', '--json'])
    expect(ended.status).toBe(2)
    expect(ended.stderr).toBe(`host error [config-unknown-key] ${message}\nhint: write "command"\n`)
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
        hint: 'write "command"',
      },
      calls: [],
      stats: { wallMs: 'zero', compileMs: 'zero', runMs: 'zero', toolWaitMs: 'zero', memoryBytes: 'zero' },
    })
    place.write('text.json', 'mcpServers:\n')
    expect(await run(['-e', '1', '--config', 'text.json'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'host error [config-not-json] text.json:1:1 is not valid JSON: "mcpServers" is not a JSON value\n',
    })
  })

  it('ends an endless loop', async () => {
    const ended = await run(['--timeout', '300ms', '-e', 'print("on we go")\nwhile True:\n    pass'])
    expect(ended).toEqual({
      status: 1,
      stdout: 'on we go\n',
      stderr:
        'limit [limit-wall-ms] the program ran longer than 300 ms (limit wallMs)\n' +
        'hint: do less in one program, or ask for a longer timeout\n',
    })
  })
})

describe('starbind run with servers', () => {
  const config = place.write('starbind.json', {
    mcpServers: {
      odd: place.fixture('misbehaving-server'),
      broken: place.fixture('exits-at-once'),
    },
  })
  const broken =
    'starbind warn [broken] is not available: it ended before it answered; its last words were "reading the token file | Error: no token for hunter2secret"\n'

  it('names a server that does not start and works with the others', async () => {
    const ended = await run(['--config', config, '-e', 'result = odd.echo(text="hi")'])
    expect(ended.status).toBe(0)
    expect(ended.stdout).toBe('result: {"text":"hi"}\n')
    expect(ended.stderr).toContain(broken)
    expect(ended.stderr).toMatch(/called odd\.echo ×1: \d+ ms, 13 bytes\n$/)
  })

  it('finds the configuration in a folder above', async () => {
    const inner = path.join(place.folder, 'a', 'b')
    mkdirSync(inner, { recursive: true })
    const ended = await starbind(['run', '-e', 'print(odd.echo(text="up"))', '--log-level', 'silent'], { cwd: inner })
    expect(ended.stdout).toBe('{"text":"up"}\n')
  })

  it('tells what was done before a failure', async () => {
    const code = 'odd.echo(text="1")\nodd.echo(text="2")\nodd.fail()\nprint("never")'
    const ended = await run(['--log-level', 'silent', '-e', code])
    expect(ended).toEqual({ status: 1, stdout: '', stderr: 'TOOL' })
    const json = await run(['--log-level', 'silent', '--json', '-e', code])
    expect(golden(json)).toEqual({})
  })

  it('is ended by a signal, and so is everything that it started', async () => {
    const ended = await starbind(['run', '--log-level', 'silent', '-e', 'print("x")\nodd.hang()'], {
      cwd: place.folder,
      env: {},
    })
    expect(ended).toEqual({})
  })
})
