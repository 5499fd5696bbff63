// The numbered differences of docs/dialect.md: each example prints the output below it, here and in CPython.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Sandbox } from '../../../dist/sandbox/index.js'
import { openGuests, run, shown } from './guest.js'
import { hasPython, pythonSays } from './reference.js'

interface Program {
  readonly title: string
  readonly program: string
  readonly here: string
  readonly there: string | undefined
}

const text = readFileSync(new URL('../../../docs/dialect.md', import.meta.url), 'utf8')
const sections = text
  .split(/^### /m)
  .slice(1)
  .map((section) => section.split(/^## /m)[0]!)
const titles = sections.map((section) => section.slice(0, section.indexOf('\n')))
const block = (language: string) => `\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`\\n`
const shape = new RegExp(`^${block('python')}${block('starbind')}(?:${block('cpython')})?`, 'gm')
const programs: Program[] = sections.flatMap((section, i) =>
  [...section.matchAll(shape)].map((match, n) => ({
    title: n === 0 ? titles[i]! : `${titles[i]} (${n + 1})`,
    program: match[1]!,
    here: match[2]!,
    there: match[3],
  })),
)

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openGuests()
})
afterAll(() => sandbox.close())

describe('docs/dialect.md', () => {
  it('counts the differences without a gap', () => {
    expect(titles.map((title) => title.split(' ')[0])).toEqual(titles.map((_, i) => `D${i + 1}`))
    expect(titles.length).toBeGreaterThan(10)
    expect(programs.length).toBe(text.match(/^```python$/gm)?.length)
  })

  it.each(programs)('$title', async ({ program, here }) => {
    expect(shown(await run(sandbox, program))).toBe(here)
  })

  it.skipIf(!hasPython())('shows the output of CPython (skipped if python3 is not 3.11)', () => {
    const shownThere = programs.filter((one) => one.there !== undefined)
    expect(pythonSays(shownThere.map((one) => one.program))).toEqual(shownThere.map((one) => one.there))
  })

  it('D6: only a program that names RecursionError can catch a stack overflow', async () => {
    const program =
      'def f(n): return f(n + 1)\ntry:\n    f(0)\nexcept Exception:\n    print("caught")\nfinally:\n    print("finally")'
    expect(await run(sandbox, program)).toEqual({ printed: '', result: undefined, failure: 'limit stackBytes' })
  })
})
