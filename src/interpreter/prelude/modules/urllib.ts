// The modules `urllib` and `urllib.parse`: they parse and build URLs, and quote their parts. Nothing here opens a URL.

import { wantInt, wantString } from '../calls/expect.js'
import { builtin, call } from '../calls/signature.js'
import { tupleClass } from '../classes/tuple-class.js'
import { dictFlat, dictGet, dictOf, dictSet } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { latin } from '../methods/bytes-methods.js'
import { truth } from '../operators/membership.js'
import { decodeBytes, encodeText } from '../text/codecs.js'
import { quoted, str } from '../text/repr.js'
import { typeError, valueError } from '../values/errors.js'
import { said } from '../values/said.js'
import { Bytes, isDict, TUPLE, type Tuple, typeOf, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

type Absent = undefined

// ---- quoting ---------------------------------------------------------------------------------------------------

const ALWAYS_SAFE = /[A-Za-z0-9_.~-]/

function bytesOf(x: Value, encoding: Value | Absent, errors: Value | Absent): Uint8Array {
  if (x instanceof Bytes) return x.b
  if (typeof x !== 'string') return typeError('quote_from_bytes() expected bytes')
  return encodeText(
    x,
    encoding === undefined || encoding === null ? 'utf-8' : wantString(encoding, 'quote', 'encoding'),
    errors === undefined || errors === null ? 'strict' : wantString(errors, 'quote', 'errors'),
  ).b
}

function safeCharacters(x: Value | Absent, usual: string): string {
  if (x === undefined) return usual
  return x instanceof Bytes ? latin(x.b) : wantString(x, 'quote', 'safe')
}

function quote(x: Value, safe: string, encoding?: Value, errors?: Value): string {
  let text = ''
  for (const b of bytesOf(x, encoding, errors)) {
    const c = String.fromCharCode(b)
    text +=
      b < 128 && (ALWAYS_SAFE.test(c) || safe.includes(c)) ? c : `%${b.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return text
}

function quotePlus(x: Value, safe: string, encoding?: Value, errors?: Value): string {
  return quote(x, `${safe} `, encoding, errors).replace(/ /g, '+')
}

function unquote(text: string, encoding = 'utf-8', errors = 'replace'): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    const b = Uint8Array.from(run.match(/[0-9a-fA-F]{2}/g)!, (pair) => Number.parseInt(pair, 16))
    return decodeBytes(b, encoding, errors)
  })
}

function unquoted(name: string, plus: boolean): Value {
  return builtin(name, 'string, encoding=, errors=', (x, encoding, errors) => {
    const text = x instanceof Bytes ? latin(x.b) : wantString(x, name, 'string')
    return unquote(
      plus ? text.replace(/\+/g, ' ') : text,
      encoding === undefined ? 'utf-8' : wantString(encoding, name, 'encoding'),
      errors === undefined ? 'replace' : wantString(errors, name, 'errors'),
    )
  })
}

/** `key=value&…` from a dict or pairs. */
function urlencode(query: Value, doseq: boolean, quoteVia: (x: Value) => string): string {
  const pairs: [Value, Value][] = []
  if (isDict(query)) {
    const flat = dictFlat(query)
    for (let i = 0; i < flat.length; i += 2) pairs.push([flat[i]!, flat[i + 1]!])
  } else {
    if (typeof query === 'string') typeError('not a valid non-string sequence or mapping object')
    for (const p of items(query)) {
      const [k, v] = items(p)
      pairs.push([k!, v!])
    }
  }
  const quoted = (x: Value): string => quoteVia(x instanceof Bytes || typeof x === 'string' ? x : str(x))
  const parts: string[] = []
  for (const [k, v] of pairs) {
    const values =
      doseq && typeof v !== 'string' && !(v instanceof Bytes) && (Array.isArray(v) || v instanceof Set || isDict(v))
        ? items(v)
        : [v]
    for (const one of values) parts.push(`${quoted(k)}=${quoted(one)}`)
  }
  return parts.join('&')
}

// ---- taking apart ----------------------------------------------------------------------------------------------

const WITH_NETLOC = new Set([
  '',
  'ftp',
  'http',
  'gopher',
  'nntp',
  'telnet',
  'imap',
  'wais',
  'file',
  'mms',
  'https',
  'shttp',
  'snews',
  'prospero',
  'rtsp',
  'rtspu',
  'rsync',
  'svn',
  'svn+ssh',
  'sftp',
  'nfs',
  'git',
  'git+ssh',
  'ws',
  'wss',
  'itms-services',
])
const RELATIVE = new Set(
  ' ftp http gopher nntp imap wais file https shttp mms prospero rtsp rtspu sftp svn svn+ssh ws wss'.split(' '),
)
const WITH_PARAMS = new Set(' ftp hdl prospero http imap https shttp rtsp rtspu sip sips mms sftp tel'.split(' '))

interface Split {
  readonly scheme: string
  readonly netloc: string
  readonly path: string
  readonly query: string
  readonly fragment: string
}

function split(url0: string, scheme0: string, allowFragments: boolean): Split {
  let url = url0.replace(/^[\0-\x20]+/, '').replace(/[\t\r\n]/g, '')
  let scheme = scheme0.trim()
  let netloc = ''
  let query = ''
  let fragment = ''
  const m = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(url)
  if (m !== null) {
    scheme = m[1]!.toLowerCase()
    url = url.slice(m[0].length)
  }
  if (url.startsWith('//')) {
    const end = /[/?#]/.exec(url.slice(2))
    netloc = end === null ? url.slice(2) : url.slice(2, 2 + end.index)
    url = url.slice(2 + netloc.length)
    if (netloc.includes('[') !== netloc.includes(']')) valueError('Invalid IPv6 URL')
  }
  if (allowFragments && url.includes('#')) [url, fragment] = cut(url, '#')
  if (url.includes('?')) [url, query] = cut(url, '?')
  return { scheme, netloc, path: url, query, fragment }
}

function cut(text: string, by: string): [string, string] {
  const at = text.indexOf(by)
  return [text.slice(0, at), text.slice(at + by.length)]
}

function join(s: Split): string {
  let url = s.path
  if (s.netloc !== '' || (s.scheme !== '' && WITH_NETLOC.has(s.scheme) && !url.startsWith('//'))) {
    if (url !== '' && !url.startsWith('/')) url = `/${url}`
    url = `//${s.netloc}${url}`
  }
  if (s.scheme !== '') url = `${s.scheme}:${url}`
  if (s.query !== '') url += `?${s.query}`
  return s.fragment === '' ? url : `${url}#${s.fragment}`
}

/** `;params` at the end of the last part of a path. */
function splitParams(path: string): [string, string] {
  const last = path.lastIndexOf('/')
  const at = path.indexOf(';', Math.max(0, last))
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)]
}

