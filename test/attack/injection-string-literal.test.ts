// Wall: program text reaches generated code only through quoting. Attack: string literals that would end a literal, a
// line, a comment or a template.

import { describe, expect, it } from 'vitest'
import { stage } from './program-harness.js'

const perform = stage()

const hostile = [
  '"; globalThis.pwned = 1; "',
  "'; globalThis.pwned = 1; '",
  '`${globalThis.pwned = 1}`',
  '*/ globalThis.pwned = 1 /*',
  '// \n globalThis.pwned = 1',
  '\\"; globalThis.pwned = 1; //',
  '\u2028globalThis.pwned = 1\u2029',
  '\ud800 \udfff \udc00\ud800',
  '\ue0000\ue001 \ue000zz\ue001',
  '\u0000\u0001\u007f\u0085\ufeff',
  '</script><!-- -->',
  '%s%d{}{0}$&$1$$',
]

const literal = (text: string): string =>
  `"${Array.from({ length: text.length }, (_, i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`

describe('a string literal', () => {
  it.each(hostile.map((text) => [JSON.stringify(text), text]))('%s stays a string', async (_, text) => {
    const raw = text.replace(/[\\"\n\r]/g, (c) => (c === '\n' ? '\\n' : c === '\r' ? '\\r' : `\\${c}`))
    const program = `s = "${raw}"\nd = {"${raw}": s}\nresult = [s, d["${raw}"], "%s" % s, "{}".format(s), len(s)]`
    const { result, failure } = await perform(program)
    expect(failure).toBe(undefined)
    expect(JSON.parse(result!)).toEqual([text, text, text, text, text.length])
  })

  it.each(hostile.filter((t) => !/[\ud800-\udfff]/.test(t)).map((text) => [JSON.stringify(text), text]))(
    '%s stays a string when it is written in escapes, in strict mode too',
    async (_, text) => {
      const program = `result = [${literal(text)}, {${literal(text)}: 1}]`
      const { result, failure } = await perform(program, { dialect: { strict: true } })
      expect(failure).toBe(undefined)
      expect(JSON.parse(result!)).toEqual([text, { [text]: 1 }])
    },
  )

  it('leaves nothing in the guest', async () => {
    const { failure } = await perform('result = pwned')
    expect(failure).toContain('[undefined-name] undefined: pwned')
  })
})
