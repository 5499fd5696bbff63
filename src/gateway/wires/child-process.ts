// The wire to a server that is a child process: started, written to, read from, and ended with everything that it started itself.
// Knows processes and lines; knows no tools.
//
// Every server leads a process group of its own, because a server is often started by something else (npx, a shell) that does not take it along
// when it dies. The whole group ends when the server's first process has ended, when the wire is stopped, and when we end, however that
// happens (see orphans.ts). On Windows there are no groups, and the tree of processes is ended instead.
// Invariant: a process that was started here is gone when `stop` resolves.

import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js'
import { deserializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import spawn from 'cross-spawn'
import type { Connection } from '../configuration/index.js'
import { messageText } from './exact-message.js'
import { LineReader } from './line-reader.js'
import { isGroupGone, noteGroup, ownGroup, postGuard, signalGroup } from './orphans.js'
import { keepSpelling, type ReadMessage } from './spelling.js'
import { MESSAGE_MAX_BYTES, type Wire, within } from './wire.js'

type StdioConnection = Extract<Connection, { type: 'stdio' }>

const ASK_MS = 700
const INSIST_MS = 1500
const STDERR_LINE_MAX_BYTES = 16_000
const LAST_LINES = 5

export function childProcessWire(
  connection: StdioConnection,
  onStderr: (line: string) => void,
  read: ReadMessage,
): Wire {
  if (connection.cwd !== undefined && !existsSync(connection.cwd)) {
    throw new Error(`its folder ${connection.cwd} does not exist`)
  }
  const tail: string[] = []
  const keepTail = (line: string): void => {
    tail.push(line.slice(0, 500))
    if (tail.length > LAST_LINES) tail.shift()
    onStderr(line)
  }
  const transport = new ChildTransport(connection, keepTail, read)
  return {
    transport,
    lastWords: () => tail.join(' | '),
    howItEnded: () => transport.howItEnded,
    hasSession: () => false,
    showsItsEnd: true,
    stop: () => transport.stop(),
  }
}

class ChildTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #connection: StdioConnection
  readonly #onStderr: (line: string) => void
  readonly #readMessage: ReadMessage
  /** Messages that are being read elsewhere: whoever waits for them hears of them before the end. */
  readonly #reading = new Set<Promise<void>>()
  #child: ChildProcess | undefined
  /** Resolves when its pipes are closed. */
  #closed: Promise<unknown> = Promise.resolve()
  /** Resolves when it has ended, and its group with it. */
  #gone: Promise<void> = Promise.resolve()
  #isOver = false
  #isStopping = false
  /** For people; empty while it lives, and when we ended it. */
  howItEnded = ''

  constructor(connection: StdioConnection, onStderr: (line: string) => void, read: ReadMessage) {
    this.#connection = connection
    this.#onStderr = onStderr
    this.#readMessage = read
  }

  start(): Promise<void> {
    const { command, args, env, cwd } = this.#connection
    postGuard()
    const child = spawn(command, [...args], {
      env: { ...getDefaultEnvironment(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
      ...ownGroup,
      ...(cwd === undefined ? {} : { cwd }),
    })
    this.#child = child
    noteGroup(child.pid)
    this.#closed = new Promise((resolve) => {
      child.once('close', resolve)
    })
      .then(() => Promise.all(this.#reading))
      .then(() => this.#end())
    this.#gone = new Promise<void>((resolve) => {
      child.once('exit', (status, signal) => {
        if (!this.#isStopping)
          this.howItEnded = signal === null ? `ended with status ${status}` : `was ended by ${signal}`
        resolve()
      })
    }).then(() => this.#endRest(child))
    child.stdin?.on('error', (error) => this.onerror?.(error))
    this.#read(child)
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
      stdin.write(`${messageText(message)}\n`, (error) => (error ? reject(error) : resolve()))
    })
  }

  close(): Promise<void> {
    return this.stop()
  }

  /** Asks by closing its input, then insists. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const child = this.#child
    if (child?.pid === undefined) return
    // Most servers end when their input does. A person at a terminal waits for those that don't: be not too patient.
    child.stdin?.end()
    if (await within(ASK_MS, this.#gone)) return
    signalGroup(child.pid, 'SIGTERM')
    if (await within(INSIST_MS, this.#gone)) return
    signalGroup(child.pid, 'SIGKILL')
    await this.#gone
  }

  /** The first process has ended: what it started and left behind follows. */
  async #endRest(child: ChildProcess): Promise<void> {
    const pid = child.pid!
    const isLeft = signalGroup(pid, 'SIGTERM') && !(await isGroupGone(pid, ASK_MS))
    // Even a killed process takes its time to be gone.
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

  #deliver(text: string): void {
    try {
      this.onmessage?.(deserializeMessage(keepSpelling(text)))
    } catch (error) {
      this.onerror?.(error as Error)
    }
  }

  #read(child: ChildProcess): void {
    const messages = new LineReader(MESSAGE_MAX_BYTES, (line) => {
      const text = this.#readMessage(line)
      if (typeof text === 'string') return this.#deliver(text)
      const reading = text.then(
        (light) => this.#deliver(light),
        (error: Error) => this.onerror?.(error),
      )
      this.#reading.add(reading)
      void reading.then(() => this.#reading.delete(reading))
    })
    child.stdout?.on('data', (chunk: Buffer) => {
      if (messages.take(chunk)) return
      this.#onStderr(`starbind ended it: it sent a message of more than ${MESSAGE_MAX_BYTES / 1024 / 1024} MiB`)
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
    })
    const words = new LineReader(STDERR_LINE_MAX_BYTES, (line) => {
      if (line.trim() !== '') this.#onStderr(line)
    })
    child.stderr?.on('data', (chunk: Buffer) => words.take(chunk))
    child.stderr?.on('end', () => words.finish())
  }
}
