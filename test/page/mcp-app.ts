// The view beside an answer, in a frame of a scripted host in Chromium: the host's other end is a real gateway.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { FrameLocator, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { openGateway, textOf } from '../serving/callers.js'
import type { OpenPage } from './chromium.js'

const showing = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }

/** What a host does with the messages of a view. `forward` and `heard` are functions of the test. */
const HOST = `<!doctype html><title>host</title><iframe sandbox="allow-scripts"></iframe><script>
const frame = document.querySelector('iframe')
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*')
addEventListener('message', async ({ source, data }) => {
  if (source !== frame.contentWindow) return
  const { id, method, params } = data
  heard(method)
  if (method === 'ui/initialize')
    send({ id, result: { protocolVersion: params.protocolVersion, hostInfo: { name: 'host', version: '1' }, hostCapabilities: { serverTools: {} }, hostContext: {} } })
  else if (method === 'ui/notifications/initialized') send({ method: 'ui/notifications/tool-result', params: JSON.parse(await result()) })
  else if (method === 'tools/call') send({ id, ...JSON.parse(await forward(JSON.stringify(params))) })
  else if (method === 'ui/message') { heard(params.content[0].text); send({ id, result: {} }) }
})
const begin = async () => { frame.srcdoc = await view() }
</script>`

interface Shown {
  readonly frame: FrameLocator
  readonly heard: string[]
  readonly wrongs: string[]
}

export function besideAnswers(open: OpenPage): void {
  it('draws the calls, and a click allows what waits', async () => {
    const orders: number[] = []
    const { host, code } = await shop(orders)
    const { frame, heard, wrongs } = await shown(open, host, code)
    await frame.locator('svg.timeline rect.waiting').first().waitFor()
    expect(await frame.locator('svg .call title').allTextContents()).toEqual([
      expect.stringMatching(/^shop\.price: .* 2 bytes$/),
      expect.stringMatching(/^shop\.order, line 2: since .* waits for a person$/),
    ])
    expect(await frame.locator('pre').textContent()).toBe(
      [
        'A program wants to make these calls:',
        String.raw`1. shop.order (line 2): {"id":7,"note":"<b onclick=alert(1)>\u{202e}"}`,
        'It can also call shop.price.',
      ].join('\n'),
    )
    // A script's click is not a person's.
    await frame
      .locator('button')
      .first()
      .evaluate((button) => (button as unknown as { click(): void }).click())
    expect(heard).not.toContain('tools/call')
    await frame.getByRole('button', { name: 'Allow' }).click()
    const status = frame.getByRole('status')
    await expect
      .poll(() => status.textContent(), { timeout: 60_000 })
      .toMatch(/^You have allowed it\. The program goes on with executeToolCode\(resume="run-\w+"\)\.$/)
    expect(await frame.locator('button').count()).toBe(0)
    const resume = heard.find((one) => one.startsWith('I have allowed it. Now executeToolCode(resume="run-'))!
    expect(orders).toEqual([])
    const answer = await execute(host, { resume: /run-\w+/.exec(resume)![0] })
    expect([textOf(answer).split('\n')[0], orders]).toEqual(['20', [7]])
    expect(heard.slice(0, 2)).toEqual(['ui/initialize', 'ui/notifications/initialized'])
    expect(heard).toContain('ui/notifications/size-changed')
    expect(wrongs).toEqual([])
  })

  it('shows the refusal when the question has been answered already', async () => {
    const { host, code, codeMode } = await shop([])
    const { frame, wrongs } = await shown(open, host, code)
    await frame.locator('button').first().waitFor()
    const approver = codeMode.session({ mayApprove: true })
    const [{ runId } = { runId: '' }] = await approver.runs.list()
    await approver.runs.approve(runId)
    await frame.getByRole('button', { name: 'Deny' }).click()
    const status = frame.getByRole('status')
    await expect.poll(() => status.textContent(), { timeout: 60_000 }).toMatch(/^Not answered: .*only the person/)
    expect((await approver.runs.show(runId)).state).toBe('approved')
    expect(wrongs).toEqual([])
  })
}

async function shop(orders: number[]) {
  const read = { annotations: { readOnlyHint: true } }
  const tools = {
    price: { ...read, call: ({ id }: { id: number }) => id * 10 },
    order: { call: ({ id }: { id: number }) => orders.push(id) },
  }
  const { caller, codeMode } = await openGateway({ servers: { shop: { inProcess: tools } }, approve: 'writes' })
  const host = await caller({ capabilities: showing })
  return { host, codeMode, code: `print(shop.price(id=2))\nshop.order(id=7, note="<b onclick=alert(1)>\\u202e")` }
}

function execute(host: Client, args: object) {
  return host.callTool({ name: 'executeToolCode', arguments: { ...args } })
}

/** Opens the host's page with the answer to a program. */
async function shown(open: OpenPage, host: Client, code: string): Promise<Shown> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(HOST))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const heard: string[] = []
  offered = {
    heard: (method: string) => void heard.push(method),
    view: async () => ((await host.readResource({ uri: 'ui://starbind/run' })).contents[0] as { text: string }).text,
    result: async () => JSON.stringify(await execute(host, { code })),
    forward: (params: string) =>
      host.callTool(JSON.parse(params)).then(
        (result) => JSON.stringify({ result }),
        ({ code, message }: { code: number; message: string }) => JSON.stringify({ error: { code, message } }),
      ),
  }
  const { page, wrongs } = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  // The tests have one page, which keeps its functions.
  if (!exposed.has(page))
    for (const name of NAMES) await page.exposeFunction(name, (text: string) => offered[name](text))
  exposed.add(page)
  await page.evaluate('begin()')
  return { wrongs, heard, frame: page.frameLocator('iframe') }
}

const NAMES = ['heard', 'view', 'result', 'forward'] as const
type Offered = Readonly<Record<(typeof NAMES)[number], (text: string) => unknown>>
let offered: Offered
const exposed = new WeakSet<Page>()
