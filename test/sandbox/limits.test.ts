// The table of limits: permitted and refused values, and the messages for people and models.

import { describe, expect, it } from 'vitest'
import {
  defaultLimits,
  type LimitName,
  limitCeilings,
  limitDiagnostic,
  limitMeaning,
  limitNames,
  resolveLimits,
} from '../../dist/sandbox/index.js'

const MIB = 1024 * 1024

describe('the table', () => {
  it('has a default under a ceiling for every limit', () => {
    expect(limitNames).toEqual([
      'wallMs',
      'cpuMs',
      'memoryBytes',
      'stackBytes',
      'sourceBytes',
      'printedBytes',
      'printedLines',
      'resultBytes',
      'valueDepth',
      'toolCalls',
      'callsInFlight',
      'argumentBytes',
      'responseBytes',
    ])
    for (const name of limitNames) {
      expect(defaultLimits[name]).toBeGreaterThan(0)
      expect(defaultLimits[name]).toBeLessThanOrEqual(limitCeilings[name])
      expect(limitMeaning(name)).toMatch(/^[a-z]/)
    }
  })
})

describe('resolving', () => {
  it('takes the requested value, else the configured one, else the default', () => {
    const configured = { wallMs: 5000, toolCalls: 7 }
    expect(resolveLimits(configured, { wallMs: 9000 })).toEqual({ ...defaultLimits, wallMs: 9000, toolCalls: 7 })
    expect(resolveLimits()).toEqual(defaultLimits)
  })

  it('respects lowered ceilings, even with its defaults', () => {
    const ceilings = { wallMs: 10_000, printedLines: 5 }
    expect(resolveLimits({}, {}, ceilings)).toEqual({ ...defaultLimits, wallMs: 10_000, printedLines: 5 })
    expect(() => resolveLimits({}, { wallMs: 10_001 }, ceilings)).toThrow(
      'host error [wrong-limit] the requested limit wallMs: got 10001 ms, want at most 10 s',
    )
    expect(() => resolveLimits({ wallMs: 11_000 }, {}, ceilings)).toThrow(
      'host error [wrong-limit] the configured limit wallMs: got 11 s, want at most 10 s',
    )
    expect(() => resolveLimits({}, {}, { wallMs: 10_000_000 })).toThrow(
      'host error [wrong-limit] the ceiling limit wallMs: got 10000 s, want at most 600 s',
    )
  })

  it('ignores what is undefined', () => {
    expect(resolveLimits({ wallMs: undefined } as never)).toEqual(defaultLimits)
  })
})

describe('the message of a run that met a limit', () => {
  const said: Record<LimitName, string> = {
    wallMs: 'the program ran longer than 60 s (limit wallMs)',
    cpuMs: 'the program computed for more than 15 s, not counting the time it waited for calls (limit cpuMs)',
    memoryBytes: 'the program needed more than 64 MiB of memory (limit memoryBytes)',
    stackBytes: 'the program nested its calls deeper than 1 MiB of stack can hold (limit stackBytes)',
    sourceBytes: 'the program is longer than 256 KiB (limit sourceBytes)',
    printedBytes: 'the program printed more than 1 MiB (limit printedBytes)',
    printedLines: 'the program printed more than 20000 lines (limit printedLines)',
    resultBytes: 'the program ended with a result of more than 4 MiB (limit resultBytes)',
    valueDepth: 'the program sent a value that is nested deeper than 200 levels (limit valueDepth)',
    toolCalls: 'the program made more than 2000 calls (limit toolCalls)',
    callsInFlight: 'the program had more than 1024 calls unanswered at once (limit callsInFlight)',
    argumentBytes: 'the program sent more than 1 MiB with one call (limit argumentBytes)',
    responseBytes: 'the program received more than 16 MiB as the answer of one call (limit responseBytes)',
  }

  it('names the limit and its value', () => {
    for (const name of limitNames) {
      expect(limitDiagnostic(name, defaultLimits[name])).toEqual({
        class: 'limit',
        code: `limit-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        message: said[name],
        hint: expect.stringMatching(/^[a-z].*[a-z]$/),
      })
    }
  })

  it('writes readable amounts', () => {
    const message = (name: LimitName, allowed: number) => limitDiagnostic(name, allowed).message
    expect(message('wallMs', 1500)).toContain('1500 ms')
    expect(message('memoryBytes', 3 * MIB)).toContain('3 MiB')
    expect(message('memoryBytes', 3 * MIB + 1)).toContain('3145729 bytes')
  })
})
