// `URL` and `URLSearchParams`, by the rules of the URL Standard. The host converts the names of hosts that are not
// ASCII. Invariant: the parts of a URL are normalised as the standard requires, so that two texts for one address give
// the same `href`.

import { typeError } from './errors.js'
import { asciiHost } from './international.js'
import { inQuotes, said } from './said.js'

const PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
  'ftp:': '21',
  'file:': '',
}

const encoder = (text: string): number[] => {
  const bytes: number[] = []
  for (const char of (text as string & { toWellFormed(): string }).toWellFormed())
    for (const hex of encodeURIComponent(char).match(/%..|[\s\S]/g)!)
      bytes.push(hex.length === 3 ? Number.parseInt(hex.slice(1), 16) : hex.charCodeAt(0))
  return bytes
}

function escaped(text: string, isEscaped: (char: string) => boolean): string {
  let out = ''
  for (const char of text) {
    if (char > '~' || char < ' ' || isEscaped(char))
      for (const byte of encoder(char)) out += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    else out += char
  }
  return out
}

const inFragment = (c: string): boolean => ' "<>`'.includes(c)
const inQuery = (c: string): boolean => ' "#<>'.includes(c)
const inSpecialQuery = (c: string): boolean => ' "#<>\''.includes(c)
const inPath = (c: string): boolean => ' "#<>?`{}^'.includes(c)
const inUser = (c: string): boolean => ' "#<>?`{}/:;=@[\\]^|'.includes(c)

interface Parts {
  protocol: string
  username: string
  password: string
  /** The host name. Null if there is no authority, as in `mailto:a@b`. */
  hostname: string | null
  port: string
  /** The segments, or one text if the path is opaque. */
  path: string[] | string
  query: string | null
  fragment: string | null
}

function invalid(text: string): TypeError {
  return typeError(said`Invalid URL: ${inQuotes(text)}`, {
    code: 'invalid-url',
  })
}

