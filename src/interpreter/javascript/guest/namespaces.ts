// Servers as objects of the program, and the other functions that call the host. A call is sent as JSON text, and its
// answer is a letter and a text; foreign.ts of the host has the protocol. In a program with promises every call returns
// one. In any other program it returns the value itself.
// Invariant: a call contains no value that JSON can't express, and names of servers and tools come from the compiler
// alone.

import {
  ApprovalDenied,
  endWith,
  Fatal,
  fatalSoFar,
  refusalOf,
  stackHere,
  ToolError,
  typeError,
  withFacts,
} from './errors.js'
import { ask, receive, send } from './host.js'
import { type EncodeRules, encode, parseJson, quoted } from './json.js'
import { sendCall, waitFor } from './promises.js'
import { inQuotes, type Mark, named, type Shown, said, type Word, word } from './said.js'
import { answeredData, answeredText, remember, rememberedText } from './tool-data.js'

type Call = (...args: unknown[]) => unknown

const { apply } = Reflect
const { includes } = String.prototype
const { defineProperty, values } = Object

let promises = false

/** Sets what calls return, before the program begins. */
export function setPromises(on: boolean): void {
  promises = on
}

// ---- replies -----------------------------------------------------------------------------------------------------

/** See foreign.ts of the host. */
interface ForeignError {
  readonly kind: 'tool' | 'program' | 'denied' | 'limit' | 'host'
  readonly code: string
  readonly message: string
  readonly hint?: string
  readonly server?: string
  readonly tool?: string
  readonly words?: string
  readonly data?: unknown
  readonly values?: readonly Mark[]
  readonly hintValues?: readonly Mark[]
}

/** The value of the host's reply. Throws if it is a failure. `stack`: the place of the call. */
function readReply(reply: string, stack?: string): unknown {
  const body = reply.slice(1)
  switch (reply[0]) {
    case 'T':
      return body
    case 'J':
      return withReads(parseJson(body), body)
    case 'D':
    case 'U':
      return remember(parseJson(body), body, reply[0] === 'U')
    default:
      throw failureIn(parseJson(body) as ForeignError, stack)
  }
}

/** The same value, in which records of kept files have a method `read` that is not enumerable. */
function withReads(value: unknown, text: string): unknown {
  if (apply(includes, text, ['"path":"results/']) && apply(includes, text, ['"sha256":"'])) markRecords(value)
  return value
}

function markRecords(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const { path, sha256 } = value as Readonly<Record<string, unknown>>
  if (typeof path === 'string' && typeof sha256 === 'string')
    defineProperty(value, 'read', { value: () => readFile({ path, sha256 }), writable: true, configurable: true })
  for (const inner of values(value)) markRecords(inner)
}

function failureIn(reply: ForeignError, stack: string | undefined): Error {
  const { kind, code, message, hint, server, tool, words, data, values, hintValues } = reply
  const own = words === undefined || words === '' ? message : words
  const known = { code, hint }
  const error =
    kind === 'tool'
      ? new ToolError(own, { server: server ?? '', tool: tool ?? '', code, data })
      : kind === 'denied'
        ? withFacts(new ApprovalDenied(own, { server: server ?? '', tool: tool ?? '' }), {
            ...known,
            uncaught: { own, text: message },
          })
        : kind === 'program'
          ? refusalOf(message, { ...known, said: { text: message, marks: values ?? [] }, hintMarks: hintValues })
          : endWith(new Fatal(kind === 'limit' ? 'limit' : 'host error', message, known))
  if (kind === 'tool') withFacts(error, { ...known, uncaught: { own, text: message } })
  if (stack !== undefined) Object.defineProperty(error, 'stack', { value: stack, writable: true, configurable: true })
  return error
}

// ---- calls -------------------------------------------------------------------------------------------------------

const sentRules = (what: string, argument: Word | Shown): EncodeRules => ({
  stranger: (_value, kind, hint) => {
    throw typeError(said`${word(what)}: ${argument} can't be sent as JSON: JSON has no ${word(kind)}`, {
      code: 'argument-not-json',
      hint,
    })
  },
  own: (value, usual) => {
    const text = rememberedText(value)
    return text === undefined ? undefined : `{"\\u0000data":${usual()},"\\u0000text":${quoted(text)}}`
  },
})

