import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import * as module from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { starbind } from '../fixtures/command.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-compiled-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const runIn = (state: string, ...options: readonly string[]) =>
  starbind(['run', ...options, '-e', 'result = 1 + 1'], { cwd: folder, env: { XDG_STATE_HOME: state } })
const rightAnswer = { status: 0, stdout: 'result: 2\n', stderr: '' }

test('a command keeps compiled code where Node can, and none with --no-state', async () => {
  const state = path.join(folder, 'state')
  expect(await runIn(state, '--no-state')).toEqual(rightAnswer)
  expect(foldersIn(state)).toEqual([])
  expect(await runIn(state)).toEqual(rightAnswer)
  expect(foldersIn(state)).toEqual('enableCompileCache' in module ? ['compiled'] : [])
  expect(await runIn(state)).toEqual(rightAnswer)
})

test('a folder that cannot be made costs a command nothing', async () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  expect(await runIn(file)).toEqual(rightAnswer)
})

function foldersIn(state: string): readonly string[] {
  try {
    return readdirSync(path.join(state, 'starbind'))
  } catch {
    return []
  }
}
