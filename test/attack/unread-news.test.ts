// Attack: a caller listens for changes and reads none of them, while everything changes all the time. What waits to be
// sent stays a handful of messages.

import { expect, it } from 'vitest'
import { listen } from '../../dist/gateway/serving/modern/listening.js'

type Parameters = globalThis.Parameters<typeof listen>

it('news that nobody reads are put together', async () => {
  const sent: string[] = []
  let read: () => void = () => {}
  let tell: (news: object) => void = () => {}
  let subscribed: () => void = () => {}
  const listening = new Promise<void>((resolve) => {
    subscribed = resolve
  })
  const over = new AbortController()
  const exchange = {
    signal: over.signal,
    closing: new AbortController().signal,
    headers: undefined,
    notify: (method: string) => {
      sent.push(method.replace('notifications/', ''))
      if (sent.length === 1) return Promise.resolve()
      subscribed()
      return new Promise<void>((resolve) => {
        read = resolve
      })
    },
  }
  const direct = {
    listen: (_: object, listener: typeof tell) => {
      tell = listener
      return () => {}
    },
    subscribe: async () => tell({ kind: 'tools' }),
    forget: async () => {},
  }
  const session = { direct, narrowed: () => session } as unknown as Parameters[2]
  const params = { notifications: { toolsListChanged: true, resourceSubscriptions: ['a:b'] } }
  const request = { id: 1, method: 'subscriptions/listen', params } as unknown as Parameters[0]
  const ended = listen(request, exchange, session, { directTools: true, resources: true, prompts: false })
  await listening
  for (let i = 0; i < 10_000; i++) {
    tell({ kind: 'tools' })
    tell({ kind: 'prompts' })
    tell({ kind: 'resource', params: { uri: 'a:b' } })
  }
  expect(sent).toEqual(['subscriptions/acknowledged', 'tools/list_changed'])
  for (let i = 3; i <= 4; i++) {
    read()
    await expect.poll(() => sent.length).toBe(i)
  }
  expect(sent.slice(2)).toEqual(['tools/list_changed', 'resources/updated'])
  over.abort()
  expect(await ended).toEqual({ _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } })
  expect(sent).toHaveLength(4)
})
