// The saved programs of a folder. Reads the files again after a change, and describes them once for each state.
// Invariant: a file that can't be used is named with its mistake, and the others work.

import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Bindings, checkArguments, type Tool, type ToolServer } from '../bindings/index.js'
import { type Diagnostic, DiagnosticError, nearestNames } from '../diagnostics/index.js'
import type { Log, ProgramTool } from '../gateway/index.js'
import { fileOf, type Language, type Program, type SavedProgram } from '../interpreter/index.js'
import {
  type Desk,
  noSavedProgram,
  type SavedCall,
  savedNotDescribed,
  savedTwice,
  savedUnnamable,
  savedUnreadable,
  wrongSavedArguments,
} from '../meta-tools/index.js'
import { resolveLimits } from '../sandbox/index.js'

/**
 * A saved program.
 *
 * @example
 * import { CodeMode, type SavedProgramStatus } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ programs: 'programs' })
 * const wrong: SavedProgramStatus[] = (await codeMode.programs()).filter(({ problem }) => problem !== undefined)
 */
export interface SavedProgramStatus {
  /** `report` for `programs/report.star`. */
  readonly name: string
  readonly file: string
  readonly language: Language
  /** The docstring of its `main`, or of the file; empty if there is none. */
  readonly description: string
  /** A JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** The mistake in an unusable program, with its place. */
  readonly problem?: string
}

/** One state of the folder. */
interface Shelf {
  /** A text that differs between states of the files. */
  readonly state: string
  readonly saved: readonly (SavedProgram & { readonly text: string })[]
  readonly status: readonly SavedProgramStatus[]
  readonly server: ToolServer | undefined
}

const EMPTY: Shelf = { state: '', saved: [], status: [], server: undefined }
const LANGUAGES: Readonly<Record<string, Language>> = { '.star': 'starlark', '.js': 'javascript' }
/** The name of their server among the stub files, and of their namespace in programs. */
const NAMESPACE = 'programs'
/** Callers who listen learn of changed files after this time. */
const LOOK_MS = 1000
const MOST_FILES = 200
const MOST_BYTES = 256 * 1024

interface SavedProgramsParts {
  readonly desk: Desk
  readonly log: Log
  /** The tools that are known now. */
  readonly bindings: () => Bindings
}

export class SavedPrograms {
  readonly #folder: string | undefined
  readonly #desk: Desk
  readonly #log: Log
  readonly #bindings: () => Bindings
  /** The programs as the files define them. */
  #read = EMPTY
  /** The same programs, checked against the known tools. */
  #shelf = EMPTY
  #comparedWith: Bindings | undefined
  #reading: Promise<void> | undefined
  readonly #listeners = new Set<() => void>()
  #looking: NodeJS.Timeout | undefined

  constructor(folder: string | undefined, { desk, log, bindings }: SavedProgramsParts) {
    this.#folder = folder
    this.#desk = desk
    this.#log = log
    this.#bindings = bindings
  }

