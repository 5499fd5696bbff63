// Wall: the caller's own functions. If they fail, the run ends as a fault and the sandbox continues.

import { expect, it } from 'vitest'
import { arena } from './harness.js'

const { endOf } = arena()
const fault = (message: string) => ({ kind: 'fault', message })

it('a call that rejects, throws or returns something else ends the run', async () => {
  const code = 'try { hostCall("") } catch {} "caught"'
  expect(await endOf(code, { onCall: () => Promise.reject(new Error('down')) })).toEqual(
    fault('a call failed in the host: down'),
  )
  expect(
    await endOf(code, {
      onCall: () => {
        throw new Error('at once')
      },
    }),
  ).toEqual(fault('a call failed in the host: at once'))
  const answers = [undefined, 1, {}, Promise.resolve(null)]
  for (const answer of answers) {
    const end = await endOf(code, {
      onCall: () => (answer === undefined ? Promise.resolve(undefined) : answer) as never,
    })
    expect(end).toEqual(fault('a call failed in the host: its reply is not a string'))
  }
})

it('a printer that throws ends the run', async () => {
  const onPrint = () => {
    throw new Error('full')
  }
  expect(await endOf('hostPrint("x"); for (;;) {}', { onPrint })).toEqual(
    fault('the output could not be passed on: full'),
  )
  expect(await endOf('hostPrint("x"); "done"', { onPrint })).toEqual(fault('the output could not be passed on: full'))
})