/**
 * The text of a call with positional arguments. The host takes a lone object for arguments by name. Built with `+`: for
 * a template the engine calls a string method, which the program may have replaced.
 */
function callText(space: string, member: string, args: readonly unknown[]): string {
  let count = args.length
  while (count > 0 && args[count - 1] === undefined) count--
  let text = '{"namespace":' + quoted(space) + ',"member":' + quoted(member) + ',"positional":['
  for (let i = 0; i < count; i++) {
    const argument = word(count === 1 ? 'the argument' : 'argument ' + (i + 1))
    text += (i > 0 ? ',' : '') + encode(args[i], sentRules(space + '.' + member, argument))
  }
  return text + '],"named":{}}'
}

let placed: ReadonlySet<string> = new Set()
const { exec } = RegExp.prototype
const { has } = Set.prototype

/** Sets the functions (`space.member`) whose calls report their places to the host. */
export function tellPlacesOf(names: readonly string[]): void {
  placed = new Set(names)
}

const PLACE = /\(program\.js:(\d+:\d+)\)/

/** The place of a call for the host; see foreign.ts of the host. Uses no methods that the program may have replaced. */
function placeMark(space: string, member: string): string {
  if (!(apply(has, placed, [space + '.' + member]) as boolean)) return ''
  const found = apply(exec, PLACE, [stackHere()]) as readonly string[] | null
  return found === null ? '' : '@' + found[1]! + ' '
}

/** Receives calls that are sent before anything waits for them; see `parallel`. */
let deferring: ((id: number, stack: string, as: Reading) => unknown) | undefined

/** Converts an answer for the program. */
type Reading = (answer: unknown) => unknown

const asItIs: Reading = (answer) => answer

function perform(space: string, member: string, args: readonly unknown[], as: Reading): unknown {
  const over = fatalSoFar()
  if (over !== undefined) throw over
  if (!promises) {
    const payload = placeMark(space, member) + callText(space, member, args)
    if (deferring === undefined) return as(readReply(ask(payload)))
    return deferring(send(payload), stackHere(), as)
  }
  let payload: string
  try {
    payload = placeMark(space, member) + callText(space, member, args)
  } catch (error) {
    return Promise.reject(error)
  }
  const stack = stackHere()
  return sendCall(payload, (reply) => as(readReply(reply, stack)))
}

/** A call that does not throw: it returns `{ok, value, error}`. */
function attempt(call: Call): Call {
  const failed = (error: unknown) => {
    if (error instanceof Fatal) throw error
    return { ok: false, value: null, error: error instanceof Error ? error.message : String(error) }
  }
  return (...args) => {
    try {
      const value = call(...args)
      if (!(value instanceof Promise)) return { ok: true, value, error: null }
      return value.then((inner) => ({ ok: true, value: inner, error: null }), failed)
    } catch (error) {
      return failed(error)
    }
  }
}

const { toPrimitive } = Symbol

const places = new WeakMap<object, { readonly space: string; readonly member?: string }>()

/** The same tool, for a program that uses its answer as text. */
export function asText(call: Call): Call {
  return takenFor(call, answeredText)
}

/** The same tool, for a program that uses its answer as data. */
export function asData(call: Call): Call {
  return takenFor(call, answeredData)
}

function takenFor(call: Call, as: Reading): Call {
  const { space, member } = places.get(call) ?? {}
  return space === undefined || member === undefined ? call : (...args) => perform(space, member, args, as)
}

function tool(space: string, member: string): Call {
  const call: Call = (...args) => perform(space, member, args, asItIs)
  Object.defineProperty(call, 'name', { value: member })
  Object.defineProperty(call, 'safe', { value: attempt(call) })
  places.set(call, { space, member })
  return Object.freeze(call)
}

/** The name by which `console.log` shows a server. */
export function serverName(value: object): string | undefined {
  const place = places.get(value)
  return place?.member === undefined ? place?.space : undefined
}

