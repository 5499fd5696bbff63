// Wall: programs have no way from values to the engine beneath. Attack: the attributes by which Python and JavaScript
// sandboxes are escaped.

import { describe, expect, it } from 'vitest'
import { stage } from './program-harness.js'

const perform = stage()

describe('reflection', () => {
  it.each([
    '().__class__.__bases__[0].__subclasses__()',
    '"".constructor.constructor("return 1")()',
    '[].constructor',
    '{}["constructor"]["prototype"]',
    '(lambda: 0).__globals__',
    '(lambda: 0).__code__',
    'print.__self__',
    'len.call(None)',
    'len.apply(None, [[]])',
    '(lambda: 0).bind(None)',
    'getattr([], "constructor")',
    'getattr("", "__proto__")',
    'getattr(len, "sig")',
    'getattr(len, "prototype")',
    '"{0.__class__.__subclasses__}".format(1)',
    '"{0.constructor}".format([])',
  ])('%s is refused', async (code) => {
    const { result, failure } = await perform(`result = ${code}`)
    expect(result).toBe(undefined)
    expect(failure).toMatch(
      /^program error \[(?:attribute-error|no-attribute|key-error|not-supported|refused-name|type-error)\]/,
    )
  })
})
