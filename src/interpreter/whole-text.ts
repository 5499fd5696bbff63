// Joins a program and the saved programs that it may call into one text: the saved programs first, each on lines of its
// own. All offsets of a compilation are offsets in this text. People and models see the line in the file.

import type { Program, SavedProgram } from './program.js'

/** The part of a whole text that belongs to one saved program, or to the program itself. */
export interface Part {
  /** The file, in the form of `Span.file`. */
  readonly file?: string
  readonly saved?: SavedProgram
  readonly start: number
  readonly end: number
}

const ENDINGS = { starlark: 'star', javascript: 'js' } as const

/** The path under which a saved program is shown. */
export function fileOf({ name, language }: SavedProgram): string {
  return `programs/${name}.${ENDINGS[language]}`
}

function called({ saved = [], language }: Program): (SavedProgram & { readonly text: string })[] {
  return saved.flatMap((one) =>
    one.text === undefined || one.language !== language ? [] : [{ ...one, text: one.text }],
  )
}

export function wholeText(program: Program): string {
  return [...called(program), program].map(({ text }) => text).join('\n')
}

/** The parts of a whole text, in order; the program itself is the last. */
export function partsOf(program: Program): Part[] {
  let start = 0
  const ofSaved = called(program).map((saved) => {
    const part = { file: fileOf(saved), saved, start, end: start + saved.text.length }
    start = part.end + 1
    return part
  })
  return [...ofSaved, { start, end: start + program.text.length }]
}

/** Returns a function that finds the text of a file by its name. */
export function textsOf(program: Program): (file: string | undefined) => string | undefined {
  return (file) => (file === undefined ? program.text : called(program).find((saved) => fileOf(saved) === file)?.text)
}
