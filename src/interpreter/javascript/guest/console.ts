// `console` and `print`: what programs show. Texts at the top go as they are, everything else as Node shows it, with a space between.
// Invariant: each call makes one piece of output, in the order of the calls.

import { write } from './host.js'
import { inspect } from './inspect.js'

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
        ? inspect(value)
        : typeof value === 'bigint'
          ? `${value}n`
          : String(value)
    case '%d':
      return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : `${Number(value)}`
    case '%i':
      return typeof value === 'bigint'
        ? `${value}n`
        : typeof value === 'symbol'
          ? 'NaN'
          : `${Number.parseInt(String(value), 10)}`
    case '%f':
      return typeof value === 'symbol' ? 'NaN' : `${Number.parseFloat(String(value))}`
    case '%j':
      return JSON.stringify(value) ?? 'undefined'
    case '%c':
      return ''
    default:
      return inspect(value)
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

function table(data: unknown, columns?: readonly string[]): void {
  if (typeof data !== 'object' || data === null) return print(data)
  const rows = Object.entries(data)
  const isRecord = (row: unknown): row is Record<string, unknown> => typeof row === 'object' && row !== null
  const names = columns ?? [...new Set(rows.flatMap(([, row]) => (isRecord(row) ? Object.keys(row) : [])))]
  const hasValues = rows.some(([, row]) => !isRecord(row))
  const head = ['(index)', ...names, ...(hasValues ? ['Values'] : [])]
  const cell = (value: unknown): string => (value === undefined ? '' : inspect(value))
  const body = rows.map(([key, row]) => [
    key,
    ...names.map((name) => (isRecord(row) && Object.hasOwn(row, name) ? cell(row[name]) : '')),
    ...(hasValues ? [isRecord(row) ? '' : cell(row)] : []),
  ])
  const widths = head.map((text, i) => Math.max(text.length, ...body.map((row) => row[i]!.length)) + 2)
  const line = (cells: readonly string[]): string =>
    `│${cells.map((text, i) => ` ${text}`.padEnd(widths[i]!)).join('│')}│`
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((width) => '─'.repeat(width)).join(middle) + right
  print([rule('┌', '┬', '┐'), line(head), rule('├', '┼', '┤'), ...body.map(line), rule('└', '┴', '┘')].join('\n'))
}

export const console: Readonly<Record<string, (...args: never[]) => void>> = {
  log: print,
  info: print,
  warn: print,
  error: print,
  debug: print,
  trace: print,
  dir: (value: unknown) => print(inspect(value)),
  group,
  groupCollapsed: group,
  groupEnd: () => {
    indentation = indentation.slice(2)
  },
  table,
  assert: (condition: unknown, ...args: unknown[]) => {
    if (!condition) print(...(args.length === 0 ? ['Assertion failed'] : ['Assertion failed:', ...args]))
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
