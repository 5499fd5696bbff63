// `console` and `print`, the output of programs. Strings at the top level are written unchanged, other values as Node
// shows them, with spaces between.
// Invariant: each call makes one piece of output, in the order of the calls.

import { write } from './host.js'
import { inspect, inspectFlat } from './inspect.js'
import { tableText } from './table.js'

let indentation = ''
const counts = new Map<string, number>()

function formatted(args: readonly unknown[]): string {
  const [first, ...rest] = args
  if (typeof first !== 'string' || rest.length === 0 || !first.includes('%')) return args.map(plain).join(' ')
  let used = 0
  const text = first.replace(/%[sdifjoOc%]/g, (sign) => {
    if (sign === '%%') return '%'
    if (used >= rest.length) return sign
    return directive(sign, rest[used++])
  })
  return [text, ...rest.slice(used).map(plain)].join(' ')
}

function directive(sign: string, value: unknown): string {
  switch (sign) {
    case '%s':
      return typeof value === 'object' && value !== null
        ? hasTextOfItsOwn(value)
          ? String(value)
          : inspectFlat(value)
        : typeof value === 'bigint' || typeof value === 'number'
          ? inspect(value)
          : String(value)
    case '%d':
      return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : inspect(Number(value))
    case '%i':
      return typeof value === 'bigint'
        ? `${value}n`
        : typeof value === 'symbol'
          ? 'NaN'
          : inspect(Number.parseInt(String(value), 10))
    case '%f':
      return typeof value === 'symbol' ? 'NaN' : inspect(Number.parseFloat(String(value)))
    case '%j':
      return jsonText(value)
    case '%c':
      return ''
    case '%o':
      return inspect(value, 4)
    default:
      return inspect(value)
  }
}

/** True if the object or its class defines its conversion to text. */
function hasTextOfItsOwn(value: object): boolean {
  let owner: object | null = value
  while (owner !== null && !Object.hasOwn(owner, 'toString')) owner = Object.getPrototypeOf(owner) as object | null
  return owner !== null && (owner === value || !builtIn.has(owner))
}

const builtIn = new Set<object>(
  [Object, Array, Date, Error, RegExp, Number, String, Boolean, Symbol, BigInt].map(
    ({ prototype }) => prototype as object,
  ),
)

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'undefined'
  } catch (error) {
    if (error instanceof TypeError && /circular/.test(error.message)) return '[Circular]'
    throw error
  }
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value)
}

export function print(...args: unknown[]): void {
  const text = formatted(args)
  write(indentation === '' ? text : text.replace(/^/gm, indentation))
}

function group(...label: unknown[]): void {
  if (label.length > 0) print(...label)
  indentation += '  '
}

function table(data: unknown, columns?: readonly unknown[]): void {
  const text = tableText(data, Array.isArray(columns) ? columns : undefined)
  print(text ?? data)
}

export const console: Readonly<Record<string, (...args: never[]) => void>> = {
  log: print,
  info: print,
  warn: print,
  error: print,
  debug: print,
  trace: print,
  dir: (value: unknown, options?: { readonly depth?: number | null }) =>
    print(inspect(value, options?.depth === null ? Number.POSITIVE_INFINITY : options?.depth)),
  group,
  groupCollapsed: group,
  groupEnd: () => {
    indentation = indentation.slice(2)
  },
  table,
  assert: (condition: unknown, ...args: unknown[]) => {
    if (condition) return
    const [first, ...rest] = args
    if (typeof first === 'string') print(`Assertion failed: ${first}`, ...rest)
    else print(...(args.length === 0 ? ['Assertion failed'] : ['Assertion failed:', ...args]))
  },
  count: (label: unknown = 'default') => {
    const name = String(label)
    counts.set(name, (counts.get(name) ?? 0) + 1)
    print(`${name}: ${counts.get(name)}`)
  },
  countReset: (label: unknown = 'default') => {
    counts.delete(String(label))
  },
}