function hostPart(netloc: string): string {
  return netloc.slice(netloc.lastIndexOf('@') + 1)
}

function userPart(netloc: string): string | undefined {
  const at = netloc.lastIndexOf('@')
  return at < 0 ? undefined : netloc.slice(0, at)
}

function hostname(netloc: string): Value {
  const host = hostPart(netloc)
  const bracketed = /^\[([^\]]*)\]/.exec(host)
  const name = bracketed === null ? host.split(':')[0]! : bracketed[1]!
  return name === '' ? null : name.toLowerCase()
}

function port(netloc: string): Value {
  const m = /:([^:\]]*)$/.exec(hostPart(netloc))
  if (m === null || m[1] === '') return null
  if (!/^[0-9]+$/.test(m[1]!)) valueError(said`Port could not be cast to integer value as ${quoted(m[1]!)}`)
  const n = Number(m[1])
  return n > 65535 ? valueError('Port out of range 0-65535') : n
}

/** The attributes of split URLs besides their parts. The network location is element 2 of the tuple. */
const located: Readonly<Record<string, (t: Tuple) => Value>> = {
  hostname: (t) => hostname(t[2] as string),
  port: (t) => port(t[2] as string),
  username: (t) => userPart(t[2] as string)?.split(':')[0] ?? null,
  password: (t) => {
    const user = userPart(t[2] as string)
    const at = user?.indexOf(':') ?? -1
    return at < 0 ? null : user!.slice(at + 1)
  },
}

function textParts(t: Value): string[] {
  return items(t).map((x) => (x === null ? '' : wantString(x, 'urlunsplit', 'components')))
}

