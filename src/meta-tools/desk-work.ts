// The module of the host workers that prepare programs (parse, check, compile) and explain runs: see
// sandbox/host-workers.ts.
// Invariant: the explained program is the one that was prepared; it is compiled again if it was evicted.

import { type NamedFiles, type Notation, readLongCall, type ServerPiece, TaughtServers } from '../bindings/index.js'
import type { Diagnostic } from '../diagnostics/index.js'
import type { CompiledProgram, Dialect, Language, Program, Reach, SavedProgram } from '../interpreter/index.js'
import { compileRecognised, describeSaved, mainFunctionOf, spanOf } from '../interpreter/stages.js'
import { answerText } from './answer.js'
import { conclude } from './conclude.js'
import type { OutputFormat } from './output-format.js'
import { type Conclusion, type Remains, resultFields } from './remains.js'

/** A program and all that its meaning depends on. */
export interface PrepareTask {
  readonly kind: 'prepare'
  /** Identifies the preparation in this process. */
  readonly number: number
  readonly program: Program
  readonly dialect: Partial<Dialect>
  /** The servers that it may name, by the numbers of their lessons. */
  readonly servers: readonly number[]
  /** The tools whose declared return types are ignored, as `server.tool`. */
  readonly distrusted: readonly string[]
  readonly unavailable: Readonly<Record<string, string>>
  /** The tools that it may run ahead of, as `server.tool`. */
  readonly reads: readonly string[]
}

export type Prepared = { readonly language: Language } & (
  | {
      readonly ok: true
      readonly code: string
      /** The name of the guest that it runs in. */
      readonly image: string
      readonly runsAhead: boolean
      readonly reach: Reach
      readonly warnings: readonly Diagnostic[]
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }
)

export interface ConcludeTask {
  readonly kind: 'conclude'
  readonly prepare: PrepareTask
  readonly remains: Remains
  /** Present if a successful run needs the text of an answer. */
  readonly answer?: {
    readonly runId: string
    readonly maxChars: number
    readonly format: OutputFormat
    /** The path of the whole text, if it has to be cut. */
    readonly path: string
  }
}

export interface Concluded extends Conclusion {
  /** `whole`: the text to store, if it was cut. */
  readonly answer?: { readonly text: string; readonly whole?: string }
}

/** A call of a program whose arguments are long. */
export interface CallTask {
  readonly kind: 'call'
  readonly notation: Notation
  readonly text: string
  readonly files: NamedFiles | undefined
  readonly servers: readonly number[]
}

/** The command-line parameters of a program. */
export interface MainTask {
  readonly kind: 'main'
  readonly program: Program
}

/** Describes saved programs for others. */
export interface DescribeTask {
  readonly kind: 'describe'
  readonly saved: readonly SavedProgram[]
}

/** Where a call is in the program. */
export interface LineTask {
  readonly kind: 'line'
  readonly prepare: PrepareTask
  /** In the generated code. */
  readonly place: { readonly line: number; readonly column: number }
}

type DeskTask = PrepareTask | LineTask | ConcludeTask | CallTask | MainTask | DescribeTask

const taught = new TaughtServers()
/** The last programs that were prepared here. */
const programs = new Map<number, CompiledProgram>()
const KEPT_PROGRAMS = 32

export function learn(lesson: number, piece: unknown): void {
  taught.learn(lesson, piece as ServerPiece)
}

export function forget(lesson: number): void {
  taught.forget(lesson)
}

/** Another desk has the thread from now on. */
export function forgetAll(): void {
  taught.forgetAll()
  programs.clear()
}

export function work(input: unknown): unknown {
  const task = input as DeskTask
  switch (task.kind) {
    case 'prepare':
      return prepare(task).prepared
    case 'conclude':
      return concluded(task)
    case 'line':
      return lineOf(task)
    case 'call':
      return readLongCall(taught.bound(task.servers), task.text, task, task.files)
    case 'main':
      return mainFunctionOf(task.program)
    case 'describe':
      return describeSaved(task.saved)
  }
}

function prepare(task: PrepareTask): { readonly prepared: Prepared; readonly compiled?: CompiledProgram } {
  const { number, program, dialect, servers, distrusted, unavailable } = task
  const reads = new Set(task.reads)
  const { program: taken, compilation } = compileRecognised(program, {
    dialect,
    foreign: taught.foreign(servers, distrusted),
    unavailable,
    ...(reads.size === 0 ? {} : { runsAheadOf: (server, tool) => reads.has(`${server}.${tool}`) }),
  })
  const { language } = taken
  if (!compilation.ok) return { prepared: { ok: false, language, diagnostics: compilation.diagnostics } }
  const { program: compiled, warnings } = compilation
  programs.set(number, compiled)
  for (const oldest of programs.keys()) {
    if (programs.size <= KEPT_PROGRAMS) break
    programs.delete(oldest)
  }
  const { code, image, runsAhead = false, reach } = compiled
  return { prepared: { ok: true, language, code, image: image.name, runsAhead, reach, warnings }, compiled }
}

/** The program of a run, which did compile. */
function compiledFor(task: PrepareTask): CompiledProgram {
  const known = programs.get(task.number) ?? prepare(task).compiled
  if (known === undefined) throw new Error('the program that ran does not compile')
  return known
}

/** Undefined also in a saved program that the program calls. */
function lineOf({ prepare: task, place }: LineTask): number | undefined {
  const span = spanOf(compiledFor(task), place.line, place.column)
  return span?.file === undefined ? span?.line : undefined
}

function concluded({ prepare: task, remains, answer }: ConcludeTask): Concluded {
  const compiled = () => compiledFor(task)
  const conclusion = conclude(remains, { compiled, servers: taught.bound(task.servers) })
  const { failure, report, result } = conclusion
  if (answer === undefined || failure !== undefined) return conclusion
  const { runId, path, ...options } = answer
  let whole: string | undefined
  const { text } = answerText(
    { runId, report, reusable: false, logs: remains.logs, ...resultFields(result) },
    {
      ...options,
      keep: (_, kept) => {
        whole = kept
        return path
      },
    },
  )
  return { ...conclusion, answer: { text, ...(whole === undefined ? {} : { whole }) } }
}
