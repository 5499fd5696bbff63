// The rendering of failures with long parts.

import { describe, expect, it } from 'vitest'
import { type Diagnostic, renderDiagnostic } from '../../dist/diagnostics/index.js'

const failure = (kind: Diagnostic['class'], message: string): Diagnostic => ({ class: kind, code: 'code', message })

describe('a message', () => {
  it.each([
    ['program error', 1_000],
    ['limit', 1_000],
    ['host error', 1_000],
    ['tool error', 4_000],
  ] as const)('of a %s is whole up to %d characters, and cut in its middle beyond', (kind, most) => {
    const whole = `${'a'.repeat(most - 1)}z`
    expect(renderDiagnostic(failure(kind, whole))).toBe(`${kind} [code] ${whole}`)
    expect(renderDiagnostic(failure(kind, `b${whole}`))).toBe(
      `${kind} [code] b${'a'.repeat(0.75 * most - 1)} … ${'a'.repeat(most / 4 - 1)}z`,
    )
  })

  it('is not cut in a character', () => {
    const text = renderDiagnostic(failure('limit', `${'a'.repeat(749)}${'😀'.repeat(500)}`))
    expect(text).toBe(`limit [code] ${'a'.repeat(749)} … ${'😀'.repeat(125)}`)
  })
})
