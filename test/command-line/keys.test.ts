// keys, and serve over HTTP with them: the commands as a person types them.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { starbind, starbindHere, Workplace } from '../fixtures/command.js'
import { initialize } from '../serving/callers.js'

const place = new Workplace()
afterEach(() => expect(place.alive()).toEqual([]))
afterAll(() => place.remove())
place.write('starbind.json', {
  mcpServers: { odd: place.fixture('misbehaving-server') },
  serve: { keysFile: 'keys.json' },
})
const here = { cwd: place.folder, env: { XDG_CONFIG_HOME: place.folder } }

describe('starbind keys', () => {
  it('adds, lists and removes', async () => {
    expect(await starbindHere(['keys', 'list'], here)).toEqual({
      status: 0,
      stdout: '',
      stderr: 'there are no keys: starbind keys add NAME\n',
    })
    const added = await starbindHere(['keys', 'add', 'ci', '--tools', 'odd/echo, odd/f*', '--code-mode', 'false'], here)
    expect(added).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^sb_[\w-]{43}\n$/),
      stderr: 'this is shown once; callers send it as: Authorization: Bearer KEY\n',
    })
    expect(existsSync(path.join(place.folder, 'keys.json'))).toBe(true)
    const listed = await starbindHere(['keys', 'list'], here)
    expect(listed.stdout).toMatch(/^ci {2}since \d{4}-\d\d-\d\d {2}tools odd\/echo, odd\/f\*; codeMode false\n$/)
    expect(JSON.parse((await starbindHere(['keys', 'list', '--json'], here)).stdout)).toEqual({
      keys: [{ name: 'ci', created: expect.any(String), toolsToExecute: ['odd/echo', 'odd/f*'], codeMode: false }],
    })
    expect(await starbindHere(['keys', 'remove', 'c'], here)).toEqual({
      status: 2,
      stdout: '',
      stderr: 'host error [key-unknown] there is no key c\nhint: the keys are ci\n',
    })
    expect((await starbindHere(['keys', 'remove', 'ci'], here)).status).toBe(0)
  })
})

describe('starbind serve over HTTP', () => {
  it('serves until a signal, and leaves nothing behind', async () => {
    const { stdout } = await starbindHere(['keys', 'add', 'laptop'], here)
    let asked: Promise<number[]> | undefined
    const ended = await starbind(['serve', '--port', '0'], {
      ...here,
      onStderr: (soFar, kill) => {
        const url = /serving on (\S+)/.exec(soFar)?.[1]
        if (url === undefined || asked !== undefined) return
        const post = async (headers: Record<string, string>) =>
          (await fetch(url, { ...initialize, headers: { ...initialize.headers, ...headers } })).status
        asked = Promise.all([post({}), post({ authorization: `Bearer ${stdout.trim()}` })])
        asked.finally(() => kill('SIGTERM')).catch(() => {})
      },
    })
    expect(await asked).toEqual([401, 200])
    expect(ended.status).toBe(0)
    expect(ended.stdout).toBe('')
  })

  it('does not listen beyond the loopback without a key', async () => {
    place.write('open.json', { serve: { keysFile: 'none.json' } })
    const ended = await starbindHere(['serve', '--host', '0.0.0.0', '--port', '0', '--config', 'open.json'], here)
    expect(ended).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^host error \[key-needed\] 0\.0\.0\.0 can be reached from other machines, and there are no keys in \S+none\.json\nhint: make one: starbind keys add NAME\n$/,
      ),
    })
  })
})
