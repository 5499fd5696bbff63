// Values as text, as Node shows them: `util.inspect` with its usual settings. The file follows the notation:
// primitives, the entries of an object, the layout of entries on lines.
// Invariant: for the values that programs create (plain data, Maps, Sets, classes, dates, errors without their stacks)
// the text is Node's.

import { serverName } from './namespaces.js'
import { textWidth } from './text-width.js'
import { isTextPrototype, rememberedText } from './tool-data.js'
import { URL, URLSearchParams } from './url.js'

interface Settings {
  /** The depth below which objects are named instead of shown. */
  readonly depth: number
  readonly mostElements: number
  readonly longestText: number
  readonly lineWidth: number
}

const usual: Settings = { depth: 2, mostElements: 100, longestText: 10_000, lineWidth: 80 }
const whole: Settings = { depth: 100, mostElements: 1e9, longestText: 1e9, lineWidth: 80 }

/** The text of a value in `console.log`. The caller writes texts at the top level itself, without quotes. */
export function inspect(value: unknown, depth = usual.depth): string {
  return new Inspector({ ...usual, depth }).value(value, 0)
}

/** The text of a value inside a string: objects without their contents, on one line. */
export function inspectFlat(value: unknown): string {
  return new Inspector({ ...usual, depth: 0 }).value(value, 0)
}

/** The text of a value in a table. */
export function inspectCell(value: unknown): string {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value)
  const settings = {
    ...usual,
    depth: isRecord && Object.keys(value).length > 2 ? -1 : 0,
    mostElements: 3,
    lineWidth: Number.POSITIVE_INFINITY,
  }
  return new Inspector(settings).value(value, 0)
}

/** The text of a value with its whole contents. */
export function inspectWhole(value: unknown): string {
  return new Inspector(whole).value(value, 0)
}

const SIMPLE_KEY = /^[a-zA-Z_][a-zA-Z_0-9]*$/
/** The maximum number of levels inside entries that are put on one line. */
const COMPACT = 3
const SHORTEST_GROUPED = 6

class Inspector {
  readonly #settings: Settings
  readonly #open: object[] = []
  readonly #circular = new Map<object, number>()
  #indentation = 0
  /** The current depth. */
  #currentDepth = 0

  constructor(settings: Settings) {
    this.#settings = settings
  }

  value(value: unknown, depth: number): string {
    switch (typeof value) {
      case 'string':
        return this.#text(value, depth)
      case 'number':
        return Object.is(value, -0) ? '-0' : `${value}`
      case 'bigint':
        return `${value}n`
      case 'symbol':
        return value.toString()
      case 'object':
        return value === null ? 'null' : this.#object(value, depth)
      case 'function':
        return this.#object(value, depth)
      default:
        return `${value}`
    }
  }

