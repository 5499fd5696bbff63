// The queue: groups take turns, and a flood of one group affects only itself.

import { expect, it } from 'vitest'
import { FairQueue } from '../../dist/sandbox/fair-queue.js'

const all = () => true

function filled(...entries: [string, ...number[]][]): FairQueue<string> {
  const queue = new FairQueue<string>()
  for (const [group, ...items] of entries) for (const item of items) queue.add(group, `${group}${item}`)
  return queue
}

function taken(queue: FairQueue<string>, may: (group: string) => boolean = all): string {
  const items: string[] = []
  for (let item = queue.take(may); item !== undefined; item = queue.take(may)) items.push(item)
  return items.join(' ')
}

it('serves groups in turn and each group in order', () => {
  expect(taken(filled(['a', 1, 2, 3, 4], ['b', 1], ['c', 1, 2]))).toBe('a1 b1 c1 a2 c2 a3 a4')
})

it('a group that comes back waits behind the others', () => {
  const queue = filled(['a', 1], ['b', 1, 2])
  expect(queue.take(all)).toBe('a1')
  queue.add('a', 'a2')
  expect(taken(queue)).toBe('b1 a2 b2')
})

it('skips groups that may not run', () => {
  const queue = filled(['a', 1, 2], ['b', 1])
  expect(queue.peek((group) => group !== 'a')).toBe('b1')
  expect(taken(queue, (group) => group !== 'a')).toBe('b1')
  expect(queue.size).toBe(2)
  expect(queue.peek(() => false)).toBeUndefined()
  expect(taken(queue)).toBe('a1 a2')
})

it('evicts from the longest line', () => {
  const queue = filled(['a', 1, 2, 3], ['b', 1])
  expect(queue.displace('b')).toBe('a3')
  expect(queue.displace('b')).toBeUndefined()
  expect(queue.displace('a')).toBeUndefined()
  expect(queue.displace('new')).toBe('a2')
  expect(queue.displace('new')).toBeUndefined()
  expect([queue.size, taken(queue)]).toEqual([2, 'a1 b1'])
})

it('returns the items that were not served', () => {
  const queue = filled(['a', 1, 2], ['b', 1])
  expect([queue.remove('a', 'a2'), queue.remove('a', 'a2'), queue.remove('c', 'c1')]).toEqual([true, false, false])
  expect([queue.size, queue.drain(), queue.size, queue.peek(all)]).toEqual([2, ['a1', 'b1'], 0, undefined])
})
