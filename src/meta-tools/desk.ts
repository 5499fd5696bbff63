// The host's side of program work in worker threads. Prepared programs are cached, because the result depends on the
// task alone and programs recur: after a check, with an approval, in a loop.
// Invariant: a program that breaks or outlasts its worker ends as a program error or a limit.

import { type Bindings, type BoundServer, type ReadLongCall, serverPieces, type Tool } from '../bindings/index.js'
import type { Diagnostic } from '../diagnostics/index.js'
import {
  type CompiledProgram,
  type DescribedProgram,
  type Dialect,
  dialectOf,
  guestImage,
  type MainFunction,
  type Program,
  type SavedProgram,
  wholeText,
} from '../interpreter/index.js'
import { type HostWorkers, type Lesson, type Limits, limitDiagnostic, type WorkEnd } from '../sandbox/index.js'
import { openDeskThreads } from './desk-threads.js'
import type {
  CallTask,
  Concluded,
  ConcludeTask,
  DescribeTask,
  LineTask,
  MainTask,
  Prepared,
  PrepareTask,
} from './desk-work.js'
import { callUnread, runBusy, runCancelled, tooComplex, unreadable, workerLost } from './messages.js'

/** A program that is ready to run. */
export type ReadyProgram = Omit<CompiledProgram, 'positions'>

export interface Preparation {
  /** The program, with its detected language. */
  readonly program: Program
  readonly compilation:
    | { readonly ok: true; readonly program: ReadyProgram; readonly warnings: readonly Diagnostic[] }
    | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }
  /** The time of this work. */
  readonly workMs: number
  /** The time of the compilation, which may have been earlier. */
  readonly compileMs: number
  /** The inputs of `conclude`. */
  readonly task: PrepareTask
  readonly lessons: readonly Lesson[]
}

interface PrepareOptions extends Pick<Turn, 'signal' | 'group'> {
  readonly dialect: Partial<Dialect>
  readonly unavailable: Readonly<Record<string, string>>
  /** Only for programs that will run: the calls that they may run ahead of. */
  readonly readsAhead?: ReadsAhead
  /** The same by name, as recorded by the first run of a repeated one. */
  readonly reads?: readonly string[] | undefined
  readonly limits: Pick<Limits, 'wallMs' | 'cpuMs'>
  /** The age of the run. */
  readonly elapsedMs: number
}

type ReadsAhead = (server: string, tool: Tool) => boolean

interface Turn {
  readonly signal?: AbortSignal
  readonly group?: string
}

/** The time limit for concluding a run. */
const CONCLUDE_MS = 10_000

/** The maximum number of cached programs, and of characters of their texts and code. */
const MOST_KEPT = 100
const MOST_CHARS = 4_000_000

/** Threads change their desks, so no two desks have a number in common. */
let lastPrepared = 0

export class Desk {
  readonly #workers: HostWorkers
  /** By task; the most recently used is last. */
  readonly #kept = new Map<string, Preparation>()
  #keptChars = 0
  /** The one that was used last. */
  #last: { readonly given: object; readonly preparation: Preparation } | undefined

  constructor(workers = openDeskThreads()) {
    this.#workers = workers
  }

