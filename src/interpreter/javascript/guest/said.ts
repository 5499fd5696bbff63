// The texts of the library's messages: our own words, and values of the program. A value is marked where it is
// inserted, because a reader outside may not see values that the program did not print. The program itself reads the
// whole text. The types distinguish the two: a text that is not known to be ours must be marked.

declare const ours: unique symbol

/** A text of our own. */
export type Word = string & { readonly [ours]: true }

/** Declares that a text is ours, without a check. */
export function word(text: string): Word {
  return text as Word
}

/**
 * The place of a value in a message. `what`: `string` for a text of the program and `engine` for words of the engine,
 * which the host describes; anything else is the replacement of the value. `plain`: the text by which the value is
 * recognised. Absent if it is long.
 */
export type Mark = readonly [start: number, end: number, what: string, plain?: string]

/** A value as a message writes it. */
export class Shown {
  readonly text: string
  readonly what: string
  readonly plain: string

  constructor(text: string, what: string, plain: string) {
    this.text = text
    this.what = what
    this.plain = plain
  }
}

/** A message, or a part of one. */
export interface Said {
  readonly text: string
  readonly marks: readonly Mark[]
}

/** A literal of our own code. A template that contains any other text is not one. */
export type Literal<T extends string> = T extends Word ? T : Record<never, unknown> extends Record<T, 1> ? never : T

type Part<P> = P extends string ? Literal<P> : P extends number | Shown | Said ? P : never

const LONGEST_PLAIN = 1000

/** Makes a message: said`${word(name)} is not known here`. */
export function said<const P extends readonly (string | number | Shown | Said)[]>(
  words: TemplateStringsArray,
  ...parts: P & { readonly [K in keyof P]: Part<P[K]> }
): Said {
  let text = words[0]!
  const marks: Mark[] = []
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string | number | Shown | Said
    const start = text.length
    text += typeof part === 'object' ? part.text : part
    if (part instanceof Shown) marks[marks.length] = markOf(part, start)
    else if (typeof part === 'object')
      for (let j = 0; j < part.marks.length; j++) {
        const [from, to, what, plain] = part.marks[j]!
        marks[marks.length] =
          plain === undefined ? [from + start, to + start, what] : [from + start, to + start, what, plain]
      }
    text += words[i + 1]!
  }
  return { text, marks }
}

export function markOf({ text, what, plain }: Shown, start: number): Mark {
  const end = start + text.length
  if (plain.length <= LONGEST_PLAIN) return [start, end, what, plain]
  return [start, end, what === 'string' ? 'a string of ' + plain.length + ' characters' : what]
}

const stringify = JSON.stringify

/** A text of the program between quotes, cut to at most `most` characters. */
export function inQuotes(text: string, most = 100): Shown {
  const begin = text.length > most ? text.slice(0, most) + '…' : text
  return new Shown(stringify(begin), 'string', text)
}

/** A text of the program without quotes. */
export function spelled(text: string): Shown {
  return new Shown(text, 'string', text)
}

/** A name that the program chose. */
export function named(name: string): Shown {
  return new Shown(name, '*', name)
}

/** Any value. Texts are between quotes. */
export function shown(value: unknown): Shown | Word {
  switch (typeof value) {
    case 'string':
      return inQuotes(value)
    case 'number':
    case 'bigint':
      return new Shown(value + '', typeof value === 'bigint' || value % 1 === 0 ? 'an integer' : 'a number', value + '')
    case 'boolean':
    case 'undefined':
      return word(value + '')
    default:
      return word(value === null ? 'null' : typeof value === 'object' ? 'an object' : 'a ' + typeof value)
  }
}
