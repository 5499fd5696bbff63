// A server of revision 2026-07-28 that abuses what only this revision has: refusals with bodies of any size, questions
// without end, an introduction without end, notifications on the streams of requests. The bounds of messages are those
// of older servers, and they hold here, too.

import { afterEach, describe, expect, it } from 'vitest'
import { type CallerEnd, checkConfiguration, Upstreams } from '../../dist/gateway/index.js'
import { CodeMode } from '../../dist/index.js'
import { openRawHttpServer, type RawHttpOptions, type RawRequest, respond } from '../fixtures/raw-http-server.js'

const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

/** `hurt` answers the calls of the tool of that name. */
async function attacked(hurt: (raw: RawRequest) => void, options: Partial<RawHttpOptions> = {}): Promise<Upstreams> {
  const answer = (raw: RawRequest) => {
    if (raw.tool !== 'hurt') return false
    hurt(raw)
    return true
  }
  const server = await openRawHttpServer({ isModern: true, tools: ['hurt', 'work'], answer, ...options })
  const entry = { url: server.url, maxBytes: 4 * 1024 * 1024, timeoutMs: 60_000 }
  const { servers } = checkConfiguration({ mcpServers: { peer: entry } }, { folder: '/', placeOf: () => 'test' })
  const upstreams = await Upstreams.open(servers, { log: () => {}, version: '0.0.0', connectTimeoutMs: 60_000 })
  opened.push(server, upstreams)
  return upstreams
}

const caller: CallerEnd = { who: {}, ask: async () => ({ action: 'accept', content: {} }), tell: () => {} }
const failure = (call: ReturnType<Upstreams['call']>) =>
  Promise.resolve(call).then(String, (error: Error) => error.message)
const refuse = ({ response }: RawRequest, status: number, body: string) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(body)

describe('a modern server', () => {
  it('may refuse in as many words as it likes', async () => {
    const long = 'x'.repeat(2 * 1024 * 1024)
    const upstreams = await attacked((raw) =>
      refuse(raw, 400, JSON.stringify({ jsonrpc: '2.0', id: raw.id, error: { code: -32_602, message: long } })),
    )
    const [hurt, work] = [failure(upstreams.call('peer', 'hurt', {})), upstreams.call('peer', 'work', {})]
    expect((await work).content).toEqual([{ type: 'text', text: 'fine' }])
    expect(await hurt).toBe(
      'limit [answer-unread] peer.hurt answered with a message of more than 1 MiB, which is not read; it may have taken effect\nhint: ask for less: a filter, a page or a range',
    )
  })

  it('can answer for no other request', async () => {
    let other: number | undefined
    const upstreams = await attacked((raw) =>
      refuse(raw, 400, JSON.stringify({ jsonrpc: '2.0', id: other ?? 1, error: { code: -32_602, message: 'forged' } })),
    )
    other = 1_000_000_000
    const reason = await failure(upstreams.call('peer', 'hurt', {}))
    expect(reason).toContain('peer refused the call of hurt')
    expect(reason).toContain('HTTP 400')
  })

  it('may ask a few things at once', async () => {
    const questions = (many: number) =>
      Object.fromEntries(
        Array.from({ length: many }, (_, i) => [`q${i}`, { method: 'elicitation/create', params: {} }]),
      )
    const upstreams = await attacked(({ response, id }) =>
      respond(response, id!, JSON.stringify({ resultType: 'input_required', inputRequests: questions(5_000) })),
    )
    expect(await failure(upstreams.call('peer', 'hurt', {}, { caller }))).toContain(
      'it asks more than 16 questions at once',
    )
  })

  it('can pass nothing off as a result', async () => {
    const answers = [
      '{"resultType":"input_required"}',
      '{"resultType":"task","taskId":"x"}',
      '{"resultType":7,"content":[]}',
    ]
    const upstreams = await attacked(({ response, id }) => respond(response, id!, answers.shift()!))
    expect(await failure(upstreams.call('peer', 'hurt', {}))).toContain(
      'it wants to know something, and does not say what',
    )
    expect(await failure(upstreams.call('peer', 'hurt', {}))).toContain('it answered with a task that is none')
    expect(await failure(upstreams.call('peer', 'hurt', {}))).toContain('it answered with a result of the type 7')
  })

  it('is not believed when it says too much of itself', async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
    const said = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":${deep}}`
    const upstreams = await attacked(() => {}, {
      answer: ({ method, response, id }) => {
        if (method === 'server/discover') respond(response, id!, said)
        return method === 'server/discover'
      },
    })
    // It is spoken to in the older way, which this one knows as well.
    expect(upstreams.status()[0]).toMatchObject({ state: 'ready', tools: ['hurt', 'work'] })
  })

  it('is heard so often and no oftener while it answers', async () => {
    const upstreams = await attacked(({ response, id }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const say = (message: object) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
      for (let i = 0; i < 3000; i++)
        say({ method: 'notifications/progress', params: { progressToken: id, progress: i } })
      say({ id, result: { resultType: 'complete', content: [{ type: 'text', text: 'over' }] } })
      response.end()
    })
    let progress = 0
    const end = await upstreams.call('peer', 'hurt', {}, { onProgress: () => progress++ })
    expect(end.content).toEqual([{ type: 'text', text: 'over' }])
    expect(progress).toBeLessThan(3000)
    expect(upstreams.status()[0]?.cut.join()).toContain('notifications or requests were dropped')
  })
})

describe('an answer of a modern server', () => {
  it.each(['short', 'long'])('that is %s and no object keeps every digit', async (length) => {
    const rows = length === 'long' ? 20_000 : 2
    const list = `[${Array.from({ length: rows }, () => '12345678901234567890,1.0').join()}]`
    const server = await openRawHttpServer({
      isModern: true,
      tools: ['numbers'],
      answer: ({ tool, response, id }) => {
        if (tool === 'numbers')
          respond(response, id!, `{"resultType":"complete","content":[],"structuredContent":${list}}`)
        return tool === 'numbers'
      },
    })
    opened.push(server)
    await using codeMode = await CodeMode.open({ servers: { peer: { url: server.url } } })
    const run = await codeMode.run('r = peer.numbers()\nresult = [len(r), str(r[0] + 1), str(r[1])]')
    expect(run.error).toBeNull()
    expect(run.result).toEqual([2 * rows, '12345678901234567891', '1.0'])
  })
})
