// What a module of Python's library raises quotes values of its callers: a model does not see those that the program
// did not print.

import { expect, it } from 'vitest'
import { bench, text } from './bench.js'

it('a failure inside a library module hides values of an answer', async () => {
  const upstream = bench({ host: { answers: text('SECRET host') } })
  const answer = await upstream.execute({ code: 'import ipaddress\nipaddress.ip_address(api.host())' })
  expect(answer.text).toContain('ValueError')
  expect(answer.text).not.toContain('SECRET')
})
