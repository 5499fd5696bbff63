// The transport to a server in a child process.
//
// Every server leads its own process group, because a launcher (npx, a shell) often does not take its child along when
// it dies. The whole group ends when the server's first process has ended, when the transport stops, and when this
// process ends (see processes/orphans.ts). Windows has no process groups; there the process tree is ended.
// Invariant: every process that was started here is gone when `stop` resolves.

import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import spawn from 'cross-spawn'
import { type Awaitable, after, settled } from '../../awaitable/index.js'
import { isGroupGone, noteGroup, ownGroup, postGuard, signalGroup } from '../../processes/index.js'
import type { StdioConnection } from '../configuration/index.js'
import { insideOf } from '../itself.js'
import { insteadOf, mayBeLong, readAnyMessage, readMessage } from '../reading/read-message.js'
import { messageText } from './exact-message.js'
import { LineReader } from './line-reader.js'
import { reasonLine } from './reason-line.js'
import { mebibytes, type TransportOptions, UNSENT_MAX_BYTES, type UpstreamTransport, within } from './transport.js'

const ASK_MS = 700
/** How long `stop` waits for a server that has sent nothing. Such a server does not read its input yet. */
const ASK_SILENT_MS = 100
const INSIST_MS = 1500
const STDERR_LINE_MAX_BYTES = 16_000
const LAST_LINES = 5
/** Lines of the error stream that are kept. The reason of a failure stands above its stack trace. */
const KEPT_LINES = 60

/** Starts the guard of children before the first child needs it. */
export function expectChild(): void {
  postGuard()
}

export function childProcessTransport(
  connection: StdioConnection,
  { intake, onStderr, lighten }: TransportOptions,
): UpstreamTransport {
  if (connection.cwd !== undefined && !existsSync(connection.cwd)) {
    throw new Error(`its folder ${connection.cwd} does not exist`)
  }
  const tail: string[] = []
  const transport = new ChildTransport(connection, {
    intake,
    lighten,
    onStderr: (line) => {
      tail.push(line.slice(0, 500))
      if (tail.length > KEPT_LINES) tail.shift()
      if (intake.takesWords()) onStderr(line)
    },
  })
  return {
    sdk: transport,
    lastWords: () => tail.slice(-LAST_LINES).join(' | '),
    reasonLine: () => reasonLine(tail),
    howItEnded: () => transport.howItEnded,
    hasSession: () => false,
    showsItsEnd: true,
    mayBeModern: true,
    stop: () => transport.stop(),
  }
}

class ChildTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #connection: StdioConnection
  readonly #options: TransportOptions
  #child: ChildProcess | undefined
  /** Resolves when the pipes are closed and their data is read. */
  #closed: Promise<unknown> = Promise.resolve()
  /** Resolves when the process and its group have ended. */
  #gone: Promise<void> = Promise.resolve()
  #isOver = false
  #isStopping = false
  #hasSpoken = false
  /** True if the process no longer reads its input. It then ends by itself. */
  #isDeaf = false
  /** The end of the process in words for people. Empty while it lives, and if we ended it. */
  howItEnded = ''

  constructor(connection: StdioConnection, options: TransportOptions) {
    this.#connection = connection
    this.#options = options
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.#connection
    postGuard()
    const child = spawn(command, [...args], {
      env: { ...getDefaultEnvironment(), ...env, ...insideOf(this.#connection) },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      ...ownGroup,
      ...(cwd === undefined ? {} : { cwd }),
    })
    this.#child = child
    noteGroup(child.pid)
    const closed = new Promise((resolve) => {
      child.once('close', resolve)
    })
    this.#closed = Promise.all([closed, this.#read(child)]).then(() => this.#end())
    this.#gone = new Promise<void>((resolve) => {
      child.once('exit', (status, signal) => {
        if (signal === null && (this.#isDeaf || !this.#isStopping)) this.howItEnded = `ended with status ${status}`
        else if (signal !== null && !this.#isStopping) this.howItEnded = `was ended by ${signal}`
        resolve()
      })
    }).then(() => this.#endRest(child))
    child.stdin?.on('error', (error) => {
      this.#isDeaf = true
      this.onerror?.(error)
    })
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error) => {
        this.#end()
        reject(error)
      })
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    return new Promise((resolve, reject) => {
      if (this.#isOver || !stdin?.writable) return reject(new Error('Not connected'))
      if (stdin.writableLength > UNSENT_MAX_BYTES) return reject(new Error('it does not read its input'))
      stdin.write(`${messageText(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  close(): Promise<void> {
    return this.stop()
  }

  /** Closes the input, and kills the process if it does not end in time. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const child = this.#child
    if (child?.pid === undefined) return
    // Most servers end with their input. Someone at a terminal waits for the others, so the timeout is short.
    child.stdin?.end()
    if (await within(this.#hasSpoken ? ASK_MS : ASK_SILENT_MS, this.#gone)) return
    signalGroup(child.pid, 'SIGTERM')
    if (await within(INSIST_MS, this.#gone)) return
    signalGroup(child.pid, 'SIGKILL')
    await this.#gone
  }

  /** Ends the processes that the first process left behind. */
  async #endRest(child: ChildProcess): Promise<void> {
    const pid = child.pid!
    const isLeft = signalGroup(pid, 'SIGTERM') && !(await isGroupGone(pid, ASK_MS))
    // Even a killed process takes time to disappear.
    if (isLeft && signalGroup(pid, 'SIGKILL')) await isGroupGone(pid, INSIST_MS)
    noteGroup(pid, false)
    // A process that left the group may keep the pipes open.
    if (!(await within(INSIST_MS, this.#closed))) for (const pipe of [child.stdout, child.stderr]) pipe?.destroy()
    this.#end()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.onclose?.()
  }

  async #read(child: ChildProcess): Promise<void> {
    await Promise.all([this.#readMessages(child), this.#readWords(child)])
  }

  #readMessages(child: ChildProcess): Promise<void> {
    const { intake } = this.#options
    let lines: Line[] = []
    const reader = new LineReader(intake.partMaxBytes, (text, isWhole) => lines.push({ text, isWhole }))
    // Unread data stays in the pipe and blocks the server.
    return readPieces(child.stdout, (chunk) =>
      after(this.#inTurn(), () => {
        reader.take(chunk)
        // Empty lines count, too: a server can flood us with line breaks.
        if (lines.length === 0 && reader.isBetween)
          for (let at = 0; at < chunk.length; at += WORDS_BYTES) intake.takesMessage()
        const whole = lines
        lines = []
        return this.#takeLines(whole, 0, child)
      }),
    )
  }

  #inTurn(): Awaitable<void> {
    const { intake } = this.#options
    return intake.isTurnOver ? intake.rest() : undefined
  }

  #takeLines(lines: readonly Line[], first: number, child: ChildProcess): Awaitable<void> {
    for (let i = first; i < lines.length; i++) {
      const { text, isWhole } = lines[i]!
      const taken = after(this.#inTurn(), () => (isWhole ? this.#take(text) : this.#refuse(text, child)))
      if (taken instanceof Promise) return taken.then(() => this.#takeLines(lines, i + 1, child))
    }
  }

  #take(text: string): Awaitable<void> {
    this.#hasSpoken = true
    return settled(
      () =>
        after(mayBeLong(text) ? readAnyMessage(text, this.#options) : readMessage(text), (m) => this.onmessage?.(m)),
      () => {},
      (error) => {
        if (this.#options.intake.takesMessage()) this.onerror?.(error as Error)
      },
    )
  }

  /** Handles a message that is too long. If it answers a request, the request fails; otherwise the server is ended. */
  #refuse(text: string, child: ChildProcess): void {
    const what = `a message of more than ${mebibytes(this.#options.intake.partMaxBytes)}`
    try {
      this.onmessage?.(insteadOf(text, what))
    } catch {
      this.#options.onStderr(`starbind ended it: it sent ${what}`)
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
    }
  }

  async #readWords(child: ChildProcess): Promise<void> {
    const { onStderr, intake } = this.#options
    let said = 0
    const reader = new LineReader(STDERR_LINE_MAX_BYTES, (line) => {
      said++
      if (line.trim() === '') intake.takesWords()
      else onStderr(line)
    })
    await readPieces(child.stderr, async (chunk) => {
      for (let at = 0; at < chunk.length; at += WORDS_BYTES) {
        await this.#inTurn()
        const before = said
        reader.take(chunk.subarray(at, at + WORDS_BYTES))
        if (said === before && reader.isBetween) intake.takesWords()
      }
    })
    reader.finish()
  }
}

/**
 * The number of bytes that are read at once from an error stream, and the number of line breaks that counts as a
 * message.
 */
const WORDS_BYTES = 4096

interface Line {
  readonly text: string
  readonly isWhole: boolean
}

/** Reads a stream to its end or failure, one piece after another: the next is read when `take` has resolved. */
function readPieces(stream: Readable | null, take: (piece: Buffer) => Awaitable<void>): Promise<void> {
  return new Promise((resolve) => {
    let taken: Promise<void> | undefined
    const end = (): void => resolve(taken)
    if (stream === null) return end()
    stream.on('data', (piece: Buffer) => {
      const taking = take(piece)
      if (!(taking instanceof Promise)) return
      stream.pause()
      taken = taking.then(() => void stream.resume())
    })
    // A destroyed or broken stream sends nothing more, so this is its end.
    stream.on('error', end)
    stream.on('close', end)
  })
}
