// Reads the raw arguments of executeToolCode and repairs common mistakes of models.

import { z } from 'zod'

import { type Diagnostic, DiagnosticError, nearestNames } from '../diagnostics/index.js'
import type { Language, Program } from '../interpreter/index.js'
import { noSavedProgram, wrongArgument, wrongArgumentName } from './messages.js'
import { type OutputFormat, outputFormats } from './output-format.js'
import type { RunContext, SavedCall } from './run-context.js'

type Submission =
  | {
      readonly ok: true
      readonly program: Program
      readonly timeoutMs?: number
      /** The failed run whose calls are to be taken over. */
      readonly reuse?: string
      /** False: wait for every call. */
      readonly readAhead?: boolean
      readonly output: OutputFormat
      /** It runs in the background. */
      readonly background: boolean
      /** Whether it keeps values for later runs; undefined: the caller's default. */
      readonly state?: (typeof states)[number]
    }
  /** A run to resume. */
  | { readonly ok: true; readonly resume: string }
  | { readonly ok: false; readonly diagnostic: Diagnostic }

const states = ['none', 'session'] as const
const languages = ['starlark', 'javascript'] as const satisfies readonly Language[]
const milliseconds = { error: 'a number of milliseconds above 0' }

/** Each `error` names the wanted value. */
const rawArguments = z.object({
  code: z.unknown().optional(),
  program: z.unknown().optional(),
  arguments: z.unknown().optional(),
  language: z.enum(languages, { error: oneOf(languages) }).optional(),
  // Models sometimes send numbers as strings.
  timeoutMs: z
    .union([z.number(), z.string()], milliseconds)
    .pipe(z.coerce.number<number | string>(milliseconds).min(1, milliseconds))
    .optional(),
  output: z.enum(outputFormats, { error: oneOf(outputFormats) }).default('json'),
  reuse: z.string({ error: 'the id of a run, like "run-3"' }).optional(),
  resume: z.string({ error: 'the id of a run' }).optional(),
  background: z.boolean({ error: 'true or false' }).default(false),
  readAhead: z.boolean({ error: 'true or false' }).optional(),
  state: z.enum(states, { error: oneOf(states) }).optional(),
})
const names = Object.keys(rawArguments.shape)

export function readSubmission(
  raw: Readonly<Record<string, unknown>>,
  usual: Language,
  saved: RunContext['saved'],
): Submission {
  const stray = Object.keys(raw).find((name) => !names.includes(name))
  if (stray !== undefined)
    return refuse(wrongArgumentName('executeToolCode', stray, nearestNames(stray, names, 1), names))
  // Models write null for an absent argument.
  const given = Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== null))
  const { data, error } = rawArguments.safeParse(given)
  if (data === undefined) {
    const { path, message } = error.issues[0]!
    const name = String(path[0])
    return refuse(wrongArgument('executeToolCode', name, raw[name], message))
  }
  const { code, language, timeoutMs, output, background, readAhead, state } = data
  const resume = data.resume?.trim() ?? ''
  if (resume !== '') {
    if (typeof code !== 'string' || code.trim() === '') return { ok: true, resume }
    return refuse(wrongArgument('executeToolCode', 'code', code, 'no code: a resumed run has its own program'))
  }
  const program = programIn(given, language, { usual, saved })
  if ('class' in program) return refuse(program)
  const reuse = data.reuse?.trim() ?? ''
  return {
    ok: true,
    program,
    output,
    background,
    ...(reuse === '' ? {} : { reuse }),
    ...(readAhead === undefined ? {} : { readAhead }),
    ...(state === undefined ? {} : { state }),
    ...(timeoutMs === undefined ? {} : { timeoutMs: Math.ceil(timeoutMs) }),
  }
}

/** The submitted program: its text, or the call of a saved program. */
function programIn(
  raw: Readonly<Record<string, unknown>>,
  language: Language | undefined,
  { usual, saved }: { readonly usual: Language; readonly saved: RunContext['saved'] },
): Program | Diagnostic {
  const { code } = raw
  const call = savedCallIn(raw)
  if (call !== undefined && 'class' in call) return call
  if (call !== undefined && code !== undefined)
    return wrongArgument('executeToolCode', 'code', code, 'no code beside the name of a saved program')
  if (call !== undefined) return read(() => called(call, saved))
  if (typeof code !== 'string') return wrongArgument('executeToolCode', 'code', code, 'the text of a program')
  return read(() => attached(readProgram(code, language, usual), saved))
}

