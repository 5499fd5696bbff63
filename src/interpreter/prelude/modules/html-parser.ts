// The module `html.parser`: HTMLParser, whose subclasses handle tags and text. It parses incrementally, and keeps text
// that the next feed may continue. Invariant: broken markup counts as text and never fails.

import { wantString } from '../calls/expect.js'
import { attribute, callAttribute } from '../classes/attributes.js'
import { moduleClass } from '../classes/module-class.js'
import { fieldsOf } from '../classes/object-attributes.js'
import { truth } from '../operators/membership.js'
import { raise, valueError } from '../values/errors.js'
import { said } from '../values/said.js'
import { tuple, typeOf, type Value } from '../values/values.js'
import { unescapeHtml } from './html.js'
import { type Module, module } from './module.js'

const SPACE = ' \t\n\r\f'
const VERBATIM = ['script', 'style']

const { cls, define } = moduleClass('HTMLParser', 'html.parser')

function reset(self: Value): null {
  Object.assign(fieldsOf(self), { rawdata: '', lasttag: '???', cdata_elem: null, lineno: 1, offset: 0 })
  return null
}

const say = (self: Value, method: string, ...args: Value[]): void => {
  callAttribute(self, method, args)
}

// ---- pieces: each function gets the offset where one begins, and returns where it ends, or -1 if the end is missing
// --

interface Tag {
  readonly name: string
  readonly attributes: Value[]
  readonly isClosed: boolean
  readonly end: number
}

/** The tag that starts at `from`. Undefined if its end is still missing. */
function readTag(text: string, from: number): Tag | undefined {
  let at = from + 1
  const until = (stops: string): string => {
    const start = at
    while (at < text.length && !stops.includes(text[at]!)) at++
    return text.slice(start, at)
  }
  const skip = (): void => {
    while (at < text.length && SPACE.includes(text[at]!)) at++
  }
  const name = until(`${SPACE}/>`).toLowerCase()
  const attributes: Value[] = []
  for (;;) {
    skip()
    if (at >= text.length) return undefined
    if (text[at] === '>') return { name, attributes, isClosed: false, end: at + 1 }
    if (text[at] === '/') {
      at++
      if (text[at] === '>') return { name, attributes, isClosed: true, end: at + 1 }
      continue
    }
    // The first character of a name may be one that can't follow inside a name.
    const key = (text[at++]! + until(`${SPACE}/=>`)).toLowerCase()
    const afterKey = at
    skip()
    if (text[at] !== '=') {
      at = afterKey
      attributes.push(tuple([key, null]))
      continue
    }
    while (text[at] === '=') at++
    skip()
    const quote = text[at]
    if (quote === '"' || quote === "'") {
      at++
      const value = until(quote)
      if (at >= text.length) return undefined
      at++
      attributes.push(tuple([key, unescapeHtml(value)]))
    } else attributes.push(tuple([key, unescapeHtml(until(`${SPACE}>`))]))
  }
}

function startTag(self: Value, text: string, from: number): number {
  const tag = readTag(text, from)
  if (tag === undefined) return -1
  const fields = fieldsOf(self)
  fields.lasttag = tag.name
  fields.__starttag_text = text.slice(from, tag.end)
  say(self, tag.isClosed ? 'handle_startendtag' : 'handle_starttag', tag.name, tag.attributes)
  if (!tag.isClosed && VERBATIM.includes(tag.name)) fields.cdata_elem = tag.name
  return tag.end
}

function endTag(self: Value, text: string, from: number): number {
  const close = text.indexOf('>', from)
  if (close < 0) return -1
  const inside = text.slice(from + 2, close)
  const name = /^\s*([a-zA-Z][^\s/>]*)/.exec(inside)?.[1]
  if (name !== undefined) {
    say(self, 'handle_endtag', name.toLowerCase())
    fieldsOf(self).cdata_elem = null
  } else if (inside !== '') say(self, 'handle_comment', inside)
  return close + 1
}

/** Passes the text between `open` and `close` to the handler `method`. Returns where the construct ends, or -1. */
function enclosed(
  self: Value,
  text: string,
  from: number,
  [open, close, method]: readonly [string, string, string],
): number {
  const end = text.indexOf(close, from + open.length)
  if (end < 0) return -1
  say(self, method, text.slice(from + open.length, end))
  return end + close.length
}

