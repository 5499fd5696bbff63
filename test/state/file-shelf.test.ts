// Files that outlive their process, and their bounds.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FileShelf, type FileShelfOptions } from '../../dist/state/index.js'
import { KeptFiles, type ResultsQuota } from '../../dist/vfs/index.js'

const DAY = 86_400_000
const folders: string[] = []
const shelves: FileShelf[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const shelf of shelves.splice(0)) await shelf.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function place(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'starbind-shelf-'))
  folders.push(folder)
  return path.join(folder, '.starbind')
}

const said: string[] = []

/** As another process would open it. */
function shelfIn(folder: string, options: Partial<FileShelfOptions> = {}): FileShelf {
  const shelf = new FileShelf(folder, {
    maxBytes: 1_000,
    maxAgeMs: DAY,
    complain: (one) => said.push(one),
    ...options,
  })
  shelves.push(shelf)
  return shelf
}

const filesOf = (shelf: FileShelf, owner = 'ann', quota: Partial<ResultsQuota> = {}) =>
  new KeptFiles({ quota, shelf: shelf.of(owner) })
const contentsIn = (folder: string) => readdirSync(path.join(folder, 'results')).sort()
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex')
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('files on a shelf', () => {
  it('are found by other processes, are separate for each owner, and share equal contents', async () => {
    const folder = place()
    const ann = filesOf(shelfIn(folder))
    const paths = [ann.keep('a.txt', 'tea'), ann.keep('a.txt', 'cup'), ann.keep('a.txt', 'tea'), ann.keep('b', 'tea')]
    expect(paths).toEqual(['results/a.txt', 'results/a-2.txt', 'results/a.txt', 'results/b'])
    await ann.settled()
    const other = shelfIn(folder)
    const again = filesOf(other)
    expect(again.paths).toEqual(['results/a-2.txt', 'results/a.txt', 'results/b'])
    expect(again.artifact('results/a.txt')).toEqual({
      name: 'a.txt',
      mimeType: 'text/plain',
      bytes: 3,
      sha256: sha256('tea'),
      path: 'results/a.txt',
    })
    expect(Buffer.from(again.read('results/a-2.txt')).toString()).toBe('cup')
    expect(again.keptAt('results/b')).toBe(ann.keptAt('results/b'))
    expect(filesOf(other, 'ben').paths).toEqual([])
    expect(contentsIn(folder)).toEqual([sha256('tea'), sha256('cup')].sort())
    expect(ann.held).toBe(0)
  })

  it('are readable by their user only', async () => {
    const folder = place()
    const ann = filesOf(shelfIn(folder))
    ann.keep('a.txt', 'tea')
    await ann.settled()
    const modes = ['', 'results', 'files.db', `results/${sha256('tea')}`].map((one) =>
      (statSync(path.join(folder, one)).mode & 0o777).toString(8),
    )
    expect(modes).toEqual(['700', '700', '600', '600'])
  })

  it('change for all processes', async () => {
    const folder = place()
    const [one, two] = [filesOf(shelfIn(folder)), filesOf(shelfIn(folder))]
    one.keep('a', 'tea')
    await one.settled()
    expect(two.paths).toEqual(['results/a'])
    two.replace('a', 'cup')
    await two.settled()
    await nextTurn()
    expect(Buffer.from(one.read('results/a')).toString()).toBe('cup')
    two.remove('results/a')
    await nextTurn()
    expect(one.paths).toEqual([])
    expect(contentsIn(folder)).toEqual([])
  })

  it('stay within count, bytes and time, the oldest first', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 10 * DAY })
    const folder = place()
    const ann = filesOf(shelfIn(folder), 'ann', { maxFiles: 3, maxBytes: 100, maxAgeMs: DAY })
    for (const name of ['a', 'b', 'c', 'd']) ann.keep(name, name)
    await ann.settled()
    const again = filesOf(shelfIn(folder), 'ann', { maxAgeMs: DAY })
    expect(again.paths).toEqual(['results/b', 'results/c', 'results/d'])
    ann.keep('e', 'e'.repeat(99))
    await ann.settled()
    await nextTurn()
    expect(again.paths).toEqual(['results/d', 'results/e'])
    vi.setSystemTime(11 * DAY + 4)
    await nextTurn()
    expect(again.paths).toEqual(['results/e'])
    vi.setSystemTime(12 * DAY)
    expect(ann.paths).toEqual([])
    expect(contentsIn(folder)).toEqual([])
  })

  it('of all owners stay within bounds: the largest owner loses its oldest file', async () => {
    const folder = place()
    const shelf = shelfIn(folder, { maxBytes: 100 })
    const [ann, ben] = [filesOf(shelf), filesOf(shelf, 'ben')]
    ben.keep('b', 'b'.repeat(40))
    await ben.settled()
    for (const name of ['1', '2', '3', '4']) ann.keep(name, name.repeat(25))
    await ann.settled()
    expect([ann.paths, ben.paths]).toEqual([['results/3', 'results/4'], ['results/b']])
  })

  it('leave nothing behind when a process is killed', async () => {
    const folder = place()
    const child = spawn(process.execPath, [path.join(import.meta.dirname, '../fixtures/files-killed.mjs'), folder])
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'close')
    writeFileSync(path.join(folder, 'results', sha256('nobody knows it')), 'nobody knows it')
    const old = path.join(folder, 'results', '.left-over')
    writeFileSync(old, 'half')
    utimesSync(old, 1, 1)
    const ann = filesOf(shelfIn(folder, { maxBytes: 10_000_000 }))
    expect(ann.paths).toHaveLength(20)
    for (const one of ann.paths) {
      const { sha256: want, bytes } = ann.artifact(one)!
      const content = ann.read(one)
      expect([content.length, createHash('sha256').update(content).digest('hex')]).toEqual([bytes, want])
    }
    const named = new Set(ann.paths.map((one) => ann.artifact(one)!.sha256))
    expect(contentsIn(folder).filter((one) => !one.startsWith('.'))).toEqual([...named].sort())
    expect(contentsIn(folder)).not.toContain('.left-over')
  })

  it('are kept in memory if the folder is unusable, and a warning says so', async () => {
    const file = path.join(place(), '..', 'taken')
    writeFileSync(file, '')
    const ann = filesOf(shelfIn(file))
    ann.keep('a', 'tea')
    await ann.settled()
    expect(ann.paths).toEqual(['results/a'])
    expect(Buffer.from(ann.read('results/a')).toString()).toBe('tea')
    expect(said.splice(0)).toEqual([expect.stringMatching(/^a is kept in memory only: E\w+: .*taken/)])
  })

  it('of a newer starbind are left alone', async () => {
    const folder = place()
    const ann = filesOf(shelfIn(folder))
    ann.keep('a', 'tea')
    await ann.settled()
    const { createRequire } = await import('node:module')
    const Database = createRequire(import.meta.url)('libsql') as new (
      file: string,
    ) => {
      exec(sql: string): void
      close(): void
    }
    const database = new Database(path.join(folder, 'files.db'))
    database.exec('PRAGMA user_version = 7')
    database.close()
    const before = readFileSync(path.join(folder, 'results', sha256('tea')), 'utf8')
    const later = filesOf(shelfIn(folder))
    expect(later.paths).toEqual([])
    later.keep('b', 'cup')
    await later.settled()
    expect(later.paths).toEqual(['results/b'])
    expect([before, ...contentsIn(folder)]).toEqual(['tea', sha256('tea')])
    expect(said.splice(0).every((one) => /a newer starbind wrote .* \(format 7/.test(one))).toBe(true)
  })
})
