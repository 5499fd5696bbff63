// The limits of a run: one table with each limit's default, ceiling and meaning.

import { type Diagnostic, DiagnosticError, nearestNames } from '../diagnostics/index.js'

interface LimitEntry {
  readonly default: number
  readonly least: number
  readonly ceiling: number
  /** Completes “a run may …”. */
  readonly meaning: string
  /** Completes “the program …” when it exceeded the limit; `*` stands for the amount allowed. */
  readonly exceeded: string
  /** One imperative sentence for the author of a program that met this limit. */
  readonly hint: string
}

const KIB = 1024
const MIB = 1024 * KIB

/** Units are in the names: `Ms` are milliseconds, `Bytes` of texts count UTF-8, everything else is a count. */
const table = {
  wallMs: {
    default: 60_000,
    least: 1,
    ceiling: 600_000,
    meaning: 'last this long from its start to its end, waiting for calls included',
    exceeded: 'ran longer than *',
    hint: 'do less in one program, or ask for a longer timeout',
  },
  cpuMs: {
    default: 15_000,
    least: 1,
    ceiling: 300_000,
    meaning: 'compute this long; time in which it waits for calls does not count',
    exceeded: 'computed for more than *, not counting the time it waited for calls',
    hint: 'look for an endless loop, or work on less data',
  },
  memoryBytes: {
    default: 64 * MIB,
    least: MIB,
    ceiling: 1024 * MIB,
    meaning: 'add this much to the memory of the pristine guest',
    exceeded: 'needed more than * of memory',
    hint: 'work on less data at a time and keep only what is needed',
  },
  stackBytes: {
    default: MIB,
    least: 64 * KIB,
    ceiling: 2 * MIB,
    meaning: 'use this much stack; a nested call of a small function takes about 180 bytes',
    exceeded: 'nested its calls deeper than * of stack can hold',
    hint: 'look for endless recursion, or use a loop',
  },
  sourceBytes: {
    default: 256 * KIB,
    least: 1,
    ceiling: 4 * MIB,
    meaning: 'come from a program text of this size',
    exceeded: 'is longer than *',
    hint: 'split the program, and read data with tools instead of literals',
  },
  printedBytes: {
    default: MIB,
    least: 1,
    ceiling: 16 * MIB,
    meaning: 'print this much',
    exceeded: 'printed more than *',
    hint: 'print a summary',
  },
  printedLines: {
    default: 20_000,
    least: 1,
    ceiling: 200_000,
    meaning: 'print this many lines',
    exceeded: 'printed more than * lines',
    hint: 'print a summary',
  },
  resultBytes: {
    default: 4 * MIB,
    least: 1,
    ceiling: 64 * MIB,
    meaning: 'end with a result of this size',
    exceeded: 'ended with a result of more than *',
    hint: 'reduce the result to what is needed',
  },
  valueDepth: {
    default: 200,
    least: 1,
    ceiling: 1000,
    meaning: 'pass values to calls that are nested this deep',
    exceeded: 'sent a value that is nested deeper than * levels',
    hint: 'flatten the value',
  },
  toolCalls: {
    default: 2000,
    least: 0,
    ceiling: 100_000,
    meaning: 'make this many calls',
    exceeded: 'made more than * calls',
    hint: 'call a tool that handles many items at once, or split the work over several programs',
  },
  callsInFlight: {
    default: 1024,
    least: 1,
    ceiling: 10_000,
    meaning: 'have this many calls unanswered at once; making one more waits for an answer',
    exceeded: 'had more than * calls unanswered at once',
    hint: 'start fewer calls at once',
  },
  argumentBytes: {
    default: MIB,
    least: 1,
    ceiling: 16 * MIB,
    meaning: 'send this much with one call',
    exceeded: 'sent more than * with one call',
    hint: 'send less with each call',
  },
  responseBytes: {
    default: 16 * MIB,
    least: 1,
    ceiling: 64 * MIB,
    meaning: 'receive this much as the answer of one call',
    exceeded: 'received more than * as the answer of one call',
    hint: 'ask the tool for less: a filter, a page, a range',
  },
} as const satisfies Record<string, LimitEntry>

/**
 * The budgets of a run, by name.
 *
 * @example
 * import type { LimitName } from 'starbind'
 *
 * export const raised: LimitName[] = ['wallMs', 'toolCalls']
 */
