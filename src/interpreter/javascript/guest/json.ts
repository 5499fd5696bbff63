// JSON in and out. Integers that a number can't hold exactly are BigInts, in both directions. Everything else follows
// JSON. Strings are built with `+`: for a template the engine calls a string method, which the program may have
// replaced.
// Invariant: no digit of an integer is lost, and a value that JSON can't express is refused by name instead of dropped.

const parseNative = JSON.parse
const stringifyNative = JSON.stringify
const isArray = Array.isArray
const isFiniteNumber = Number.isFinite
const exec = RegExp.prototype.exec

/** A JSON string literal. */
export function quoted(text: string): string {
  return stringifyNative(text)
}

const LONG_INTEGER = /\d{16}/
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
/**
 * The prefix of a BigInt's digits during parsing. A string of the data that consists of this prefix and digits becomes
 * an integer, too.
 */
const MARK = '\u0000integer:'

export function parseJson(text: string, reviver?: (this: unknown, key: string, value: unknown) => unknown): unknown {
  if (exec.call(LONG_INTEGER, text) === null)
    return reviver === undefined ? parseNative(text) : parseNative(text, reviver)
  const marked = text.replace(TOKEN, (token) =>
    /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? stringifyNative(MARK + token) : token,
  )
  if (marked === text) return reviver === undefined ? parseNative(text) : parseNative(text, reviver)
  // Only valid JSON gets marks, so an error refers to the original text.
  if (!isJson(text)) return parseNative(text)
  return parseNative(marked, function (this: unknown, key: string, value: unknown) {
    const one =
      typeof value === 'string' && value.startsWith(MARK) && /^-?\d+$/.test(value.slice(MARK.length))
        ? BigInt(value.slice(MARK.length))
        : value
    return reviver === undefined ? one : reviver.call(this, key, one)
  })
}

function isJson(text: string): boolean {
  try {
    parseNative(text)
    return true
  } catch {
    return false
  }
}

export interface EncodeRules {
  /**
   * Handles a value that JSON can't express: returns its JSON text, or throws. `path`: its place, such as `["a"][0]`.
   */
  readonly stranger: (value: unknown, what: string, hint: string | undefined, path: () => string) => string
  /** Handles a value that contains itself or is nested too deeply. Default: `stranger`. */
  readonly endless?: () => string
  /** The text of an object that has a special JSON form. */
  readonly own?: (value: object, usual: () => string) => string | undefined
  /** The replacement of an object; undefined for others. */
  readonly as?: (value: object) => unknown
}

const DEEPEST = 1000
/** The maximum length of a path in messages, in characters. */
const LONGEST_PATH = 200

/** The JSON text of a value, on one line. */
export function encode(value: unknown, rules: EncodeRules): string {
  return new Encoder(rules).text(value)
}

class Encoder {
  readonly #rules: EncodeRules
  readonly #open: object[] = []
  readonly #keys: (string | number)[] = []

  constructor(rules: EncodeRules) {
    this.#rules = rules
  }

  text(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return stringifyNative(value)
      case 'number':
        if (!isFiniteNumber(value)) return this.#stranger(value, `${value}`)
        return '' + (value === 0 ? 0 : value)
      case 'boolean':
        return value ? 'true' : 'false'
      case 'bigint':
        return '' + value
      case 'undefined':
        return 'null'
      case 'function':
        return this.#stranger(value, 'functions', 'call it, or leave it out')
      case 'symbol':
        return this.#stranger(value, 'symbols')
      default:
        return value === null ? 'null' : this.#object(value as object)
    }
  }

  #stranger(value: unknown, what: string, hint?: string): string {
    return this.#rules.stranger(value, what, hint, () => {
      let path = ''
      for (let i = 0; i < this.#keys.length; i++) {
        const key = this.#keys[i]!
        path += '[' + (typeof key === 'number' ? key : stringifyNative(key)) + ']'
        if (path.length > LONGEST_PATH) return path.slice(0, LONGEST_PATH) + '…'
      }
      return path
    })
  }

  #endless(value: object, what: string): string {
    return this.#rules.endless?.() ?? this.#stranger(value, what)
  }

  #at(key: string | number, value: unknown): string {
    this.#keys[this.#keys.length] = key
    const text = this.text(value)
    this.#keys.length--
    return text
  }

  #object(value: object): string {
    if (this.#open.includes(value)) return this.#endless(value, 'values that contain themselves')
    if (this.#open.length >= DEEPEST) return this.#endless(value, `room for more than ${DEEPEST} levels`)
    this.#open.push(value)
    const usual = (): string => this.#usual(value)
    const text = this.#rules.own?.(value, usual) ?? usual()
    this.#open.pop()
    return text
  }

  #usual(value: object): string {
    if (isArray(value)) {
      let text = '['
      for (let i = 0; i < value.length; i++) text += (i > 0 ? ',' : '') + this.#at(i, value[i])
      return text + ']'
    }
    const { toJSON } = value as { toJSON?: unknown }
    if (typeof toJSON === 'function') return this.text(toJSON.call(value, ''))
    const other = this.#rules.as?.(value)
    if (other !== undefined) return this.text(other)
    const stranger = (strange: object, what: string, hint: string): string => this.#stranger(strange, what, hint)
    if (value instanceof Promise) return stranger(value, 'promises', 'await it; of several: await Promise.all(list)')
    if (value instanceof Map) return stranger(value, 'Maps', 'send Object.fromEntries(map)')
    if (value instanceof Set) return stranger(value, 'Sets', 'send an array: [...set]')
    if (value instanceof Error) return stranger(value, 'errors', 'send its message')
    if (value instanceof RegExp) return stranger(value, 'regular expressions', 'send its source')
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return stranger(value, 'bytes', 'send text: new TextDecoder().decode(bytes), or base64 with btoa(…)')
    if (value instanceof Number || value instanceof String || value instanceof Boolean)
      return this.text(value.valueOf())
    let text = ''
    for (const key of Object.keys(value)) {
      const inner = (value as Record<string, unknown>)[key]
      if (inner === undefined) continue
      text += (text === '' ? '' : ',') + stringifyNative(key) + ':' + this.#at(key, inner)
    }
    return '{' + text + '}'
  }
}
