// The check whether guests can be suspended: any failure is a reason not to.

import { expect, it } from 'vitest'
import { compileEngine } from '../../dist/sandbox/engine-module.js'
import { hasSuspension } from '../../dist/sandbox/suspension.js'
import { suspensionProblem } from '../../dist/sandbox/suspension-check.js'

it('reports whether the runtime can suspend WebAssembly', async () => {
  const expected = hasSuspension() ? undefined : 'this runtime has no WebAssembly stack switching'
  expect(await suspensionProblem(await compileEngine())).toBe(expected)
})

it.skipIf(!hasSuspension())('treats an unknown engine as a reason to block', async () => {
  const engine = {} as Awaited<ReturnType<typeof compileEngine>>
  expect(await suspensionProblem(engine)).toEqual(expect.any(String))
})