export type LimitName = keyof typeof table
/**
 * The budgets of a run, which ends when one is exceeded. Milliseconds, bytes and counts, as the names say.
 *
 * @example
 * import { CodeMode, type Limits } from 'starbind'
 *
 * const limits: Partial<Limits> = { wallMs: 5000, memoryBytes: 32 * 2 ** 20, toolCalls: 100 }
 * await using codeMode = await CodeMode.open({ limits })
 * console.log((await codeMode.run('while True: pass', { limits: { cpuMs: 50 } })).error?.code)
 */
export type Limits = Readonly<Record<LimitName, number>>

export const limitNames = Object.keys(table) as readonly LimitName[]

export const defaultLimits: Limits = mapLimits((name) => table[name].default)

/** The maximum for configurations and requests. */
export const limitCeilings: Limits = mapLimits((name) => table[name].ceiling)

/** The meaning of a limit, completing “a run may …”. */
export function limitMeaning(name: LimitName): string {
  return table[name].meaning
}

/**
 * The limits of a run: the requested values, else the configured ones, else the defaults, all below the ceilings (which
 * a configuration may lower). Throws a DiagnosticError that names every wrong value; values are untrusted.
 */
export function resolveLimits(
  configured: Partial<Limits> = {},
  requested: Partial<Limits> = {},
  ceilings: Partial<Limits> = {},
): Limits {
  const most = withChecked(limitCeilings, ceilings, limitCeilings, 'ceiling')
  const limits = { ...defaultLimits }
  for (const name in ceilings) limits[name as LimitName] = Math.min(limits[name as LimitName], most[name as LimitName])
  return withChecked(withChecked(limits, configured, most, 'configured'), requested, most, 'requested')
}

/** The explanation of a run that ended by a limit. */
export function limitDiagnostic(name: LimitName, allowed: number): Diagnostic {
  return {
    class: 'limit',
    code: `limit-${kebab(name)}`,
    message: `the program ${table[name].exceeded.replace('*', quantity(name, allowed))} (limit ${name})`,
    hint: table[name].hint,
  }
}

/** An amount with its unit, as people write it. */
function quantity(name: LimitName, amount: number): string {
  if (name.endsWith('Ms')) return amount % 1000 === 0 ? `${amount / 1000} s` : `${amount} ms`
  if (!name.endsWith('Bytes')) return String(amount)
  if (amount >= MIB && amount % MIB === 0) return `${amount / MIB} MiB`
  if (amount >= KIB && amount % KIB === 0) return `${amount / KIB} KiB`
  return `${amount} bytes`
}

/** The limits with untrusted values in place of some. A copy costs less than an object that is built name by name. */
function withChecked(limits: Limits, raw: Partial<Limits>, most: Limits, source: string): Limits {
  const wrong: Diagnostic[] = []
  const right = { ...limits }
  for (const name of Object.keys(raw)) {
    const value: unknown = raw[name as LimitName]
    if (value === undefined) continue
    const problem = Object.hasOwn(table, name) ? wrongValue(name as LimitName, value, most) : undefined
    if (!Object.hasOwn(table, name)) wrong.push(unknownLimit(name, source))
    else if (problem !== undefined) {
      wrong.push({ class: 'host error', code: 'wrong-limit', message: `the ${source} limit ${name}: ${problem}` })
    } else right[name as LimitName] = value as number
  }
  if (wrong.length > 0) throw new DiagnosticError(wrong)
  return right
}

function wrongValue(name: LimitName, value: unknown, most: Limits): string | undefined {
  const { least } = table[name]
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    return `got ${typeof value === 'number' ? value : kindOf(value)}, want a whole number`
  }
  if (value < least) return `got ${quantity(name, value)}, want at least ${quantity(name, least)}`
  if (value > most[name]) return `got ${quantity(name, value)}, want at most ${quantity(name, most[name])}`
  return undefined
}

function unknownLimit(name: string, source: string): Diagnostic {
  const near = nearestNames(name, limitNames, 1)[0]
  return {
    class: 'host error',
    code: 'unknown-limit',
    message: `the ${source} limit ${JSON.stringify(name)} does not exist; there are ${limitNames.join(', ')}`,
    ...(near === undefined ? {} : { hint: `use ${near}` }),
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function mapLimits(value: (name: LimitName) => number): Limits {
  const limits = {} as Record<LimitName, number>
  for (const name of limitNames) limits[name] = value(name)
  return limits
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
