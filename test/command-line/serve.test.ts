// `starbind serve` as a process: its start and its end.

import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { type Ended, starbind, starbindHere, unstarved, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterEach(() => expect(place.alive()).toEqual([]))
afterAll(() => place.remove())
place.write('starbind.json', {
  mcpServers: { odd: place.fixture('misbehaving-server'), deaf: place.fixture('stubborn-server') },
})

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
}

function requests(...all: object[]): string {
  return all.map((request, id) => `${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`).join('')
}

function execute(code: string): object {
  return { method: 'tools/call', params: { name: 'executeToolCode', arguments: { code } } }
}

/** What was answered, by the number of the request. */
function answers(ended: Ended): Map<number, { result?: unknown; error?: unknown }> {
  const lines = ended.stdout.trimEnd().split('\n')
  return new Map(lines.map((line) => JSON.parse(line)).map(({ id, ...rest }) => [id, rest]))
}

describe('starbind serve', () => {
  it('answers every request that arrived before its input ended', async () => {
    const ended = await starbind(['serve'], {
      cwd: place.folder,
      stdin: requests(initialize, { method: 'tools/list' }, execute('print(odd.echo(text="late"))'), execute('x =')),
    })
    expect(ended.status).toBe(0)
    const answered = answers(ended)
    expect([...answered.keys()].sort()).toEqual([0, 1, 2, 3])
    expect(answered.get(2)).toMatchObject({ result: { content: [{ text: expect.stringContaining('late') }] } })
    expect(answered.get(3)).toMatchObject({ result: { isError: true } })
  })

  it('ends at once on a signal, even during a call', async () => {
    const serveAndEnd = () => {
      let killed = false
      return starbind(['serve'], {
        cwd: place.folder,
        stdin: requests(initialize, execute('odd.hang()')),
        onStderr: (soFar, kill) => {
          if (!killed && soFar.includes('hanging')) kill('SIGTERM')
          killed ||= soFar.includes('hanging')
        },
      })
    }
    // The upstream is told, and ended soon after: on a busy machine it may not get to saying that it was told.
    const told = 'starbind info [odd] hang was cancelled\n'
    let stderr = ''
    for (let tries = 0; tries < 5 && !stderr.includes(told); tries++) {
      const ended = await serveAndEnd()
      expect(ended.status).toBe(0)
      expect(answers(ended).has(1)).toBe(false)
      stderr = ended.stderr
    }
    expect(stderr).toContain(told)
  })

  it('does not start with a wrong configuration', async () => {
    place.write('wrong.json', { mcpServer: {} })
    const ended = await starbindHere(['serve', '--config', 'wrong.json'], {
      cwd: place.folder,
      stdin: requests(initialize),
    })
    expect(ended).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'host error [config-unknown-key] wrong.json:2:3 mcpServer is not a known key\n' + 'hint: write "mcpServers"\n',
    })
  })

  it('refuses a message that is too long and reads the next', async () => {
    const call = (bytes: number) => ({
      ...execute(''),
      params: { name: 'none', arguments: { text: 'x'.repeat(bytes) } },
    })
    const bare = new Workplace()
    const stdin = requests(initialize, call(9 * 2 ** 20), call(2 ** 20), execute('print(6 * 7)'))
    const answered = answers(await starbind(['serve'], { cwd: bare.folder, stdin }))
    bare.remove()
    expect(answered.get(1)?.error).toEqual({ code: -32600, message: 'this is a message of more than 8 MiB' })
    expect(answered.get(2)?.error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/there is no tool none/),
    })
    expect(answered.get(3)).toMatchObject({ result: { content: [{ type: 'text', text: '42' }] } })
  })

  it('serves without any configuration', async () => {
    const bare = new Workplace()
    const ended = await starbind(['serve'], { cwd: bare.folder, stdin: requests(initialize, execute('print(6 * 7)')) })
    bare.remove()
    expect(answers(ended).get(1)).toMatchObject({ result: { content: [{ type: 'text', text: '42' }] } })
    // A starved process may have to say that it was late.
    expect(unstarved(ended.stderr)).toBe('')
  })
})
