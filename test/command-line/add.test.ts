// `starbind add`: the entries that it writes, and the files that it leaves alone.

import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { starbindHere, Workplace } from '../fixtures/command.js'

let place: Workplace
beforeEach(() => {
  place = new Workplace()
})
afterEach(() => place.remove())

const add = (...args: string[]) => starbindHere(['add', ...args], { cwd: place.folder })
const written = () => readFileSync(path.join(place.folder, 'starbind.json'), 'utf8')

it('writes an entry, and programs have its tools', async () => {
  expect(await add('files', '.')).toMatchObject({
    status: 0,
    stdout: 'starbind.json has files, which reads .; starbind ls shows its tools\n',
    stderr: '',
  })
  expect(JSON.parse(written())).toEqual({ mcpServers: { files: { builtin: 'files', root: '.' } } })
  place.write('a.txt', 'hello')
  const { stdout } = await starbindHere(['run', '-e', 'print(files.read("a.txt"))'], { cwd: place.folder })
  expect(stdout).toBe('hello\n')
})

it('adds to a file, whose comments stay, and replaces nothing', async () => {
  place.write('starbind.json', '{\n  // mine\n  "mcpServers": { "hub": { "url": "https://h.test" } }\n}\n')
  mkdirSync(path.join(place.folder, 'data'))
  expect((await add('sql', 'data', '--name', 'tables', '--exclude', '.env', 'secret/')).status).toBe(0)
  expect((await add('files', 'data', '--write')).stdout).toBe(
    'starbind.json has files, which reads and changes data; starbind ls shows its tools\n',
  )
  expect(written()).toContain('// mine')
  expect(written()).toMatch(
    /"tables": \{\s*"builtin": "sql",\s*"root": "data",\s*"exclude": \[\s*"\.env",\s*"secret\/"\s*\]/,
  )
  const before = written()
  expect((await add('files')).stderr).toBe(
    'starbind: starbind.json has a server files already; --name gives this one another name\n',
  )
  expect(written()).toBe(before)
})

it('writes entries of databases, hosts and shells', async () => {
  expect((await add('sql', 'sqlite:shop.db', '--write')).stdout).toBe(
    'starbind.json has sql, which reads and changes sqlite:shop.db; starbind ls shows its tools\n',
  )
  expect((await add('web', 'a.test', '*.b.test')).stdout).toContain('has web, which reads a.test, *.b.test;')
  expect((await add('shell')).stdout).toContain('has shell, which runs commands in . when a person has approved them;')
  expect(JSON.parse(written()).mcpServers).toEqual({
    sql: { builtin: 'sql', url: 'sqlite:shop.db', write: true },
    web: { builtin: 'web', hosts: ['a.test', '*.b.test'] },
    shell: { builtin: 'shell', root: '.' },
  })
})

it.each([
  [['file'], 'starbind: there is no built-in server file; want files, sql, shell or web\n'],
  [['files', 'nowhere'], 'starbind: there is no folder nowhere\n'],
  [['shell', '.', '--write'], 'starbind: --write is for files and sql\n'],
  [['web'], 'starbind: name the hosts that it may reach, such as: starbind add web example.com\n'],
  [
    ['web', 'https://a.test'],
    'starbind: got something else, want a host such as "example.com", "*.example.com", "h:8080" or "10.0.0.0/8"\n',
  ],
  [['files', '.', 'more'], 'starbind: files works in one folder, got 2\n'],
  [['files', '.', '-o', 'nowhere/starbind.json'], 'starbind: there is no folder nowhere\n'],
])('refuses %j', async (args, stderr) => {
  expect(await add(...args)).toMatchObject({ status: 2, stdout: '', stderr })
  expect(() => written()).toThrow('ENOENT')
})