  #text(value: string, depth: number): string {
    const { longestText, lineWidth } = this.#settings
    const more = value.length - longestText
    const shown = more > 0 ? value.slice(0, longestText) : value
    const trailer = more > 0 ? `... ${more} more character${more > 1 ? 's' : ''}` : ''
    // A long text of several lines is shown line by line.
    if (depth > 0 && shown.length > 16 && shown.length > lineWidth - this.#indentation - 4) {
      const lines = shown.match(/[^\n]*\n|[^\n]+$/g) ?? []
      if (lines.length > 1)
        return lines.map((line) => quote(line)).join(` +\n${' '.repeat(this.#indentation + 2)}`) + trailer
    }
    return quote(shown) + trailer
  }

  #object(value: object, depth: number): string {
    const server = serverName(value)
    if (server !== undefined) return `[server ${server}]`
    const text = depth > 0 ? undefined : rememberedText(value)
    if (text !== undefined) return text
    if (this.#open.includes(value)) {
      const index = this.#circular.get(value) ?? this.#circular.size + 1
      this.#circular.set(value, index)
      return `[Circular *${index}]`
    }
    return this.#entries(value, depth)
  }

  #entries(value: object, depth: number): string {
    const form = formOf(value, this.#settings)
    if (form.entries === undefined && form.keys.length === 0) return form.base ?? `${form.open}${form.close}`
    if (depth > this.#settings.depth) return `[${nameFor(value)}]`
    this.#open.push(value)
    this.#currentDepth = depth
    const output = form.entries?.(this, depth) ?? []
    for (const key of form.keys) output.push(this.#property(value, key, depth))
    this.#open.pop()
    const index = this.#circular.get(value)
    const reference = index === undefined ? [] : [`<ref *${index}>`]
    const base = [...reference, ...(form.base === undefined ? [] : [form.base])].join(' ')
    return this.#onLines(output, {
      base,
      open: form.open,
      close: form.close,
      depth,
      grouped: form.kind === 'list',
      value,
    })
  }

  #property(value: object, key: string | symbol, depth: number): string {
    const descriptor = Object.getOwnPropertyDescriptor(value, key) ?? {
      value: (value as Record<PropertyKey, unknown>)[key],
    }
    let text: string
    if (descriptor.get !== undefined) text = descriptor.set === undefined ? '[Getter]' : '[Getter/Setter]'
    else if (descriptor.set !== undefined) text = '[Setter]'
    else {
      this.#indentation += 2
      text = this.value(descriptor.value, depth + 1)
      this.#indentation -= 2
    }
    const name =
      typeof key === 'symbol'
        ? `[${key.toString()}]`
        : key === '__proto__'
          ? "['__proto__']"
          : SIMPLE_KEY.test(key)
            ? key
            : quote(key)
    return `${name}: ${text}`
  }

  /** One element of an array, a Map or a Set. */
  element(value: unknown, depth: number): string {
    this.#indentation += 2
    const text = this.value(value, depth + 1)
    this.#indentation -= 2
    return text
  }

  #onLines(
    output: readonly string[],
    layout: {
      readonly base: string
      readonly open: string
      readonly close: string
      readonly depth: number
      readonly grouped: boolean
      readonly value: object
    },
  ): string {
    const { base, open, close, depth, grouped, value } = layout
    const lead = base === '' ? '' : `${base} `
    const before = output.length
    const lines = grouped && before > SHORTEST_GROUPED ? this.#inColumns(output, value as readonly unknown[]) : output
    if (this.#currentDepth - depth < COMPACT && before === lines.length) {
      const start = lines.length + this.#indentation + open.length + base.length + 10
      if (this.#fits(lines, start, base)) {
        const joined = lines.join(', ')
        if (!joined.includes('\n')) return `${lead}${open} ${joined} ${close}`
      }
    }
    const indentation = `\n${' '.repeat(this.#indentation)}`
    return `${lead}${open}${indentation}  ${lines.join(`,${indentation}  `)}${indentation}${close}`
  }

  #fits(lines: readonly string[], start: number, base: string): boolean {
    let length = lines.length + start
    for (const line of lines) {
      length += line.length
      if (length > this.#settings.lineWidth) return false
    }
    return base === '' || !base.includes('\n')
  }

  /** Lays short elements of a long array out in columns. */
  #inColumns(output: readonly string[], value: readonly unknown[]): readonly string[] {
    const hasMore = value.length > this.#settings.mostElements && Array.isArray(value)
    const count = hasMore ? output.length - 1 : output.length
    const gap = 2
    const widths = output.slice(0, count).map(textWidth)
    const widest = Math.max(0, ...widths) + gap
    const total = widths.reduce((sum, width) => sum + width + gap, 0)
    if (widest * 3 + this.#indentation >= this.#settings.lineWidth || !(total / widest > 5 || widest <= 8))
      return output
    const biased = Math.max(widest - 3 - Math.sqrt(widest - total / output.length), 1)
    const columns = Math.min(
      Math.round(Math.sqrt(2.5 * biased * count) / biased),
      Math.floor((this.#settings.lineWidth - this.#indentation) / widest),
      COMPACT * 4,
      15,
    )
    if (columns <= 1) return output
    const columnWidths: number[] = []
    for (let column = 0; column < columns; column++) {
      let width = 0
      for (let i = column; i < count; i += columns) width = Math.max(width, widths[i]!)
      columnWidths.push(width + gap)
    }
    const toTheRight = Array.from(value.slice(0, output.length)).every(
      (element) => typeof element === 'number' || typeof element === 'bigint',
    )
    const rows: string[] = []
    for (let i = 0; i < count; i += columns) {
      const last = Math.min(i + columns, count)
      let row = ''
      let j = i
      for (; j < last - 1; j++) {
        const cell = `${output[j]}, `
        const room = columnWidths[j - i]! + output[j]!.length - widths[j]!
        row += toTheRight ? cell.padStart(room) : cell.padEnd(room)
      }
      const room = columnWidths[j - i]! + output[j]!.length - widths[j]! - gap
      row += toTheRight ? output[j]!.padStart(room) : output[j]!
      rows.push(row)
    }
    if (hasMore) rows.push(output[count]!)
    return rows
  }
}

// ---- the entries of an object ------------------------------------------------------------------------------------

interface Form {
  /** The prefix of the entries, or the whole text if there are none. */
  readonly base?: string
  readonly open: string
  readonly close: string
  readonly keys: readonly (string | symbol)[]
  readonly kind: 'list' | 'record'
  readonly entries?: (inspector: Inspector, depth: number) => string[]
}

function formOf(value: object, settings: Settings): Form {
  const keys = keysOf(value)
  if (Array.isArray(value)) {
    const name = constructorName(value)
    const open = name === 'Array' ? '[' : `${name === undefined ? '[Array(' : `${name}(`}${value.length}) [`
    return listForm(value, open, settings)
  }
  if (value instanceof Map || value instanceof Set) return collection(value, keys, settings, tagOf(value))
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const list = value as unknown as readonly unknown[]
    return listForm(list, `${constructorName(value) ?? 'TypedArray'}(${list.length}) [`, settings)
  }
  if (value instanceof Error) return errorForm(value, keys)
  const form = { open: '{', close: '}', kind: 'record' as const, keys }
  const special = specialForm(value, keys, settings)
  if (special !== undefined) return { ...form, ...special }
  const prefix = prefixOf(constructorName(value), tagOf(value))
  return { ...form, open: `${prefix}{`, ...(keys.length === 0 ? { base: `${prefix}{}` } : {}) }
}

/** The form of an object with indexed elements. */
function listForm(list: readonly unknown[], open: string, settings: Settings): Form {
  const keys = keysOf(list).filter((key) => typeof key === 'symbol' || !isIndex(key, list.length))
  const form = { open, close: ']', keys, kind: 'list' as const }
  if (list.length === 0 && keys.length === 0) return { ...form, base: `${open}]` }
  return { ...form, entries: (inspector, depth) => elements(list, inspector, depth, settings) }
}

/** The form of an object of one of the engine's own classes, with its special contents. */
function specialForm(value: object, keys: Form['keys'], settings: Settings): Partial<Form> | undefined {
  if (typeof value === 'function') return { base: functionText(value as () => unknown) }
  if (value instanceof RegExp) return { base: `${value}` }
  // An object that merely inherits from Date is not a date.
  if (value instanceof Date && Object.prototype.toString.call(value) === '[object Date]')
    return { base: Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString() }
  if (value instanceof ArrayBuffer || value instanceof DataView) return bufferForm(value)
  if (value instanceof Promise) return { open: 'Promise {', entries: () => ['<promise>'] }
  if (value instanceof WeakMap || value instanceof WeakSet)
    return { open: `${constructorName(value)} {`, entries: () => ['<items unknown>'] }
  if (value instanceof URL) return { open: 'URL {', entries: (inspector, depth) => parts(value, inspector, depth) }
  if (value instanceof URLSearchParams) return { keys: [], base: parametersText(value, settings) }
  return [Number, Boolean, String, Symbol, BigInt].some((wrapper) => value instanceof wrapper)
    ? wrappedForm(value, keys, settings)
    : undefined
}

/** The form of a primitive value as an object. */
function wrappedForm(value: object, keys: Form['keys'], settings: Settings): Partial<Form> {
  const isText = value instanceof String
  const inner = value.valueOf() as unknown
  const name = constructorName(value) ?? 'Object'
  return {
    keys: isText ? keys.filter((key) => typeof key === 'symbol' || !isIndex(key, value.length)) : keys,
    base: `[${name}: ${typeof inner === 'string' ? quote(inner) : new Inspector(settings).value(inner, 1)}]`,
  }
}

function bufferForm(value: ArrayBuffer | DataView): Pick<Form, 'open' | 'entries'> {
  const open = `${constructorName(value)} {`
  if (value instanceof DataView)
    return {
      open,
      entries: (inspector, depth) => [
        `byteLength: ${value.byteLength}`,
        `byteOffset: ${value.byteOffset}`,
        `buffer: ${inspector.element(value.buffer, depth)}`,
      ],
    }
  const most = 50
  const shown = Array.from(new Uint8Array(value).subarray(0, most), (byte) => byte.toString(16).padStart(2, '0')).join(
    ' ',
  )
  const left = value.byteLength - most
  const more = left > 0 ? ` ... ${left} more byte${left > 1 ? 's' : ''}` : ''
  return { open, entries: () => [`[Uint8Contents]: <${shown}${more}>`, `byteLength: ${value.byteLength}`] }
}

function collection(
  value: Map<unknown, unknown> | Set<unknown>,
  keys: readonly (string | symbol)[],
  settings: Settings,
  tag: string,
): Form {
  const usualName = value instanceof Map ? 'Map' : 'Set'
  const name = constructorName(value) ?? usualName
  const label = `${name}(${value.size}) ${tag !== '' && tag !== name ? `[${tag}] ` : ''}{`
  const most = settings.mostElements
  const entries = (inspector: Inspector, depth: number): string[] => {
    const texts: string[] = []
    let shown = 0
    for (const entry of value as Iterable<unknown>) {
      if (shown++ >= most) break
      if (value instanceof Map) {
        const [key, inner] = entry as [unknown, unknown]
        texts.push(`${inspector.element(key, depth)} => ${inspector.element(inner, depth)}`)
      } else texts.push(inspector.element(entry, depth))
    }
    if (value.size > most) texts.push(moreItems(value.size - most))
    return texts
  }
  if (value.size === 0 && keys.length === 0) return { open: label, close: '}', keys, kind: 'record', base: `${label}}` }
  return { open: label, close: '}', keys, kind: 'record', entries }
}

const PARTS = 'href origin protocol username password host hostname port pathname search searchParams hash'.split(' ')

function parts(url: URL, inspector: Inspector, depth: number): string[] {
  const part = (name: string): unknown => (url as unknown as Readonly<Record<string, unknown>>)[name]
  return PARTS.map((name) => `${name}: ${inspector.element(part(name), depth)}`)
}

function parametersText(value: URLSearchParams, { lineWidth }: Settings): string {
  const texts = Array.from(value, ([name, text]) => `${quote(name)} => ${quote(text)}`)
  if (texts.length === 0) return 'URLSearchParams {}'
  const joined = texts.join(', ')
  return `URLSearchParams {${joined.length > lineWidth ? `\n  ${texts.join(',\n  ')}` : ` ${joined}`} }`
}

function elements(list: readonly unknown[], inspector: Inspector, depth: number, { mostElements }: Settings): string[] {
  const texts: string[] = []
  let i = 0
  for (; i < list.length && texts.length < mostElements; i++) {
    if (Object.hasOwn(list, i)) {
      texts.push(inspector.element(list[i], depth))
      continue
    }
    let end = i
    while (end < list.length && !Object.hasOwn(list, end)) end++
    texts.push(`<${end - i} empty item${end - i > 1 ? 's' : ''}>`)
    i = end - 1
  }
  if (i < list.length) texts.push(moreItems(list.length - i))
  return texts
}

function moreItems(count: number): string {
  return `... ${count} more item${count > 1 ? 's' : ''}`
}

function isIndex(key: string, length: number): boolean {
  return /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < length
}

function keysOf(value: object): (string | symbol)[] {
  const symbols = Object.getOwnPropertySymbols(value).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(value, key),
  )
  return [...Object.keys(value), ...symbols]
}

