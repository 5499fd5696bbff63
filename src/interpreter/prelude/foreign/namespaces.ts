// Namespaces of host functions. A call is sent as JSON text, and its answer is a letter and a text (foreign.ts of the
// host). The guest knows only names. Documentation is requested from the host.
// Invariant: a call contains no value that JSON can't express. Such values are refused by name before anything is sent.

import { boundMethod } from '../calls/method-tables.js'
import { builtin, type Callable, callNamed } from '../calls/signature.js'
import { callAttribute } from '../classes/attributes.js'
import { dictFlat } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { beforeRead, settleAll } from '../host/pending.js'
import { receive } from '../host/replies.js'
import { hostCall, hostReceive, hostSend } from '../host/sandbox-functions.js'
import { encode, encodeJson, type Style } from '../json/encode.js'
import { equal } from '../operators/comparison.js'
import { truth } from '../operators/membership.js'
import { repr } from '../text/repr.js'
import { GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { asName, inQuotes, said, word } from '../values/said.js'
import { answerText } from '../values/tool-data.js'
import { Bytes, nameClass, type RecordDict, typeName, typeOf, type Value } from '../values/values.js'
import { askHost } from './questions.js'

class Namespace {
  readonly $name: string
  readonly $members: Map<string, Callable>
  constructor(name: string, members: Map<string, Callable>) {
    this.$name = name
    this.$members = members
  }
}

const namespaceProtocol: Protocol = {
  getAttribute: (x, name) => {
    const space = x as Namespace
    const member = space.$members.get(name)
    if (member !== undefined) return member
    return name === '__name__' ? space.$name : name === '__doc__' ? describe(space.$name) : undefined
  },
  attributeNames: (x) => [...(x as Namespace).$members.keys()].filter((name) => !/[-. /:]/.test(name)),
  getItem: (x, name) => {
    const { $name, $members } = x as Namespace
    const member = typeof name === 'string' ? $members.get(name) : undefined
    // The host refuses this question with the nearest names.
    return member ?? askHost('runtime', 'query_tool_docs', ['server', 'tool'], [$name, name])
  },
  callMethod: (x, name, args, named) => {
    const place = placeOf((x as Namespace).$members.get(name))
    return place === undefined ? undefined : ask(place[0], place[1], args, named ?? NONE)
  },
  truth: () => true,
  repr: (x) => `<server ${(x as Namespace).$name}>`,
}
Object.defineProperty(Namespace.prototype, PROTOCOL, { value: namespaceProtocol })
nameClass(isServer, 'server')

const NONE: readonly Value[] = []

export function isServer(x: Value): boolean {
  return x instanceof Namespace
}

/**
 * Makes a namespace. `members` has the names of each function, and the first of them is sent. Names that are not
 * identifiers can be used as subscripts.
 */
export function namespace(name: string, members: readonly (readonly string[])[]): Value {
  const all = new Map<string, Callable>()
  for (const names of members) {
    const f = foreignFunction(name, names[0]!)
    for (const n of names) all.set(n, f)
  }
  return new Namespace(name, all)
}

/** The output of `help(x)` for a namespace or one of its functions; undefined for anything else. */
export function foreignHelp(x: Value): string | undefined {
  if (x instanceof Namespace) return describe(x.$name)
  const place = placeOf(x)
  return place === undefined ? undefined : describe(place[0], place[1])
}

/** The namespace and the name of a function of the host. Undefined for anything else. */
export function placeOf(x: Value | undefined): readonly [string, string] | undefined {
  return typeof x === 'function' ? (x as Partial<Foreign>).$place : undefined
}

function describe(space: string, member?: string): string {
  const named = `{"server":${encodeJson(space)}${member === undefined ? '' : `,"tool":${encodeJson(member)}`}}`
  settleAll()
  return receive(hostCall(`{"namespace":"runtime","member":"help","positional":[],"named":${named}}`)) as string
}

// ---- functions -------------------------------------------------------------------------------------------------

interface Foreign extends Callable {
  readonly $place: readonly [string, string]
}

function foreignFunction(space: string, member: string): Callable {
  const f = collecting(`${space}.${member}`, (args, named) =>
    ask(space, member, items(args), dictFlat(named as object)),
  ) as Foreign
  Object.defineProperty(f, '$place', { value: [space, member] })
  Object.defineProperty(f, PROTOCOL, { value: functionProtocol })
  return f
}

/** A function that takes any arguments. */
function collecting(name: string, fn: (args: Value, named: Value) => Value): Callable {
  return builtin(name, '*args, **kwargs', (args, named) => fn(args!, named!))
}

const functionProtocol: Protocol = {
  getAttribute: (x, name) => {
    const [space, member] = (x as Foreign).$place
    switch (name) {
      case 'name':
      case '__name__':
        return member
      case '__qualname__':
        return `${space}.${member}`
      case '__doc__':
        return describe(space, member)
      case 'safe':
        return collecting(`${space}.${member}.safe`, (args, named) =>
          safely(x as Foreign, items(args), named as object),
        )
      case 'map':
        return builtin(`${space}.${member}.map`, 'arguments, /, *, return_errors=', (all, keep) =>
          mapped(space, member, all!, keep),
        )
      default:
        return undefined
    }
  },
  attributeNames: () => ['map', 'name', 'safe'],
}

function safely(f: Foreign, positional: readonly Value[], named: object): Value {
  return attempt(() => callNamed(f, positional, dictFlat(named)))
}

/** `server.tool.map(…)`: calls the tool with each of the arguments. */
function mapped(space: string, member: string, all: Value, keep: Value | undefined): Value {
  const texts = items(all).map((args) => callText(space, member, [args], []))
  if (isRead(space, member)) beforeRead()
  else settleAll()
  const ids = texts.map((text) => hostSend(text))
  const replies = ids.map((id) => hostReceive(id))
  return outcomes(
    replies.map((reply) => () => receive(reply)),
    keep,
  )
}

/** The results in order. The first failure is raised, or with `keep` every outcome becomes a record. */
export function outcomes(results: readonly (() => Value)[], keep: Value | undefined): Value {
  if (keep === undefined || !truth(keep)) return results.map((result) => result())
  return results.map((result) => attempt(result))
}

/** The outcome, as a record. */
function attempt(action: () => Value): Value {
  try {
    return new Attempt({ ok: true, value: action(), error: null })
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    return new Attempt({ ok: false, value: null, error: e.uncaught?.own ?? e.message })
  }
}

/** The outcome of a call that does not raise: a record whose fields are also attributes. */
class Attempt {
  readonly $fields: RecordDict
  constructor(fields: RecordDict) {
    this.$fields = fields
  }
}

const fieldsOf = (x: object): RecordDict => (x as Attempt).$fields
const attemptProtocol: Protocol = {
  getAttribute: (x, name) => (Object.hasOwn(fieldsOf(x), name) ? fieldsOf(x)[name] : boundMethod(fieldsOf(x), name)),
  attributeNames: (x) => Object.keys(fieldsOf(x)),
  getItem: (x, i) => (typeof i === 'string' && Object.hasOwn(fieldsOf(x), i) ? fieldsOf(x)[i] : undefined),
  contains: (x, element) => typeof element === 'string' && Object.hasOwn(fieldsOf(x), element),
  equals: (x, other) => equal(fieldsOf(x), other instanceof Attempt ? other.$fields : other),
  truth: (x) => fieldsOf(x).ok === true,
  repr: (x) => repr(fieldsOf(x)),
  jsonForm: (x) => fieldsOf(x),
}
Object.defineProperty(Attempt.prototype, PROTOCOL, { value: attemptProtocol })
nameClass((x) => x instanceof Attempt, 'outcome')

/** Prototypes of objects here that have attributes of any name, including those of built-in methods. */
export const foreignOwners: readonly object[] = [Namespace.prototype, Attempt.prototype]

// ---- sending ---------------------------------------------------------------------------------------------------

let reads: ReadonlySet<string> = new Set()

/** Sets the functions (`space.member`) that the program runs ahead of. */
export function runAheadOf(names: readonly string[]): void {
  reads = new Set(names)
}

export function isRead(space: string, member: string): boolean {
  return reads.size > 0 && reads.has(`${space}.${member}`)
}

let placed: ReadonlySet<string> = new Set()

/** Sets the functions (`space.member`) whose calls report their places to the host. */
export function tellPlacesOf(names: readonly string[]): void {
  placed = new Set(names)
}

/** The place of a call for the host; see foreign.ts of the host. */
export function placeMark(space: string, member: string): string {
  if (placed.size === 0 || !placed.has(`${space}.${member}`)) return ''
  const [, place] = /\(program\.js:(\d+:\d+)\)/.exec(new Error().stack ?? '') ?? []
  return place === undefined ? '' : `@${place} `
}

/** Calls a function of the host and waits. `named` has alternating names and values. */
export function ask(space: string, member: string, positional: readonly Value[], named: readonly Value[]): Value {
  return askWaiting(callText(space, member, positional, named), isRead(space, member))
}

/** `space.member(…)` for a tool that the program names: `text` without the place of the call. */
export function askTool(text: string, space: string, member: string): Value {
  return askWaiting(placed.size === 0 ? text : placeMark(space, member) + text, isRead(space, member))
}

/** Makes a call and waits for its reply. A call that may write first waits for all earlier reads. */
export function askWaiting(text: string, reads: boolean): Value {
  if (reads) beforeRead()
  else settleAll()
  return receive(hostCall(text))
}

let lastSpace = ''
let lastMember = ''
let lastHead = ''

/** The beginning of a call's text. It is cached, because programs call the same function again and again. */
function headOf(space: string, member: string): string {
  if (space !== lastSpace || member !== lastMember) {
    lastHead = `{"namespace":${encodeJson(space)},"member":${encodeJson(member)},"positional":[`
    lastSpace = space
    lastMember = member
  }
  return lastHead
}

/** The text of a call. `flat` has the named arguments, alternating names and values. */
export function callText(space: string, member: string, positional: readonly Value[], flat: readonly Value[]): string {
  if (flat.length > 2) refuseRepeated(space, member, flat)
  let text = placeMark(space, member) + headOf(space, member)
  for (let i = 0; i < positional.length; i++)
    text += (i > 0 ? ',' : '') + argumentText(positional[i]!, space, member, i + 1)
  text += '],"named":{'
  for (let i = 0; i < flat.length; i += 2)
    text +=
      (i > 0 ? ',' : '') + keyText(flat[i] as string) + argumentText(flat[i + 1]!, space, member, flat[i] as string)
  return `${text}}}`
}

const MOST_COMPARED = 16

/** Throws if an argument is named twice, which `**` can do. */
function refuseRepeated(space: string, member: string, flat: readonly Value[]): void {
  const seen = flat.length > MOST_COMPARED ? new Set<Value>() : undefined
  for (let i = 0; i < flat.length; i += 2) {
    const name = flat[i] as string
    let isAgain = seen?.has(name) === true
    seen?.add(name)
    for (let j = 0; seen === undefined && j < i; j += 2) if (flat[j] === name) isAgain = true
    if (isAgain)
      throw guestError(
        'TypeError',
        said`${word(space)}.${word(member)}() got multiple values for keyword argument ${inQuotes(name, python ? "'" : '"')}`,
      )
  }
}

/** The texts of names of keyword arguments. Programs use few. */
const keyTexts = new Map<string, string>()
const MOST_KEY_TEXTS = 200

function keyText(name: string): string {
  const known = keyTexts.get(name)
  if (known !== undefined) return known
  const text = `${stringify(name)}:`
  if (keyTexts.size < MOST_KEY_TEXTS) keyTexts.set(name, text)
  return text
}

/** The JSON text of an argument. `name` is that of a keyword argument, or the number of a positional one. */
export function argumentText(v: Value, space: string, member: string, name: string | number): string {
  if (typeof v === 'string') return stringify(v)
  if (typeof v === 'number' && (v | 0) === v) return `${v}`
  try {
    return encode(v, sent)
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    const what = typeof name === 'number' ? said`argument ${name}` : asName(name)
    throw guestError('TypeError', said`${word(space)}.${word(member)}: ${what} can't be sent as JSON: ${e.said}`, {
      code: 'argument-not-json',
      ...(e.hint === undefined ? {} : { hint: e.hint }),
    })
  }
}

const { stringify } = JSON
const DATES = ['datetime.datetime', 'datetime.date', 'datetime.time']

/**
 * The style of arguments: data that remembers its text is sent with it, dates and times are sent as ISO text, and other
 * values without a JSON form are refused.
 */
const sent: Style = {
  comma: ',',
  colon: ':',
  form(x, usual) {
    const text = answerText(x)
    return text === undefined ? formOf(x) : `{"\\u0000data":${usual()},"\\u0000text":${encodeJson(text)}}`
  },
}

function formOf(x: object): string | undefined {
  if (x instanceof Set)
    throw guestError('TypeError', said`JSON has no ${typeOf(x)}`, { hint: 'send a list: sorted(s) or list(s)' })
  if (x instanceof Bytes)
    throw guestError('TypeError', 'JSON has no bytes', {
      hint: 'send text: b.decode(), or base64.b64encode(b).decode()',
    })
  return DATES.includes(typeName(x)) ? encodeJson(callAttribute(x, 'isoformat', [])) : undefined
}