/** A server. `members` has the names of each tool. The first of them is sent. */
export function namespace(space: string, members: readonly (readonly string[])[]): object {
  const target: Record<string, Call> = Object.create(null) as Record<string, Call>
  const folded: Record<string, string | undefined> = Object.create(null) as Record<string, string | undefined>
  for (const names of members) {
    const call = tool(space, names[0]!)
    for (const name of names) {
      target[name] ??= call
      const key = fold(name)
      folded[key] = key in folded ? undefined : name
    }
  }
  Object.freeze(target)
  const own = {
    __proto__: null,
    toString: () => '[object Object]',
    toLocaleString: () => '[object Object]',
    valueOf: () => proxy,
    hasOwnProperty: (name: unknown) => `${name}` in target,
    propertyIsEnumerable: (name: unknown) => `${name}` in target,
    isPrototypeOf: () => false,
    constructor: Object,
  }
  const proxy: object = new Proxy(target, {
    get(_, key) {
      if (typeof key !== 'string') return key === toPrimitive ? own.toString : undefined
      const name = key in target ? key : folded[fold(key)]
      if (name !== undefined) return target[name]
      // The language itself reads these members from any object. Members that a program added to all objects are not
      // found here: their functions would receive the server.
      if (key === 'then' || key === 'toJSON') return undefined
      if (key in own) return own[key as keyof typeof own]
      throw typeError(said`${word(space)} has no tool ${inQuotes(key)}`, {
        code: 'unknown-tool',
        hint: `its tools are Object.keys(${space})`,
      })
    },
    set(_, key) {
      throw typeError(said`${word(space)}.${named(String(key))} can't be assigned`)
    },
  })
  places.set(proxy, { space })
  return proxy
}

function fold(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}

// ---- several at once ---------------------------------------------------------------------------------------------

const simple = new WeakSet<Call>()

/** Records that a function only calls one tool and returns its result. */
export function later<T extends Call>(thunk: T): T {
  simple.add(thunk)
  return thunk
}

/**
 * Runs functions without parameters and returns their results in order. Calls of tools overlap where the functions
 * allow it.
 */
export function parallel(thunks: unknown): unknown {
  const list =
    typeof thunks === 'object' && thunks !== null && Symbol.iterator in thunks
      ? [...(thunks as Iterable<unknown>)]
      : undefined
  if (list === undefined || !list.every((one) => typeof one === 'function'))
    throw typeError('parallel takes an array of functions', { hint: 'parallel([() => a.x(), () => b.y()])' })
  const all = list as unknown as readonly Call[]
  if (promises) return Promise.all(all.map((thunk) => thunk()))
  const takes = all.map((thunk) => (simple.has(thunk) ? sendFirst(thunk) : callFirst(thunk)))
  // All replies are received before any failure is thrown, so that all calls that were sent have ended.
  const ends = takes.map((take) => take())
  for (const end of ends) if (!end.ok) throw end.error
  return ends.map((end) => (end as { readonly value: unknown }).value)
}

type End = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown }

function ended(get: () => unknown): End {
  try {
    return { ok: true, value: get() }
  } catch (error) {
    return { ok: false, error }
  }
}

function callFirst(thunk: Call): () => End {
  const end = ended(thunk)
  return () => end
}

function sendFirst(thunk: Call): () => End {
  let sent: { readonly id: number; readonly stack: string; readonly as: Reading } | undefined
  deferring = (id, stack, as) => {
    sent = { id, stack, as }
    return undefined
  }
  const end = ended(thunk)
  deferring = undefined
  if (sent === undefined) return () => end
  const { id, stack, as } = sent
  return () => ended(() => as(readReply(receive(id), stack)))
}

// ---- questions to the host ---------------------------------------------------------------------------------------

