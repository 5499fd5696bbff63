// The module `csv`, for any iterable of lines and any object with `write`.

import { wantString } from '../calls/expect.js'
import { boundMethod, method } from '../calls/method-tables.js'
import { builtin } from '../calls/signature.js'
import { attributeOrAbsent, callAttribute } from '../classes/attributes.js'
import { attachClass, Class, setMember } from '../classes/classes.js'
import { exceptionClasses } from '../classes/exceptions.js'
import { builtinClass } from '../classes/known-classes.js'
import { moduleClass } from '../classes/module-class.js'
import { dictFlat, dictGet, dictHas, dictKeys, dictOf, dictSet } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { readFloat } from '../numbers/float-text.js'
import { allOf, type Step, stepper } from '../operators/iterators.js'
import { truth } from '../operators/membership.js'
import { quoted, repr, str } from '../text/repr.js'
import { GuestError, guestError, typeError, valueError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { inQuotes, type Literal, type Said, said, spelled, word } from '../values/said.js'
import { float, floatValue, isInt, nameClass, typeOf, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

const QUOTE_MINIMAL = 0
const QUOTE_ALL = 1
const QUOTE_NONNUMERIC = 2
const QUOTE_NONE = 3

interface Dialect {
  readonly delimiter: string
  readonly quote: string | null
  readonly doubleQuote: boolean
  readonly escape: string | null
  readonly terminator: string
  readonly quoting: number
  readonly skipSpace: boolean
  readonly strict: boolean
}

const excel: Dialect = {
  delimiter: ',',
  quote: '"',
  doubleQuote: true,
  escape: null,
  terminator: '\r\n',
  quoting: QUOTE_MINIMAL,
  skipSpace: false,
  strict: false,
}
const dialects: Record<string, Dialect> = {
  excel,
  'excel-tab': { ...excel, delimiter: '\t' },
  unix: { ...excel, quoting: QUOTE_ALL, terminator: '\n' },
}

function csvError<M extends string>(message: Said | Literal<M>): GuestError {
  return guestError('Error', message)
}

/** The parameters of a dialect. */
const FIELDS = 'delimiter quotechar doublequote escapechar lineterminator quoting skipinitialspace strict'.split(' ')

/** A class whose members describe a dialect. Programs may inherit from it. */
function dialectClass(name: string, base: Class | undefined, members: Readonly<Record<string, Value>>): Class {
  const { cls } = moduleClass(name, 'csv', base)
  for (const [member, value] of Object.entries(members)) setMember(cls, member, value)
  return cls
}

/** The dialect in the members of a class or an object. */
function dialectBy(x: Value): Dialect {
  const d: Record<string, unknown> = { ...excel }
  for (const name of FIELDS) {
    const value = attributeOrAbsent(x, name)
    if (value !== undefined && !(name === 'delimiter' && value === null)) change(d, name, value)
  }
  return d as unknown as Dialect
}

/** The dialect that a call names, with the changes that the call makes. */
function dialectOf(name: Value | undefined, changes: object): Dialect {
  const base =
    name === undefined || name === null
      ? excel
      : typeof name === 'string'
        ? Object.hasOwn(dialects, name)
          ? dialects[name]
          : undefined
        : attributeOrAbsent(name, 'delimiter') === undefined
          ? undefined
          : dialectBy(name)
  if (base === undefined)
    throw csvError(
      typeof name === 'string' ? 'unknown dialect' : said`dialect must be the name of one, not ${typeOf(name!)}`,
    )
  const d: Record<string, unknown> = { ...base }
  const flat = dictFlat(changes)
  for (let i = 0; i < flat.length; i += 2) change(d, flat[i] as string, flat[i + 1]!)
  if (d.quote === null && d.quoting !== QUOTE_NONE && base.quote !== null) d.quoting = QUOTE_NONE
  return d as unknown as Dialect
}

function change(d: Record<string, unknown>, name: string, v: Value): void {
  const character = (own: string, none: boolean): void => {
    if (v === null && none) d[own] = null
    else if (typeof v === 'string' && Array.from(v).length === 1) d[own] = v
    else
      typeError(
        typeof v === 'string'
          ? said`"${word(name)}" must be a 1-character string`
          : said`"${word(name)}" must be ${none ? 'string or None' : 'string'}, not ${typeOf(v)}`,
      )
  }
  switch (name) {
    case 'delimiter':
      return character('delimiter', false)
    case 'quotechar':
      return character('quote', true)
    case 'escapechar':
      return character('escape', true)
    case 'doublequote':
      d.doubleQuote = truth(v)
      return
    case 'skipinitialspace':
      d.skipSpace = truth(v)
      return
    case 'strict':
      d.strict = truth(v)
      return
    case 'lineterminator':
      d.terminator = typeof v === 'string' ? v : typeError('"lineterminator" must be a string')
      return
    case 'quoting':
      if (typeof v !== 'number' || v < 0 || v > 3) typeError('bad "quoting" value')
      d.quoting = v
      return
    default:
      typeError(said`${inQuotes(name)} is an invalid keyword argument for this function`)
  }
}

// ---- reading ---------------------------------------------------------------------------------------------------

class Reader {
  readonly $step: Step
  readonly $dialect: Dialect
  $lines = 0
  constructor(step: Step, dialect: Dialect) {
    this.$step = step
    this.$dialect = dialect
  }
}

function nextLine(r: Reader): string | undefined {
  const line = r.$step()
  if (line === undefined) return undefined
  r.$lines++
  if (typeof line === 'string') return line
  throw csvError(said`iterator should return strings, not ${typeOf(line)} (the file should be opened in text mode)`)
}

/** The next row, or undefined at the end. */
function nextRow(r: Reader): Value[] | undefined {
  const line = nextLine(r)
  if (line === undefined) return undefined
  const d = r.$dialect
  const plain = (d.quote === null || line.indexOf(d.quote) < 0) && (d.escape === null || line.indexOf(d.escape) < 0)
  if (plain && !d.skipSpace && d.quoting !== QUOTE_NONNUMERIC) {
    const body = line.replace(/(?:\r\n|\n|\r)+$/, '')
    if (body === '') return []
    if (body.indexOf('\n') < 0 && body.indexOf('\r') < 0) return body.split(d.delimiter)
  }
  return scanRow(r, line)
}

/** The states of CPython's reader (Modules/_csv.c). */
type State = 'start' | 'field' | 'quoted' | 'escaped' | 'escapedEnd' | 'quotedEscape' | 'afterQuote' | 'afterEnd'

/** A row that may have quotes, escapes and further lines. */
function scanRow(r: Reader, first: string): Value[] {
  const d = r.$dialect
  const row: Value[] = []
  let field = ''
  let numeric = false
  let state: State = 'start'
  let begun = false
  const save = (next: State): void => {
    row.push(numeric ? number(field) : field)
    field = ''
    numeric = false
    begun = true
    state = next
  }
  for (let line: string | undefined = first; ; line = nextLine(r)) {
    if (line === undefined) {
      if (d.strict) throw csvError('unexpected end of data')
      save('start')
      return row
    }
    for (const c of line) {
      const isEnd = c === '\n' || c === '\r'
      switch (state) {
        case 'start':
          if (isEnd) {
            if (begun) save('afterEnd')
            else state = 'afterEnd'
          } else if (c === d.quote && d.quoting !== QUOTE_NONE) state = 'quoted'
          else if (c === d.escape) state = 'escaped'
          else if (c === ' ' && d.skipSpace) break
          else if (c === d.delimiter) save('start')
          else {
            numeric = d.quoting === QUOTE_NONNUMERIC
            field += c
            state = 'field'
          }
          break
        case 'field':
        case 'escapedEnd':
          if (isEnd) save('afterEnd')
          else if (c === d.escape) state = 'escaped'
          else if (c === d.delimiter) save('start')
          else field += c
          break
        case 'escaped':
          field += c
          state = isEnd ? 'escapedEnd' : 'field'
          break
        case 'quoted':
          if (c === d.escape) state = 'quotedEscape'
          else if (c === d.quote) state = d.doubleQuote ? 'afterQuote' : 'field'
          else field += c
          break
        case 'quotedEscape':
          field += c
          state = 'quoted'
          break
        case 'afterQuote':
          if (c === d.quote) {
            field += c
            state = 'quoted'
          } else if (c === d.delimiter) save('start')
          else if (isEnd) save('afterEnd')
          else if (!d.strict) {
            field += c
            state = 'field'
          } else throw csvError(said`${inQuotes(d.delimiter)} expected after ${inQuotes(d.quote ?? '')}`)
          break
        case 'afterEnd':
          if (!isEnd)
            throw csvError("new-line character seen in unquoted field - do you need to open the file with newline=''?")
      }
    }
    if (state === 'escaped' || state === 'quotedEscape') {
      field += '\n'
      state = state === 'escaped' ? 'field' : 'quoted'
    } else if (state !== 'quoted' && state !== 'escapedEnd') {
      if (state !== 'afterEnd' && (state !== 'start' || begun)) save('start')
      return row
    }
  }
}

function number(text: string): Value {
  const v = readFloat(text.trim())
  return v === undefined ? valueError(said`could not convert string to float: ${quoted(text)}`) : float(v)
}

const readerProtocol: Protocol = {
  truth: () => true,
  next: (x) => nextRow(x as Reader),
  items: allOf,
  getAttribute: (x, name) => (name === 'line_num' ? (x as Reader).$lines : boundMethod(x, name)),
  repr: () => '<_csv.reader object>',
}
Object.defineProperty(Reader.prototype, PROTOCOL, { value: readerProtocol })
nameClass((x) => x instanceof Reader, '_csv.reader')

class DictReader {
  readonly $reader: Reader
  $names: Value[] | undefined
  readonly $restKey: Value
  readonly $restValue: Value
  constructor(reader: Reader, names: Value[] | undefined, restKey: Value, restValue: Value) {
    this.$reader = reader
    this.$names = names
    this.$restKey = restKey
    this.$restValue = restValue
  }
}

function namesOf(r: DictReader): Value[] | undefined {
  r.$names ??= nextRow(r.$reader)
  return r.$names
}

function nextDict(r: DictReader): Value | undefined {
  const names = namesOf(r)
  let row = nextRow(r.$reader)
  while (row !== undefined && row.length === 0) row = nextRow(r.$reader)
  if (row === undefined || names === undefined) return undefined
  const d = dictOf([])
  for (let i = 0; i < names.length; i++) dictSet(d, names[i]!, i < row.length ? row[i]! : r.$restValue)
  if (row.length > names.length) dictSet(d, r.$restKey, row.slice(names.length))
  return d
}

const dictReaderProtocol: Protocol = {
  truth: () => true,
  next: (x) => nextDict(x as DictReader),
  items: allOf,
  getAttribute(x, name) {
    const r = x as DictReader
    if (name === 'fieldnames') return namesOf(r) ?? null
    return name === 'line_num' ? r.$reader.$lines : undefined
  },
  setAttribute(x, name, value) {
    if (name !== 'fieldnames') return false
    ;(x as DictReader).$names = items(value).slice()
    return true
  },
  repr: () => '<csv.DictReader object>',
}
Object.defineProperty(DictReader.prototype, PROTOCOL, { value: dictReaderProtocol })
nameClass((x) => x instanceof DictReader, 'DictReader')

// ---- writing ---------------------------------------------------------------------------------------------------

class Writer {
  readonly $file: Value
  readonly $dialect: Dialect
  constructor(file: Value, dialect: Dialect) {
    this.$file = file
    this.$dialect = dialect
  }
}

function fieldText(x: Value, d: Dialect, alone: boolean): string {
  const text = x === null ? '' : str(x)
  const special = [...text].some(
    (c) => c === d.delimiter || c === d.escape || c === d.quote || c === '\n' || c === '\r' || d.terminator.includes(c),
  )
  const isNumber = isInt(x) || floatValue(x) !== undefined || typeof x === 'boolean'
  const quoted =
    d.quoting === QUOTE_ALL ||
    (d.quoting === QUOTE_NONNUMERIC && !isNumber) ||
    (d.quoting !== QUOTE_NONE && (special || (alone && text === '')))
  if (d.quoting === QUOTE_NONE && alone && text === '') throw csvError('single empty field record must be quoted')
  let out = ''
  for (const c of text) {
    const needsEscape =
      c === d.escape ||
      (c === d.quote && (!d.doubleQuote || !quoted) && (quoted || d.quoting === QUOTE_NONE)) ||
      (!quoted && (c === d.delimiter || d.terminator.includes(c)))
    if (c === d.quote && quoted && d.doubleQuote) out += c
    else if (needsEscape) {
      if (d.escape === null) throw csvError('need to escape, but no escapechar set')
      out += d.escape
    }
    out += c
  }
  return quoted ? d.quote! + out + d.quote! : out
}

function writeRow(w: Writer, row: Value): Value {
  let fields: readonly Value[]
  try {
    fields = items(row)
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    throw csvError(said`iterable expected, not ${typeOf(row)}`)
  }
  const line = fields.map((f) => fieldText(f, w.$dialect, fields.length === 1)).join(w.$dialect.delimiter)
  return callAttribute(w.$file, 'write', [line + w.$dialect.terminator])
}

function define(
  type: string,
  prototype: object,
  name: string,
  parameters: string,
  fn: (w: never, x?: Value) => Value,
): void {
  method(type, prototype, name, parameters, function (this: never, x?: Value) {
    return fn(this, x)
  } as never)
}
define('_csv.writer', Writer.prototype, 'writerow', 'row, /', (w: Writer, row) => writeRow(w, row!))
define('_csv.writer', Writer.prototype, 'writerows', 'rows, /', (w: Writer, rows) => {
  for (const row of items(rows!)) writeRow(w, row)
  return null
})
Object.defineProperty(Writer.prototype, PROTOCOL, {
  value: { truth: () => true, repr: () => '<_csv.writer object>' } satisfies Protocol,
})
nameClass((x) => x instanceof Writer, '_csv.writer')

class DictWriter {
  readonly $writer: Writer
  readonly $names: readonly Value[]
  readonly $restValue: Value
  readonly $ignoresExtras: boolean
  constructor(writer: Writer, names: readonly Value[], restValue: Value, ignoresExtras: boolean) {
    this.$writer = writer
    this.$names = names
    this.$restValue = restValue
    this.$ignoresExtras = ignoresExtras
  }
}

function writeDict(w: DictWriter, row: Value): Value {
  const d = row as object
  if (!w.$ignoresExtras) {
    const wrong = dictKeys(d).filter((k) => !w.$names.includes(k))
    if (wrong.length > 0)
      valueError(said`dict contains fields not in fieldnames: ${spelled(wrong.map(repr).join(', '))}`)
  }
  return writeRow(
    w.$writer,
    w.$names.map((n) => (dictHas(d, n) ? dictGet(d, n)! : w.$restValue)),
  )
}

define('DictWriter', DictWriter.prototype, 'writeheader', '/', (w: DictWriter) =>
  writeRow(w.$writer, w.$names as Value[]),
)
define('DictWriter', DictWriter.prototype, 'writerow', 'rowdict, /', (w: DictWriter, row) => writeDict(w, row!))
define('DictWriter', DictWriter.prototype, 'writerows', 'rowdicts, /', (w: DictWriter, rows) => {
  for (const row of items(rows!)) writeDict(w, row)
  return null
})
Object.defineProperty(DictWriter.prototype, PROTOCOL, {
  value: {
    truth: () => true,
    getAttribute: (x, name) => (name === 'fieldnames' ? ((x as DictWriter).$names as Value[]) : boundMethod(x, name)),
    repr: () => '<csv.DictWriter object>',
  } satisfies Protocol,
})
nameClass((x) => x instanceof DictWriter, 'DictWriter')

function asClass(name: string, value: Value): Value {
  attachClass(value as never, new Class(name, 'builtin', [builtinClass('object')]))
  return value
}

/** The lines of an iterable. If a text was passed by mistake, they are its characters. */
function lines(x: Value): Step {
  if (typeof x === 'string') return stepper(Array.from(x))
  return stepper(x)
}

const dialectBase = dialectClass('Dialect', undefined, {})
const excelClass = dialectClass('excel', dialectBase, {
  delimiter: ',',
  quotechar: '"',
  doublequote: true,
  escapechar: null,
  lineterminator: '\r\n',
  quoting: QUOTE_MINIMAL,
  skipinitialspace: false,
  strict: false,
})

export const csv: Module = module('csv', {
  reader: builtin(
    'reader',
    'csvfile, /, dialect=, **fmtparams',
    (file, dialect, changes) => new Reader(lines(file!), dialectOf(dialect, changes as object)),
  ),
  writer: builtin(
    'writer',
    'csvfile, /, dialect=, **fmtparams',
    (file, dialect, changes) => new Writer(file!, dialectOf(dialect, changes as object)),
  ),
  DictReader: asClass(
    'DictReader',
    builtin(
      'DictReader',
      'f, fieldnames=, restkey=, restval=, dialect=, **kwds',
      (file, names, restKey, restValue, dialect, changes) =>
        new DictReader(
          new Reader(lines(file!), dialectOf(dialect, changes as object)),
          names === undefined || names === null ? undefined : items(names).slice(),
          restKey ?? null,
          restValue ?? null,
        ),
    ),
  ),
  DictWriter: asClass(
    'DictWriter',
    builtin(
      'DictWriter',
      'f, fieldnames, restval=, extrasaction=, dialect=, **kwds',
      (file, names, restValue, extras, dialect, changes) => {
        if (extras !== undefined && extras !== 'raise' && extras !== 'ignore')
          valueError(said`extrasaction (${quoted(extras)}) must be 'raise' or 'ignore'`)
        return new DictWriter(
          new Writer(file!, dialectOf(dialect, changes as object)),
          items(names!).slice(),
          restValue ?? '',
          extras === 'ignore',
        )
      },
    ),
  ),
  Error: exceptionClasses.Error!,
  Dialect: dialectBase.$value,
  excel: excelClass.$value,
  excel_tab: dialectClass('excel_tab', excelClass, { delimiter: '\t' }).$value,
  unix_dialect: dialectClass('unix_dialect', excelClass, { quoting: QUOTE_ALL, lineterminator: '\n' }).$value,
  list_dialects: builtin('list_dialects', '', () => Object.keys(dialects)),
  register_dialect: builtin('register_dialect', 'name, /, dialect=, **fmtparams', (name, dialect, changes) => {
    dialects[wantString(name, 'register_dialect', 'name')] = dialectOf(dialect, changes as object)
    return null
  }),
  unregister_dialect: builtin('unregister_dialect', 'name, /', (name) => {
    if (typeof name !== 'string' || !Object.hasOwn(dialects, name)) throw csvError('unknown dialect')
    delete dialects[name]
    return null
  }),
  QUOTE_MINIMAL,
  QUOTE_ALL,
  QUOTE_NONNUMERIC,
  QUOTE_NONE,
})