  /** Parses, checks and compiles a program. This counts as the program's own time. */
  async prepare(program: Program, bindings: Bindings, options: PrepareOptions): Promise<Preparation> {
    const { dialect, unavailable, limits, elapsedMs, readsAhead, reads, signal, group } = options
    const lessons = bindings.servers.map(lessonOf)
    const given = {
      program,
      dialect,
      servers: lessons.map(({ id }) => id),
      distrusted: bindings.distrusted(),
      unavailable,
      reads: reads ?? (readsAhead === undefined ? [] : readsNamed(program, bindings, readsAhead)),
    }
    const hasTime = signal?.aborted !== true && elapsedMs < limits.wallMs
    if (hasTime && this.#last !== undefined && isAlike(given, this.#last.given)) return this.#last.preparation
    const key = JSON.stringify(given)
    const known = this.#recall(key)
    if (known !== undefined && hasTime) {
      this.#last = { given, preparation: known }
      return known
    }
    const task: PrepareTask = { kind: 'prepare', number: ++lastPrepared, ...given }
    const end = await this.#workers.run({
      input: task,
      lessons,
      withinMs: limits.wallMs - elapsedMs,
      workMs: limits.cpuMs,
      ...(signal === undefined ? {} : { signal }),
      ...(group === undefined ? {} : { group }),
    })
    if (end.kind !== 'done') {
      const compilation = { ok: false, diagnostics: [unprepared(end, limits)] } as const
      return { program, compilation, workMs: 0, compileMs: 0, task, lessons }
    }
    const prepared = end.value as Prepared
    const taken: Program = { ...program, language: prepared.language }
    const compilation = prepared.ok
      ? { ok: true as const, program: readyProgram(taken, prepared, dialect), warnings: prepared.warnings }
      : prepared
    const preparation = { program: taken, compilation, compileMs: end.workMs, task, lessons }
    this.#keep(key, { ...preparation, workMs: 0 })
    return { ...preparation, workMs: end.workMs }
  }

  #recall(key: string): Preparation | undefined {
    const known = this.#kept.get(key)
    if (known === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, known)
    return known
  }

  #keep(key: string, preparation: Preparation): void {
    this.#forget(key)
    this.#kept.set(key, preparation)
    this.#keptChars += charsOf(key, preparation)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MOST_KEPT && this.#keptChars <= MOST_CHARS) break
      this.#forget(oldest)
    }
  }

  #forget(key: string): void {
    const kept = this.#kept.get(key)
    if (kept !== undefined) this.#keptChars -= charsOf(key, kept)
    this.#kept.delete(key)
  }

  /** Concludes a run of a program that was prepared here. */
  async conclude(
    { task, lessons }: Preparation,
    rest: Pick<ConcludeTask, 'remains' | 'answer'>,
    { group }: Pick<Turn, 'group'>,
  ): Promise<Concluded | undefined> {
    const input: ConcludeTask = { kind: 'conclude', prepare: task, ...rest }
    const request = { input, lessons, withinMs: 3 * CONCLUDE_MS, workMs: CONCLUDE_MS }
    const end = await this.#workers.run(group === undefined ? request : { ...request, group })
    return end.kind === 'done' ? (end.value as Concluded) : undefined
  }

  /** The line of a prepared program for a place in its generated code; undefined if it is unknown. */
  async lineAt(
    { task, lessons }: Preparation,
    place: LineTask['place'],
    { group }: Pick<Turn, 'group'>,
  ): Promise<number | undefined> {
    const input: LineTask = { kind: 'line', prepare: task, place }
    const request = { input, lessons, withinMs: CONCLUDE_MS, workMs: CONCLUDE_MS }
    const end = await this.#workers.run(group === undefined ? request : { ...request, group })
    return end.kind === 'done' ? (end.value as number | undefined) : undefined
  }

  /** Reads a call that is too long for the event loop. */
  async readCall(
    text: string,
    { servers }: Bindings,
    { notation, files, group, signal }: Turn & Pick<CallTask, 'notation' | 'files'>,
  ): Promise<ReadLongCall> {
    const lessons = servers.map(lessonOf)
    const input: CallTask = { kind: 'call', text, notation, files, servers: lessons.map(({ id }) => id) }
    const turn = { ...(signal === undefined ? {} : { signal }), ...(group === undefined ? {} : { group }) }
    const end = await this.#workers.run({ input, lessons, withinMs: 3 * CONCLUDE_MS, workMs: CONCLUDE_MS, ...turn })
    if (end.kind === 'done') return end.value as ReadLongCall
    const { code, message } = callUnread
    return { error: { kind: 'host', code, message } }
  }

  /** The parameters of a program's `main`; undefined if it takes none, or if reading takes too long. */
  async mainOf(program: Program): Promise<MainFunction | undefined> {
    const input: MainTask = { kind: 'main', program }
    const end = await this.#workers.run({ input, lessons: [], withinMs: CONCLUDE_MS, workMs: CONCLUDE_MS })
    return end.kind === 'done' ? (end.value as MainFunction | undefined) : undefined
  }

  /** The descriptions of saved programs; undefined if reading takes too long. */
  async describe(saved: readonly SavedProgram[]): Promise<readonly DescribedProgram[] | undefined> {
    const input: DescribeTask = { kind: 'describe', saved }
    const end = await this.#workers.run({ input, lessons: [], withinMs: CONCLUDE_MS, workMs: CONCLUDE_MS })
    return end.kind === 'done' ? (end.value as readonly DescribedProgram[]) : undefined
  }

  /** Starts a thread ahead of need. */
  warm(): void {
    this.#workers.warm()
  }

  /** Lets a thread that has done nothing yet prepare a program that calls nobody. Undefined: there was none. */
  async practise(program: Program, dialect: Partial<Dialect>): Promise<Prepared | undefined> {
    const nothing = { servers: [], distrusted: [], unavailable: {}, reads: [] }
    const task: PrepareTask = { kind: 'prepare', number: ++lastPrepared, program, dialect, ...nothing }
    return (await this.#workers.practise(task)) as Prepared | undefined
  }

  close(): Promise<void> {
    return this.#workers.close()
  }
}

/** True for equal plain data. Finding a program by its key takes several times as long. */
function isAlike(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every(
      (key) => Object.hasOwn(other, key) && isAlike(one[key as keyof typeof one], other[key as keyof typeof other]),
    )
  )
}

/** The size of diagnostics is bounded anyway. */
function charsOf(key: string, { compilation }: Preparation): number {
  return key.length + (compilation.ok ? compilation.program.code.length : 0)
}

function readyProgram(source: Program, prepared: Prepared & { ok: true }, dialect: Partial<Dialect>): ReadyProgram {
  const { code, image, reach, runsAhead } = prepared
  return {
    source,
    code,
    dialect: dialectOf(dialect),
    reach,
    image: guestImage(image),
    ...(runsAhead ? { runsAhead } : {}),
  }
}

/** Why a program could not be prepared. */
function unprepared(end: Exclude<WorkEnd, { kind: 'done' }>, limits: PrepareOptions['limits']): Diagnostic {
  switch (end.kind) {
    case 'late':
      return end.limit === 'workMs' ? limitDiagnostic('cpuMs', limits.cpuMs) : limitDiagnostic('wallMs', limits.wallMs)
    case 'memory':
      return tooComplex
    case 'cancelled':
      return runCancelled
    case 'busy':
      return runBusy
    case 'lost':
      return workerLost
    case 'fault':
      return unreadable
  }
}

const lessons = new WeakMap<BoundServer, Lesson>()
let lastLesson = 0

function lessonOf(server: BoundServer): Lesson {
  let lesson = lessons.get(server)
  if (lesson === undefined) {
    lesson = { id: ++lastLesson, pieces: () => serverPieces(server) }
    lessons.set(server, lesson)
  }
  return lesson
}

/** The tools that a program may call ahead: those of servers whose names are in its text. */
function readsNamed(program: Program, { servers }: Bindings, readsAhead: ReadsAhead): string[] {
  const text = wholeText(program)
  return servers
    .filter(({ name }) => text.includes(name))
    .flatMap(({ name, source, tools }) =>
      tools.filter(({ tool }) => readsAhead(source.name, tool)).map((tool) => `${name}.${tool.name}`),
    )
}
