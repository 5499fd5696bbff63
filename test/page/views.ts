// The page with the answers of a script: what it draws, that it can be used without a mouse and read by a screen
// reader, and that it fits small screens.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import type { ChatEvent, Conversation, PageEvent, Run, ServerList } from '../../dist/page/interface.js'
import { goTo, type OpenPage } from './chromium.js'
import { openScriptedInterface } from './scripted-interface.mjs'
import { approval, call, chatCall, conversation, start, story } from './story.mjs'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let served: Awaited<ReturnType<typeof openScriptedInterface>> | undefined
const serve = async (answers: object = story()) => {
  served = await openScriptedInterface(answers)
  return served
}
afterEach(async () => {
  await served?.close()
  served = undefined
})

interface Axe {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

/** What axe finds in a page that has it, one line each. */
async function findings(page: Page, options: object = {}): Promise<string[]> {
  return page.evaluate(
    async (options) => {
      const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(options)
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
    },
    { ...options, resultTypes: ['violations'] },
  )
}

const overflow = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

/** The views with what makes them ready, by address. */
const addresses: readonly (readonly [address: string, ready: string])[] = [
  ['#/runs/run-41', 'text=Kestrel & Sons'],
  ['#/runs/run-42', 'text=Allow once'],
  ['#/approvals', 'text=Allow once'],
  ['#/servers', 'text=Choose a server'],
  ['#/servers/shop%2Fget_order', 'text=Schema of its arguments'],
  ['#/servers/warehouse', 'text=ECONNREFUSED'],
  ['#/programs/unpaid', 'text=The check finds no mistake'],
  ['#/chat/talk-1', 'text=Northgate Books'],
  ['#/chat/new', 'text=Ask a model'],
  ['#/tokens', 'text=21,740'],
]

export function views(open: OpenPage): void {
  it('is made for everybody: axe finds nothing in any view, light and dark, and 360 px are enough', async () => {
    const { url } = await serve()
    const { page, wrongs } = await open(`${url}${addresses[0]![0]}`)
    await page.evaluate(axe)
    for (const [address, ready] of addresses) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 800 })
      await goTo(page, address)
      await page.locator(ready).first().waitFor()
      const light = await findings(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      const dark = await findings(page, { runOnly: ['color-contrast'] })
      await page.setViewportSize({ width: 360, height: 700 })
      expect([address, light, dark, await overflow(page), wrongs]).toEqual([address, [], [], 0, []])
    }
  })

  it('draws calls that overlap, and each state with a sign of its own', async () => {
    const { url } = await serve()
    const { page } = await open(`${url}#/runs/run-41`)
    const bars = page.locator('.line .took')
    await bars.first().waitFor()
    const places = await bars.evaluateAll((all) =>
      all.map((bar) => ({ left: bar.getBoundingClientRect().left, right: bar.getBoundingClientRect().right })),
    )
    const overlapping = places.slice(1, 9).filter(({ left }) => left < places[1]!.right)
    expect(overlapping).toHaveLength(8)
    await page.locator('.calls').focus()
    await page.keyboard.press('End')
    await page.locator('#call-30').waitFor()
    expect(await page.locator('.line .sign').allTextContents()).toEqual(expect.arrayContaining(['✓', '✕']))
    expect(await page.locator('#call-28 .asked').count()).toBe(1)
    await page.locator('.call .facts-row').waitFor()
    expect(await page.locator('.call header').textContent()).toContain('call 30, answered')
  })

  it('keeps only the calls in sight in the document, and follows the stream once per frame', async () => {
    const answers = story()
    const run = answers['GET runs/run-43'] as Run
    answers['GET runs/run-43'] = { ...run, timeline: [], calls: 0 }
    const { url, send } = await serve(answers)
    const { page } = await open(`${url}#/runs/run-43`)
    await page.locator('text=It has called no tool yet').waitFor()
    const calls = Array.from({ length: 1000 }, (_, at) => call(at + 1, 'shop', 'get_order', at, at + 40))
    send(...calls.map((one): PageEvent => ({ type: 'call', runId: 'run-43', call: one })))
    send({ type: 'print', runId: 'run-43', print: { text: 'a thousand', atMs: 1040 } })
    await page.locator('samp:has-text("a thousand")').waitFor()
    expect(await page.locator('section[aria-label="Calls"] header').textContent()).toContain(
      '1,000 calls, up to 40 at once',
    )
    expect(await page.locator('.line').count()).toBeLessThan(60)
    expect(await page.locator('.line').last().getAttribute('aria-posinset')).toBe('1000')
  })

  it('shows a question until somebody has answered it, here or elsewhere', async () => {
    const { url, asked, answers, send } = await serve()
    answers['POST approvals/run-42/deny'] = {}
    const { page } = await open(`${url}#/approvals`)
    await page.locator('text=Allow once').waitFor()
    await expect.poll(() => page.title()).toBe('(1) Approvals · starbind')
    send({ type: 'approval', approval: { ...approval, runId: 'run-50', askedAt: start } })
    await expect.poll(() => page.title()).toBe('(2) Approvals · starbind')
    send({ type: 'approval-gone', runId: 'run-50' })
    await expect.poll(() => page.title()).toBe('(1) Approvals · starbind')
    await page.locator('text=Deny …').click()
    await page.keyboard.type('not before Monday')
    await page.keyboard.press('Enter')
    await page.locator('text=Nothing waits for you').waitFor()
    expect(asked.at(-1)).toEqual({
      method: 'POST',
      name: 'approvals/run-42/deny',
      body: { reason: 'not before Monday' },
      token: 'token-of-the-session',
    })
    await expect.poll(() => page.title()).toBe('Approvals · starbind')
  })

  it('says while one types what the check finds, and completes what the interface knows', async () => {
    const { url, asked, answers } = await serve()
    const mistake = {
      severity: 'error',
      code: 'undefined-name',
      message: '"shp" is not defined',
      hint: 'Did you mean "shop"?',
    }
    const place = { line: 1, column: 10, endLine: 1, endColumn: 13 }
    answers['POST check'] = ({ code }: { code: string }) => ({
      ok: false,
      language: 'starlark',
      diagnostics: code.includes('shp') ? [{ ...mistake, ...place }] : [],
      reach: [],
    })
    const options = [{ label: 'list_orders', kind: 'tool', detail: '(month: str)' }]
    answers['POST completion'] = ({ offset }: { offset: number }) => ({ from: offset, options })
    answers['POST programs/*'] = { name: 'orders' }
    const { page, wrongs } = await open(`${url}#/programs/new`)
    const editor = page.getByRole('textbox', { name: /^Program/ })
    await editor.click()
    await page.keyboard.type('result = shp')
    await page.locator('.checked li').waitFor()
    expect(await page.locator('.checked li').textContent()).toBe('✕ line 1: "shp" is not defined Did you mean "shop"?')
    expect(await page.locator('.cm-lintRange-error').textContent()).toBe('shp')
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('hop.')
    await page.locator('.cm-tooltip-autocomplete li').click()
    await expect.poll(() => editor.textContent()).toBe('result = shop.list_orders')
    await page.getByRole('button', { name: 'Save …' }).click()
    await page.getByLabel('Name').fill('orders')
    await page.getByRole('button', { name: 'Add a parameter' }).click()
    await page.getByLabel('Parameter', { exact: true }).fill('month')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect
      .poll(() => asked.find(({ name }) => name === 'programs/orders')?.body)
      .toEqual({
        text: 'result = shop.list_orders',
        language: 'starlark',
        parameters: [{ name: 'month', type: 'str' }],
      })
    expect(wrongs).toEqual([])
  })

  it('shows a server that dies and comes back, and restarts it', async () => {
    const { url, asked, answers, send } = await serve()
    const [shop] = (answers['GET servers'] as ServerList).servers
    answers['POST servers/shop/restart'] = shop
    const { page } = await open(`${url}#/servers/shop`)
    const one = page.getByRole('region', { name: 'One server' })
    await one.getByText('ready', { exact: true }).waitFor()
    const failed = { ...shop!, state: 'failed' as const, reason: 'The process ended with status 1.' }
    answers['GET servers/shop'] = { ...(answers['GET servers/shop'] as object), ...failed }
    send({ type: 'server', server: failed })
    await page.getByRole('alert').getByText('The process ended with status 1.').waitFor()
    answers['GET servers/shop'] = { ...(answers['GET servers/shop'] as object), ...shop }
    await page.getByRole('button', { name: 'Restart' }).click()
    await one.getByText('ready', { exact: true }).waitFor()
    expect(asked.filter(({ method }) => method === 'POST').map(({ name }) => name)).toEqual(['servers/shop/restart'])
  })

  it('streams an answer with its calls, and asks in place', async () => {
    const { url, asked, answers } = await serve()
    let answered = () => {}
    const allowed = new Promise<void>((resolve) => {
      answered = resolve
    })
    const code = 'mail.draft(to="anna")'
    const model = chatCall('c1', null, 'executeToolCode', { arguments: { code }, state: 'underway', ms: null })
    async function* stream(): AsyncGenerator<ChatEvent> {
      yield { type: 'text', text: 'I will write **a dr' }
      yield { type: 'text', text: 'aft**.' }
      yield { type: 'call', call: model }
      yield { type: 'approval', approvalId: 'a1', program: code, calls: approval.calls }
      await allowed
      yield { type: 'answered', approvalId: 'a1' }
      yield { type: 'call', call: { ...model, state: 'ok', text: 'result: "drafted"', ms: 40 } }
      yield { type: 'text', text: 'It is **done**.' }
      const messages = [{ ...conversation.messages[1]!, text: 'It is **done**.', reasoning: null, calls: [] }]
      yield { type: 'end', why: 'answered', conversation: { ...conversation, messages } as Conversation }
    }
    answers['POST conversations/talk-1/messages'] = () => ({ stream: stream() })
    answers['POST conversations/talk-1/answers'] = () => {
      answered()
      return null
    }
    const { page, wrongs } = await open(`${url}#/chat/talk-1`)
    await page.getByLabel('Message to the model').fill('Draft it')
    await page.keyboard.press('Enter')
    await page.getByText('May it do this?').waitFor()
    expect(await page.locator('[aria-busy] strong').textContent()).toBe('a draft')
    expect(await page.locator('[aria-busy] .chat-call').getAttribute('class')).toBe('chat-call underway')
    await page.getByRole('button', { name: 'Allow for this run' }).click()
    await page.locator('.message strong', { hasText: 'done' }).waitFor()
    expect(await page.locator('[aria-busy]').count()).toBe(0)
    const bodies = asked.filter(({ method }) => method === 'POST').map(({ body }) => body)
    expect(bodies).toEqual([
      { text: 'Draft it', attachments: [] },
      { approvalId: 'a1', answer: 'run' },
    ])
    expect(wrongs).toEqual([])
  })

  it('resumes a stream that broke off, and asks for nothing again', async () => {
    const { url, asked, streamed, send, drop } = await serve()
    const { page } = await open(`${url}#/runs/run-43`)
    await page.locator('.line').first().waitFor()
    send({ type: 'print', runId: 'run-43', print: { text: 'before', atMs: 10 } })
    await page.locator('samp', { hasText: 'before' }).waitFor()
    const before = asked.length
    drop()
    await expect.poll(() => streamed).toEqual([undefined, '1'])
    send({ type: 'print', runId: 'run-43', print: { text: 'after', atMs: 20 } })
    await page.locator('samp', { hasText: 'after' }).waitFor()
    expect(await page.locator('.prints samp').allTextContents()).toEqual(['before', 'after'])
    expect(asked).toHaveLength(before)
  })

  it('tells a person who looks elsewhere', async () => {
    const { url, send } = await serve()
    const { page } = await open(url, { permissions: ['notifications'] })
    await page.evaluate(`
      window.told = []
      Object.assign(window, { Notification: class { constructor(title, { body }) { told.push([title, body]) } } })
      document.hasFocus = () => false
    `)
    await page.locator('.count').waitFor()
    send({ type: 'approval', approval: { ...approval, runId: 'run-60' } })
    await page.locator('.count', { hasText: '2' }).waitFor()
    expect(await page.evaluate('told')).toEqual([['A program waits for you', 'issues.close']])
  })

  it('shows the views that the interface has a part for', async () => {
    const answers = story()
    answers['GET openapi.json'] = { paths: { '/api/v1/runs': {}, '/api/v1/approvals': {}, '/api/v1/runs/{run}': {} } }
    const { url } = await serve(answers)
    const { page } = await open(`${url}#/tokens`)
    await page.locator('.entries a').first().waitFor()
    expect(await page.getByRole('navigation').getByRole('link').allTextContents()).toEqual(['Runs', 'Approvals1'])
  })

  it('is usable by keyboard alone, and moves the focus to what was opened', async () => {
    const { url } = await serve()
    const { page } = await open(url)
    await page.locator('.entries a').first().waitFor()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to the content')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('text=Allow for this run').waitFor()
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Approvals')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').count()).toBe(1)
  })

  it('asks for a key where nobody is signed in, and says why it was refused', async () => {
    const error = { code: 'wrong-token', message: 'This token was used already.', hint: 'Run starbind open again.' }
    const { url, asked } = await serve({
      'GET session': { status: 401, error },
      'POST login': { status: 401, error },
    })
    const { page } = await open(url)
    await page.getByLabel('Key or one-time token').fill('abc')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').textContent()).toBe('This token was used already. Run starbind open again.')
    expect(asked.at(-1)?.body).toEqual({ token: 'abc' })
    await page.evaluate(axe)
    expect(await findings(page)).toEqual([])
  })
}
