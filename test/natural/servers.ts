// The servers of the natural programs: each tool answers from a file, by its arguments. A reply is `text`, `json` (text
// that is JSON, as most servers send data), `value` (structured), an `error`, or nothing.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll } from 'vitest'
import { bindServers, Observations, type ToolOutcome } from '../../dist/bindings/index.js'
import { Desk, RunHistory, type RunResult, runProgram } from '../../dist/meta-tools/index.js'
import { openSandbox } from '../../dist/sandbox/index.js'
import { openVfs } from '../../dist/vfs/index.js'

export const folder = path.join(import.meta.dirname, 'programs')

interface Reply {
  readonly args?: object
  readonly text?: string
  readonly json?: string
  readonly value?: unknown
  readonly error?: string
}

export interface FakeTool {
  readonly params: readonly string[]
  readonly replies: readonly Reply[]
  readonly default?: Reply
  readonly error?: string
}

export type FakeServers = Readonly<Record<string, Readonly<Record<string, FakeTool>>>>

export interface NaturalProgram {
  readonly name: string
  readonly language: 'starlark' | 'javascript'
  readonly text: string
  readonly servers: FakeServers
}

/** All programs of one language. */
export function programs(extension: 'py' | 'js'): NaturalProgram[] {
  const files = readdirSync(folder).filter((file) => file.endsWith(`.${extension}`))
  return files.sort().map((file) => {
    const name = path.basename(file, `.${extension}`)
    const servers = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8')) as FakeServers
    const text = readFileSync(path.join(folder, file), 'utf8')
    return { name, language: extension === 'py' ? 'starlark' : 'javascript', text, servers }
  })
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const keys = Object.keys(a)
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every(
      (k) => Object.hasOwn(b, k) && isSame((a as Record<string, unknown>)[k], (b as Record<string, unknown>)[k]),
    )
  )
}

/** The answer of a tool to arguments; `error` if the call fails. */
export function replyOf(tool: FakeTool, args: object): Reply {
  const found = tool.replies.find((reply) => isSame(reply.args ?? {}, args)) ?? tool.default
  return found ?? { error: tool.error ?? 'no such record' }
}

function outcomeOf({ text, json, value, error }: Reply): ToolOutcome {
  const sent = error ?? text ?? json ?? (value === undefined ? undefined : JSON.stringify(value))
  const content = sent === undefined ? [] : [{ type: 'text', text: sent }]
  return { isError: error !== undefined, content, ...(value === undefined ? {} : { structuredContent: value }) }
}

const sandbox = openSandbox({ limits: { wallMs: 600_000, cpuMs: 300_000 } })
const desk = new Desk()
afterAll(() => Promise.all([sandbox.close(), desk.close()]))

/** Runs a program against its servers. */
export function runNatural({ text, language, servers }: NaturalProgram): Promise<RunResult> {
  const listed = Object.entries(servers).map(([name, tools]) => ({
    name,
    tools: Object.entries(tools).map(([tool, { params }]) => ({
      name: tool,
      inputSchema: { type: 'object' as const, properties: Object.fromEntries(params.map((param) => [param, {}])) },
    })),
  }))
  return runProgram(
    { text, language },
    {
      bindings: bindServers(listed, { observations: new Observations() }),
      unavailable: () => ({}),
      caller: { call: async (server, tool, args) => outcomeOf(replyOf(servers[server]![tool]!, args)) },
      sandbox,
      desk,
      vfs: openVfs(),
      language: 'starlark',
      dialect: {},
      limits: {},
      answerMaxChars: 24_000,
      history: new RunHistory(32_000_000),
    },
  )
}
