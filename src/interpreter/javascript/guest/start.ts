// Runs one program and reports its end as JSON text. The host reads it in failures.ts and outcome.ts.
//
// A program without promises and timers runs from its first line to its last, and `run` returns the text. For all
// others `run` returns a function that the sandbox calls repeatedly, each time after all jobs have run. Each call waits
// for one reply, or fires one timer if no call is pending, until nothing is left to run.

import { Fatal, failureOf, fatalSoFar, plainError, thrown, typeError, withReadableStack } from './errors.js'
import { giveInput } from './input.js'
import { inspect, inspectWhole } from './inspect.js'
import { type EncodeRules, encode } from './json.js'
import { asData, asText, later, namespace, setPromises, tellPlacesOf } from './namespaces.js'
import { each, look, settleNext, started, unhandled, waitFor, watch } from './promises.js'
import { inQuotes, said, word } from './said.js'
import { decided, iterated, parted } from './taking-apart.js'
import { fireNext, hasTimers, isTimer } from './timers.js'
import { rememberedText } from './tool-data.js'
import { enterWorld, type RunFacts } from './world.js'

/**
 * The objects that are written here have no prototype, so a `toJSON` that a program added to all objects has no effect.
 */
const stringify = JSON.stringify
const { keys, setPrototypeOf } = Object
const { apply } = Reflect
const { includes } = Array.prototype

interface Runtime extends Record<string, unknown> {
  /** The value of the last expression. */
  last?: unknown
  /** Reads the program's `result`. */
  result?: () => unknown
}

type Body = () => unknown

export function run(
  spaces: Readonly<Record<string, readonly (readonly string[])[]>>,
  parameters: readonly string[],
  promises: boolean,
  program: (...given: unknown[]) => Body,
  facts: RunFacts = {},
): string | (() => string | undefined) {
  enterWorld(facts)
  giveInput(facts)
  setPromises(promises)
  tellPlacesOf(facts.placesOf ?? [])
  const runtime: Runtime = { ...calls }
  const servers = new Map(Object.keys(spaces).map((name) => [name, namespace(name, spaces[name]!)]))
  const body = program(runtime, ...parameters.map((name) => servers.get(name)))
  return promises ? steps(body as () => Promise<unknown>, runtime) : atOnce(body, runtime)
}

/** The functions that inserted code calls. */
const calls = {
  t: waitFor,
  a: started,
  made: watch,
  each,
  later,
  thrown,
  s: withReadableStack,
  c: (error: unknown): void => {
    if (error instanceof Fatal) throw error
  },
  d: parted,
  i: iterated,
  text: asText,
  data: asData,
  q: decided,
  given: argumentsGiven,
}

/** The arguments of a saved program: an object with the names that it takes. */
function argumentsGiven(program: string, needed: readonly string[], all: readonly string[], given: unknown): unknown {
  const what = word(`programs.${program}`)
  const takes = all.length === 0 ? 'it takes no arguments' : `it takes { ${all.join(', ')} }`
  if (given === undefined && needed.length === 0) return {}
  if (typeof given !== 'object' || given === null) throw typeError(said`${what} takes one object`, { hint: takes })
  for (const name of keys(given))
    if (!apply(includes, all, [name]))
      throw typeError(said`${what} has no parameter ${inQuotes(name)}`, { hint: takes })
  for (const name of needed)
    if ((given as Readonly<Record<string, unknown>>)[name] === undefined)
      throw typeError(said`${what}: missing ${word(name)}`, { hint: takes })
  return given
}

function atOnce(body: Body, runtime: Runtime): string | (() => string | undefined) {
  try {
    const returned = body()
    const end = (): string => ending(resultOf(returned, runtime))
    return hasTimers() ? () => whenFired(end) : end()
  } catch (error) {
    return failed(error)
  }
}

/** Fires one timer, and returns; jobs run between timers. */
function whenFired(end: () => string): string | undefined {
  try {
    return fireNext(true) ? undefined : end()
  } catch (error) {
    return failed(error)
  }
}

