// The server `shell`: commands in one folder, for those who configure it.
// Invariant: when a call has ended, so have the processes of its group.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import path from 'node:path'
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { z } from 'zod'
import { isGroupGone, noteGroup, ownGroup, postGuard, signalGroup } from '../../processes/index.js'
import { wallSettings } from '../files/wall.js'
import type { ShellSettings } from '../settings.js'
import { type Builtin, type BuiltinAnswer, Failure } from '../tool.js'
import { bwrapProblem, wrapping } from './bwrap.js'
import { BoundedOutput } from './output.js'

const LONGEST_COMMAND = 100_000
const LONGEST_INPUT = 4 * 1024 * 1024
const ASK_MS = 500
const INSIST_MS = 2_000
/** Of the environment of starbind itself, which may have secrets, commands see these. */
const PASSED = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'USER', 'LOGNAME']

const runArguments = z.strictObject({
  command: z.string().min(1).max(LONGEST_COMMAND).describe('for bash, or sh where there is none'),
  timeout: z.number().positive().optional().describe('seconds; absent: as long as the configuration permits'),
  input: z.string().max(LONGEST_INPUT).default('').describe('what the command reads from its standard input'),
})
const outcomeShape = z.object({
  status: z.int().describe('0: it succeeded'),
  stdout: z.string(),
  stderr: z.string(),
  left_out: z.int().describe('bytes that are missing in the middle of long output'),
})
type RunArguments = z.output<typeof runArguments>

/** Rejects with an Error that says, for people, why commands can't run. */
export async function openShell(settings: ShellSettings): Promise<Builtin> {
  if (process.platform === 'win32') throw new Error('it needs a POSIX shell, which Windows does not have')
  const { root, unwritable } = wallSettings({ ...settings, exclude: [] })
  const problem = settings.sandbox === 'none' ? 'its entry says so' : await bwrapProblem({ root, unwritable })
  if (settings.sandbox === 'bwrap' && problem !== undefined) throw new Error(problem)
  const shell = new Shell({ ...settings, root, unwritable }, problem === undefined)
  const wall = problem === undefined ? 'in bwrap, without network' : `with all rights of this user, because ${problem}`
  return {
    instructions: `Commands in the folder ${JSON.stringify(path.basename(root))}, ${wall}.`,
    tools: {
      run: {
        description: 'Runs a command in the folder. Each call is a new shell; a status other than 0 is no failure.',
        inputSchema: runArguments,
        outputSchema: outcomeShape,
        annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: problem !== undefined },
        call: (args, { signal }) => shell.run(args as RunArguments, signal),
      },
    },
    close: () => shell.close(),
  }
}

class Shell {
  readonly #settings: ShellSettings
  readonly #isWrapped: boolean
  readonly #running = new Map<Promise<unknown>, AbortController>()

  constructor(settings: ShellSettings, isWrapped: boolean) {
    this.#settings = settings
    this.#isWrapped = isWrapped
  }

  async run(args: RunArguments, signal: AbortSignal): Promise<BuiltinAnswer> {
    const closing = new AbortController()
    const answer = this.#outcome(args, AbortSignal.any([signal, closing.signal]))
    this.#running.set(answer, closing)
    try {
      return await answer
    } finally {
      this.#running.delete(answer)
    }
  }

  async close(): Promise<void> {
    for (const closing of this.#running.values()) closing.abort()
    await Promise.allSettled(this.#running.keys())
  }

  async #outcome({ command, timeout, input }: RunArguments, signal: AbortSignal): Promise<BuiltinAnswer> {
    const mostSeconds = this.#settings.timeoutMs / 1000
    if (timeout !== undefined && timeout > mostSeconds)
      throw new Failure(`timeout is ${timeout}, and a command may take ${mostSeconds} seconds at most`)
    if (command.includes('\0')) throw new Failure('the command has a NUL character')
    const output = { stdout: new BoundedOutput(), stderr: new BoundedOutput() }
    const ended = await this.#ended(this.#start(command), { output, input, signal, seconds: timeout ?? mostSeconds })
    const said = { stdout: output.stdout.text(), stderr: output.stderr.text() }
    if (ended.why !== undefined) throw new Failure(`${ended.why}${lastWords(said)}`)
    const leftOut = output.stdout.leftOut + output.stderr.leftOut
    return { kind: 'json', json: JSON.stringify({ status: ended.status, ...said, left_out: leftOut }) }
  }

  #start(command: string): ChildProcess {
    const { root, unwritable, env } = this.#settings
    const bash = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
    const [program, ...args] = [
      ...(this.#isWrapped ? ['bwrap', ...wrapping({ root, unwritable })] : []),
      ...[bash, '-c', command],
    ]
    const passed = PASSED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
    postGuard()
    const child = spawn(program!, args, {
      cwd: root,
      env: { ...Object.fromEntries(passed), ...(this.#isWrapped && { HOME: '/tmp' }), TERM: 'dumb', ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...ownGroup,
    })
    noteGroup(child.pid)
    return child
  }

  /** Resolves when no process of the command is left. */
  async #ended(child: ChildProcess, { output, input, signal, seconds }: Watch): Promise<End> {
    const reading = Promise.all([output.stdout.take(child.stdout!), output.stderr.take(child.stderr!)])
    // A command need not read its input.
    child.stdin!.on('error', () => {})
    child.stdin!.end(input)
    let why: string | undefined
    const end = (reason: string) => {
      why ??= reason
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGTERM')
      setTimeout(() => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL'), ASK_MS).unref()
    }
    const cancel = () => end('it was cancelled')
    const timer = setTimeout(() => end(`it took longer than ${seconds} seconds and was ended`), seconds * 1000)
    signal.addEventListener('abort', cancel, { once: true })
    if (signal.aborted) cancel()
    try {
      const status = await statusOf(child)
      return { status, why }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      await endRest(child.pid)
      await Promise.race([reading, closedSoon(child)])
    }
  }
}

interface Watch {
  readonly output: { readonly stdout: BoundedOutput; readonly stderr: BoundedOutput }
  readonly input: string
  readonly signal: AbortSignal
  readonly seconds: number
}

interface End {
  readonly status: number
  readonly why: string | undefined
}

/** Of a command that a signal ended, as shells count it. */
function statusOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Failure(`the command can't be started: ${error.message}`)))
    child.once('exit', (status, signal) => resolve(status ?? 128 + (constants.signals[signal!] ?? 0)))
  })
}

/** Ends what a command has left in the background. */
async function endRest(pid: number | undefined): Promise<void> {
  if (pid === undefined) return
  const isLeft = signalGroup(pid, 'SIGTERM') && !(await isGroupGone(pid, ASK_MS))
  if (isLeft && signalGroup(pid, 'SIGKILL')) await isGroupGone(pid, INSIST_MS)
  noteGroup(pid, false)
}

/** A process that has left the group may keep the pipes open. */
async function closedSoon(child: ChildProcess): Promise<void> {
  await setTimeoutPromise(ASK_MS, undefined, { ref: false })
  for (const pipe of [child.stdout, child.stderr]) pipe?.destroy()
}

function lastWords({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): string {
  const words = (stderr.trim() || stdout.trim()).slice(-300)
  return words === '' ? '' : `; its last words: ${words}`
}
