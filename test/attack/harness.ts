// Runs hostile JavaScript programs in the real sandbox. After every attack it checks the sandbox: the next run on the
// same worker (or its replacement) must work and find its world untouched.

import { afterAll, expect } from 'vitest'
import type { GuestImage, Limits, RunEnd, RunRequest, RunStats, Sandbox } from '../../dist/sandbox/index.js'
import { openSandbox } from '../../dist/sandbox/index.js'
import { noWorkersLeft } from '../sandbox/leaks.js'

export interface Attack {
  readonly limits?: Partial<Limits>
  readonly image?: GuestImage
  readonly signal?: AbortSignal
  readonly onCall?: RunRequest['onCall']
  readonly onPrint?: RunRequest['onPrint']
}

export type End = RunEnd extends infer E ? (E extends { readonly stats: RunStats } ? Omit<E, 'stats'> : never) : never

export interface Aftermath {
  readonly end: End
  readonly printed: readonly string[]
  /** The payloads of the calls that reached the host. */
  readonly calls: readonly string[]
}

export const plain: GuestImage = { name: 'plain', source: '' }

export interface Arena {
  readonly sandbox: Sandbox
  /** Runs the program and checks the sandbox. */
  attack(code: string, attack?: Attack): Promise<Aftermath>
  /** Runs the program and returns only its end. */
  endOf(code: string, attack?: Attack): Promise<End>
}

/** One sandbox with one worker for the tests of one file. Runs have unlimited time unless a test sets a limit. */
export function arena(): Arena {
  noWorkersLeft()
  const sandbox = openSandbox({ maxWorkers: 1, spareWorkers: 0, limits: { wallMs: 600_000, cpuMs: 300_000 } })
  afterAll(() => sandbox.close())
  const worlds = new Map<GuestImage, string>()

  const world = async (image: GuestImage): Promise<string> => {
    const end = await sandbox.run({ image, code: WORLD, onCall: () => '', limits: { resultBytes: 16 * 1024 * 1024 } })
    if (end.kind !== 'completed') throw new Error(`the world could not be looked at: ${JSON.stringify(end)}`)
    return end.payload
  }

  const attack = async (code: string, options: Attack = {}): Promise<Aftermath> => {
    const image = options.image ?? plain
    const before = worlds.get(image) ?? (await world(image))
    worlds.set(image, before)
    const printed: string[] = []
    const calls: string[] = []
    const { stats, ...end } = await sandbox.run({
      image,
      code,
      ...(options.limits === undefined ? {} : { limits: options.limits }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      onCall: (call, signal) => {
        calls.push(call.payload)
        return options.onCall?.(call, signal) ?? ''
      },
      onPrint: (text) => {
        printed.push(text)
        options.onPrint?.(text)
      },
    })
    expect(Object.values(stats).every((amount) => Number.isFinite(amount) && amount >= 0)).toBe(true)
    expect(await world(image)).toBe(before)
    return { end: withoutPlace(end as End), printed, calls }
  }

  return { sandbox, attack, endOf: async (code, options) => (await attack(code, options)).end }
}

/** Other tests check the place of a run at its time limit. */
export function withoutPlace(end: End): End {
  return end.kind === 'limit' ? limit(end.limit, end.allowed) : end
}

/** The end of a run that met a limit. */
export function limit(name: keyof Limits, allowed: number): End {
  return { kind: 'limit', limit: name, allowed }
}

export function completed(payload: string): End {
  return { kind: 'completed', payload }
}

// Describes everything that can be reached from the global object and from the prototypes of literals: each object
// once, with all its own properties.
const WORLD = `
(() => {
  const names = new Map()
  const lines = []
  const queue = []
  const nameOf = (value, path) => {
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function') {
      return typeof value + ' ' + (typeof value === 'symbol' ? value.toString() : Object.is(value, -0) ? '-0' : String(value))
    }
    if (!names.has(value)) {
      names.set(value, path)
      queue.push(value)
    }
    return '@' + names.get(value)
  }
  const roots = {
    global: globalThis, function: () => {}, generator: function* () {}, async: async () => {}, asyncGenerator: async function* () {},
    array: [], object: {}, regexp: /a/, string: Object('s'), number: Object(1), bigint: Object(1n), symbol: Object(Symbol.iterator), boolean: Object(true),
    arrayIterator: [][Symbol.iterator](), mapIterator: new Map().entries(), setIterator: new Set().entries(),
    stringIterator: ''[Symbol.iterator](), regexpIterator: 'a'.matchAll(/a/g), generatorObject: (function* () {})(),
    error: (() => { try { null.x } catch (e) { return Object.getPrototypeOf(e) } })(), promise: Promise.resolve(),
  }
  for (const [path, root] of Object.entries(roots)) nameOf(root, path)
  while (queue.length > 0) {
    const object = queue.shift()
    const path = names.get(object)
    const properties = Reflect.ownKeys(object).filter((key) => key !== 'roots').map((key) => {
      const { value, get, set, ...flags } = Object.getOwnPropertyDescriptor(object, key)
      const at = path + '.' + String(key)
      return String(key) + ' ' + JSON.stringify(flags) + ' ' + (get || set ? nameOf(get, at + '.get') + nameOf(set, at + '.set') : nameOf(value, at))
    })
    lines.push(path + ' ^ ' + nameOf(Object.getPrototypeOf(object), path + '.^') + ' ' + Object.isExtensible(object) + '\\n  ' + properties.join('\\n  '))
  }
  return lines.join('\\n')
})()`
