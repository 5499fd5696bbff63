// The differences that docs/dialect.md counts: each example prints what stands below it, here and in CPython.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../../dist/sandbox/index.js'
import { openGuests, run, shown } from './guest.js'
import { hasPython, pythonSays } from './reference.js'

interface Difference {
  readonly title: string
  readonly program: string | undefined
  readonly here: string | undefined
  readonly there: string | undefined
}

const text = readFileSync(new URL('../../../docs/dialect.md', import.meta.url), 'utf8')
const differences: Difference[] = text
  .split(/^### /m)
  .slice(1)
  .map((section) => section.split(/^## /m)[0]!)
  .map((section) => {
    const block = (language: string): string | undefined =>
      new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(section)?.[1]
    return {
      title: section.slice(0, section.indexOf('\n')),
      program: block('python'),
      here: block('starbind'),
      there: block('cpython'),
    }
  })
const withPrograms = differences.filter((d) => d.program !== undefined)

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openGuests()
})
afterAll(() => sandbox.close())

describe('docs/dialect.md', () => {
  it('counts the differences without a gap', () => {
    expect(differences.map((d) => d.title.split(' ')[0])).toEqual(differences.map((_, i) => `D${i + 1}`))
    expect(differences.length).toBeGreaterThan(10)
  })

  it.each(withPrograms)('$title', async ({ program, here }) => {
    expect(shown(await run(sandbox, program!))).toBe(here)
  })

  it.skipIf(!hasPython)('shows what CPython prints (skipped where there is no python3)', () => {
    const shownThere = withPrograms.filter((d) => d.there !== undefined)
    expect(pythonSays(shownThere.map((d) => d.program!))).toEqual(shownThere.map((d) => d.there))
  })

  it('D6: running out of stack can not be caught by programs that do not say so', async () => {
    const program =
      'def f(n): return f(n + 1)\ntry:\n    f(0)\nexcept Exception:\n    print("caught")\nfinally:\n    print("finally")'
    expect(await run(sandbox, program)).toEqual({ printed: '', result: undefined, failure: 'limit stackBytes' })
  })
})
