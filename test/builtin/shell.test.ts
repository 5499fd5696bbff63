// The server `shell`, from programs and as a transport opens it: real commands, in bwrap where the machine has it.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBuiltin } from '../../dist/builtin/index.js'
import { bwrapProblem } from '../../dist/builtin/shell/bwrap.js'
import { CodeMode } from '../../dist/index.js'
import { starbindHere } from '../fixtures/command.js'
import { folderWith } from './folder.js'

const root = folderWith({ 'in/a.txt': 'hello\n', 'out/secret.txt': 'nobody inside may see this' })
const inside = path.join(root, 'in')
const settings = { builtin: 'shell', root: inside, unwritable: [], env: {}, timeoutMs: 20_000 } as const
const problem = await bwrapProblem({ root: inside, unwritable: [] })
let codeMode: CodeMode

beforeAll(async () => {
  process.env.SHELL_TEST_SECRET = 'hidden'
  const entry = { builtin: 'shell', root: inside, env: { GREETING: 'ahoy' }, timeoutMs: 20_000 } as const
  codeMode = await CodeMode.open({
    servers: { shell: { ...entry, approve: 'never' }, asked: entry, plain: { ...entry, sandbox: 'none', approve: [] } },
  })
})
afterAll(() => codeMode.close())

async function outcomeOf(program: string): Promise<unknown> {
  const { result, error } = await codeMode.run(program)
  return error === null ? result : error.message
}

