// JSON as people write it in configuration files: with comments and trailing commas. Knows places, so that every complaint about a file can
// name a line. Knows nothing of what the values mean.
// Invariant: text that `JSON.parse` accepts gives the same value here, except that a key written twice in one object is an error.

/** 1-based, columns count UTF-16 units. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A file's value, and where each part of it stands. */
export interface JsonText {
  readonly value: unknown
  /** The place of the key at a path; of the value for the root and for array elements. Undefined when the path does not exist. */
  placeOf(path: readonly PropertyKey[]): Place | undefined
}

export class JsonTextError extends Error {
  readonly place: Place

  constructor(message: string, place: Place) {
    super(message)
    this.name = 'JsonTextError'
    this.place = place
  }
}

/** Throws JsonTextError at the first thing that is not JSON. The message is a fact without a full stop. */
export function parseJsonText(text: string): JsonText {
  const reader = new Reader(text)
  const value = reader.document()
  return {
    value,
    placeOf: (path) => {
      const offset = reader.offsets.get(JSON.stringify(path.map(String)))
      return offset === undefined ? undefined : placeAt(text, offset)
    },
  }
}

const DEEPEST = 200

class Reader {
  readonly offsets = new Map<string, number>()
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  document(): unknown {
    if (this.text.charCodeAt(0) === 0xfeff) this.at = 1
    this.skipBlanks()
    this.offsets.set('[]', this.at)
    const value = this.value([])
    this.skipBlanks()
    if (this.at < this.text.length) this.fail(`unexpected ${this.seen()} after the end of the value`)
    return value
  }

  private value(path: readonly string[]): unknown {
    if (path.length > DEEPEST) this.fail(`more than ${DEEPEST} levels of nesting`)
    const char = this.text[this.at]
    if (char === '{') return this.object(path)
    if (char === '[') return this.array(path)
    if (char === '"') return this.string()
    return this.scalar()
  }

  private object(path: readonly string[]): unknown {
    const entries = new Map<string, unknown>()
    this.at++
    for (this.skipBlanks(); !this.eat('}'); this.comma('}')) {
      const start = this.at
      if (this.text[this.at] !== '"') this.fail(`expected a key in double quotes, found ${this.seen()}`)
      const key = this.string()
      if (entries.has(key)) this.fail(`the key ${JSON.stringify(key)} is written twice`, start)
      this.skipBlanks()
      if (!this.eat(':')) this.fail(`expected ":" after the key ${JSON.stringify(key)}, found ${this.seen()}`)
      this.skipBlanks()
      const inner = [...path, key]
      this.offsets.set(JSON.stringify(inner), start)
      entries.set(key, this.value(inner))
    }
    // `__proto__` stays an ordinary key, as with JSON.parse.
    return Object.fromEntries(entries)
  }

  private array(path: readonly string[]): unknown[] {
    const items: unknown[] = []
    this.at++
    for (this.skipBlanks(); !this.eat(']'); this.comma(']')) {
      const inner = [...path, String(items.length)]
      this.offsets.set(JSON.stringify(inner), this.at)
      items.push(this.value(inner))
    }
    return items
  }

  private comma(close: string): void {
    this.skipBlanks()
    if (!this.eat(',') && this.text[this.at] !== close) this.fail(`expected "," or "${close}", found ${this.seen()}`)
    this.skipBlanks()
  }

  private string(): string {
    const start = this.at
    this.at++
    while (this.text[this.at] !== '"') {
      if (this.at >= this.text.length || this.text[this.at] === '\n')
        this.fail('this string has no closing quote', start)
      this.at += this.text[this.at] === '\\' ? 2 : 1
    }
    this.at++
    return this.native(start, 'this string has a character or an escape that JSON does not allow') as string
  }

  private scalar(): unknown {
    const start = this.at
    while (/[\w+\-.]/.test(this.text[this.at] ?? '')) this.at++
    if (this.at === start) this.fail(`expected a value, found ${this.seen()}`)
    return this.native(start, `${JSON.stringify(this.text.slice(start, this.at))} is not a JSON value`)
  }

  private native(start: number, complaint: string): unknown {
    try {
      return JSON.parse(this.text.slice(start, this.at))
    } catch {
      return this.fail(complaint, start)
    }
  }

  private skipBlanks(): void {
    const blank = /(?:[\s\uFEFF]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
    blank.lastIndex = this.at
    this.at += blank.exec(this.text)?.[0].length ?? 0
  }

  private eat(char: string): boolean {
    if (this.text[this.at] !== char) return false
    this.at++
    return true
  }

  private seen(): string {
    const char = this.text[this.at]
    return char === undefined ? 'the end of the file' : JSON.stringify(char)
  }

  private fail(message: string, offset = this.at): never {
    throw new JsonTextError(message, placeAt(this.text, offset))
  }
}

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
