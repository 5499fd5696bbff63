// The arguments of executeToolCode, read from whatever a model sent. Knows their names and what models get wrong about them.

import { type Diagnostic, nearestNames } from '../diagnostics/index.js'
import type { Language, Program } from '../interpreter/index.js'
import { wrongArgument, wrongArgumentName } from './messages.js'
import { type OutputFormat, outputFormats } from './output-format.js'

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
    }
  | { readonly ok: false; readonly diagnostic: Diagnostic }

const names = ['code', 'language', 'timeoutMs', 'output', 'reuse', 'readAhead']
const languages: readonly Language[] = ['starlark', 'javascript']

export function readSubmission(raw: Readonly<Record<string, unknown>>, usual: Language): Submission {
  const { code, timeoutMs, reuse, readAhead } = raw
  const language = raw.language ?? fenceLanguage(code) ?? usual
  const stray = Object.keys(raw).find((name) => !names.includes(name))
  if (stray !== undefined)
    return refuse(wrongArgumentName('executeToolCode', stray, nearestNames(stray, names, 1), names))
  if (typeof code !== 'string') return refuse(wrongArgument('executeToolCode', 'code', code, 'the text of a program'))
  if (!languages.includes(language as Language)) {
    return refuse(wrongArgument('executeToolCode', 'language', language, oneOf(languages)))
  }
  const guessed = (raw.language ?? fenceLanguage(code)) === undefined
  const program: Program = { text: withoutFence(code), language: language as Language, guessed }
  const output = raw.output ?? 'json'
  if (!outputFormats.includes(output as OutputFormat))
    return refuse(wrongArgument('executeToolCode', 'output', output, oneOf(outputFormats)))
  if (reuse !== undefined && reuse !== null && typeof reuse !== 'string')
    return refuse(wrongArgument('executeToolCode', 'reuse', reuse, 'the id of a run, like "run-3"'))
  if (readAhead !== undefined && readAhead !== null && typeof readAhead !== 'boolean')
    return refuse(wrongArgument('executeToolCode', 'readAhead', readAhead, 'true or false'))
  const ahead = typeof readAhead === 'boolean' ? { readAhead } : {}
  const taken = typeof reuse === 'string' && reuse.trim() !== '' ? { reuse: reuse.trim() } : {}
  const read = { ok: true, program, output: output as OutputFormat, ...taken, ...ahead } as const
  if (timeoutMs === undefined || timeoutMs === null) return read
  // Models send numbers as strings now and then, and mean the number.
  const milliseconds = Number(typeof timeoutMs === 'string' && timeoutMs.trim() !== '' ? timeoutMs : timeoutMs)
  if (!Number.isFinite(milliseconds) || milliseconds < 1 || typeof timeoutMs === 'boolean') {
    return refuse(wrongArgument('executeToolCode', 'timeoutMs', timeoutMs, 'a number of milliseconds above 0'))
  }
  return { ...read, timeoutMs: Math.ceil(milliseconds) }
}

/** A program that came inside a Markdown code fence is the text in the fence. */
function withoutFence(code: string): string {
  const fenced = /^\s*```[\w-]*\r?\n([\s\S]*?)\r?\n?```\s*$/.exec(code)
  return fenced?.[1] ?? code
}

/** The language that a code fence names. */
function fenceLanguage(code: unknown): Language | undefined {
  const label = typeof code === 'string' ? /^\s*```([\w-]+)\r?\n/.exec(code)?.[1]?.toLowerCase() : undefined
  if (label === undefined) return undefined
  if (['js', 'javascript', 'mjs', 'ts', 'typescript'].includes(label)) return 'javascript'
  return ['starlark', 'python', 'py', 'star'].includes(label) ? 'starlark' : undefined
}

function oneOf(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(' or ')
}

function refuse(diagnostic: Diagnostic): Submission {
  return { ok: false, diagnostic }
}