  /** Reads changed files, and checks programs against changed tools. Never rejects. */
  async refresh(): Promise<void> {
    if (this.#folder === undefined) return
    this.#reading ??= this.#renew(this.#folder).finally(() => {
      this.#reading = undefined
    })
    await this.#reading
  }

  /** Notifies of changes of the usable programs, until the returned function is called. */
  listen(listener: () => void): () => void {
    if (this.#folder === undefined) return () => {}
    this.#listeners.add(listener)
    this.#looking ??= setInterval(() => void this.refresh(), LOOK_MS).unref()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      clearInterval(this.#looking)
      this.#looking = undefined
    }
  }

  /** In the order of their names. */
  get status(): readonly SavedProgramStatus[] {
    return this.#shelf.status
  }

  /** The usable programs, as callers see them. */
  get tools(): readonly ProgramTool[] {
    return this.#shelf.status.flatMap(({ name, description, inputSchema, problem }) =>
      problem === undefined ? [{ name, ...(description === '' ? {} : { description }), inputSchema }] : [],
    )
  }

  /** The usable programs as tools; undefined if there are none. */
  get server(): ToolServer | undefined {
    return this.#shelf.server
  }

  /** The program with the saved programs that it may call. */
  attach(program: Program): Program {
    const { saved } = this.#shelf
    if (saved.length === 0 || !namesAny(program.text)) return program
    const needed = new Set<string>()
    const texts = [program.text]
    for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
      const words = new Set(namesAny(text) ? text.match(/\w+/g) : [])
      for (const one of saved) {
        if (!words.has(one.name) || needed.has(one.name)) continue
        needed.add(one.name)
        texts.push(one.text)
      }
    }
    return {
      ...program,
      saved: saved.map(({ text, ...one }) => (needed.has(one.name) ? { ...one, text } : one)),
    }
  }

  /** The program that runs a saved program. Throws a DiagnosticError with the mistake in the call. */
  calling({ program: name, arguments: args = {} }: SavedCall): Program {
    const { saved, server } = this.#shelf
    const found = saved.find((one) => one.name === name)
    if (found === undefined) {
      const names = saved.map((one) => one.name)
      throw new DiagnosticError(noSavedProgram(name, nearestNames(name, names, 2), names))
    }
    const tool = server?.tools.find((one) => one.name === name)
    const problems = tool === undefined ? [] : checkArguments(tool, args)
    if (problems.length > 0) throw new DiagnosticError(wrongSavedArguments(name, problems))
    const { language } = found
    if (language === 'javascript') {
      // In an object literal, a plain `__proto__` key would set the prototype.
      const given = JSON.stringify(args).replaceAll('"__proto__":', '["__proto__"]:')
      return this.attach({ text: `return ${NAMESPACE}.${name}(${given})`, language })
    }
    const { properties = {} } = (tool?.inputSchema ?? {}) as { readonly properties?: Readonly<Record<string, unknown>> }
    const given = Object.entries(args).map(([key, value]) => `${key}=${literalOf(value, properties[key])}`)
    return this.attach({ text: `result = ${NAMESPACE}.${name}(${given.join(', ')})`, language })
  }

  async #renew(folder: string): Promise<void> {
    const files = await filesIn(folder)
    const bindings = this.#bindings()
    const before = this.#read
    if (JSON.stringify(files) !== before.state) this.#read = await this.#readAnew(folder, files)
    if (this.#read === before && bindings === this.#comparedWith) return
    const told = new Set(this.#shelf.status.map(({ problem }) => problem))
    const tools = JSON.stringify(this.tools)
    this.#shelf = await this.#compared(this.#read, bindings)
    this.#comparedWith = bindings
    for (const problem of new Set(this.#shelf.status.map((one) => one.problem)))
      if (problem !== undefined && !told.has(problem))
        this.#log({ level: 'warn', message: `a saved program can't be used: ${problem}` })
    if (JSON.stringify(this.tools) !== tools) for (const listener of [...this.#listeners]) listener()
  }

  /** Reports tools that a known server does not have. An unknown server is not a mistake of the program. */
  async #compared({ state, saved, status }: Shelf, bindings: Bindings): Promise<Shelf> {
    const compared = status.map(async (one): Promise<SavedProgramStatus> => {
      if (one.problem !== undefined) return one
      const { name, language } = one
      const program: Program = { text: `${NAMESPACE}.${name}`, language, saved }
      const { compilation } = await this.#desk.prepare(program, bindings, {
        dialect: { clock: true, random: true, input: true, memory: true },
        unavailable: {},
        limits: resolveLimits({}),
        elapsedMs: 0,
      })
      const diagnostics = compilation.ok ? [] : compilation.diagnostics
      const fault = diagnostics.find(({ code }) => code === 'unknown-tool')
      return fault === undefined ? one : { ...one, problem: problemText(fault, one.file) }
    })
    return shelfOf(state, saved, await Promise.all(compared))
  }

  async #readAnew(folder: string, files: readonly FileState[]): Promise<Shelf> {
    const read: ReadSaved[] = []
    for (const one of await Promise.all(files.map(({ file }) => readSaved(path.join(folder, file))))) {
      const same = read.find(({ name }) => name === one.name)
      const { name, language } = one
      read.push(same === undefined ? one : { name, language, fault: savedTwice(fileOf(same)) })
    }
    const readable = read.flatMap((one) => ('text' in one ? [one] : []))
    const described = readable.length === 0 ? [] : await this.#desk.describe(readable)
    const status = read.map((one): SavedProgramStatus => {
      const { name, language } = one
      const known = 'fault' in one ? undefined : described?.find((other) => other.name === name)
      const [fault] = 'fault' in one ? [one.fault] : (known?.diagnostics ?? [savedNotDescribed])
      return {
        name,
        file: fileOf(one),
        language,
        description: known?.doc ?? '',
        inputSchema: known?.inputSchema ?? {},
        ...(fault === undefined ? {} : { problem: problemText(fault, fileOf(one)) }),
      }
    })
    return shelfOf(JSON.stringify(files), readable, status)
  }
}