describe('run', () => {
  it.each(['shell', 'plain'])('answers with status and output (%s)', async (server) => {
    expect(
      await outcomeOf(`
result = [
    ${server}.run("cat a.txt; echo oops >&2; echo $GREETING"),
    ${server}.run("tr a-z A-Z; exit 3", input="given"),
    ${server}.run("env")["stdout"].count("SHELL_TEST_SECRET"),
    ${server}.run("kill -9 $$")["status"],
]`),
    ).toEqual([
      { status: 0, stdout: 'hello\nahoy\n', stderr: 'oops\n', left_out: 0 },
      { status: 3, stdout: 'GIVEN', stderr: '', left_out: 0 },
      0,
      137,
    ])
  })

  it('keeps the beginning and the end of long output', async () => {
    expect(
      await outcomeOf(`
said = plain.run("echo first; head -c 3000000 /dev/zero | tr '\\\\0' x; echo; echo last; seq 3 >&2")
text = said["stdout"]
left = said["left_out"]
result = [text[:6], text[-6:], left, len(text) - len("\\n… %d bytes left out …\\n" % left), said["stderr"]]`),
    ).toEqual(['first\n', '\nlast\n', 3_000_012 - 1_048_576, 1_048_576, '1\n2\n3\n'])
  })

  it('says why a command has no outcome', async () => {
    expect(
      await outcomeOf(`
said = []
for args in [{"command": "echo begun; sleep 60", "timeout": 3}, {"command": "true", "timeout": 21}, {"command": "a\\0b"}]:
    try:
        plain.run(**args)
    except Exception as e:
        said.append(str(e))
result = said`),
    ).toEqual([
      'it took longer than 3 seconds and was ended; its last words: begun',
      'timeout is 21, and a command may take 20 seconds at most',
      'the command has a NUL character',
    ])
  })

  it('asks a person before each command, unless the entry says otherwise', async () => {
    const { error } = await codeMode.run('asked.run("touch made")')
    expect(error?.message).toBe("the program stopped before asked.run and waits for a person's answer")
    expect(() => readFileSync(path.join(inside, 'made'))).toThrow('ENOENT')
  })

  it.each(['none', undefined] as const)(
    'ends what a command has started, also when it is cancelled (%s)',
    async (sandbox) => {
      const shell = await openBuiltin({ ...settings, ...(sandbox && { sandbox }) })
      const run = (command: string, signal = new AbortController().signal) =>
        shell.tools.run!.call({ command, input: '' }, { signal })
      const long = `9${process.pid}`
      const pids = path.join(inside, 'pids')
      writeFileSync(pids, '')
      const alive = () =>
        readFileSync(pids, 'utf8')
          .split('\n')
          .filter((pid) => pid !== '' && isAlive(Number(pid)))
      await run(`(sleep ${long}0 & echo $! >> pids); sh -c "trap : TERM; sleep ${long}1" & echo $! >> pids`)
      const stopping = new AbortController()
      const endless = run(
        `sh -c "trap : TERM; echo $$ >> pids; touch begun; sleep ${long}2; sleep ${long}3"`,
        stopping.signal,
      )
      while (spawnSync('test', ['-e', path.join(inside, 'begun')]).status !== 0) await new Promise(setImmediate)
      stopping.abort()
      await expect(endless).rejects.toThrow('it was cancelled')
      await shell.close()
      // In bwrap the numbers are those of its own name space.
      if (sandbox === 'none') expect(alive()).toEqual([])
      expect(spawnSync('pgrep', ['-f', `^sleep ${long}[0-3]$`]).stdout?.toString() ?? '').toBe('')
      spawnSync('rm', [path.join(inside, 'begun')])
    },
  )
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('an entry', () => {
  it('without a folder, or with another key, is refused; doctor names a shell', async () => {
    const file = path.join(root, 'starbind.json')
    const say = (entry: object) => writeFileSync(file, JSON.stringify({ mcpServers: { box: entry } }))
    say({ builtin: 'shell', root: 'in', sandbox: 'none' })
    expect((await starbindHere(['doctor'], { cwd: root })).stdout.split('\n').slice(1, 3)).toEqual([
      'note box: Commands in the folder "in", with all rights of this user, because its entry says so; a person is asked before each',
      'ok   box  1 tool',
    ])
    say({ builtin: 'shell', exclude: ['.env'], hosts: ['a.test'] })
    const { stdout } = await starbindHere(['doctor'], { cwd: root })
    for (const fault of [
      'exclude: got a value, want no such key for the built-in server shell',
      'want root: the folder that it works in',
    ])
      expect(stdout).toContain(fault)
  })

  it('says why there is no wall', async () => {
    const saved = process.env.PATH
    process.env.PATH = path.join(root, 'nowhere')
    try {
      await expect(openBuiltin({ ...settings, sandbox: 'bwrap' })).rejects.toThrow(
        'there is no bwrap (Debian: apt install bubblewrap)',
      )
      const { instructions } = await openBuiltin(settings)
      expect(instructions).toBe(
        'Commands in the folder "in", with all rights of this user, because there is no bwrap (Debian: apt install bubblewrap).',
      )
      mkdirSync(process.env.PATH)
      writeFileSync(path.join(process.env.PATH, 'bwrap'), '#!/bin/sh\necho "bwrap: no permission" >&2\nexit 1\n', {
        mode: 0o755,
      })
      await expect(openBuiltin({ ...settings, sandbox: 'bwrap' })).rejects.toThrow(
        'bwrap does not work on this machine: no permission',
      )
    } finally {
      process.env.PATH = saved
    }
  })
})

describe.skipIf(problem !== undefined)(`in bwrap${problem === undefined ? '' : ` (left out: ${problem})`}`, () => {
  it('a command reaches its folder, the programs of the system, and nothing else', async () => {
    mkdirSync(path.join(inside, '.starbind'), { recursive: true })
    writeFileSync(path.join(inside, '.starbind/runs.db'), 'kept')
    writeFileSync(path.join(inside, 'starbind.json'), '{}')
    const shell = await openBuiltin({ ...settings, sandbox: 'bwrap', unwritable: [path.join(inside, 'starbind.json')] })
    const attempts = [
      `cat ${root}/out/secret.txt`,
      'cat ../out/secret.txt',
      `ln -s ${root}/out/secret.txt link && cat link`,
      'cat /etc/shadow',
      'ls /home /root',
      'cat .starbind/runs.db',
      'touch .starbind/made',
      'echo {} > starbind.json',
      'rm starbind.json',
      'mv starbind.json other.json',
      'touch /usr/made',
      'echo core > /proc/sys/kernel/core_pattern',
      'mount -t tmpfs none /usr',
      `kill -0 ${process.pid}`,
      'exec 3<>/dev/tcp/127.0.0.1/9',
      'getent hosts example.com',
    ]
    // Of each attempt that succeeds, the output tells.
    const command = attempts.map((one, i) => `(${one}) 2>/dev/null && echo attempt ${i} succeeded`).join('\n')
    const answer = await shell.tools.run!.call({ command, input: '' }, { signal: new AbortController().signal })
    const { stdout } = JSON.parse((answer as { readonly json: string }).json)
    expect(stdout).toBe('')
    expect(readFileSync(path.join(inside, 'starbind.json'), 'utf8')).toBe('{}')
    await shell.close()
  })
})