function piece(self: Value, text: string, from: number): number | undefined {
  const starts = (sign: string): boolean => text.startsWith(sign, from)
  if (/[a-zA-Z]/.test(text[from + 1] ?? '')) return startTag(self, text, from)
  if (starts('</')) return endTag(self, text, from)
  if (starts('<!--')) return enclosed(self, text, from, ['<!--', '-->', 'handle_comment'])
  if (starts('<?')) return enclosed(self, text, from, ['<?', '>', 'handle_pi'])
  if (starts('<!['))
    return enclosed(self, text, from, ['<![', text.startsWith('CDATA[', from + 3) ? ']]>' : ']>', 'unknown_decl'])
  if (/^<!doctype/i.test(text.slice(from, from + 9))) return enclosed(self, text, from, ['<!', '>', 'handle_decl'])
  if (starts('<!')) return enclosed(self, text, from, ['<!', '>', 'handle_comment'])
  return undefined
}

/** The end of the text that begins at `from`; -1 if more of it may follow. */
function textEnd(text: string, from: number, verbatim: Value, isLast: boolean): number {
  if (typeof verbatim === 'string') {
    const close = new RegExp(`</${verbatim}(?=[\\s/>])`, 'gi')
    close.lastIndex = from
    return close.exec(text)?.index ?? -1
  }
  const next = text.indexOf('<', from)
  if (next >= 0 || isLast) return next >= 0 ? next : text.length
  // The name of a character may continue in the next feed.
  const name = text.lastIndexOf('&')
  return name >= Math.max(from, text.length - 34) && !/[\s;]/.test(text.slice(name)) ? -1 : text.length
}

function go(self: Value, isLast: boolean): null {
  const fields = fieldsOf(self)
  const text = fields.rawdata
  if (typeof text !== 'string')
    return raise('AttributeError', said`'${typeOf(self)}' object has no attribute 'rawdata'`)
  let at = 0
  const move = (to: number): void => {
    const lines = text.slice(at, to).split('\n')
    fields.lineno = (fields.lineno as number) + lines.length - 1
    fields.offset = (lines.length === 1 ? (fields.offset as number) : 0) + lines[lines.length - 1]!.length
    at = to
  }
  while (at < text.length) {
    const end = textEnd(text, at, fields.cdata_elem!, isLast)
    if (end < 0) break
    if (end > at) {
      const data = text.slice(at, end)
      say(self, 'handle_data', typeof fields.cdata_elem === 'string' ? data : unescapeHtml(data))
      move(end)
      continue
    }
    const after = piece(self, text, at)
    if (after !== undefined && after >= 0) move(after)
    else if (after === undefined && at + 1 < text.length) {
      say(self, 'handle_data', '<')
      move(at + 1)
    } else if (!isLast) break
    else {
      // An unfinished construct counts as text.
      const close = text.indexOf('>', at + 1)
      const next = text.indexOf('<', at + 1)
      const rest = close >= 0 ? close + 1 : next >= 0 ? next : at + 1
      say(self, 'handle_data', unescapeHtml(text.slice(at, rest)))
      move(rest)
    }
  }
  fields.rawdata = text.slice(at)
  return null
}

// ---- the class -------------------------------------------------------------------------------------------------

define('__init__', 'self, *, convert_charrefs=', (self, convert) => {
  if (convert !== undefined && !truth(convert))
    valueError('convert_charrefs=False is not available: handle_data gets texts with their characters in place')
  fieldsOf(self!).convert_charrefs = true
  return reset(self!)
})
define('reset', 'self', (self) => reset(self!))
define('feed', 'self, data', (self, data) => {
  const fields = fieldsOf(self!)
  fields.rawdata = (attribute(self!, 'rawdata') as string) + wantString(data, 'feed', 'data')
  return go(self!, false)
})
define('close', 'self', (self) => go(self!, true))
define('getpos', 'self', (self) => tuple([fieldsOf(self!).lineno!, fieldsOf(self!).offset!]))
define('get_starttag_text', 'self', (self) => fieldsOf(self!).__starttag_text ?? null)
define('handle_startendtag', 'self, tag, attrs', (self, tag, attributes) => {
  say(self!, 'handle_starttag', tag!, attributes!)
  say(self!, 'handle_endtag', tag!)
  return null
})
define('handle_starttag', 'self, tag, attrs', () => null)
for (const [name, parameter] of [
  ['endtag', 'tag'],
  ['data', 'data'],
  ['comment', 'data'],
  ['decl', 'decl'],
  ['pi', 'data'],
  ['charref', 'name'],
  ['entityref', 'name'],
])
  define(`handle_${name}`, `self, ${parameter}`, () => null)
define('unknown_decl', 'self, data', () => null)

export const htmlParser: Module = module('html.parser', { HTMLParser: cls.$value })
