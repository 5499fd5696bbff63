import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { drawn, picture } from '../../scripts/architecture-picture.mjs'

const root = path.resolve(import.meta.dirname, '../..')

it('is the drawing of node scripts/architecture-picture.mjs', () => {
  expect(readFileSync(path.join(root, 'docs/images/architecture.svg'), 'utf8')).toBe(picture())
})

it('shows every room', () => {
  expect(drawn.filter((room: string) => !existsSync(path.join(root, 'src', room)))).toEqual([])
  const rooms = readdirSync(path.join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const shown = drawn.map((room: string) => room.split('/')[0])
  // The box of the library shows `hosts` and `agent`, that of the command line `page`, that of diagnostics `awaitable`
  // and `processes`.
  expect(rooms.map(({ name }) => name).filter((name) => !shown.includes(name))).toEqual([
    'agent',
    'awaitable',
    'hosts',
    'page',
    'processes',
  ])
})
