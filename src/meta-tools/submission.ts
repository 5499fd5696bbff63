// Reads the raw arguments of executeToolCode and repairs common mistakes of models.

import { type Diagnostic, DiagnosticError, nearestNames } from '../diagnostics/index.js'
import type { Language, Program } from '../interpreter/index.js'
import { noSavedProgram, wrongArgument, wrongArgumentName } from './messages.js'
import { type OutputFormat, outputFormats } from './output-format.js'
import type { RunContext, SavedCall } from './run-context.js'

export type Submission =
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

const names = [
  'code',
  'program',
  'arguments',
  'language',
  'timeoutMs',
  'output',
  'reuse',
  'resume',
  'background',
  'readAhead',
  'state',
]
const states = ['none', 'session'] as const
const languages: readonly Language[] = ['starlark', 'javascript']

export function readSubmission(
  raw: Readonly<Record<string, unknown>>,
  usual: Language,
  saved: RunContext['saved'],
): Submission {
  const { code, timeoutMs, reuse, readAhead } = raw
  const resume = raw.resume ?? undefined
  const background = raw.background ?? false
  const language = raw.language ?? undefined
  const stray = Object.keys(raw).find((name) => !names.includes(name))
  if (stray !== undefined)
    return refuse(wrongArgumentName('executeToolCode', stray, nearestNames(stray, names, 1), names))
  if (resume !== undefined && typeof resume !== 'string')
    return refuse(wrongArgument('executeToolCode', 'resume', resume, 'the id of a run'))
  if (resume !== undefined && resume.trim() !== '') {
    if (typeof code !== 'string' || code.trim() === '') return { ok: true, resume: resume.trim() }
    return refuse(wrongArgument('executeToolCode', 'code', code, 'no code: a resumed run has its own program'))
  }
  if (typeof background !== 'boolean')
    return refuse(wrongArgument('executeToolCode', 'background', background, 'true or false'))
  const call = savedCallIn(raw)
  if (call !== undefined && 'class' in call) return refuse(call)
  if (call !== undefined && code !== undefined && code !== null)
    return refuse(wrongArgument('executeToolCode', 'code', code, 'no code beside the name of a saved program'))
  if (call === undefined && typeof code !== 'string')
    return refuse(wrongArgument('executeToolCode', 'code', code, 'the text of a program'))
  if (language !== undefined && !languages.includes(language as Language)) {
    return refuse(wrongArgument('executeToolCode', 'language', language, oneOf(languages)))
  }
  const program = read(() =>
    call === undefined
      ? attached(readProgram(String(code), language as Language | undefined, usual), saved)
      : called(call, saved),
  )
  if ('class' in program) return refuse(program)
  const output = raw.output ?? 'json'
  if (!outputFormats.includes(output as OutputFormat))
    return refuse(wrongArgument('executeToolCode', 'output', output, oneOf(outputFormats)))
  if (reuse !== undefined && reuse !== null && typeof reuse !== 'string')
    return refuse(wrongArgument('executeToolCode', 'reuse', reuse, 'the id of a run, like "run-3"'))
  if (readAhead !== undefined && readAhead !== null && typeof readAhead !== 'boolean')
    return refuse(wrongArgument('executeToolCode', 'readAhead', readAhead, 'true or false'))
  const state = raw.state ?? undefined
  if (state !== undefined && !states.includes(state as (typeof states)[number]))
    return refuse(wrongArgument('executeToolCode', 'state', state, oneOf(states)))
  const ahead = typeof readAhead === 'boolean' ? { readAhead } : {}
  const taken = typeof reuse === 'string' && reuse.trim() !== '' ? { reuse: reuse.trim() } : {}
  const kept = state === undefined ? {} : { state: state as (typeof states)[number] }
  const submitted = {
    ok: true,
    program,
    output: output as OutputFormat,
    background,
    ...taken,
    ...ahead,
    ...kept,
  } as const
  if (timeoutMs === undefined || timeoutMs === null) return submitted
  // Models send numbers as strings now and then, and mean the number.
  const milliseconds = Number(typeof timeoutMs === 'string' && timeoutMs.trim() !== '' ? timeoutMs : timeoutMs)
  if (!Number.isFinite(milliseconds) || milliseconds < 1 || typeof timeoutMs === 'boolean') {
    return refuse(wrongArgument('executeToolCode', 'timeoutMs', timeoutMs, 'a number of milliseconds above 0'))
  }
  return { ...submitted, timeoutMs: Math.ceil(milliseconds) }
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