/** The name of an object's constructor; undefined for objects without a prototype. */
function constructorName(value: object): string | undefined {
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    if (isTextPrototype(at)) continue
    const made = Object.getOwnPropertyDescriptor(at, 'constructor')?.value as { name?: unknown } | undefined
    if (typeof made === 'function' && typeof made.name === 'string' && made.name !== '') return made.name
  }
  return undefined
}

function tagOf(value: object): string {
  // A tag that is shown as a key is not part of the name.
  if (Object.prototype.propertyIsEnumerable.call(value, Symbol.toStringTag)) return ''
  const tag = (value as Record<symbol, unknown>)[Symbol.toStringTag]
  return typeof tag === 'string' && tag !== constructorName(value) ? tag : ''
}

function prefixOf(name: string | undefined, tag: string): string {
  const tagged = tag === '' ? '' : `[${tag}] `
  if (name === undefined) return `[Object: null prototype] ${tagged}`
  return name === 'Object' && tagged === '' ? '' : `${name} ${tagged}`
}

/** The short form of an object that is nested too deeply. */
function nameFor(value: object): string {
  if (typeof value === 'function') return functionKind(value as () => unknown)
  if (Array.isArray(value)) return constructorName(value) ?? 'Array'
  return (prefixOf(constructorName(value), tagOf(value)).trim() || 'Object').replace(
    /^\[Object: null prototype\]$/,
    'Object: null prototype',
  )
}

