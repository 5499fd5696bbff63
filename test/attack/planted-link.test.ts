// A user who can write to the folder plants links in the place of files with secrets: nothing is written through them,
// and only the owner can read the files.

import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { addKey, CodeMode, writePrivateFile } from '../../dist/index.js'
import { starbind } from '../fixtures/command.js'

let folder: string
let victim: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'starbind-links-'))
  victim = path.join(folder, 'victim')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Links under predictable names. */
function plant(file: string): void {
  for (const name of [`${file}.${process.pid}.tmp`, `${file}.tmp`, file]) symlinkSync(victim, path.join(folder, name))
}

function expectPrivate(file: string): void {
  const { mode } = lstatSync(path.join(folder, file))
  expect([(mode & 0o777).toString(8), lstatSync(path.join(folder, file)).isFile()]).toEqual(['600', true])
  expect(existsSync(victim)).toBe(false)
}

it('a link in the place of the keys file is not followed', () => {
  plant('keys.json')
  addKey(path.join(folder, 'keys.json'), 'ci')
  expectPrivate('keys.json')
})

it('a link in the place of the observations file is not followed', async () => {
  plant('seen.json')
  const stubs = { observationsFile: path.join(folder, 'seen.json') }
  await (await CodeMode.open({ stubs, warm: false })).close()
  expectPrivate('seen.json')
})

it('links in the place of files that import writes are not followed', async () => {
  plant('starbind.json')
  const hosts = { mcpServers: { files: { command: 'x', env: { TOKEN: 'hunter2hunter2' } } } }
  writePrivateFile(path.join(folder, '.mcp.json'), JSON.stringify(hosts))
  const { status } = await starbind(['import', '--force'], { cwd: folder, env: { HOME: folder } })
  expect(status).toBe(0)
  expectPrivate('starbind.json')
  expect(readFileSync(path.join(folder, 'starbind.json'), 'utf8')).toContain('files')
})

it('a file that cannot be put in its place leaves nothing behind', () => {
  expect(() => writePrivateFile(path.join(folder, 'none', 'file'), 'x')).toThrow('ENOENT')
  expect(() => writePrivateFile(folder, 'x')).toThrow()
  expect(readdirSync(path.dirname(folder)).filter((name) => name.startsWith(`.${path.basename(folder)}`))).toEqual([])
})