function steps(body: () => Promise<unknown>, runtime: Runtime): () => string | undefined {
  let returned: { readonly value: unknown } | undefined
  let end: { readonly value: unknown } | undefined
  let failure: { readonly error: unknown } | undefined
  let asked = false
  const fail = (error: unknown): void => {
    failure = { error }
  }
  waitFor(body()).then((value) => {
    returned = { value }
  }, fail)
  return () => {
    if (failure !== undefined || fatalSoFar() !== undefined) return failed(failure?.error)
    // Work that was started is finished even after the last line.
    if (settleNext() || look()) return undefined
    const left = unhandled()
    if (left !== undefined) return failed(left.reason)
    try {
      if (fireNext(returned !== undefined && (!asked || end !== undefined))) return undefined
    } catch (error) {
      return failed(error)
    }
    if (end !== undefined) return ending(end.value)
    if (returned === undefined || asked) return failed(endlessWait())
    const value = resultOf(returned.value, runtime)
    if (!(value instanceof Promise)) return ending(value)
    asked = true
    waitFor(value).then((inner) => {
      end = { value: inner }
    }, fail)
    return undefined
  }
}

function endlessWait(): Error {
  const message = 'the program waits for a promise that is never settled, and no call is pending'
  return plainError(message, { code: 'endless-wait', hint: 'call resolve in every path of new Promise(…)' })
}

/**
 * The program's result: that of `return value`, else `result`, else the last expression. Uses no methods that the
 * program may have replaced.
 */
function resultOf(returned: unknown, runtime: Runtime): unknown {
  if (returned !== undefined) return returned
  const result = named(runtime)
  if (result !== undefined) return result
  const free = (globalThis as { result?: unknown }).result
  // A timer as the last expression is not a result.
  return free !== undefined ? free : isTimer(runtime.last) ? undefined : runtime.last
}

function named({ result }: Runtime): unknown {
  try {
    return result?.()
  } catch {
    // The program ended before the declaration ran.
    return undefined
  }
}

function ending(value: unknown): string {
  const over = fatalSoFar()
  if (over !== undefined) return failed(over)
  if (value === undefined) return '{"ok":true}'
  try {
    const { json, notes } = jsonOf(value)
    const result = { __proto__: null, json, text: textOf(value), notes }
    return stringify({ __proto__: null, ok: true, result })
  } catch (error) {
    return failed(error)
  }
}

class Endless {}

/** The maximum number of places in notes. */
const MOST_NOTES = 5

/**
 * Converts a result as a web framework would. A Map becomes an object, a Set or typed array an array, an error or
 * pattern its text. Other values that JSON can't express become text, and a note names them and their places. `json` is
 * null for a cyclic value.
 */
function jsonOf(value: unknown): { readonly json: string | null; readonly notes: readonly string[] } {
  const notes = setPrototypeOf([], null) as string[]
  let strange = 0
  const note = (text: string): void => {
    if (strange++ < MOST_NOTES) notes[notes.length] = text
  }
  const stranger: EncodeRules['stranger'] = (one, what, hint, path) => {
    if (one instanceof Promise)
      throw typeError(said`the result holds a promise: JSON has no ${word(what)}`, { code: 'promise-in-result', hint })
    if (one instanceof Error) return stringify(String(one))
    if (one instanceof RegExp) return stringify(inspect(one))
    if (typeof one === 'number') {
      note('result' + path() + ' is ' + what + ', which JSON has no number for: it is null')
      return 'null'
    }
    note('result' + path() + ' is text: JSON has no ' + what)
    return stringify(inspect(one))
  }
  try {
    const endless = (): string => {
      throw new Endless()
    }
    const json = encode(value, { stranger, endless, as: plainForm })
    if (strange > MOST_NOTES) notes[notes.length] = strange - MOST_NOTES + ' more values of the result are such'
    return { json, notes }
  } catch (error) {
    if (error instanceof Endless) return { json: null, notes }
    throw error
  }
}

function plainForm(value: object): unknown {
  if (value instanceof Map) {
    const object: Record<string, unknown> = Object.create(null) as Record<string, unknown>
    for (const [key, one] of value) object[typeof key === 'object' && key !== null ? inspect(key) : String(key)] = one
    return object
  }
  if (value instanceof Set || (ArrayBuffer.isView(value) && !(value instanceof DataView)))
    return Array.from(value as Iterable<unknown>)
  return undefined
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  // The program may have broken the function that writes the value.
  const text: unknown = rememberedText(value) ?? inspectWhole(value)
  return typeof text === 'string' ? text : ''
}

function failed(error: unknown): string {
  return stringify({ __proto__: null, ok: false, error: { __proto__: null, ...failureOf(error, inspect) } })
}
