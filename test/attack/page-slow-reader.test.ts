// A client opens the stream of events and does not read it, while much happens.

import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { EventFeed } from '../../dist/page/event-feed.js'

it('it holds nobody up, costs a bounded amount, and learns that it has missed something', async () => {
  const feed = new EventFeed()
  const stop = new AbortController()
  const follow = { after: undefined, sees: () => true, signals: [stop.signal] }
  let written = 0
  const server = createServer((_, response) => {
    const write = response.write.bind(response)
    response.write = ((text: string) => {
      written += text.length
      return write(text)
    }) as typeof response.write
    void feed.follow(response, follow)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    stop.abort()
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  })
  const { port } = server.address() as AddressInfo
  const slow = await new Promise<IncomingMessage>((resolve) => get({ port, host: '127.0.0.1' }, resolve))
  slow.pause()
  // 40 MB of events: more than sockets hold, and more than are kept.
  const text = 'x'.repeat(4000)
  for (let i = 0; i < 10_000; i++) {
    feed.tell({ type: 'print', runId: `run-${i}`, print: { text, atMs: i } })
    if (i % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(written).toBeLessThan(20_000_000)
  // The first is said to every new reader, each other after a gap.
  const hellos: string[] = []
  let rest = ''
  for await (const piece of slow.setEncoding('utf8')) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop()!
    hellos.push(...lines.filter((line) => line.includes('"type":"hello"')))
    if (hellos.length >= 2) break
  }
  expect(feed.readers).toBeLessThanOrEqual(1)
  expect(hellos.length).toBeGreaterThanOrEqual(2)
  expect([...new Set(hellos)]).toEqual(['data: {"type":"hello","resumed":false}'])
})
