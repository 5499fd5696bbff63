// Ways out of the root of `files`, each with every tool that takes a path, and while somebody else changes the tree.

import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Builtin, openBuiltin } from '../../dist/builtin/index.js'
import { folderWith } from './folder.js'

const SECRET = 'nobody inside may see this'
const place = folderWith({
  'outside/secret.txt': SECRET,
  'outside/deep/secret.txt': SECRET,
  'rooted/secret.txt': SECRET,
  'root/inside.txt': 'inside',
  'root/sub/inside.txt': 'inside',
  'root/.starbind/approvals': SECRET,
  'root/hidden/secret.txt': SECRET,
  'root/odd..name/inside.txt': 'inside',
  'root/...': 'inside',
})
const root = path.join(place, 'root')
const outside = path.join(place, 'outside')
const socket = createServer()
let files: Builtin

beforeAll(async () => {
  const link = (to: string, from: string) => symlinkSync(to, path.join(root, from))
  link('../outside', 'out')
  link(outside, 'absolute')
  link('../outside/secret.txt', 'file')
  link('out', 'chain')
  link('chain', 'longer')
  link('sub/../../outside', 'dotted')
  link('/', 'slash')
  link('/proc/self/root', 'proc')
  link('/proc/self/cwd', 'cwd')
  link('/dev/fd', 'fd')
  link('..', 'parent')
  link('../root/../outside', 'around')
  link('sub/inside.txt', 'good')
  link('loop', 'loop')
  link('../nothing', 'dangling')
  link('hidden/secret.txt', 'to-hidden')
  link('.starbind', 'to-state')
  mkdirSync(path.join(root, 'folder-of-links'))
  symlinkSync('../../outside/secret.txt', path.join(root, 'folder-of-links/secret.txt'))
  symlinkSync('/dev/zero', path.join(root, 'zero'))
  execFileSync('mkfifo', [path.join(root, 'fifo')])
  await new Promise<void>((resolve) => socket.listen(path.join(root, 'sock'), resolve))
  files = await openBuiltin({ builtin: 'files', root, write: true, exclude: ['hidden/'], unwritable: [] })
})
afterAll(async () => {
  await files.close()
  await new Promise((resolve) => socket.close(resolve))
})

const waysOut = [
  '../outside/secret.txt',
  '../outside',
  '..',
  '../',
  './..',
  './../outside/secret.txt',
  'sub/../../outside/secret.txt',
  'sub/../../outside',
  'sub/./../.././outside/secret.txt',
  'nothing/../../outside/secret.txt',
  'sub//..//..//outside//secret.txt',
  '../root/../outside/secret.txt',
  '../rooted/secret.txt',
  '../rooted',
  '../../../../../../../../etc/passwd',
  outside,
  `${outside}/secret.txt`,
  root,
  `${root}/inside.txt`,
  `${root}/../outside/secret.txt`,
  '/etc/passwd',
  '//etc/passwd',
  '/proc/self/environ',
  '/dev/zero',
  'out/secret.txt',
  'out',
  'out/',
  'out/.',
  'out/deep',
  'out/deep/secret.txt',
  'out/deep/../secret.txt',
  'absolute/secret.txt',
  'absolute',
  'file',
  'chain/secret.txt',
  'longer/secret.txt',
  'longer/deep/secret.txt',
  'dotted/secret.txt',
  'slash/etc/passwd',
  'slash',
  'proc/etc/passwd',
  'cwd/package.json',
  'fd/0',
  'parent/outside/secret.txt',
  'parent',
  'around/secret.txt',
  'folder-of-links/secret.txt',
  'loop',
  'loop/secret.txt',
  'dangling',
  'dangling/file',
  'zero',
  'fifo',
  'sock',
  'inside.txt\0/../../outside/secret.txt',
  '../outside/secret.txt\0.txt',
  'sub/\ud800',
  '..\\outside\\secret.txt',
  '\uff0e\uff0e/outside/secret.txt',
  '..%2foutside%2fsecret.txt',
  '%2e%2e/outside/secret.txt',
  '..\u2215outside\u2215secret.txt',
  '.\u200b./outside/secret.txt',
  'OUT/secret.txt',
  '~/secret.txt',
  '$HOME/secret.txt',
  'file:///etc/passwd',
  `a/${'x/'.repeat(3000)}`,
  'hidden/secret.txt',
  'HIDDEN/secret.txt',
  'sub/../hidden/secret.txt',
  'to-hidden',
  '.starbind/approvals',
  '.StarBind/approvals',
  'to-state/approvals',
]

/** What a tool answers, as text; undefined if it fails. */
async function answerOf(tool: string, args: object): Promise<string | undefined> {
  const { inputSchema, call } = files.tools[tool]!
  try {
    const parsed = (inputSchema as unknown as { parse(value: unknown): unknown }).parse(args)
    return JSON.stringify(await call(parsed, { signal: new AbortController().signal }))
  } catch (error) {
    expect(`${error}`).not.toContain(SECRET)
    return undefined
  }
}

const contents = () =>
  [
    'outside/secret.txt',
    'outside/deep/secret.txt',
    'rooted/secret.txt',
    'root/hidden/secret.txt',
    'root/.starbind/approvals',
  ].map((name) => readFileSync(path.join(place, name), 'utf8'))
const tree = () => [
  readdirSync(place).sort(),
  readdirSync(outside, { recursive: true }).sort(),
  readdirSync(path.join(place, 'rooted')),
]