function hostOf(raw: string, special: boolean, whole: string): string {
  if (raw.startsWith('[')) {
    if (!/^\[[0-9a-fA-F:.]+\]$/.test(raw)) throw invalid(whole)
    return raw.toLowerCase()
  }
  if (!special) {
    if (/[\0\t\n\r #/<>?@[\\\]^|]/.test(raw)) throw invalid(whole)
    return escaped(raw, () => false)
  }
  let host: string
  try {
    host = decodeURIComponent(raw).toLowerCase()
  } catch {
    throw invalid(whole)
  }
  if (/[^\x20-\x7e]/.test(host)) host = asciiHost(host)
  if (host === '' || /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/.test(host)) throw invalid(whole)
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$/.test(host) ? addressOf(host, whole) : host
}

function addressOf(host: string, whole: string): string {
  const parts = host.replace(/\.$/, '').split('.')
  const numbers = parts.map((part) =>
    /^0x[0-9a-f]*$/.test(part)
      ? Number(part === '0x' ? 0 : part)
      : /^0[0-7]+$/.test(part)
        ? Number.parseInt(part, 8)
        : /^\d+$/.test(part)
          ? Number(part)
          : Number.NaN,
  )
  const last = numbers.pop()!
  if (parts.length > 4 || numbers.some((n) => !(n <= 255)) || !(last < 256 ** (4 - numbers.length)))
    throw invalid(whole)
  let address = last
  for (const [i, n] of numbers.entries()) address += n * 256 ** (3 - i)
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')
}

function segmentsOf(raw: string, special: boolean, base: readonly string[]): string[] {
  const out = [...base]
  const pieces = raw.split(special ? /[/\\]/ : '/')
  pieces.forEach((piece, i) => {
    const isLast = i === pieces.length - 1
    if (/^(?:\.|%2e){2}$/i.test(piece)) {
      out.pop()
      if (isLast) out.push('')
    } else if (/^(?:\.|%2e)$/i.test(piece)) {
      if (isLast) out.push('')
    } else out.push(escaped(piece, inPath))
  })
  return out
}

function parse(text: string, base: Parts | undefined): Parts {
  const trimmed = text.replace(/^[\0- ]+|[\0- ]+$/g, '').replace(/[\t\n\r]/g, '')
  const [, scheme, afterScheme = trimmed] = /^([a-zA-Z][a-zA-Z0-9+.-]*):([\s\S]*)$/.exec(trimmed) ?? []
  const hash = afterScheme.indexOf('#')
  const fragment = hash < 0 ? null : escaped(afterScheme.slice(hash + 1), inFragment)
  const beforeHash = hash < 0 ? afterScheme : afterScheme.slice(0, hash)
  if (scheme === undefined) {
    if (base === undefined) throw invalid(text)
    return relative(beforeHash, fragment, base, text)
  }
  const protocol = `${scheme.toLowerCase()}:`
  const special = Object.hasOwn(PORTS, protocol)
  if (special && base?.protocol === protocol && !/^[/\\]{2}/.test(beforeHash) && protocol !== 'file:')
    return relative(beforeHash, fragment, base, text)
  const question = beforeHash.indexOf('?')
  const query = question < 0 ? null : escaped(beforeHash.slice(question + 1), special ? inSpecialQuery : inQuery)
  const rest = question < 0 ? beforeHash : beforeHash.slice(0, question)
  const parts: Parts = { protocol, username: '', password: '', hostname: null, port: '', path: [], query, fragment }
  if (special && protocol !== 'file:') return withAuthority(parts, rest.replace(/^[/\\]*/, ''), text)
  if (protocol === 'file:') {
    const local = /^[/\\]{2}([^/\\]*)([\s\S]*)$/.exec(rest)
    const host = local?.[1] ?? ''
    parts.hostname = host === '' || host.toLowerCase() === 'localhost' ? '' : hostOf(host, true, text)
    parts.path = segmentsOf((local === null ? rest : local[2]!).replace(/^[/\\]/, ''), true, [])
    return parts
  }
  if (rest.startsWith('//')) return withAuthority(parts, rest.slice(2), text)
  parts.path = rest.startsWith('/') ? segmentsOf(rest.slice(1), false, []) : escaped(rest, () => false)
  return parts
}

function withAuthority(parts: Parts, rest: string, whole: string): Parts {
  const special = Object.hasOwn(PORTS, parts.protocol)
  const end = rest.search(special ? /[/\\]/ : /\//)
  const authority = end < 0 ? rest : rest.slice(0, end)
  const at = authority.lastIndexOf('@')
  if (at >= 0) {
    const [user = '', ...password] = authority.slice(0, at).split(':')
    parts.username = escaped(user, inUser)
    parts.password = escaped(password.join(':'), inUser)
  }
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(authority.slice(at + 1)) ?? [
    undefined,
    undefined,
  ]
  if (!/^\d*$/.test(port) || Number(port) > 65535 || (at >= 0 && host === '')) throw invalid(whole)
  if (host === '' && (special || port !== '')) throw invalid(whole)
  parts.hostname = host === '' ? '' : hostOf(host, special, whole)
  parts.port = port === '' || String(Number(port)) === PORTS[parts.protocol] ? '' : String(Number(port))
  const path = end < 0 ? '' : rest.slice(end + 1)
  parts.path = end < 0 && !special ? [] : segmentsOf(path, special, [])
  return parts
}

function relative(rest: string, fragment: string | null, base: Parts, whole: string): Parts {
  if (typeof base.path === 'string') {
    if (rest !== '' || fragment === null) throw invalid(whole)
    return { ...base, fragment }
  }
  const special = Object.hasOwn(PORTS, base.protocol)
  const question = rest.indexOf('?')
  const query = question < 0 ? null : escaped(rest.slice(question + 1), special ? inSpecialQuery : inQuery)
  const path = question < 0 ? rest : rest.slice(0, question)
  const parts: Parts = { ...base, query, fragment }
  const slash = special ? /^[/\\]/ : /^\//
  if (path === '') {
    parts.query = query ?? base.query
    return parts
  }
  if (special ? /^[/\\]{2}/.test(path) : path.startsWith('//'))
    return withAuthority({ ...parts, username: '', password: '', port: '' }, path.slice(2), whole)
  parts.path = slash.test(path)
    ? segmentsOf(path.slice(1), special, [])
    : segmentsOf(path, special, base.path.slice(0, -1))
  return parts
}

function hrefOf(p: Parts): string {
  const user =
    p.username === '' && p.password === '' ? '' : `${p.username}${p.password === '' ? '' : `:${p.password}`}@`
  const authority = p.hostname === null ? '' : `//${user}${p.hostname}${p.port === '' ? '' : `:${p.port}`}`
  const query = p.query === null ? '' : `?${p.query}`
  return `${p.protocol}${authority}${pathOf(p)}${query}${p.fragment === null ? '' : `#${p.fragment}`}`
}

function pathOf({ path }: Parts): string {
  return typeof path === 'string' ? path : path.map((segment) => `/${segment}`).join('')
}

export class URL {
  #parts: Parts
  readonly #params: URLSearchParams

  constructor(url: unknown, base?: unknown) {
    const from = base === undefined ? undefined : parse(String(base), undefined)
    this.#parts = parse(String(url), from)
    this.#params = new URLSearchParams(this.#parts.query ?? '')
    onChange.set(this.#params, (text) => {
      this.#parts.query = text === '' ? null : text
    })
  }

  static canParse(url: unknown, base?: unknown): boolean {
    return URL.parse(url, base) !== null
  }

  static parse(url: unknown, base?: unknown): URL | null {
    try {
      return new URL(url, base)
    } catch {
      return null
    }
  }

  get href(): string {
    return hrefOf(this.#parts)
  }
  set href(value: unknown) {
    this.#parts = parse(String(value), undefined)
    refill(this.#params, this.#parts.query ?? '')
  }
  get origin(): string {
    const { protocol, hostname } = this.#parts
    if (protocol === 'blob:') return URL.parse(this.pathname)?.origin ?? 'null'
    return Object.hasOwn(PORTS, protocol) && protocol !== 'file:' && hostname !== null
      ? `${protocol}//${this.host}`
      : 'null'
  }
  get protocol(): string {
    return this.#parts.protocol
  }
  set protocol(value: unknown) {
    this.#change(`${String(value).replace(/:.*$/s, '')}:${this.href.slice(this.#parts.protocol.length)}`)
  }
  get username(): string {
    return this.#parts.username
  }
  set username(value: unknown) {
    this.#parts.username = escaped(String(value), inUser)
  }
  get password(): string {
    return this.#parts.password
  }
  set password(value: unknown) {
    this.#parts.password = escaped(String(value), inUser)
  }
  get host(): string {
    const { hostname, port } = this.#parts
    return hostname === null ? '' : `${hostname}${port === '' ? '' : `:${port}`}`
  }
  set host(value: unknown) {
    const [, name = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?/.exec(String(value)) ?? []
    this.hostname = name
    if (port !== '') this.port = port
  }
  get hostname(): string {
    return this.#parts.hostname ?? ''
  }
  set hostname(value: unknown) {
    if (this.#parts.hostname !== null)
      this.#parts.hostname = hostOf(String(value), Object.hasOwn(PORTS, this.#parts.protocol), String(value))
  }
  get port(): string {
    return this.#parts.port
  }
  set port(value: unknown) {
    const port = String(Number.parseInt(String(value), 10))
    this.#parts.port = port === 'NaN' || port === PORTS[this.#parts.protocol] ? '' : port
  }
  get pathname(): string {
    return pathOf(this.#parts)
  }
  set pathname(value: unknown) {
    if (typeof this.#parts.path !== 'string')
      this.#parts.path = segmentsOf(String(value).replace(/^[/\\]/, ''), Object.hasOwn(PORTS, this.#parts.protocol), [])
  }
  get search(): string {
    return this.#parts.query ? `?${this.#parts.query}` : ''
  }
  set search(value: unknown) {
    const text = String(value).replace(/^\?/, '')
    this.#parts.query = text === '' ? null : escaped(text, inSpecialQuery)
    refill(this.#params, text)
  }
  get searchParams(): URLSearchParams {
    return this.#params
  }
  get hash(): string {
    return this.#parts.fragment ? `#${this.#parts.fragment}` : ''
  }
  set hash(value: unknown) {
    const text = String(value).replace(/^#/, '')
    this.#parts.fragment = text === '' ? null : escaped(text, inFragment)
  }
  toString(): string {
    return this.href
  }
  toJSON(): string {
    return this.href
  }

  #change(text: string): void {
    this.#parts = parse(text, undefined)
  }
}

// ---- queries -----------------------------------------------------------------------------------------------------

const onChange = new WeakMap<URLSearchParams, (text: string) => void>()
const entriesOf = new WeakMap<URLSearchParams, [string, string][]>()

function decoded(text: string): string {
  const bytes: number[] = []
  const spaced = text.replaceAll('+', ' ')
  for (let i = 0; i < spaced.length; i++) {
    const hex = /^%([0-9a-fA-F]{2})/.exec(spaced.slice(i, i + 3))
    if (hex !== null) {
      bytes.push(Number.parseInt(hex[1]!, 16))
      i += 2
    } else {
      const char = String.fromCodePoint(spaced.codePointAt(i)!)
      bytes.push(...encoder(char))
      i += char.length - 1
    }
  }
  return utf8(bytes)
}

/** Decodes bytes, with replacement characters for invalid ones. */
export function utf8(bytes: readonly number[] | Uint8Array): string {
  let out = ''
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes[i]!
    const length =
      byte < 0x80
        ? 1
        : byte >= 0xc2 && byte < 0xe0
          ? 2
          : byte >= 0xe0 && byte < 0xf0
            ? 3
            : byte >= 0xf0 && byte < 0xf5
              ? 4
              : 0
    let code = length === 1 ? byte : byte & (0x7f >> length)
    let taken = 1
    for (; taken < length; taken++) {
      const next = bytes[i + taken]
      const low = taken === 1 ? ({ 224: 0xa0, 240: 0x90 }[byte] ?? 0x80) : 0x80
      const high = taken === 1 ? ({ 237: 0x9f, 244: 0x8f }[byte] ?? 0xbf) : 0xbf
      if (next === undefined || next < low || next > high) break
      code = (code << 6) | (next & 0x3f)
    }
    out += length > 0 && taken === length ? String.fromCodePoint(code) : '\ufffd'
    i += Math.max(1, taken)
  }
  return out
}

/** The bytes of a text in UTF-8. */
export const bytesOf: (text: string) => number[] = encoder

function formEncoded(text: string): string {
  return escaped(text, (c) => !/[A-Za-z0-9*\-._]/.test(c)).replaceAll('%20', '+')
}

function pairsIn(text: string): [string, string][] {
  const pieces = text.split('&').filter((piece) => piece !== '')
  return pieces.map((piece) => {
    const at = piece.indexOf('=')
    return [decoded(at < 0 ? piece : piece.slice(0, at)), at < 0 ? '' : decoded(piece.slice(at + 1))]
  })
}

function refill(params: URLSearchParams, text: string): void {
  const entries = entriesOf.get(params)!
  entries.splice(0, entries.length, ...pairsIn(text))
}

export class URLSearchParams {
  constructor(init: unknown = '') {
    entriesOf.set(this, [])
    const entries = entriesOf.get(this)!
    if (typeof init === 'object' && init !== null) {
      const pairs =
        Symbol.iterator in init
          ? [...(init as Iterable<Iterable<unknown>>)].map((pair) => [...pair])
          : Object.entries(init)
      for (const [name, value] of pairs) entries.push([String(name), String(value)])
    } else entries.push(...pairsIn(String(init).replace(/^\?/, '')))
  }

  get #entries(): [string, string][] {
    return entriesOf.get(this)!
  }

  get size(): number {
    return this.#entries.length
  }
  append(name: unknown, value: unknown): void {
    this.#entries.push([String(name), String(value)])
    this.#changed()
  }
  delete(name: unknown, value?: unknown): void {
    this.#keep(([key, own]) => key !== String(name) || (value !== undefined && own !== String(value)))
  }
  get(name: unknown): string | null {
    return this.#entries.find(([key]) => key === String(name))?.[1] ?? null
  }
  getAll(name: unknown): string[] {
    return this.#entries.filter(([key]) => key === String(name)).map(([, value]) => value)
  }
  has(name: unknown, value?: unknown): boolean {
    return this.#entries.some(([key, own]) => key === String(name) && (value === undefined || own === String(value)))
  }
  set(name: unknown, value: unknown): void {
    const at = this.#entries.findIndex(([key]) => key === String(name))
    if (at < 0) return this.append(name, value)
    this.#entries[at]![1] = String(value)
    const first = this.#entries[at]
    this.#keep((entry) => entry === first || entry[0] !== String(name))
  }
  sort(): void {
    this.#entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    this.#changed()
  }
  forEach(call: (value: string, name: string, params: URLSearchParams) => void): void {
    for (const [name, value] of this.#entries) call(value, name, this)
  }
  *entries(): Generator<[string, string]> {
    for (const [name, value] of this.#entries) yield [name, value]
  }
  *keys(): Generator<string> {
    for (const [name] of this.#entries) yield name
  }
  *values(): Generator<string> {
    for (const [, value] of this.#entries) yield value
  }
  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries()
  }
  toString(): string {
    return this.#entries.map(([name, value]) => `${formEncoded(name)}=${formEncoded(value)}`).join('&')
  }

  #keep(keep: (entry: [string, string]) => boolean): void {
    const kept = this.#entries.filter(keep)
    this.#entries.splice(0, this.#entries.length, ...kept)
    this.#changed()
  }
  #changed(): void {
    onChange.get(this)?.(this.toString())
  }
}