function shelfOf(state: string, saved: Shelf['saved'], status: Shelf['status']): Shelf {
  const usable = status.filter(({ problem }) => problem === undefined)
  const server = usable.length === 0 ? undefined : { name: NAMESPACE, description: ABOUT, tools: usable.map(toolOf) }
  return { state, saved, status, server }
}

const ABOUT = 'Saved programs: call them as programs.NAME(…), or executeToolCode(program="NAME", arguments={…})'

function namesAny(text: string): boolean {
  return /\bprograms\b/.test(text)
}

function toolOf({ name, description, inputSchema, language }: SavedProgramStatus): Tool {
  const about = [...(language === 'javascript' ? ['JavaScript'] : []), ...(description === '' ? [] : [description])]
  return { name, inputSchema, ...(about.length === 0 ? {} : { description: about.join(': ') }) }
}

/** `programs/report.star:2:5: '(' is never closed`. */
function problemText({ span, message, hint }: Diagnostic, file: string): string {
  const place = span === undefined ? file : `${span.file ?? file}:${span.line}:${span.column}`
  return `${place}: ${message}${hint === undefined ? '' : `; ${hint}`}`
}

interface FileState {
  readonly file: string
  readonly bytes: number
  readonly changedAt: number
}

/** Sorted by name; empty if there is no folder. */
async function filesIn(folder: string): Promise<FileState[]> {
  const names = await readdir(folder).catch((): string[] => [])
  const ours = names.filter((name) => Object.hasOwn(LANGUAGES, path.extname(name)) && !name.startsWith('.')).sort()
  const files = ours.slice(0, MOST_FILES).map(async (file) => {
    const found = await stat(path.join(folder, file)).catch(() => undefined)
    return found?.isFile() ? [{ file, bytes: found.size, changedAt: found.mtimeMs }] : []
  })
  return (await Promise.all(files)).flat()
}

type ReadSaved = Omit<SavedProgram, 'text'> & ({ readonly text: string } | { readonly fault: Diagnostic })

async function readSaved(file: string): Promise<ReadSaved> {
  const ending = path.extname(file)
  const saved = { name: path.basename(file, ending), language: LANGUAGES[ending]! }
  if (!/^[A-Za-z][A-Za-z0-9_]{0,60}$/.test(saved.name)) return { ...saved, fault: savedUnnamable }
  try {
    const bytes = await readFile(file)
    if (bytes.length > MOST_BYTES) return { ...saved, fault: savedUnreadable(`it is longer than ${MOST_BYTES} bytes`) }
    return { ...saved, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { ...saved, fault: savedUnreadable(error instanceof TypeError ? 'it is not UTF-8 text' : String(code)) }
  }
}

/** JSON data in Starlark's notation. A number becomes a float if the schema declares a float. */
function literalOf(value: unknown, schema?: unknown): string {
  const isFloat = (schema as { readonly type?: unknown } | undefined)?.type === 'number'
  if (isFloat && Number.isInteger(value) && Math.abs(value as number) < 1e21) return `${value}.0`
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map((one) => literalOf(one)).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${literalOf(inner)}`)
  return `{${entries.join(', ')}}`
}
