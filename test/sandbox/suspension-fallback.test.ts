// A runtime that claims to suspend guests, and a worker that finds that it can't: each run uses its own thread, and the
// log says so once.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { type GuestImage, openSandbox } from '../../dist/sandbox/index.js'
import { hasSuspension } from '../../dist/sandbox/suspension.js'
import { noWorkersLeft } from './leaks.js'

noWorkersLeft()
const has = hasSuspension()
const warnings: Error[] = []
const note = (warning: Error) => void (warning.name === 'StarbindWarning' && warnings.push(warning))
beforeAll(() => void process.on('warning', note))
afterAll(() => void process.off('warning', note))

const image: GuestImage = {
  name: 'asking',
  source: '{ const call = hostCall; delete globalThis.hostCall; globalThis.ask = (word) => call(word) }',
}

// Only this thread is made to say so. A worker of a runtime that can suspend would find that it can.
it.skipIf(has)('continues with blocked threads and reports it once', async () => {
  const assembly = Reflect.get(globalThis, 'WebAssembly') as object
  Object.assign(assembly, { Suspending: () => {}, promising: () => {} })
  const sandbox = openSandbox({ maxWorkers: 2, spareWorkers: 0 })
  try {
    expect(hasSuspension()).toBe(true)
    const runs = ['a', 'b', 'c'].map((word) =>
      sandbox.run({ image, code: `ask("${word}")`, onCall: async ({ payload }) => payload.toUpperCase() }),
    )
    expect(await Promise.all(runs)).toMatchObject(['A', 'B', 'C'].map((payload) => ({ kind: 'completed', payload })))
  } finally {
    await sandbox.close()
    Reflect.deleteProperty(assembly, 'Suspending')
    Reflect.deleteProperty(assembly, 'promising')
  }
  await expect
    .poll(() => warnings.map(({ name, message }) => `${name}: ${message}`))
    .toEqual([
      'StarbindWarning: runs that wait for tools hold a thread each: this runtime has no WebAssembly stack switching',
    ])
})
