// The answers to calls of the meta-tools, whose names and arguments are as a model sent them. Knows which servers each
// has to wait for; what a meta-tool does is its own business.

import { DiagnosticError, nearestNames, renderDiagnostics } from '../diagnostics/index.js'
import type { ServerStatus, Upstreams } from '../gateway/index.js'
import {
  type Answer,
  describing,
  executeToolCode,
  inTurns,
  isRunList,
  listing,
  metaTools,
  type RunContext,
  reading,
  readProgram,
  readRawArguments,
  runFile,
  runInFile,
  runList,
  type ToolFiles,
  unknownMetaTool,
} from '../meta-tools/index.js'
import type { ProgramRuns, Within } from './program-runs.js'
import { LISTING_MS, type Readiness } from './readiness.js'
import type { SessionRuns } from './session-kept-runs.js'
import { type CallOptions, runOptions } from './session-options.js'
import { withUnreachable } from './unreachable-servers.js'

/** What answers need of the session that they are for. */
interface AnswerParts {
  readonly upstreams: Upstreams
  readonly files: ToolFiles
  readonly readiness: Readiness
  readonly context: RunContext
  readonly runs: SessionRuns
  readonly callsMade: (runId: string) => Promise<number>
  readonly carrierOf: (runId: unknown) => Promise<Carrier>
  readonly statusForPrograms: () => readonly ServerStatus[]
}

/** Whose programs a run is gone on with, and in whose name what it asks is answered. */
export interface Carrier {
  readonly runs: ProgramRuns
  readonly by: string
}

export class MetaToolAnswers {
  readonly #parts: AnswerParts

  constructor(parts: AnswerParts) {
    this.#parts = parts
  }

  /** With arguments as they came. Mistakes are answers, too. */
  async answer(
    name: string,
    rawArgs: Readonly<Record<string, unknown>> | string,
    options: CallOptions & Within & { readonly arrivedAt: number },
  ): Promise<Answer> {
    const { upstreams, files, readiness, context, carrierOf } = this.#parts
    const read = readRawArguments(name, rawArgs)
    if (!read.ok) return { text: renderDiagnostics([read.diagnostic]), isError: true }
    const { args } = read
    const { signal } = options
    switch (name) {
      case 'listToolFiles':
        if (args.server === undefined) await upstreams.revive()
        else await readiness.look(String(args.server), { signal, withinMs: LISTING_MS })
        return withUnreachable(await inTurns(listing(args, files)), this.#parts.statusForPrograms())
      case 'readToolFile': {
        if (isRunList(args.fileName)) return this.#runList()
        const runId = runInFile(args.fileName)
        if (runId !== undefined) return this.#runFile(runId)
        return readiness.answerFor(JSON.stringify(args), signal, () => inTurns(reading(args, files)))
      }
      case 'getToolDocs':
        return readiness.answerFor(JSON.stringify(args.server ?? ''), signal, () => inTurns(describing(args, files)))
      case 'executeToolCode': {
        const code = typeof args.resume === 'string' ? await this.#programOf(args.resume) : String(args.code ?? '')
        const { timeoutMs } = args
        await readiness.ready(readProgram(code, undefined, context.language), {
          signal,
          withinMs: typeof timeoutMs === 'number' ? timeoutMs : undefined,
        })
        const { runs, by } = await carrierOf(args.resume)
        return runs.during(
          code,
          { ...options, answeredBy: by },
          {
            run: (context, signal) =>
              executeToolCode(args, context, { ...runOptions(options), signal, arrivedAt: options.arrivedAt }),
            failed: (answer) => answer.isError,
          },
        )
      }
      default: {
        const known = metaTools.map((tool) => tool.name)
        return { text: renderDiagnostics([unknownMetaTool(name, nearestNames(name, known, 1), known)]), isError: true }
      }
    }
  }

  /** The program of a kept run, for those who wait for its servers; of one that is not there, none. */
  async #programOf(runId: string): Promise<string> {
    return this.#parts.runs.show(runId).then(
      ({ program }) => program.text,
      () => '',
    )
  }

  async #runList(): Promise<Answer> {
    const { context, runs } = this.#parts
    return saying(async () => runList(await runs.list(), context.answerMaxChars))
  }

  async #runFile(runId: string): Promise<Answer> {
    const { context, runs, callsMade } = this.#parts
    const { answerMaxChars, vfs } = context
    return saying(async () => {
      const run = await runs.show(runId)
      const calls = await callsMade(runId)
      return runFile(run, calls, { maxChars: answerMaxChars, keep: (name, whole) => vfs.keep(name, whole) })
    })
  }
}

/** Answers with what is wrong, too. */
async function saying(answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    return { text: renderDiagnostics(error.diagnostics), isError: true }
  }
}
