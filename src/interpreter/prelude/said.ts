// What messages say: our own words, and values of the program in them. A value is marked where it is put in, because whoever reads the message outside
// may not see what the program did not print. The program itself reads the text, whole.
// The types keep the two apart: a text that is not known to be ours does not fit into a message unless it is marked.
// Invariant: nothing here looks at a value before the run has ended; programs fail often, and mostly nobody reads about it.

declare const ours: unique symbol

/** A text of our own: the name of a built-in type, an amount in words. */
export type Word = string & { readonly [ours]: true }

/** Says that a text is ours, whoever calls. */
export function word(text: string): Word {
  return text as Word
}

/** A value as a message writes it. */
export class Shown {
  declare readonly text: string
  declare readonly value: unknown
  /** It is a name, of a function or a type. */
  declare readonly isName: boolean
  constructor(text: string, value: unknown, isName = false) {
    this.text = text
    this.value = value
    this.isName = isName
  }
}

/** Words that quote values, and what is said instead where a reader does not have all of them. */
export class Alternative extends Shown {
  declare readonly said: Said
  declare readonly instead: Said
  constructor(words: Said, instead: Said) {
    super(words.text, null)
    this.said = words
    this.instead = instead
  }
}

/** Where a value stands in a text. */
export interface Mark {
  readonly start: number
  readonly end: number
  readonly shown: Shown
}

/** A message, or a part of one. */
export interface Said {
  readonly text: string
  readonly marks: readonly Mark[]
}

/** A text that stands in our code. A template with any text in it is none. */
export type Literal<T extends string> = T extends Word ? T : Record<never, unknown> extends Record<T, 1> ? never : T

/** What is in a message: our words, amounts, and values that say what they are. */
type Part<P> = P extends string ? Literal<P> : P extends number | Shown | Said ? P : never

const NONE: readonly Mark[] = []

/** A message: said`no field ${inQuotes(name)}`. */
export function said<const P extends readonly (string | number | Shown | Said)[]>(
  words: TemplateStringsArray,
  ...parts: P & { readonly [K in keyof P]: Part<P[K]> }
): Said {
  let text = words[0]!
  let marks: Mark[] | undefined
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string | number | Shown | Said
    if (typeof part !== 'object') text += part
    else {
      const start = text.length
      text += part.text
      if (part instanceof Shown) {
        marks ??= []
        marks.push({ start, end: text.length, shown: part })
      } else if (part.marks.length > 0) {
        marks ??= []
        for (const mark of part.marks)
          marks.push({ start: mark.start + start, end: mark.end + start, shown: mark.shown })
      }
    }
    text += words[i + 1]!
  }
  return { text, marks: marks ?? NONE }
}

/** Several parts with our words between them. */
export function joined<S extends string>(parts: readonly (Said | Shown | Word)[], separator: Literal<S>): Said {
  const [first, ...rest] = parts
  if (first === undefined) return said``
  return rest.reduce<Said>((all, part) => said`${all}${word(separator)}${part}`, said`${first}`)
}

/** A text as it is. */
export function spelled(text: string, value?: unknown): Shown
export function spelled(number: number | bigint): Shown
export function spelled(x: string | number | bigint, value: unknown = typeof x === 'bigint' ? 0 : x): Shown {
  return new Shown(`${x}`, value)
}

/** A text between quotes. */
export function inQuotes(text: string, quotes = "'"): Shown {
  return new Shown(quotes + text + quotes, text)
}

/** The name of a function, a type, a module: as it is. */
export function asName(name: string): Shown {
  return new Shown(name, name, true)
}