function unsplit(t: Value): string {
  const [scheme, netloc, path, query, fragment] = textParts(t) as [string, string, string, string, string]
  return join({ scheme, netloc, path, query, fragment })
}

function unparse(t: Value): string {
  const [scheme, netloc, path, params, query, fragment] = textParts(t) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  return join({ scheme, netloc, path: params === '' ? path : `${path};${params}`, query, fragment })
}

const geturl =
  (unite: (t: Value) => string) =>
  (t: Tuple): Value =>
    builtin('geturl', '', () => unite(t))
const SplitResult = tupleClass('SplitResult', ['scheme', 'netloc', 'path', 'query', 'fragment'], {
  attributes: { ...located, geturl: geturl(unsplit) },
})
const ParseResult = tupleClass('ParseResult', ['scheme', 'netloc', 'path', 'params', 'query', 'fragment'], {
  attributes: { ...located, geturl: geturl(unparse) },
})
const DefragResult = tupleClass('DefragResult', ['url', 'fragment'])

function urlText(x: Value | Absent, name: string): string {
  if (x === undefined || x === null) return ''
  if (x instanceof Bytes) return latin(x.b)
  return wantString(x, name, 'url', said`Cannot mix str and non-str arguments: ${typeOf(x)}`)
}

function parseUrl(url: string, scheme: string, allowFragments: boolean): Value {
  const s = split(url, scheme, allowFragments)
  const [path, params] = WITH_PARAMS.has(s.scheme) && s.path.includes(';') ? splitParams(s.path) : [s.path, '']
  return ParseResult.make([s.scheme, s.netloc, path, params, s.query, s.fragment])
}

/** The absolute form of a URL that is relative to `base`. */
function urljoin(base: string, url: string, allowFragments: boolean): string {
  if (base === '') return url
  if (url === '') return base
  const b = split(base, '', allowFragments)
  const u = split(url, b.scheme, allowFragments)
  if (u.scheme !== b.scheme || !RELATIVE.has(u.scheme)) return url
  if (WITH_NETLOC.has(u.scheme) && u.netloc !== '') return join(u)
  const netloc = WITH_NETLOC.has(u.scheme) ? b.netloc : u.netloc
  if (u.path === '') return join({ ...u, netloc, path: b.path, query: u.query === '' ? b.query : u.query })
  const parts = u.path.startsWith('/') ? u.path.split('/') : [...b.path.split('/').slice(0, -1), ...u.path.split('/')]
  if (!u.path.startsWith('/') && b.path !== '' && !b.path.startsWith('/') && parts.length === 0) parts.push('')
  const whole = parts.filter((p, i) => i === 0 || i === parts.length - 1 || p !== '')
  const resolved: string[] = []
  for (const p of whole) {
    if (p === '..') resolved.pop()
    else if (p !== '.') resolved.push(p)
  }
  const last = whole[whole.length - 1]
  if (last === '.' || last === '..') resolved.push('')
  const path = resolved.join('/')
  return join({ ...u, netloc, path: path === '' ? '/' : path })
}

// ---- queries ---------------------------------------------------------------------------------------------------

function parseQuery(
  text: string,
  keepBlank: boolean,
  strict: boolean,
  separator: string,
  most: Value | Absent,
): [string, string][] {
  if (separator === '') valueError('Separator must be of type string or bytes.')
  if (text === '') return []
  const fields = text.split(separator)
  if (most !== undefined && most !== null && fields.length > wantInt(most, 'parse_qsl', 'max_num_fields'))
    valueError('Max number of fields exceeded')
  const pairs: [string, string][] = []
  for (const field of fields) {
    if (field === '' && !strict) continue
    const at = field.indexOf('=')
    if (at < 0 && strict) valueError(said`bad query field: ${quoted(field)}`)
    const value = at < 0 ? '' : field.slice(at + 1)
    if (at < 0 && !keepBlank) continue
    if (value === '' && !keepBlank) continue
    const plain = (s: string): string => unquote(s.replace(/\+/g, ' '))
    pairs.push([plain(at < 0 ? field : field.slice(0, at)), plain(value)])
  }
  return pairs
}

const QUERY = 'qs, keep_blank_values=, strict_parsing=, encoding=, errors=, max_num_fields=, separator='

