// Compiles a program in its language, and detects the language of a text.
//
// A text that parses in the usual language is in that language, with one exception: if its only mistakes are unknown
// names and the other language finds none, it is in the other (`console.log(x)` is a call in both). A text that parses
// only in the other language is in the other. A text that parses in neither is in the other only if parsing gets
// further there and the text looks like JavaScript at that point, because one language notices an unclosed bracket
// early and the other late.
//
// Named arguments are Python's: JavaScript parses them as assignments and refuses them. A text with named arguments is
// in Starlark, unless it is refused there, too, and looks like JavaScript otherwise.
//
// Invariant: a text without mistakes in the usual language is in the usual language.

import { compileStarlark } from './compile/index.js'
import { compileJavaScript, parse as parseJavaScript } from './javascript/index.js'
import type { Compilation, CompileOptions, Program } from './program.js'
import { lineStarts, parse as parseStarlark } from './syntax/index.js'

/** Compiles a program without running it. The result contains every mistake that can be known before the run. */
export function compile(program: Program, options: CompileOptions = {}): Compilation {
  return program.language === 'javascript' ? compileJavaScript(program, options) : compileStarlark(program, options)
}

interface Recognised {
  /** The program, with the detected language. */
  readonly program: Program
  readonly compilation: Compilation
}

/**
 * Compiles a program whose language may be a guess. It is in the usual language unless the text is clearly in the other
 * one.
 */
export function compileRecognised(program: Program, options: CompileOptions = {}): Recognised {
  const compilation = compile(program, options)
  if (compilation.ok || !program.guessed) return { program, compilation }
  const parsed = byParsing(program, compilation, options)
  return codesOf(parsed.compilation).includes('named-argument') ? byNamedArguments(parsed, options) : parsed
}

function byParsing(program: Program, compilation: Compilation, options: CompileOptions): Recognised {
  const other: Program = { ...program, language: program.language === 'starlark' ? 'javascript' : 'starlark' }
  const here = firstFault(program, options)
  const there = firstFault(other, options)
  const isFurther = here !== undefined && there !== undefined && there > here
  const isReadThere = here !== undefined && there === undefined && !meansMoreHere(program)
  if (isReadThere || (isFurther && looksLike(other))) return { program: other, compilation: compile(other, options) }
  const onlyNames = codesOf(compilation).every((code) => code === 'undefined-name')
  const again = here === undefined && there === undefined && onlyNames ? compile(other, options) : undefined
  return again?.ok ? { program: other, compilation: again } : { program, compilation }
}

/** Decides about a text that is refused in JavaScript because of named arguments. */
function byNamedArguments(javascript: Recognised, options: CompileOptions): Recognised {
  const program: Program = { ...javascript.program, language: 'starlark' }
  const compilation = compile(program, options)
  const [first] = codesOf(compilation)
  const isAboutArguments = first === 'repeated-argument' || first === 'argument-order'
  const isJavaScript = !compilation.ok && !isAboutArguments && looksLike(javascript.program)
  return isJavaScript ? javascript : { program, compilation }
}

function codesOf(compilation: Compilation): string[] {
  return compilation.ok ? [] : compilation.diagnostics.map(({ code }) => code)
}

// Each line is matched from its own start. Otherwise white space across lines would be scanned again from every line.
const JAVASCRIPT = /^[ \t]*(?:const|let|var|function|async function|export|\/\/)\s|=>|===|!==|[;{]\s*$|`/m

function looksLike({ text, language }: Program): boolean {
  return JAVASCRIPT.test(text) === (language === 'javascript')
}

/** True for a text with `\N{…}`, which is Python's. JavaScript parses it too, but drops the backslash. */
function meansMoreHere({ text, language }: Program): boolean {
  return language === 'starlark' && text.includes('\\N{')
}

/** The offset of the first fault of a text in a language; undefined if there is none. */
function firstFault({ text, language }: Program, { dialect }: CompileOptions): number | undefined {
  if (language === 'javascript') {
    const parsed = parseJavaScript(text)
    return parsed.ok ? undefined : parsed.fault.start
  }
  const { span } = parseStarlark(text, { strict: dialect?.strict === true }).diagnostics[0] ?? {}
  if (span === undefined) return undefined
  return lineStarts(text)[span.line - 1]! + span.column - 1
}
