// Wall: the host distrusts its workers. The output ring is checked frame by frame; a damaged one ends the worker and
// reads nothing outside.

import { expect, it } from 'vitest'
import { breach, type ForgedRun, forgedRun, LONG, WAKE, WIDE, WRITTEN } from './forged-worker.js'

const damaged = breach('what was handed over is damaged')

it.each([
  ['a frame longer than what was written', (f: ForgedRun) => f.frame(1000, new Uint8Array(8))],
  ['an odd number of bytes of UTF-16', (f: ForgedRun) => f.frame(WIDE | 3, new Uint8Array(3))],
  ['a written position far ahead', (f: ForgedRun) => Atomics.store(f.header, WRITTEN, 10_000_000)],
  ['a written position behind', (f: ForgedRun) => Atomics.store(f.header, WRITTEN, -400)],
  ['half a frame', (f: ForgedRun) => Atomics.store(f.header, WRITTEN, 2)],
])('forged output ends the worker: %s', (_, forge) => {
  const forged = forgedRun()
  forge(forged)
  forged.run.announced(WAKE)
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: damaged })
  expect(forged.printed).toEqual([])
})

it.each([
  ['a frame longer than any part of an output', 60_000, new Uint8Array(60_000)],
  ['output that travels apart', LONG | 60_000, new Uint8Array(0)],
])('too long output ends the worker: %s', (_, head, bytes) => {
  const forged = forgedRun()
  forged.frame(head, bytes)
  forged.run.announced({ kind: 'long', bytes: new SharedArrayBuffer(60_000) })
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: breach('the output is damaged') })
  expect(forged.printed).toEqual([])
})

it('more output than the limit allows', () => {
  const forged = forgedRun(undefined, { printedBytes: 10 })
  forged.frame(11, Buffer.from('hello world'))
  forged.run.announced(WAKE)
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: breach('more output than is allowed') })
  expect(forged.printed).toEqual([])
})
