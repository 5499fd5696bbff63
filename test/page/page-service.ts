// A CodeMode with the page in front of it, and a client that is signed in. What it gets is compared by the tests.
// biome-ignore-all lint/suspicious/noExplicitAny: JSON

import { onTestFinished } from 'vitest'
import { CodeMode, type OpenOptions } from '../../dist/index.js'
import { Page, type PageOptions } from '../../dist/page/index.js'

export interface PageClient {
  readonly url: string
  readonly page: Page
  readonly codeMode: CodeMode
  readonly cookie: string
  /** For changes. */
  readonly token: string
  /** Resolves with the status and the JSON body. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>
  /** Events until one of them is wanted. */
  events(isLast: (event: any) => boolean, id?: string): Promise<readonly { id: string; event: any }[]>
}

export async function openPage(options: OpenOptions = {}, pageOptions: PageOptions = {}): Promise<PageClient> {
  const codeMode = await CodeMode.open({ serve: { port: 0 }, warm: false, ...options })
  onTestFinished(() => codeMode.close())
  const page = new Page(codeMode, pageOptions)
  const { url } = await codeMode.serveHttp({ routes: page })
  const base = new URL('/', url).href
  const opened = await fetch(page.newAddress(url)!, { redirect: 'manual' })
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${base}api/v1/${path}`, { ...init, headers: { cookie, ...init.headers } })
  const { token } = (await (await call('session')).json()) as { token: string }
  const ask: PageClient['ask'] = async (method, path, body) => {
    const response = await call(path, {
      method,
      headers: { 'X-Starbind-Token': token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : text.startsWith('{') ? JSON.parse(text) : text }
  }
  const events: PageClient['events'] = async (isLast, id) => {
    const stop = new AbortController()
    const headers = id === undefined ? {} : { 'Last-Event-ID': id }
    const response = await call('events', { headers, signal: stop.signal })
    const seen: { id: string; event: any }[] = []
    let text = ''
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
      text += piece
      const parts = text.split('\n\n')
      text = parts.pop()!
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1]
        if (data === undefined) continue
        seen.push({ id: /^id: (.*)$/m.exec(part)![1]!, event: JSON.parse(data) })
        if (!isLast(seen.at(-1)!.event)) continue
        stop.abort()
        return seen
      }
    }
    throw new Error('the stream ended before the wanted event')
  }
  return { url: base, page, codeMode, cookie, token, ask, events }
}