function functionText(fn: () => unknown): string {
  const { name } = fn
  const source = sourceOf.call(fn)
  if (source.startsWith('class')) {
    const base = Object.getPrototypeOf(fn) as { name?: string } | null
    const parent = typeof base === 'function' && base.name ? ` extends ${base.name}` : ''
    return `[class ${name === '' ? '(anonymous)' : name}${parent}]`
  }
  return `[${functionKind(fn)}${name === '' ? ' (anonymous)' : `: ${name}`}]`
}

/** The kind of a function. Async functions of the program were rewritten as plain functions around an async one. */
function functionKind(fn: () => unknown): string {
  const isAsync = /\.a\(async\(\)=>/.test(sourceOf.call(fn))
  return isAsync ? 'AsyncFunction' : Object.prototype.toString.call(fn).slice(8, -1)
}

const sourceOf = (() => {}).toString

function errorForm(error: Error, keys: readonly (string | symbol)[]): Form {
  const name = constructorName(error) ?? 'Error'
  const message = typeof error.message === 'string' ? error.message : ''
  const own = typeof error.name === 'string' && error.name !== '' ? error.name : name
  const head = message === '' ? own : `${own}: ${message}`
  const shown = keys.filter((key) => key !== 'message' && key !== 'stack' && key !== 'name')
  const cause = Object.getOwnPropertyDescriptor(error, 'cause')
  const all = cause === undefined ? shown : [...shown, 'cause' as const]
  return { open: '{', close: '}', kind: 'record', keys: all, base: all.length === 0 ? head : `${head}` }
}

// ---- texts -------------------------------------------------------------------------------------------------------

const ESCAPES: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  '\\': '\\\\',
}

/** A quoted text: in single quotes, unless other quotes need fewer escapes. */
function quote(text: string): string {
  const sign = !text.includes("'")
    ? "'"
    : !text.includes('"')
      ? '"'
      : !text.includes('`') && !text.includes('${')
        ? '`'
        : "'"
  let out = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    const code = text.charCodeAt(i)
    if (char === sign) out += `\\${char}`
    else if (Object.hasOwn(ESCAPES, char)) out += ESCAPES[char]
    else if (code < 0x20 || (code >= 0x7f && code <= 0x9f))
      out += `\\x${code.toString(16).toUpperCase().padStart(2, '0')}`
    else if (code >= 0xd800 && code <= 0xdfff) {
      const next = text.charCodeAt(i + 1)
      if (code < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
        out += char + text[i + 1]!
        i++
      } else out += `\\u${code.toString(16)}`
    } else out += char
  }
  return sign + out + sign
}
