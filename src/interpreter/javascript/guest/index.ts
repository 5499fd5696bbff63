// The environment of every JavaScript program besides the language itself. Evaluated once for each image, in a guest
// from which everything ambient has been removed. Invariant: nothing here depends on a clock, randomness (except for
// the inputs of a run: world.ts) or the surroundings, and no name leads to the functions of the host.

import { AbortController, AbortSignal } from './abort.js'
import { structuredClone } from './clone.js'
import { console, print } from './console.js'
import { ApprovalDenied, noteErrors, syntaxError, ToolError, typeError } from './errors.js'
import { international, localeCase, localeCompare, localeDate, localeText } from './international.js'
import { repairIterators } from './iterators.js'
import { parseJson } from './json.js'
import { artifacts, help, memory, parallel, results, runtime } from './namespaces.js'
import { installPromises } from './promises.js'
import { inQuotes, Shown, said } from './said.js'
import { run } from './start.js'
import { atob, btoa, TextDecoder, TextEncoder } from './text-codecs.js'
import { timers } from './timers.js'
import { rememberedText } from './tool-data.js'
import { URL, URLSearchParams } from './url.js'

function give(object: object, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(object, name, { value, writable: true, configurable: true })
}

give(globalThis, {
  AbortController,
  AbortSignal,
  ApprovalDenied,
  Intl: international,
  TextDecoder,
  TextEncoder,
  ToolError,
  URL,
  URLSearchParams,
  artifacts,
  atob,
  btoa,
  console,
  help: help((text) => print(text)),
  memory,
  parallel,
  print,
  queueMicrotask: (job: () => void) => void Promise.resolve().then(job),
  results,
  runtime,
  structuredClone,
  ...timers,
})

// ---- JSON --------------------------------------------------------------------------------------------------------

const stringifyNative = JSON.stringify

/** `JSON.parse`. The data of a tool's answer is already parsed. */
function parse(value: unknown, reviver?: (this: unknown, key: string, value: unknown) => unknown): unknown {
  const text = typeof value === 'object' && value !== null ? rememberedText(value) : undefined
  if (text !== undefined && reviver === undefined) return value
  const given = text ?? String(value)
  try {
    return parseJson(given, typeof reviver === 'function' ? reviver : undefined)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw notJson(value, given, error.message)
  }
}

function notJson(value: unknown, text: string, reason: string): SyntaxError {
  const code = 'not-json'
  if (typeof value === 'object' && value !== null)
    return syntaxError('JSON.parse got data, not text', {
      code,
      hint: 'leave JSON.parse out: the value is parsed already',
    })
  return syntaxError(said`JSON.parse: ${new Shown(reason, 'engine', reason)}, in ${inQuotes(text, 40)}`, { code })
}

const MARK = '\u0000digits:'

/** `JSON.stringify`. Integers of any size are written with all their digits. */
function stringify(value: unknown, replacer?: unknown, space?: unknown): string | undefined {
  try {
    return stringifyNative(value, replacer as never, space as never)
  } catch (error) {
    if (!(error instanceof TypeError) || !/bigint|BigInt/.test(error.message)) throw error
  }
  const replace = typeof replacer === 'function' ? replacer : undefined
  const keys = Array.isArray(replacer) ? new Set(replacer.map(String)) : undefined
  const text = stringifyNative(
    value,
    function (this: unknown, key: string, inner: unknown) {
      if (keys !== undefined && key !== '' && !Array.isArray(this) && !keys.has(key)) return undefined
      const one: unknown = replace === undefined ? inner : replace.call(this, key, inner)
      return typeof one === 'bigint' ? MARK + one : one
    },
    space as never,
  ) as string | undefined
  return text?.replace(/"\\u0000digits:(-?\d+)"/g, '$1')
}

give(JSON, { parse, stringify })

// ---- texts of numbers, dates and names ---------------------------------------------------------------------------

give(Number.prototype, {
  toLocaleString(this: number, locales?: unknown, options?: unknown) {
    return localeText(Number(this), locales, options)
  },
})
give(BigInt.prototype, {
  toLocaleString(this: bigint, locales?: unknown, options?: unknown) {
    return localeText(BigInt(this), locales, options)
  },
})
const dateText = Date.prototype.toString
const timeText = Date.prototype.toTimeString
const zoned = (text: string): string => (text === 'Invalid Date' ? text : `${text} (Coordinated Universal Time)`)
give(Date.prototype, {
  toString(this: Date) {
    return zoned(dateText.call(this))
  },
  toTimeString(this: Date) {
    return zoned(timeText.call(this))
  },
  toLocaleString(this: Date, locales?: unknown, options?: unknown) {
    return localeDate(this, locales, options, 'both')
  },
  toLocaleDateString(this: Date, locales?: unknown, options?: unknown) {
    return localeDate(this, locales, options, 'date')
  },
  toLocaleTimeString(this: Date, locales?: unknown, options?: unknown) {
    return localeDate(this, locales, options, 'time')
  },
})
give(Object.prototype, {
  toLocaleString(this: object) {
    return this.toString()
  },
})
give(Array.prototype, {
  toLocaleString(this: readonly unknown[], ...args: unknown[]) {
    const texts = Array.from(this, (one) =>
      one === null || one === undefined
        ? ''
        : (one as { toLocaleString(...given: unknown[]): string }).toLocaleString(...args),
    )
    return texts.join(',')
  },
})
give(String.prototype, {
  localeCompare(this: string, other: unknown, locales?: unknown, options?: unknown) {
    return localeCompare(String(this), String(other), locales, options)
  },
  toLocaleLowerCase(this: string, locales?: unknown) {
    return localeCase(String(this), locales, 'toLocaleLowerCase')
  },
  toLocaleUpperCase(this: string, locales?: unknown) {
    return localeCase(String(this), locales, 'toLocaleUpperCase')
  },
})

// The engine's own returns negative numbers for 64 bits.
const asIntN = BigInt.asIntN
give(BigInt, {
  asUintN(bits: number, value: bigint) {
    const signed = asIntN(bits, value)
    return signed < 0n ? signed + 2n ** BigInt(bits) : signed
  },
})

noteErrors()
installPromises()
repairIterators()

Object.defineProperty(globalThis, '$starbind', {
  configurable: true,
  value: (...given: Parameters<typeof run>) => {
    delete (globalThis as { $starbind?: unknown }).$starbind
    return run(...given)
  },
})

// A refused name may still be reached as a computed member.
if ('fetch' in globalThis) throw typeError('fetch is still there')
