// Programs against upstreams that live in this process: each tool is a function from its arguments to what it answers.

import { afterAll } from 'vitest'
import { bindServers, Observations, type Tool, type ToolOutcome } from '../../dist/bindings/index.js'
import { DiagnosticError } from '../../dist/diagnostics/index.js'
import {
  type Answer,
  Desk,
  executeToolCode,
  type RunContext,
  RunHistory,
  type RunOptions,
  type RunResult,
  runProgram,
} from '../../dist/meta-tools/index.js'
import { openSandbox } from '../../dist/sandbox/index.js'
import { openVfs, type Vfs } from '../../dist/vfs/index.js'

export interface CallMade {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly timeoutMs: number | undefined
}

export interface FakeTool extends Partial<Tool> {
  readonly answers: ToolOutcome | ((args: Readonly<Record<string, unknown>>, signal: AbortSignal) => unknown)
}

export const text = (...texts: string[]): ToolOutcome => ({
  isError: false,
  content: texts.map((one) => ({ type: 'text', text: one })),
})

export const structured = (structuredContent: unknown, ...texts: string[]): ToolOutcome => ({
  ...text(...texts),
  structuredContent,
})

export const failure = (words: string): ToolOutcome => ({ ...text(words), isError: true })

const sandbox = openSandbox({ limits: { wallMs: 600_000, cpuMs: 300_000 } })
const desk = new Desk()
afterAll(() => Promise.all([sandbox.close(), desk.close()]))

export interface Bench {
  readonly sent: CallMade[]
  readonly vfs: Vfs
  readonly context: RunContext
  /** What the program printed, then its result; throws when it failed. */
  run(code: string, options?: RunOptions): Promise<RunResult>
  printed(code: string, options?: RunOptions): Promise<string[]>
  execute(args: Record<string, unknown>, options?: RunOptions): Promise<Answer>
}

/** A server called `api`. */
export function bench(tools: Readonly<Record<string, FakeTool>>, more: Partial<RunContext> = {}): Bench {
  const sent: CallMade[] = []
  const vfs = openVfs()
  const listed = Object.entries(tools).map(
    ([name, { answers: _, ...tool }]): Tool => ({ name, inputSchema: { type: 'object' }, ...tool }),
  )
  const context: RunContext = {
    bindings: bindServers([{ name: 'api', tools: listed }], { observations: new Observations() }),
    unavailable: () => ({}),
    caller: {
      async call(_, tool, args, options = {}) {
        sent.push({ tool, args, timeoutMs: options.timeoutMs })
        const { answers } = tools[tool]!
        const outcome = typeof answers === 'function' ? await answers(args, options.signal!) : answers
        return outcome as ToolOutcome
      },
    },
    sandbox,
    desk,
    vfs,
    language: 'starlark',
    dialect: {},
    limits: {},
    answerMaxChars: 24_000,
    history: new RunHistory(32_000_000),
    ...more,
  }
  const { language } = context
  const run = (code: string, options?: RunOptions) => runProgram({ text: code, language }, context, options)
  return {
    sent,
    vfs,
    context,
    run,
    async printed(code, options) {
      const result = await run(code, options)
      if (!result.ok) throw new Error(result.report)
      return [...result.logs]
    },
    execute: (args, options) => executeToolCode(args, context, options),
  }
}

export const lost = (message: string): DiagnosticError =>
  new DiagnosticError({ class: 'tool error', code: 'server-lost', message })

export const timeless = (shown: string): string => shown.replace(/\d+ ms/g, 'N ms')
