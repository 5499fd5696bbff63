// What a person, or a collector of logs, finds on stderr.

import { afterAll, describe, expect, it } from 'vitest'
import { starbind, starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(() => place.remove())

describe('the log', () => {
  it('is text, or JSON lines with level, time, server and message', async () => {
    const config = place.write('starbind.json', { mcpServers: { gone: { command: 'no-such-command-at-all' } } })
    const list = ['ls', '--fresh', '--config', config]
    const run = (env: Record<string, string>) => starbindHere(list, { cwd: place.folder, env })
    // JSON is written past the streams of the process.
    const asJson = (env: Record<string, string>, ...args: string[]) =>
      starbind([...list, ...args], { cwd: place.folder, env })
    const text = await run({})
    // Said once: the answer has it.
    expect(text.stderr).toBe('')
    expect(text.stdout).toContain('# gone is not available: there is no command no-such-command-at-all\n')
    const json = await asJson({ STARBIND_LOG_FORMAT: 'json' })
    const { time, ...line } = JSON.parse(json.stderr)
    expect(line).toEqual({
      level: 'warn',
      name: 'starbind',
      server: 'gone',
      msg: 'is not available: there is no command no-such-command-at-all',
    })
    expect(new Date(time).toISOString()).toBe(time)
    const asked = await asJson({ STARBIND_LOG_LEVEL: 'silent' }, '--log-format', 'json', '--log-level', 'warn')
    expect(JSON.parse(asked.stderr)).toMatchObject(line)
    expect((await run({ STARBIND_LOG_LEVEL: 'silent' })).stderr).toBe('')
    expect(await run({ STARBIND_LOG_FORMAT: 'xml' })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("'xml' from env 'STARBIND_LOG_FORMAT' is invalid"),
    })
  })
})
