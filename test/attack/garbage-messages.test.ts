// Wall: the host distrusts its workers. What is not exactly one of a worker's messages is none.

import { expect, it } from 'vitest'
import { readWorkerMessage } from '../../dist/sandbox/protocol.js'

const stats = { runMs: 1, callWaitMs: 0, memoryBytes: 0 }
const snapshot = {
  bytes: new SharedArrayBuffer(8),
  stretches: [[0, 8]],
  staticsEnd: 8,
  stackTop: 8,
  heapEnd: 8,
  breakAddress: 0,
  breakAt: 8,
}
const state = { snapshot, runtime: 1, context: 2, flatten: 3, describe: 4 }

it('reads what is right', () => {
  const right = [
    { kind: 'became' },
    { kind: 'became', state },
    { kind: 'ended', run: 1, end: { kind: 'threw', name: 'a', message: 'b', stack: 'c' }, stats },
    { kind: 'ended', run: 1, end: { kind: 'stopped', reason: 'wallMs' }, stats },
    { kind: 'idle', run: 1, grew: false },
    { kind: 'failed', message: 'x' },
  ]
  expect(right.map(readWorkerMessage)).toEqual(right)
})

it('drops what is added', () => {
  expect(readWorkerMessage({ kind: 'idle', run: 1, grew: true, extra: 1, __proto__: { polluted: true } })).toEqual({
    kind: 'idle',
    run: 1,
    grew: true,
  })
})

it.each([
  null,
  undefined,
  1,
  'idle',
  [],
  {},
  { kind: 'run' },
  { kind: 'constructor' },
  { kind: 'idle', run: -1, grew: true },
  { kind: 'idle', run: 1.5, grew: true },
  { kind: 'idle', run: '1', grew: true },
  { kind: 'idle', run: 1 },
  { kind: 'failed', message: { toString: 'x' } },
  { kind: 'ended', run: 1, end: { kind: 'completed' }, stats },
  { kind: 'ended', run: 1, end: { kind: 'completed', payload: ['x'] }, stats },
  { kind: 'ended', run: 1, end: { kind: 'stopped', reason: 'constructor' }, stats },
  { kind: 'ended', run: 1, end: { kind: 'threw', name: 'a', message: 'b' }, stats },
  { kind: 'ended', run: 1, end: { kind: 'cancelled' }, stats },
  { kind: 'ended', run: 1, end: { kind: 'completed', payload: 'x' }, stats: { ...stats, runMs: Number.NaN } },
  { kind: 'ended', run: 1, end: { kind: 'completed', payload: 'x' }, stats: { ...stats, memoryBytes: -1 } },
  { kind: 'ended', run: 1, end: { kind: 'completed', payload: 'x' } },
  { kind: 'became', state: null },
  { kind: 'became', state: { ...state, runtime: -1 } },
  { kind: 'became', state: { ...state, snapshot: { ...snapshot, bytes: new ArrayBuffer(8) } } },
  { kind: 'became', state: { ...state, snapshot: { ...snapshot, stretches: [[0, 9]] } } },
  { kind: 'became', state: { ...state, snapshot: { ...snapshot, stretches: [[-8, 16]] } } },
  { kind: 'became', state: { ...state, snapshot: { ...snapshot, stretches: 'x' } } },
  { kind: 'became', state: { ...state, snapshot: { ...snapshot, stackTop: 2 ** 53 } } },
])('%j is none', (raw) => {
  expect(readWorkerMessage(raw)).toBeUndefined()
})