/** The functions of `runtime`, each with its parameters. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  discovered_servers: [],
  list_servers: [],
  list_loaded_server_metadata: [],
  describe_server: ['server'],
  list_tools: ['server'],
  query_tool_docs: ['server', 'tool', 'detail'],
  search_tool_docs: ['query', 'limit', 'detail'],
  capability_summary: [],
}

function question(space: string, member: string, parameters: readonly string[], as: Reading = asItIs): Call {
  return (...args) => {
    const [only] = args
    const pairs =
      args.length === 1 && typeof only === 'object' && only !== null
        ? Object.entries(only)
        : parameters.map((name, i) => [name, args[i]] as const)
    const given = pairs
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${quoted(name)}:${encode(value, sentRules(`${space}.${member}`, named(name)))}`)
    const payload = `{"namespace":${quoted(space)},"member":${quoted(member)},"positional":[],"named":{${given.join(',')}}}`
    if (!promises) return as(readReply(ask(payload)))
    const stack = stackHere()
    return sendCall(payload, (reply) => as(readReply(reply, stack)))
  }
}

function questions(
  space: string,
  all: Readonly<Record<string, readonly string[]>>,
  members: Record<string, Call> = {},
): object {
  for (const [name, parameters] of Object.entries(all)) {
    const call = question(space, name, parameters)
    members[name] = call
    members[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())] = call
  }
  return Object.freeze(members)
}

/** `runtime.call(server, tool, arguments)`: calls a tool by any of its names. */
function callByName(...[server, tool, args]: unknown[]): unknown {
  for (const [what, name] of [['server', server] as const, ['tool', tool] as const])
    if (typeof name !== 'string') throw typeError(said`runtime.call: ${word(what)} must be a string`)
  return perform(server as string, tool as string, [args], asItIs)
}

export const runtime: object = questions('runtime', QUESTIONS, { call: callByName })
const askSave = question('artifacts', 'save', ['name', 'text', 'characters', 'mimeType'])
const askRead = question('artifacts', 'read', ['path', 'sha256'], bytesOf)

/** The content of a kept file. */
function readFile(file: unknown): unknown {
  return typeof file === 'object' && file !== null
    ? askRead((file as { path?: unknown }).path, (file as { sha256?: unknown }).sha256)
    : askRead(file)
}

/** The bytes of a text from the channel, where the code of each character is a byte. */
function bytesOf(characters: unknown): unknown {
  return Uint8Array.from(characters as string, (one) => one.charCodeAt(0))
}

function save(...[name, content, mimeType]: unknown[]): unknown {
  if (typeof content === 'string') return askSave(name, content, undefined, mimeType)
  if (!(content instanceof Uint8Array))
    throw typeError('artifacts.save: content must be a string or a Uint8Array', { hint: 'JSON.stringify(x) for data' })
  let characters = ''
  for (let i = 0; i < content.length; i += CHUNK) characters += String.fromCharCode(...content.subarray(i, i + CHUNK))
  return askSave(name, undefined, characters, mimeType)
}

const CHUNK = 4096

export const artifacts: object = questions('artifacts', { open: ['name'], list: [] }, { save, read: readFile })
export const results: object = questions('results', { load: ['run'], list: [] })

/** A call that is answered at once, also in programs with promises. The value crosses as its text. */
function remembered(member: string, key: unknown, value?: string): unknown {
  if (typeof key !== 'string') throw typeError(said`memory.${word(member)}: key must be a string`)
  const given = value === undefined ? '' : `,"value":${quoted(value)}`
  const named = `{"key":${quoted(key)}${given}}`
  return readReply(ask(`{"namespace":"memory.","member":${quoted(member)},"positional":[],"named":${named}}`))
}

export const memory: object = Object.freeze({
  get: (key: unknown, ifAbsent?: unknown) => {
    const found = remembered('get', key) as readonly unknown[]
    return found.length === 0 ? ifAbsent : found[0]
  },
  set: (key: unknown, value: unknown) => {
    const { stranger } = sentRules('memory.set', word('the value'))
    remembered('set', key, encode(value, { stranger }))
  },
  delete: (key: unknown) => remembered('delete', key),
  keys: () => readReply(ask('{"namespace":"memory.","member":"keys","positional":[],"named":{}}')),
})

/** Prints the documentation of a server or a tool. */
export function help(print: (text: string) => void): Call {
  const describe = question('runtime', 'help', ['server', 'tool'])
  return (thing) => {
    const place = typeof thing === 'object' || typeof thing === 'function' ? places.get(thing as object) : undefined
    if (place === undefined) {
      print('help(server) and help(server.tool) show what they do.')
      return undefined
    }
    const text = describe(place.space, place.member)
    if (!(text instanceof Promise)) return print(text as string)
    return waitFor(text).then((words) => print(words as string))
  }
}
