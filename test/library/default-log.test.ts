// The library's messages on stderr in a program that passes no log.

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

/** Its stderr. */
function saidBy(log: string): string {
  const code = `
    import { CodeMode, silentLog } from 'starbind'
    const servers = { gone: { command: './no-such-thing' }, own: { inProcess: { one: { call: () => 1 } } } }
    const codeMode = await CodeMode.open({ servers, ${log} })
    const { result } = await codeMode.run('result = own.one()')
    console.log(result)
    await codeMode.close()`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-'], {
    cwd: root,
    input: code,
    encoding: 'utf8',
  })
  expect(stdout).toBe('1\n')
  return stderr
}

it('names a server that failed, unless a log was given', () => {
  expect(saidBy('')).toBe('starbind warn [gone] is not available: there is no command ./no-such-thing\n')
  expect(saidBy('log: silentLog')).toBe('')
})
