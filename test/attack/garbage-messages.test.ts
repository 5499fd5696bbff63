// Wall: the host distrusts its workers. Only exact messages of the protocol are accepted.

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

it('reads valid messages', () => {
  const right = [
    { kind: 'ready', suspends: true },
    { kind: 'ready', suspends: false, problem: 'x' },
    { kind: 'became', image: 0 },
    { kind: 'became', image: 3, state },
    {
      kind: 'ended',
      seat: 0,
      run: 1,
      end: { kind: 'threw', name: 'a', message: 'b', stack: 'c' },
      stats,
      isFree: true,
    },
    { kind: 'ended', seat: 0, run: 1, end: { kind: 'stopped', reason: 'wallMs' }, stats, isFree: true },
    { kind: 'idle', seat: 0, run: 1, grew: false },
    { kind: 'failed', message: 'x' },
  ]
  expect(right.map(readWorkerMessage)).toEqual(right)
})

it('messages for the channel of a seat are passed on unread', () => {
  expect(readWorkerMessage(3)).toEqual({ kind: 'notice', seat: 3, notice: { kind: 'wake' } })
  expect(readWorkerMessage({ kind: 'long', seat: 3, bytes: 'any' })).toEqual({
    kind: 'notice',
    seat: 3,
    notice: { kind: 'long', bytes: 'any' },
  })
})

it('drops additional fields', () => {
  expect(
    readWorkerMessage({ kind: 'idle', seat: 0, run: 1, grew: true, extra: 1, __proto__: { polluted: true } }),
  ).toEqual({
    kind: 'idle',
    seat: 0,
    run: 1,
    grew: true,
  })
})

it.each([
  null,
  undefined,
  -1,
  1.5,
  'idle',
  [],
  {},
  { kind: 'run' },
  { kind: 'long', bytes: new SharedArrayBuffer(8) },
  { kind: 'ready' },
  { kind: 'ready', suspends: true, problem: 1 },
  { kind: 'became' },
  { kind: 'became', image: -1 },
  { kind: 'idle', seat: -1, run: 1, grew: true },
  { kind: 'idle', seat: '0', run: 1, grew: true },
  { kind: 'ended', run: 1, end: { kind: 'completed', payload: 'x' }, stats, isFree: true },
  { kind: 'constructor' },
  { kind: 'idle', seat: 0, run: -1, grew: true },
  { kind: 'idle', seat: 0, run: 1.5, grew: true },
  { kind: 'idle', seat: 0, run: '1', grew: true },
  { kind: 'idle', seat: 0, run: 1 },
  { kind: 'failed', message: { toString: 'x' } },
  { kind: 'ended', seat: 0, run: 1, end: { kind: 'completed' }, stats, isFree: true },
  { kind: 'ended', seat: 0, run: 1, end: { kind: 'completed', payload: ['x'] }, stats, isFree: true },
  { kind: 'ended', seat: 0, run: 1, end: { kind: 'stopped', reason: 'constructor' }, stats, isFree: true },
  { kind: 'ended', seat: 0, run: 1, end: { kind: 'threw', name: 'a', message: 'b' }, stats, isFree: true },
  { kind: 'ended', seat: 0, run: 1, end: { kind: 'cancelled' }, stats, isFree: true },
  {
    kind: 'ended',
    seat: 0,
    run: 1,
    end: { kind: 'completed', payload: 'x' },
    stats: { ...stats, runMs: Number.NaN },
    isFree: true,
  },
  {
    kind: 'ended',
    seat: 0,
    run: 1,
    end: { kind: 'completed', payload: 'x' },
    stats: { ...stats, memoryBytes: -1 },
    isFree: true,
  },
  { kind: 'ended', seat: 0, run: 1, end: { kind: 'completed', payload: 'x' }, isFree: true },
  { kind: 'ended', seat: 0, run: 1, end: { kind: 'completed', payload: 'x' }, stats },
  { kind: 'became', image: 0, state: null },
  { kind: 'became', image: 0, state: { ...state, runtime: -1 } },
  { kind: 'became', image: 0, state: { ...state, snapshot: { ...snapshot, bytes: new ArrayBuffer(8) } } },
  { kind: 'became', image: 0, state: { ...state, snapshot: { ...snapshot, stretches: [[0, 9]] } } },
  { kind: 'became', image: 0, state: { ...state, snapshot: { ...snapshot, stretches: [[-8, 16]] } } },
  { kind: 'became', image: 0, state: { ...state, snapshot: { ...snapshot, stretches: 'x' } } },
  { kind: 'became', image: 0, state: { ...state, snapshot: { ...snapshot, stackTop: 2 ** 53 } } },
])('%j is not a message', (raw) => {
  expect(readWorkerMessage(raw)).toBeUndefined()
})
