// The wire to one upstream: a child process or an HTTP endpoint, as a transport of the SDK. Knows how one starts, what it complains about
// and how it ends; knows no tools. Invariant: a child process that was started here is gone when `stop` resolves, and at the latest when
// this process exits.

import { existsSync } from 'node:fs'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Connection } from './configuration/index.js'
import { ExactStdioTransport, exactFetch } from './exact-transport.js'

export interface Wire {
  readonly transport: Transport
  /** What the other side said last on its error stream; empty when nothing. */
  lastWords(): string
  /** True when the server keeps a session for this wire, which it may forget. */
  hasSession(): boolean
  /** Ends the connection; for a child process: asks, then insists. Resolves when nothing is left. */
  stop(): Promise<void>
}

const MESSAGE_MAX_BYTES = 64 * 1024 * 1024
const ASK_MS = 700
const INSIST_MS = 1500

/** Prepares a wire; its transport is started by the client that uses it. `onStderr` is given whole lines. Throws an Error with the reason. */
export function openWire(connection: Connection, onStderr: (line: string) => void): Wire {
  return connection.type === 'stdio' ? stdioWire(connection, onStderr) : httpWire(connection)
}

type StdioConnection = Extract<Connection, { type: 'stdio' }>

function stdioWire(connection: StdioConnection, onStderr: (line: string) => void): Wire {
  if (connection.cwd !== undefined && !existsSync(connection.cwd)) {
    throw new Error(`its folder ${connection.cwd} does not exist`)
  }
  const transport = new ExactStdioTransport({
    command: connection.command,
    args: [...connection.args],
    env: { ...connection.env },
    ...(connection.cwd === undefined ? {} : { cwd: connection.cwd }),
    stderr: 'pipe',
    maxBufferSize: MESSAGE_MAX_BYTES,
  })
  const tail: string[] = []
  const remember = (line: string) => {
    tail.push(line.slice(0, 500))
    if (tail.length > 5) tail.shift()
  }
  eachLine(transport.stderr as NodeJS.ReadableStream | null, (line) => {
    remember(line)
    onStderr(line)
  })
  let pid: number | undefined
  const gone = new Promise<void>((resolve) => {
    transport.onclose = () => {
      if (pid !== undefined) children.delete(pid)
      resolve()
    }
  })
  const start = transport.start.bind(transport)
  let started: Promise<void> = Promise.resolve()
  transport.start = () => {
    started = start().then(() => {
      pid = transport.pid ?? undefined
      if (pid !== undefined) children.add(pid)
    })
    return started
  }
  return {
    transport,
    lastWords: () => tail.join(' | '),
    hasSession: () => false,
    stop: async () => {
      await started.catch(() => {})
      if (pid === undefined) return
      void transport.close()
      // The SDK gives a child two seconds to react to the end of its input. A person at a terminal waits for that: be less patient.
      if (!(await within(ASK_MS, gone)) && signal(pid, 'SIGTERM') && !(await within(INSIST_MS, gone)))
        signal(pid, 'SIGKILL')
      // A grandchild may keep the pipes open after the child itself is dead.
      await within(INSIST_MS, gone)
    },
  }
}

function httpWire(connection: Extract<Connection, { type: 'http' }>): Wire {
  const transport = new StreamableHTTPClientTransport(new URL(connection.url), {
    requestInit: { headers: { ...connection.headers } },
    fetch: exactFetch(fetch),
  })
  return {
    // The SDK's class declares `sessionId` in a way that exactOptionalPropertyTypes does not accept as a Transport.
    transport: transport as Transport,
    lastWords: () => '',
    hasSession: () => transport.sessionId !== undefined,
    stop: async () => {
      // A server without sessions, or one that is gone, has nothing to terminate.
      await within(
        ASK_MS,
        transport.terminateSession().catch(() => {}),
      )
      await transport.close()
    },
  }
}

/** Child processes that are alive. The process that started them must not leave them behind, however it ends. */
const children = new Set<number>()
process.on('exit', () => {
  for (const pid of children) signal(pid, 'SIGTERM')
})

/** False when there is no such process any more. */
function signal(pid: number, name: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}

/** True when `done` came first. */
async function within(ms: number, done: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false)
  })
  try {
    return await Promise.race([done.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

const LINE_MAX = 4000

function eachLine(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  let rest = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/)
    rest = (lines.pop() ?? '').slice(0, LINE_MAX)
    for (const line of lines) if (line.trim() !== '') take(line)
  })
  stream?.on('end', () => {
    if (rest.trim() !== '') take(rest)
  })
}
