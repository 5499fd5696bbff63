// The texts of messages: our own words, and values of the program. A value is marked where it is inserted, because a
// reader outside may not see values that the program did not print. The program itself reads the whole text. The types
// distinguish the two: a text that is not known to be ours must be marked.
// Invariant: a message that nobody reads costs little, because programs often fail in loops.

declare const ours: unique symbol

/** A text of our own, such as the name of a built-in type or an amount in words. */
export type Word = string & { readonly [ours]: true }

/** Declares that a text is ours, without a check. */
export function word(text: string): Word {
  return text as Word
}

/** A value as a message writes it. */
export interface Shown {
  readonly text: string
  readonly value: unknown
  /** True for the name of a function or a type. */
  readonly isName: boolean
}

/** Words that quote values, with a replacement for readers who may not see all of the values. */
export class Alternative {
  declare readonly words: () => Said
  declare readonly instead: () => Said
  constructor(words: () => Said, instead: () => Said) {
    this.words = words
    this.instead = instead
  }

  get text(): string {
    return this.words().text
  }
}

/** The place of a value in a text. */
export interface Mark {
  readonly start: number
  readonly end: number
  readonly shown: Shown | Alternative
}

type Piece = string | number | Shown | Alternative | Said

/** A message or a part of one: our words with other pieces between them, joined on demand. */
export class Said {
  declare readonly words: readonly string[]
  declare readonly pieces: readonly Piece[]
  constructor(words: readonly string[], pieces: readonly Piece[]) {
    this.words = words
    this.pieces = pieces
  }

  get text(): string {
    const { words, pieces } = this
    let text = words[0]!
    for (let i = 0; i < pieces.length; i++) {
      const piece = pieces[i]!
      text += (typeof piece === 'object' ? piece.text : piece) + words[i + 1]!
    }
    return text
  }

  get marks(): readonly Mark[] {
    const { words, pieces } = this
    const marks: Mark[] = []
    let start = words[0]!.length
    pieces.forEach((piece, i) => {
      const end = start + (typeof piece === 'object' ? piece.text : `${piece}`).length
      if (piece instanceof Said)
        for (const mark of piece.marks) marks.push({ ...mark, start: mark.start + start, end: mark.end + start })
      else if (typeof piece === 'object') marks.push({ start, end, shown: piece })
      start = end + words[i + 1]!.length
    })
    return marks
  }
}

/** A literal of our own code. A template that contains any other text is not one. */
export type Literal<T extends string> = T extends Word ? T : Record<never, unknown> extends Record<T, 1> ? never : T

/** The pieces of a message: our words, amounts, and marked values. */
type Part<P> = P extends string ? Literal<P> : P extends Exclude<Piece, string> ? P : never

/** Makes a message: said`no field ${inQuotes(name)}`. */
export function said<const P extends readonly Piece[]>(
  words: TemplateStringsArray,
  ...pieces: P & { readonly [K in keyof P]: Part<P[K]> }
): Said {
  return new Said(words, pieces)
}

/** Several parts, with our words between them. */
export function joined<S extends string>(parts: readonly (Said | Shown | Word)[], separator: Literal<S>): Said {
  const [first, ...rest] = parts
  if (first === undefined) return said``
  return rest.reduce<Said>((all, part) => said`${all}${word(separator)}${part}`, said`${first}`)
}

/** A text without quotes. */
export function spelled(text: string, value?: unknown): Shown
export function spelled(number: number | bigint): Shown
export function spelled(x: string | number | bigint, value: unknown = typeof x === 'bigint' ? 0 : x): Shown {
  return { text: `${x}`, value, isName: false }
}

/** A text between quotes. */
export function inQuotes(text: string, quotes = "'"): Shown {
  return { text: quotes + text + quotes, value: text, isName: false }
}

/** The name of a function, a type or a module, without quotes. */
export function asName(name: string): Shown {
  return { text: name, value: name, isName: true }
}
