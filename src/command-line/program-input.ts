// A program's arguments and standard input.
// Invariant: a person's input is never ignored silently.

import type { Command } from 'commander'
import type { CodeMode, ProgramOptions as ProgramSettings, SavedCall } from '../index.js'
import { wrongUsage } from './failure.js'
import { languageGiven, type ProgramOptions, standardInput } from './given.js'
import { callOfMain, callOfSaved } from './main-arguments.js'

export interface Typed {
  /** Undefined if the program is not in a file. */
  readonly file: string | undefined
  /** The arguments after the file. */
  readonly rest: readonly string[]
  readonly options: ProgramOptions & { readonly help?: true }
  readonly command: Command
}

/**
 * The program with its typed arguments. Throws commander's errors after `--help` and for arguments that the program
 * can't take.
 */
export async function withInput(
  codeMode: CodeMode,
  code: string,
  { file, rest, options, command }: Typed,
): Promise<{ readonly code: string | SavedCall; readonly input: Pick<ProgramSettings, 'argv' | 'stdin'> }> {
  if (isSaved(file))
    return { code: await savedCall(codeMode, file, options.help ? ['--help', ...rest] : rest), input: {} }
  const language = languageGiven(file, options)
  const main = /\bdef\s+main\s*\(/.test(code) ? await codeMode.mainOf(code, language) : undefined
  if (options.help && main === undefined) command.help()
  const typed = options.help ? ['--help', ...rest] : rest
  const call = main === undefined ? '' : callOfMain(main, file ?? 'FILE', typed)
  if (main === undefined && rest.length > 0 && !/\bargv\b/.test(code)) refuse(rest, file, command)
  const isProgram = file === undefined ? options.eval === undefined : file === '-'
  const stdin = !isProgram && /\bstdin\b/.test(code) ? await standardInput() : ''
  const argv = [file ?? (options.eval === undefined ? '-' : '-c'), ...rest]
  return { code: code + call, input: { argv, stdin } }
}

/** `:report` names a saved program. */
export function isSaved(file: string | undefined): file is `:${string}` {
  return file?.startsWith(':') === true
}

async function savedCall(codeMode: CodeMode, file: `:${string}`, typed: readonly string[]): Promise<SavedCall> {
  const program = file.slice(1)
  const found = (await codeMode.programs()).find(({ name }) => name === program)
  if (found?.problem !== undefined) throw wrongUsage(`the saved program ${program} can't be used: ${found.problem}`)
  return found === undefined ? { program } : callOfSaved(found, typed)
}

/** An unknown option is most likely a mistyped option of starbind. */
function refuse(rest: readonly string[], file: string | undefined, command: Command): never {
  const option = rest.find((word) => /^-./.test(word))
  if (option !== undefined) refuseOption(command, option)
  throw wrongUsage(
    `the program ${file} takes no arguments: ${rest.join(' ')}`,
    'a program has arguments in sys.argv (JavaScript: process.argv), or as annotated parameters of a function main that it does not call',
  )
}

/** Lets commander report an unknown option. */
export function refuseOption(command: Command, option: string): void {
  command.allowUnknownOption(false).parse([option], { from: 'user' })
}
