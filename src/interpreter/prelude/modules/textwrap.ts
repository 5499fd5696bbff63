// The module `textwrap`.

import { wantInt, wantString } from '../calls/expect.js'
import { builtin, call } from '../calls/signature.js'
import { dictFlat } from '../containers/dict.js'
import { truth } from '../operators/membership.js'
import { raise, valueError } from '../values/errors.js'
import { inQuotes, said, spelled } from '../values/said.js'
import type { Value } from '../values/values.js'
import { type Module, module } from './module.js'

interface Options {
  readonly width: number
  readonly initialIndent: string
  readonly subsequentIndent: string
  readonly expandTabs: boolean
  readonly replaceWhitespace: boolean
  readonly fixSentenceEndings: boolean
  readonly breakLongWords: boolean
  readonly dropWhitespace: boolean
  readonly breakOnHyphens: boolean
  readonly tabSize: number
  readonly maxLines: number | undefined
  readonly placeholder: string
}

const usual: Options = {
  width: 70,
  initialIndent: '',
  subsequentIndent: '',
  expandTabs: true,
  replaceWhitespace: true,
  fixSentenceEndings: false,
  breakLongWords: true,
  dropWhitespace: true,
  breakOnHyphens: true,
  tabSize: 8,
  maxLines: undefined,
  placeholder: ' [...]',
}

/** Options by their Python names. */
function options(width: Value | undefined, named: object): Options {
  const o = { ...usual, ...(width === undefined ? {} : { width: wantInt(width, 'wrap', 'width') }) } as Record<
    string,
    unknown
  >
  const flat = dictFlat(named)
  for (let i = 0; i < flat.length; i += 2) {
    const name = flat[i] as string
    const v = flat[i + 1]!
    const own = name.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase())
    if (!(own in usual) || (own === name && /[A-Z]/.test(name)))
      raise('TypeError', said`TextWrapper.__init__() got an unexpected keyword argument ${inQuotes(name)}`)
    if (own === 'width' || own === 'tabSize') o[own] = wantInt(v, 'wrap', name)
    else if (own === 'maxLines') o[own] = v === null ? undefined : wantInt(v, 'wrap', name)
    else if (typeof (usual as unknown as Record<string, unknown>)[own] === 'boolean') o[own] = truth(v)
    else o[own] = wantString(v, 'wrap', name)
  }
  return o as unknown as Options
}

function munge(text: string, o: Options): string {
  let s = text
  if (o.expandTabs) {
    let column = 0
    s = s.replace(/[^\t\n\r]|\t|[\n\r]/g, (c) => {
      if (c === '\n' || c === '\r') {
        column = 0
        return c
      }
      const width = c === '\t' ? o.tabSize - (column % o.tabSize) : 1
      column += width
      return c === '\t' ? ' '.repeat(width) : c
    })
  }
  return o.replaceWhitespace ? s.replace(/[\t\n\v\f\r ]/g, ' ') : s
}

const LETTER = '[\\w!"\'&.,?]'
const WS = '[\\t\\n\\v\\f\\r ]'
const NOT_WS = '[^\\t\\n\\v\\f\\r ]'
// White space; a dash between words; or a word that may be broken after a hyphen between letters.
const PIECES = new RegExp(
  `(${WS}+|(?<=${LETTER})-{2,}(?=\\w)|${NOT_WS}+?(?:-(?:(?<=[^\\d\\W]{2}-)|(?<=[^\\d\\W]-[^\\d\\W]-))(?=[^\\d\\W]-?[^\\d\\W])|(?=${WS}|$)|(?<=${LETTER})(?=-{2,}\\w)))`,
)
const SIMPLE_PIECES = new RegExp(`(${WS}+)`)

function split(text: string, o: Options): string[] {
  return text.split(o.breakOnHyphens ? PIECES : SIMPLE_PIECES).filter((c) => c)
}

