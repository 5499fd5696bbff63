// Quoted values in failures are withheld in time linear in the message, the program, its output and the number of
// tools.

import { describe, expect, it } from 'vitest'
import { bindServers } from '../../dist/bindings/index.js'
import type { MarkedValue } from '../../dist/diagnostics/index.js'
import { shownFailure } from '../../dist/meta-tools/shown-failure.js'
import { excess, type Grower } from './growth.js'

interface Failed {
  readonly message: string
  readonly values: readonly MarkedValue[]
  readonly program?: string
  readonly logs?: readonly string[]
  readonly tools?: number
}

const failing =
  (make: (n: number) => Failed): Grower =>
  (n) => {
    const { message, values, program = '', logs = [], tools = 1 } = make(n)
    const { servers } = bindServers([
      {
        name: 's',
        tools: Array.from({ length: tools }, (_, i) => ({ name: `t${i}`, inputSchema: { type: 'object' } })),
      },
    ])
    const ledger = Array.from({ length: tools }, (_, i) => ({ server: 's', tool: `t${i}`, ok: true }))
    const diagnostic = { class: 'program error', code: 'value-error', message } as const
    const run = { program: { text: program, language: 'starlark' as const }, logs, ledger, servers }
    return () => shownFailure({ diagnostic, values: { message: values } }, run)
  }

const digits = (n: number): string => '12345 '.repeat(n)

const growers: Record<string, readonly [size: number, Grower]> = {
  'a long value': [50_000, failing((n) => ({ message: digits(n), values: [[0, 6 * n, 'a str', digits(n)]] }))],
  'a value in a program that almost has it': [
    100_000,
    failing((n) => ({
      message: 'aab',
      values: [[0, 3, 'a str', `${'a'.repeat(900)}b`]],
      program: 'a'.repeat(n),
      logs: ['b'.repeat(n), `${'a'.repeat(899)}b`.repeat(n / 1000)],
    })),
  ],
  'a number among longer ones': [
    200_000,
    failing((n) => ({ message: '1', values: [[0, 1, 'an int', '1']], logs: ['11'.repeat(n)] })),
  ],
  'many values': [
    100_000,
    failing((n) => ({
      message: digits(200),
      values: Array.from({ length: 200 }, (_, i): MarkedValue => [i * 6, i * 6 + 5, 'an int', `${i}x`]),
      logs: [digits(n)],
    })),
  ],
  'many tools': [1_000, failing((n) => ({ message: digits(n), values: [[0, 5, 'a str', 'zebra']], tools: n }))],
}

describe('a failure', () => {
  it.each(Object.entries(growers))('with %s', (_, [size, grower]) => {
    expect(excess(grower, size)).toBe(undefined)
  })
})
