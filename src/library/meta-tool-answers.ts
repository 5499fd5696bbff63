// Answers calls of the meta-tools, whose names and arguments are as a model sent them. Knows the servers that each must
// wait for; the meta-tools do the rest.

import { DiagnosticError, nearestNames, renderDiagnostics } from '../diagnostics/index.js'
import type { ServerStatus, Upstreams } from '../gateway/index.js'
import type { Program } from '../interpreter/index.js'
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
  savedCallIn,
  type ToolFiles,
  unknownMetaTool,
} from '../meta-tools/index.js'
import type { ProgramRuns, Within } from './program-runs.js'
import { LISTING_MS, type Readiness } from './readiness.js'
import type { SavedProgramStatus, SavedPrograms } from './saved-programs.js'
import type { SessionRuns } from './session-kept-runs.js'
import { type CallOptions, runOptions } from './session-options.js'
import { withUnreachable } from './unreachable-servers.js'

/** The parts of a session that answers need. */
interface AnswerParts {
  readonly upstreams: Upstreams
  readonly files: ToolFiles
  readonly readiness: Readiness
  readonly saved: SavedPrograms
  readonly context: RunContext
  readonly runs: SessionRuns
  readonly callsMade: (runId: string) => Promise<number>
  readonly carrierOf: (runId: unknown) => Promise<Carrier>
  readonly statusForPrograms: () => readonly ServerStatus[]
}

/** The caller under whose rights a run continues, and the author of the answers. */
export interface Carrier {
  readonly runs: ProgramRuns
  readonly by: string
}

export class MetaToolAnswers {
  readonly #parts: AnswerParts

  constructor(parts: AnswerParts) {
    this.#parts = parts
  }

  /** Answers a call with raw arguments. Mistakes in the call are answers, too. */
  async answer(
    name: string,
    rawArgs: Readonly<Record<string, unknown>> | string,
    options: CallOptions & Within & { readonly arrivedAt: number },
  ): Promise<Answer> {
    const { upstreams, files, readiness, saved } = this.#parts
    const read = readRawArguments(name, rawArgs)
    if (!read.ok) return { text: renderDiagnostics([read.diagnostic]), isError: true }
    const { args } = read
    const { signal, waitMs = LISTING_MS } = options
    await saved.refresh()
    switch (name) {
      case 'listToolFiles': {
        const withinMs = Math.min(waitMs, LISTING_MS)
        await files.vfs.fresh()
        if (args.server === undefined) await upstreams.revive(withinMs)
        else await readiness.look(String(args.server), { signal, withinMs })
        return withBroken(
          withUnreachable(await inTurns(listing(args, files)), this.#parts.statusForPrograms(), args.server),
          saved.status,
        )
      }
      case 'readToolFile': {
        if (isRunList(args.fileName)) return this.#runList()
        const runId = runInFile(args.fileName)
        if (runId !== undefined) return this.#runFile(runId)
        await files.vfs.fresh()
        return saying(() => readiness.answerFor(JSON.stringify(args), signal, () => inTurns(reading(args, files))))
      }
      case 'getToolDocs':
        return readiness.answerFor(JSON.stringify(args.server ?? ''), signal, () => inTurns(describing(args, files)))
      case 'executeToolCode':
        return this.#executed(args, options)
      default: {
        const known = metaTools.map((tool) => tool.name)
        return { text: renderDiagnostics([unknownMetaTool(name, nearestNames(name, known, 1), known)]), isError: true }
      }
    }
  }

  async #executed(
    args: Readonly<Record<string, unknown>>,
    options: CallOptions & Within & { readonly arrivedAt: number },
  ): Promise<Answer> {
    const { readiness, carrierOf } = this.#parts
    const { timeoutMs, resume } = args
    const { signal, arrivedAt } = options
    const program = await this.#programOf(args)
    await readiness.ready(program, { signal, withinMs: typeof timeoutMs === 'number' ? timeoutMs : undefined })
    const { runs, by } = await carrierOf(resume)
    return runs.during(
      program.text,
      { ...options, answeredBy: by },
      {
        run: (context, signal) => executeToolCode(args, context, { ...runOptions(options), signal, arrivedAt }),
        failed: (answer) => answer.isError,
      },
    )
  }

  /** The program of the call, or of the resumed run. Wrong calls have an empty one. */
  async #programOf(args: Readonly<Record<string, unknown>>): Promise<Program> {
    const { context, runs } = this.#parts
    const call = savedCallIn(args)
    const code = async () =>
      typeof args.resume === 'string' ? (await runs.show(args.resume)).program.text : String(args.code ?? '')
    try {
      if (call !== undefined && 'program' in call) return context.saved!.calling(call)
      return context.saved!.attach(readProgram(await code(), undefined, context.language))
    } catch {
      return { text: '', language: context.language }
    }
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
      const answer = runFile(run, calls, { maxChars: answerMaxChars, keep: (name, whole) => vfs.keep(name, whole) })
      await vfs.settled()
      return answer
    })
  }
}

/** Turns a DiagnosticError into an answer. */
async function saying(answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error
    return { text: renderDiagnostics(error.diagnostics), isError: true }
  }
}

/** Names the saved programs that can't be used. */
function withBroken(answer: Answer, saved: readonly SavedProgramStatus[]): Answer {
  const lines = saved.flatMap(({ problem }) => (problem === undefined ? [] : [`# can't be used: ${problem}`]))
  return { ...answer, text: [answer.text, ...lines].join('\n') }
}
