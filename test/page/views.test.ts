// The page with the answers of a script: what it draws, that it can be used without a mouse and read by a screen
// reader, and that it fits small screens.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import type { PageEvent, Run } from '../../dist/page/interface.js'
import { inChromium } from './chromium.js'
import { openScriptedInterface } from './scripted-interface.mjs'
import { approval, call, start, story } from './story.mjs'

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

/** What axe finds, one line each. */
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    type Axe = { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)
  })
}

const overflow = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

/** The views with what makes them ready, by address. */
const views: readonly (readonly [address: string, ready: string])[] = [
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

inChromium('the page', (open) => {
  it.each(views)('%s: axe finds nothing, light and dark, and 360 px are enough', async (address, ready) => {
    const { url } = await serve()
    const { page, wrongs } = await open(`${url}${address}`, { colorScheme: 'light' })
    await page.locator(ready).first().waitFor()
    expect(await findings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await findings(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 700 })
    expect(await overflow(page)).toBe(0)
    expect(wrongs).toEqual([])
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
    expect(await page.title()).toBe('Approvals · starbind')
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
    expect(await findings(page)).toEqual([])
  })
})
