// `str.format`. A template is parsed once and kept. Strict mode has `{}`, `{0}`, `{name}` and the conversions `!r` and
// `!s`. The default dialect adds attributes, elements, nested fields and format specs.

import { attribute } from '../classes/attributes.js'
import { dictGet } from '../containers/dict.js'
import { index } from '../operators/subscript.js'
import { formatValue } from '../text/format-spec.js'
import { asciiText, quoted, repr, str } from '../text/repr.js'
import { guestError, raise, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { said, spelled } from '../values/said.js'
import type { Value } from '../values/values.js'

interface Field {
  /** The text before the field, with doubled braces made single. */
  readonly before: string
  /** An index into the positional arguments, or the name of a named one. */
  readonly argument: number | string
  /** The accessors: `.name` or `[element]`. */
  readonly path: readonly { readonly attribute: boolean; readonly name: string }[]
  /** `r`, `s`, `a` or ''. */
  readonly conversion: string
  readonly spec: Template | undefined
}

interface Template {
  readonly fields: readonly Field[]
  readonly tail: string
}

/** The state of the numbering. `next` is the number of the next field without one. */
interface Numbering {
  next: number
  manual: boolean
}

const templates = new Map<string, Template>()

/** `template.format(*args, **named)`. `args` has no tuple mark. */
export function formatBraces(template: string, args: readonly Value[], named: object | undefined): string {
  let t = templates.get(template)
  if (t === undefined) {
    t = parse(template, { next: 0, manual: false }, 2)
    if (templates.size < 1000) templates.set(template, t)
  }
  return render(t, args, named)
}

function render(t: Template, args: readonly Value[], named: object | undefined): string {
  let text = ''
  for (const f of t.fields) {
    text += f.before
    let x = argumentOf(f.argument, args, named)
    for (const step of f.path) x = step.attribute ? attribute(x, step.name) : index(x, elementName(step.name))
    if (f.conversion !== '') x = f.conversion === 's' ? str(x) : f.conversion === 'r' ? repr(x) : asciiText(x)
    text += f.spec === undefined ? (python ? formatValue(x, '') : str(x)) : formatValue(x, render(f.spec, args, named))
  }
  return text + t.tail
}

function elementName(name: string): Value {
  return /^\d+$/.test(name) ? Number(name) : name
}

function argumentOf(which: number | string, args: readonly Value[], named: object | undefined): Value {
  if (typeof which === 'number') {
    const x = args[which]
    if (x !== undefined) return x
    return raise(
      'IndexError',
      python
        ? said`Replacement index ${spelled(which)} out of range for positional args tuple`
        : 'tuple index out of range',
    )
  }
  const x = named === undefined ? undefined : dictGet(named, which)
  if (x !== undefined) return x
  throw guestError('KeyError', python ? said`${quoted(which)}` : said`keyword ${spelled(which)} not found`, {
    args: [which],
  })
}

function parse(template: string, numbering: Numbering, depth: number): Template {
  const fields: Field[] = []
  let before = ''
  let i = 0
  while (i < template.length) {
    const c = template[i]!
    if (c !== '{' && c !== '}') {
      const next = nextBrace(template, i)
      before += template.slice(i, next)
      i = next
      continue
    }
    if (template[i + 1] === c) {
      before += c
      i += 2
      continue
    }
    if (c === '}') valueError(python ? "Single '}' encountered in format string" : "single '}' in format")
    const end = closing(template, i)
    fields.push(parseField(before, template.slice(i + 1, end), numbering, depth))
    before = ''
    i = end + 1
  }
  return { fields, tail: before }
}

function nextBrace(s: string, from: number): number {
  for (let i = from; i < s.length; i++) {
    const c = s.charCodeAt(i)
    if (c === 123 || c === 125) return i
  }
  return s.length
}

/** The offset at which the field that opens at `open` closes. */
function closing(s: string, open: number): number {
  let depth = 0
  for (let i = open; i < s.length; i++) {
    const c = s.charCodeAt(i)
    if (c === 123) {
      if (++depth > 1 && !python) valueError('nested replacement fields not supported')
    } else if (c === 125 && --depth === 0) return i
    else if (c === 91 && python && depth === 1) {
      // The name of an element may contain braces.
      const close = s.indexOf(']', i)
      if (close > 0 && s.slice(open, i).indexOf(':') < 0) i = close
    }
  }
  if (!python) valueError("unmatched '{' in format")
  return valueError(
    open === s.length - 1 ? "Single '{' encountered in format string" : "expected '}' before end of string",
  )
}

function parseField(before: string, text: string, numbering: Numbering, depth: number): Field {
  if (depth === 0) valueError('Max string recursion exceeded')
  const m = python
    ? /^((?:[^[\]!:]|\[[^\]]*\]?)*)(?:!([^:]?)(?=:|$|.))?(?::([\s\S]*))?$/.exec(text)
    : /^([^!:]*)(!([^:]*))?(:[\s\S]*)?$/.exec(text)
  if (m === null) return malformed(text)
  if (!python) return strictField(before, m, numbering)
  const conversion = m[2]
  if (conversion !== undefined) {
    if (conversion === '')
      valueError(text.endsWith('!') ? "unmatched '{' in format spec" : "expected ':' after conversion specifier")
    if ('rsa'.indexOf(conversion) < 0) valueError(said`Unknown conversion specifier ${spelled(conversion)}`)
  }
  const name = /^[^.[]*/.exec(m[1]!)![0]
  const spec = m[3]
  return {
    before,
    argument: numbered(name, numbering),
    path: parsePath(m[1]!.slice(name.length)),
    conversion: conversion ?? '',
    spec: spec === undefined || spec === '' ? undefined : parse(spec, numbering, depth - 1),
  }
}

function malformed(text: string): never {
  return valueError(
    /![^:]./.test(text) ? "expected ':' after conversion specifier" : "expected '}' before end of string",
  )
}

function strictField(before: string, m: RegExpExecArray, numbering: Numbering): Field {
  const name = m[1]!
  if (m[2] !== undefined && m[3] !== 'r' && m[3] !== 's') valueError(said`unknown conversion ${quoted(m[3] as string)}`)
  if (m[4] !== undefined) valueError('format spec features not supported in replacement fields')
  if (name.indexOf('.') >= 0) valueError('attribute syntax x.y is not supported in replacement fields')
  if (/[[\]]/.test(name)) valueError('element syntax a[i] is not supported in replacement fields')
  if (name.indexOf(',') >= 0) valueError(said`invalid character ',' inside replacement field ${quoted(name)}`)
  return { before, argument: numbered(name, numbering), path: [], conversion: m[3] ?? '', spec: undefined }
}

function numbered(name: string, numbering: Numbering): number | string {
  if (name === '') {
    if (numbering.manual) valueError('cannot switch from manual field specification to automatic field numbering')
    return numbering.next++
  }
  if (!/^\d+$/.test(name)) return name
  if (numbering.next > 0) valueError('cannot switch from automatic field numbering to manual field specification')
  numbering.manual = true
  return Number(name)
}

function parsePath(text: string): Field['path'] {
  const path: { attribute: boolean; name: string }[] = []
  let i = 0
  while (i < text.length) {
    if (text[i] === '[') {
      const close = text.indexOf(']', i)
      if (close < 0) valueError("Missing ']' in format string")
      if (close === i + 1) valueError('Empty attribute in format string')
      path.push({ attribute: false, name: text.slice(i + 1, close) })
      i = close + 1
    } else if (text[i] === '.') {
      const name = /^[^.[]*/.exec(text.slice(i + 1))![0]
      if (name === '') valueError('Empty attribute in format string')
      path.push({ attribute: true, name })
      i += 1 + name.length
    } else valueError("Only '.' or '[' may follow ']' in format field specifier")
  }
  return path
}