function queryArguments(
  qs: Value | Absent,
  keep: Value | Absent,
  strict: Value | Absent,
  most: Value | Absent,
  separator: Value | Absent,
): [string, string][] {
  return parseQuery(
    urlText(qs, 'parse_qs'),
    keep !== undefined && truth(keep),
    strict !== undefined && truth(strict),
    separator === undefined ? '&' : wantString(separator, 'parse_qs', 'separator'),
    most,
  )
}

export const urllibParse: Module = module('urllib.parse', {
  quote: builtin('quote', 'string, safe=, encoding=, errors=', (x, safe, encoding, errors) =>
    quote(x!, safeCharacters(safe, '/'), encoding, errors),
  ),
  quote_plus: builtin('quote_plus', 'string, safe=, encoding=, errors=', (x, safe, encoding, errors) =>
    quotePlus(x!, safeCharacters(safe, ''), encoding, errors),
  ),
  quote_from_bytes: builtin('quote_from_bytes', 'bs, safe=', (x, safe) => quote(x!, safeCharacters(safe, '/'))),
  unquote: unquoted('unquote', false),
  unquote_to_bytes: builtin('unquote_to_bytes', 'string', (x) => {
    const bytes = x instanceof Bytes ? x : encodeText(wantString(x!, 'unquote_to_bytes', 'string'), 'utf-8', 'strict')
    const plain = latin(bytes.b).replace(/%([0-9a-fA-F]{2})/g, (_, pair) =>
      String.fromCharCode(Number.parseInt(pair, 16)),
    )
    return encodeText(plain, 'latin-1', 'strict')
  }),
  unquote_plus: unquoted('unquote_plus', true),
  urlencode: builtin(
    'urlencode',
    'query, doseq=, safe=, encoding=, errors=, quote_via=',
    (query, doseq, safe, encoding, errors, via) => {
      const chars = safeCharacters(safe, '')
      const how =
        via === undefined
          ? (x: Value): string => quotePlus(x, chars, encoding, errors)
          : (x: Value): string => call(via, [x, chars]) as string
      return urlencode(query!, doseq !== undefined && truth(doseq), how)
    },
  ),
  urlparse: builtin('urlparse', 'url, scheme=, allow_fragments=', (url, scheme, fragments) =>
    parseUrl(urlText(url, 'urlparse'), urlText(scheme, 'urlparse'), fragments === undefined || truth(fragments)),
  ),
  urlsplit: builtin('urlsplit', 'url, scheme=, allow_fragments=', (url, scheme, fragments) => {
    const s = split(urlText(url, 'urlsplit'), urlText(scheme, 'urlsplit'), fragments === undefined || truth(fragments))
    return SplitResult.make([s.scheme, s.netloc, s.path, s.query, s.fragment])
  }),
  urlunparse: builtin('urlunparse', 'components', (t) => unparse(t!)),
  urlunsplit: builtin('urlunsplit', 'components', (t) => unsplit(t!)),
  urljoin: builtin('urljoin', 'base, url, allow_fragments=', (base, url, fragments) =>
    urljoin(urlText(base, 'urljoin'), urlText(url, 'urljoin'), fragments === undefined || truth(fragments)),
  ),
  urldefrag: builtin('urldefrag', 'url', (url) => {
    const text = urlText(url, 'urldefrag')
    if (!text.includes('#')) return DefragResult.make([text, ''])
    const s = split(text, '', true)
    return DefragResult.make([join({ ...s, fragment: '' }), s.fragment])
  }),
  parse_qs: builtin('parse_qs', QUERY, (qs, keep, strict, _encoding, _errors, most, separator) => {
    const all = dictOf([])
    for (const [k, v] of queryArguments(qs, keep, strict, most, separator)) {
      const before = dictGet(all, k) as Value[] | undefined
      if (before === undefined) dictSet(all, k, [v])
      else before.push(v)
    }
    return all
  }),
  parse_qsl: builtin('parse_qsl', QUERY, (qs, keep, strict, _encoding, _errors, most, separator) =>
    queryArguments(qs, keep, strict, most, separator).map(([k, v]) => [TUPLE, k, v]),
  ),
  ParseResult: ParseResult.value,
  SplitResult: SplitResult.value,
})

export const urllib: Module = module('urllib', { parse: urllibParse })