function fixEndings(chunks: string[]): void {
  for (let i = 0; i < chunks.length - 1; ) {
    if (chunks[i + 1] === ' ' && /[a-z][.!?]["']?$/.test(chunks[i]!)) {
      chunks[i + 1] = '  '
      i += 2
    } else i++
  }
}

function wrap(text: string, o: Options): string[] {
  if (o.width <= 0) valueError(said`invalid width ${spelled(o.width)} (must be > 0)`)
  if (o.maxLines !== undefined) {
    const indent = o.maxLines > 1 ? o.subsequentIndent : o.initialIndent
    if (indent.length + o.placeholder.trimStart().length > o.width) valueError('placeholder too large for max width')
  }
  const chunks = split(munge(text, o), o)
  if (o.fixSentenceEndings) fixEndings(chunks)
  return fillLines(chunks.reverse(), o)
}

const blank = (s: string | undefined): boolean => s !== undefined && s.trim() === ''

/** Takes chunks off the end of `chunks`. */
function fillLines(chunks: string[], o: Options): string[] {
  const lines: string[] = []
  while (chunks.length > 0) {
    const line: string[] = []
    let length = 0
    const indent = lines.length > 0 ? o.subsequentIndent : o.initialIndent
    const width = o.width - indent.length
    if (o.dropWhitespace && blank(chunks[chunks.length - 1]) && lines.length > 0) chunks.pop()
    while (chunks.length > 0) {
      const n = chunks[chunks.length - 1]!.length
      if (length + n > width) break
      line.push(chunks.pop()!)
      length += n
    }
    if (chunks.length > 0 && chunks[chunks.length - 1]!.length > width) {
      breakWord(chunks, line, length, width, o)
      length = line.reduce((sum, c) => sum + c.length, 0)
    }
    if (o.dropWhitespace && blank(line[line.length - 1])) length -= line.pop()!.length
    if (line.length === 0) continue
    const more = chunks.length > 0 && !(o.dropWhitespace && chunks.length === 1 && blank(chunks[0]))
    if (o.maxLines === undefined || lines.length + 1 < o.maxLines || (!more && length <= width)) {
      lines.push(indent + line.join(''))
      continue
    }
    cutLast(lines, line, length, width, indent, o)
    return lines
  }
  return lines
}

function breakWord(chunks: string[], line: string[], length: number, width: number, o: Options): void {
  const room = width < 1 ? 1 : width - length
  if (!o.breakLongWords) {
    if (line.length === 0) line.push(chunks.pop()!)
    return
  }
  const word = chunks[chunks.length - 1]!
  let end = room
  if (o.breakOnHyphens && word.length > room) {
    const hyphen = word.lastIndexOf('-', room - 1)
    if (hyphen > 0 && /[^-]/.test(word.slice(0, hyphen))) end = hyphen + 1
  }
  line.push(word.slice(0, end))
  chunks[chunks.length - 1] = word.slice(end)
}

/** Ends the last line that is allowed with the placeholder. */
function cutLast(lines: string[], line: string[], length0: number, width: number, indent: string, o: Options): void {
  let length = length0
  while (line.length > 0) {
    if (!blank(line[line.length - 1]) && length + o.placeholder.length <= width) {
      lines.push(indent + line.join('') + o.placeholder)
      return
    }
    length -= line.pop()!.length
  }
  const last = lines[lines.length - 1]?.trimEnd()
  if (last !== undefined && last.length + o.placeholder.length <= o.width)
    lines[lines.length - 1] = last + o.placeholder
  else lines.push(indent + o.placeholder.trimStart())
}

function dedent(text: string): string {
  const lines = text.replace(/^[ \t]+$/gm, '').split('\n')
  let margin: string | undefined
  for (const line of lines) {
    const indent = /^[ \t]*(?=[^ \t\n])/.exec(line)?.[0]
    if (indent === undefined) continue
    if (margin === undefined) margin = indent
    else {
      let n = 0
      while (n < margin.length && margin[n] === indent[n]) n++
      margin = margin.slice(0, n)
    }
  }
  const cut = margin?.length ?? 0
  return cut === 0 ? lines.join('\n') : lines.map((l) => l.slice(cut)).join('\n')
}

export const textwrap: Module = module('textwrap', {
  wrap: builtin('wrap', 'text, width=, **kwargs', (text, width, named) =>
    wrap(wantString(text, 'wrap', 'text'), options(width, named as object)),
  ),
  fill: builtin('fill', 'text, width=, **kwargs', (text, width, named) =>
    wrap(wantString(text, 'fill', 'text'), options(width, named as object)).join('\n'),
  ),
  shorten: builtin('shorten', 'text, width, **kwargs', (text, width, named) => {
    const o = { ...options(width, named as object), maxLines: 1 }
    const words = wantString(text, 'shorten', 'text').trim().split(/\s+/).join(' ')
    return wrap(words, o).join('\n')
  }),
  dedent: builtin('dedent', 'text', (text) => dedent(wantString(text, 'dedent', 'text'))),
  indent: builtin('indent', 'text, prefix, predicate=', (text, prefix, predicate) => {
    const by = wantString(prefix, 'indent', 'prefix')
    const wanted = (line: string): boolean =>
      predicate === undefined || predicate === null ? line.trim() !== '' : truth(call(predicate, [line]))
    const lines = wantString(text, 'indent', 'text').match(/[^\n]*\n|[^\n]+$/g) ?? []
    return lines.map((l) => (wanted(l) ? by + l : l)).join('')
  }),
})
