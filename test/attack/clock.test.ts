// Wall: no clock. Neither the time nor its passing can be seen from inside, even if there is a Date.

import { expect, it } from 'vitest'
import type { GuestImage } from '../../dist/sandbox/index.js'
import { arena, completed } from './harness.js'

const { endOf } = arena()
const dated: GuestImage = { name: 'dated', source: '', date: true }

it('there is no Date unless requested', async () => {
  const names = [
    'Date',
    'performance',
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
    'Temporal',
    'Intl',
    'console',
  ]
  const code = `[${names.map((name) => `typeof ${name}`)}].filter((t) => t !== 'undefined').length + ''`
  expect(await endOf(code)).toEqual(completed('0'))
})

it.each([
  'new Date()',
  'Date()',
  'new Date(...[])',
  'Date.now()',
  'new (new Date(0).constructor)()',
  'Reflect.construct(Date, [])',
  'Date.prototype.constructor()',
  'new (class extends Date { constructor() { super() } })()',
])('a Date does not tell the time: %s', async (code) => {
  expect(await endOf(`"" + ${code}`, { image: dated })).toMatchObject({ kind: 'threw', name: 'TypeError' })
})

it('a Date computes with explicit values, in UTC', async () => {
  const code = `[
    new Date(0).toISOString(), new Date('2024-02-29T12:00:00+02:00').toISOString(), new Date('2024-03-31T02:30').toISOString(),
    new Date(2024, 6, 1, 12).toISOString(), new Date(2024, 0, 1).getTimezoneOffset(), new Date(1e12).getHours(), Date.UTC(2020, 1), Date.parse('2020-01-01'),
    String(new Date(0)), new Date(NaN).getTime(), new Date(new Date(5)).getTime(), new Date(0) instanceof Date, Date.length, Date.name,
  ].join()`
  const expected = [
    '1970-01-01T00:00:00.000Z',
    '2024-02-29T10:00:00.000Z',
    '2024-03-31T02:30:00.000Z',
    '2024-07-01T12:00:00.000Z',
    0,
    1,
    1580515200000,
    1577836800000,
    'Thu Jan 01 1970 00:00:00 GMT+0000',
    NaN,
    5,
    true,
    7,
    'Date',
  ].join()
  expect(await endOf(code, { image: dated })).toEqual(completed(expected))
})
