import { expect, it } from 'vitest'
import { openVfs, Room } from '../../dist/vfs/index.js'

const results = { maxBytes: 100, maxFiles: 10 }
const resultsOf = (vfs: ReturnType<typeof openVfs>) => vfs.list('results')

it('evicts from the largest owner, the oldest first', () => {
  const room = new Room(150)
  const [modest, greedy, late] = [1, 2, 3].map(() => openVfs({ results, room }))
  modest!.keep('a.txt', 'a'.repeat(30))
  for (const name of ['1', '2', '3', '4', '5']) greedy!.keep(`${name}.txt`, 'x'.repeat(20))
  expect([modest, greedy].map((vfs) => resultsOf(vfs!))).toEqual([
    ['results/a.txt'],
    ['results/1.txt', 'results/2.txt', 'results/3.txt', 'results/4.txt', 'results/5.txt'],
  ])
  late!.keep('b.txt', 'b'.repeat(50))
  expect([modest, greedy, late].map((vfs) => resultsOf(vfs!))).toEqual([
    ['results/a.txt'],
    ['results/3.txt', 'results/4.txt', 'results/5.txt'],
    ['results/b.txt'],
  ])
})

it('never exceeds its bound, even if every owner has only one item', () => {
  const room = new Room(150)
  const all = Array.from({ length: 4 }, () => openVfs({ results, room }))
  for (const vfs of all) vfs.keep('a.txt', 'a'.repeat(60))
  expect(all.map(resultsOf)).toEqual([[], [], ['results/a.txt'], ['results/a.txt']])
})