describe('no path leads out', () => {
  it('for reading', async () => {
    expect(waysOut.length).toBeGreaterThanOrEqual(60)
    for (const way of waysOut) {
      const args = { path: way }
      const answers = await Promise.all([
        answerOf('read', args),
        answerOf('artifact', args),
        answerOf('data', { ...args, format: 'yaml' }),
        answerOf('list', args),
        answerOf('glob', { ...args, pattern: '**' }),
        answerOf('search', { ...args, pattern: '.' }),
        answerOf('stat', args),
      ])
      // Devices, pipes and sockets of the root itself may be named.
      const named = ['fifo', 'sock'].includes(way) ? answers.slice(0, 5) : answers
      expect([way, named]).toEqual([way, named.map(() => undefined)])
    }
  })

  it('for writing', async () => {
    const [before, names] = [contents(), tree()]
    for (const way of waysOut) {
      const args = { path: way }
      await answerOf('write', { ...args, text: 'planted' })
      await answerOf('write', { path: `${way}/planted`, text: 'planted' })
      await answerOf('edit', { ...args, old: SECRET, new: 'planted' })
      await answerOf('move', { path: 'inside.txt', to: `${way}/planted` })
      await answerOf('move', { ...args, to: 'stolen' })
      expect([way, await answerOf('read', { path: 'stolen' })]).toEqual([way, undefined])
      await answerOf('remove', { path: `${way}/secret.txt` })
    }
    expect([contents(), tree()]).toEqual([before, names])
  })

  it('and what is inside stays in reach, through links as well', async () => {
    const inside = '{"kind":"text","text":"inside"}'
    for (const name of ['sub/inside.txt', 'sub/../sub/inside.txt', 'odd..name/inside.txt', '...'])
      expect(await answerOf('read', { path: name })).toBe(inside)
    linkSync(path.join(root, 'sub/inside.txt'), path.join(root, 'sub/again.txt'))
    expect(await answerOf('read', { path: 'sub/again.txt' })).toBe(inside)
  })
})

/** Exchanges a folder with a link to one outside, over and over; removes what is made in its place meanwhile. */
const exchanging = `
  const { renameSync, rmSync, symlinkSync } = require('node:fs')
  const { parentPort, workerData: { folder, parked, outside } } = require('node:worker_threads')
  let isOver = false
  parentPort.on('message', () => { isOver = true })
  const attempt = (step) => { try { step(); return true } catch { return false } }
  const turn = () => {
    for (let i = 0; i < 50; i++) {
      renameSync(folder, parked)
      attempt(() => symlinkSync(outside, folder))
      do attempt(() => rmSync(folder, { recursive: true }))
      while (!attempt(() => renameSync(parked, folder)))
    }
    if (isOver) parentPort.close()
    else setImmediate(turn)
  }
  turn()
`

describe('while folders are exchanged with links to the outside', () => {
  it('no byte of the outside is read, no place is named, and nothing is written there', async () => {
    const base = folderWith({
      'outside/file.txt': SECRET,
      'outside/inner/file.txt': SECRET,
      'outside/table.csv': `word\n${SECRET}\n`,
      'root/swapped/file.txt': 'inside',
      'root/swapped/inner/file.txt': 'inside',
      'root/swapped/table.csv': 'word\ninside\n',
    })
    const [folder, parked] = [path.join(base, 'root/swapped'), path.join(base, 'root/parked')]
    const swapped = await openBuiltin({
      builtin: 'files',
      root: path.join(base, 'root'),
      write: true,
      exclude: [],
      unwritable: [],
    })
    const worker = new Worker(exchanging, {
      eval: true,
      workerData: { folder, parked, outside: path.join(base, 'outside') },
    })
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    const context = { signal: new AbortController().signal }
    const answers = new Set<string>()
    const ask = async (tool: string, args: object) => {
      try {
        const parsed = (swapped.tools[tool]!.inputSchema as unknown as { parse(value: unknown): unknown }).parse(args)
        answers.add(JSON.stringify(await swapped.tools[tool]!.call(parsed, context)))
      } catch {
        // The file is not there, or not the one that it was.
      }
    }
    for (let i = 0; i < 40; i++) {
      // Small files are read at once: so often that an exchange falls between any two of its steps.
      for (let k = 0; k < 200; k++)
        await ask('read', { path: k % 2 === 0 ? 'swapped/file.txt' : 'swapped/inner/file.txt' })
      await ask('search', { path: '.', pattern: 'nobody|inside' })
      await ask('data', { path: 'swapped/file.txt', format: 'yaml' })
      await ask('write', { path: 'swapped/new.txt', text: `inside ${i}` })
    }
    const sql = await openBuiltin({
      builtin: 'sql',
      root: path.join(base, 'root'),
      exclude: [],
      unwritable: [],
      write: false,
      timeoutMs: 60_000,
    })
    for (let i = 0; i < 15; i++) {
      const query = sql.tools.query!.call({ sql: "SELECT * FROM 'swapped/table.csv'" }, context)
      answers.add(JSON.stringify(await Promise.resolve(query).catch(({ message }: Error) => message)))
    }
    await sql.close()
    worker.postMessage('enough')
    await ended
    await swapped.close()
    expect([...answers].filter((answer) => answer.includes(SECRET) || answer.includes(base))).toEqual([])
    expect(readdirSync(path.join(base, 'outside'), { recursive: true }).sort()).toEqual([
      'file.txt',
      'inner',
      'inner/file.txt',
      'table.csv',
    ])
    expect(readFileSync(path.join(base, 'outside/file.txt'), 'utf8')).toBe(SECRET)
  })
})