/** The saved program to run; undefined if the arguments name none. */
export function savedCallIn(raw: Readonly<Record<string, unknown>>): SavedCall | Diagnostic | undefined {
  const { program } = raw
  const args = raw.arguments ?? {}
  if (program === undefined || program === null || program === '') {
    if (raw.arguments === undefined || raw.arguments === null) return undefined
    return wrongArgument('executeToolCode', 'program', program, 'the name of a saved program for these arguments')
  }
  if (typeof program !== 'string')
    return wrongArgument('executeToolCode', 'program', program, 'the name of a saved program')
  if (typeof args !== 'object' || Array.isArray(args))
    return wrongArgument('executeToolCode', 'arguments', args, 'an object with the arguments of the program')
  const name = program.replace(/^(?:programs[./]|:)|\.(?:star|js)$/g, '')
  return { program: name, arguments: args as Readonly<Record<string, unknown>> }
}

function called(call: SavedCall, saved: RunContext['saved']): Program {
  if (saved === undefined) throw new DiagnosticError(noSavedProgram(call.program, [], []))
  return saved.calling(call)
}

function attached(program: Program, saved: RunContext['saved']): Program {
  return saved?.attach(program) ?? program
}

/** The made program, or the diagnostic that `make` throws. */
function read(make: () => Program): Program | Diagnostic {
  try {
    return make()
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics[0]!
    throw error
  }
}

/**
 * The only way from a submission to a program, for running and for checking. If the submission has a Markdown code
 * fence, the program is the text in the fence, in the language that the fence names; the prose around it is ignored. If
 * no language is named, the default one is guessed.
 */
export function readProgram(code: string, language: Language | undefined, usual: Language): Program {
  const fenced = unfenced(code)
  const said = language ?? fenced.said
  return { text: fenced.text, language: said ?? usual, guessed: said === undefined }
}

const fenceLanguages: Readonly<Record<string, Language>> = {
  js: 'javascript',
  jsx: 'javascript',
  tsx: 'javascript',
  javascript: 'javascript',
  mjs: 'javascript',
  ts: 'javascript',
  typescript: 'javascript',
  starlark: 'starlark',
  star: 'starlark',
  python: 'starlark',
  py: 'starlark',
  python3: 'starlark',
}

/** A line that opens or closes a fence, as CommonMark has it; its label is the first word. */
const FENCE = /^( {0,3})(`{3,}|~{3,})[ \t]*([\w+#-]*)/
const TRIPLE_QUOTES = /"""|'''/g

interface Fenced {
  readonly label: string
  readonly lines: string[]
}

/** The content of a text's only fence, and its label; a text without a fence, or with several, is unchanged. */
function unfenced(code: string): { readonly text: string; readonly said: Language | undefined } {
  const [fence, another] = code.includes('```') || code.includes('~~~') ? fencesIn(code) : []
  if (fence === undefined) return { text: code, said: undefined }
  const name = fence.label.toLowerCase()
  const said = Object.hasOwn(fenceLanguages, name) ? fenceLanguages[name] : undefined
  return { text: another === undefined ? fence.lines.join('\n') : code, said }
}

/** The fences outside triple-quoted strings. The last one need not be closed. */
function fencesIn(code: string): Fenced[] {
  const found: Fenced[] = []
  let open: { readonly indent: RegExp; readonly mark: string; readonly fenced: Fenced } | undefined
  let isQuoted = false
  for (const raw of code.split('\n')) {
    const line = raw.replace(/\r$/, '')
    const [whole, indent = '', mark = '', label = ''] = (isQuoted ? null : FENCE.exec(line)) ?? []
    if (open === undefined && whole !== undefined) {
      open = { indent: new RegExp(`^ {0,${indent.length}}`), mark, fenced: { label, lines: [] } }
      found.push(open.fenced)
    } else if (open !== undefined && mark.startsWith(open.mark) && line.trim() === mark) open = undefined
    else {
      open?.fenced.lines.push(line.replace(open.indent, ''))
      if ((line.match(TRIPLE_QUOTES)?.length ?? 0) % 2 === 1) isQuoted = !isQuoted
    }
  }
  return found
}

function oneOf(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' or ')
}

function refuse(diagnostic: Diagnostic): Submission {
  return { ok: false, diagnostic }
}
