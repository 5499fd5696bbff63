// A person in front of a real starbind: real programs, real servers, a real browser.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { modelsOf } from '../../dist/index.js'
import { openScriptedModel } from '../fixtures/scripted-model.js'
import type { OpenPage } from './chromium.js'
import { openPage } from './page-service.js'

const inputSchema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const

/** A shop that answers with its prices when three have been asked for, so that their calls overlap. */
function openShop() {
  const ordered: unknown[] = []
  const waiting: (() => void)[] = []
  const price = async ({ id }: { id?: unknown }) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 3) for (const answer of waiting) answer()
    })
    return Number(id) * 10
  }
  const order = (given: unknown) => {
    ordered.push(given)
    return 'ordered'
  }
  const tools = {
    price: { annotations: { readOnlyHint: true }, inputSchema, call: price },
    order: { inputSchema, call: order },
  }
  return { ordered, servers: { shop: { inProcess: tools } } }
}

const program = `prices = [shop.price(id=i) for i in range(3)]
print("a price", prices[1])
shop.order(id=7)
result = [{"id": i, "price": p} for i, p in enumerate(prices)]
`

/** A server in a process of its own, which does not start while its door is closed. */
function openRealServer() {
  const folder = mkdtempSync(path.join(tmpdir(), 'starbind-journey-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const sign = path.join(folder, 'closed')
  const door = `import{existsSync}from"node:fs";if(existsSync(${JSON.stringify(sign)}))process.exit(3)`
  return {
    closeDoor: () => writeFileSync(sign, ''),
    openDoor: () => rmSync(sign),
    servers: {
      real: {
        command: process.execPath,
        args: ['--import', `data:text/javascript,${encodeURIComponent(door)}`, 'test/fixtures/plain-server.mjs'],
      },
    },
  }
}

async function choose(page: Page, button: string, file: { name: string; mimeType: string; buffer: Buffer }) {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).click(),
  ])
  await chooser.setFiles(file)
}

const saidIn = (page: Page) => page.locator('.message .said, .message .markdown').allTextContents()

export function journey(open: OpenPage): void {
  it('watches calls overlap while they happen, and allows a write', async () => {
    const { ordered, servers } = openShop()
    const { url, page: service, ask } = await openPage({ servers })
    const { page, wrongs } = await open(service.newAddress(url)!)
    await page.getByText('No program has run yet').waitFor()
    await ask('POST', 'runs', { code: program, ask: true })
    await page.locator('.entries a').click()
    await page.getByRole('heading', { name: '1 call waits for you' }).waitFor()
    await expect.poll(() => page.title()).toBe('(1) Runs · starbind')
    expect(await page.locator('.asked-calls').textContent()).toContain('shop.order')
    await expect.poll(() => page.locator('.code .wait code').textContent()).toBe('shop.order(id=7)')
    expect(ordered).toEqual([])
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.getByRole('cell', { name: '20', exact: true }).waitFor()
    expect(ordered).toEqual([{ id: 7 }])
    await expect.poll(() => page.title()).toBe('Runs · starbind')
    expect(await page.locator('.prints samp').allTextContents()).toEqual(['a price 10'])

    const bars = await page.locator('.line .took').evaluateAll((all) => all.map((one) => one.getBoundingClientRect()))
    const [first, second, third] = bars as { left: number; right: number }[]
    expect(bars).toHaveLength(4)
    expect(Math.max(second!.left, third!.left)).toBeLessThan(first!.right)
    await page.locator('.line').nth(1).click()
    await page.locator('.call .pair').getByText('10', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Replayed: it made the same calls and ended the same way.').waitFor()
    expect(wrongs).toEqual([])
  })

  it('sees a question go when somebody else has answered it', async () => {
    const { servers } = openShop()
    const { url, page: service, ask } = await openPage({ servers })
    const { page } = await open(`${service.newAddress(url)!}#/approvals`)
    await page.getByText('Nothing waits for you').waitFor()
    const { body } = await ask('POST', 'runs', { code: 'result = shop.order(id=1)', ask: true })
    await page.getByText('shop.order', { exact: true }).waitFor()
    await ask('POST', `approvals/${body.runId}/deny`, { reason: 'sold out' })
    await page.getByText('Nothing waits for you').waitFor()
  })

  it('sees a server die, and starts it again', async () => {
    const { servers, closeDoor, openDoor } = openRealServer()
    const { url, page: service, codeMode } = await openPage({ servers })
    const { page, wrongs } = await open(`${service.newAddress(url)!}#/servers/real`)
    const listed = page.getByRole('region', { name: 'All servers' }).getByRole('link')
    const shown = page.getByRole('region', { name: 'One server' })
    await listed.getByText('ready').waitFor({ state: 'attached' })
    await shown.getByText('ready', { exact: true }).waitFor()
    const { result: pid } = await codeMode.run('result = real.pid()')
    closeDoor()
    process.kill(Number(pid))
    await listed.getByText('failed').waitFor({ state: 'attached' })
    await shown.getByRole('alert').waitFor()
    openDoor()
    await page.getByRole('button', { name: 'Restart' }).click()
    await listed.getByText('ready').waitFor({ state: 'attached' })
    await shown.getByText('ready', { exact: true }).waitFor()
    expect((await codeMode.run('result = real.pid()')).result).not.toBe(pid)
    expect(wrongs).toEqual([])
  })

  it('chats with a model that calls, asks and writes Markdown', async () => {
    const model = await openScriptedModel([
      { text: 'I **count** first.', calls: [{ id: 'c1', name: 'shop_count' }] },
      { calls: [{ id: 'c2', name: 'shop_sell', arguments: { pieces: 1 } }] },
      { text: 'Sold:\n\n- **one**\n- of `3`' },
    ])
    onTestFinished(() => model.close())
    const models = modelsOf({ m: { baseUrl: model.baseUrl, mode: 'direct' } })
    const sold: unknown[] = []
    const sell = { call: (given: unknown) => `sold, number ${sold.push(given)}` }
    const count = { annotations: { readOnlyHint: true }, call: () => 3 }
    const { url, page: service } = await openPage(
      { servers: { shop: { inProcess: { count, sell } } }, approve: 'writes' },
      { models },
    )
    const { page, wrongs } = await open(`${service.newAddress(url)!}#/chat/new`)
    await choose(page, 'Attach', { name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b') })
    await page.getByRole('button', { name: 'Leave out list.csv' }).waitFor()
    await page.getByLabel('Message to the model').fill('Sell one')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'May it do this?' }).waitFor()
    expect(await page.locator('[aria-busy] strong').allTextContents()).toContain('count')
    expect(sold).toEqual([])
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.locator('.message li strong', { hasText: 'one' }).waitFor()
    await page.locator('[aria-busy]').waitFor({ state: 'detached' })
    expect(sold).toEqual([{ pieces: 1 }])
    expect(await page.locator('.message .chat-call').count()).toBe(2)
    expect(await page.locator('.message .attachments').textContent()).toBe('list.csv text/csv, 3 B')
    expect(JSON.stringify(model.requests[0]!.body.messages)).toContain('list.csv')

    const said = await saidIn(page)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export' }).click(),
    ])
    const buffer = readFileSync(await download.path())
    const before = page.url()
    await choose(page, 'Import', { name: download.suggestedFilename(), mimeType: 'text/markdown', buffer })
    await page.waitForURL((now) => now.href !== before)
    await page.locator('.message li strong', { hasText: 'one' }).waitFor()
    expect(await saidIn(page)).toEqual(said)
    expect(await page.locator('.list .entries a').count()).toBe(2)
    expect(wrongs).toEqual([])
  })

  it('writes a program with what is completed, runs it and cancels it', async () => {
    let isGone = false
    const call = (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          isGone = true
          reject(new Error('gone'))
        })
      })
    const { url, page: service } = await openPage({
      servers: { shop: { inProcess: { price: { inputSchema, call } } } },
    })
    const { page, wrongs } = await open(`${service.newAddress(url)!}#/programs/new`)
    const editor = page.getByRole('textbox', { name: /^Program/ })
    await editor.click()
    await page.keyboard.type('result = sho')
    await page.locator('.cm-tooltip-autocomplete li').click()
    await page.locator('.cm-tooltip-autocomplete li', { hasText: 'price' }).waitFor()
    expect(await page.locator('.cm-tooltip-autocomplete li').allTextContents()).toEqual(['price(id)'])
    await page.locator('.cm-tooltip-autocomplete li').click()
    await expect.poll(() => editor.textContent()).toBe('result = shop.price(')
    await page.keyboard.type('id=1)')
    await page.getByLabel('ask before writes').uncheck()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.locator('.line .took').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.locator('.run .head').getByText('cancelled', { exact: true }).waitFor()
    await expect.poll(() => isGone).toBe(true)

    await editor.fill('result = {"answer": 6 * 7}')
    await page.keyboard.press('Control+Enter')
    await page.locator('.run .head').getByText('succeeded', { exact: true }).waitFor()
    await page.locator('.run').getByText('42', { exact: true }).waitFor()
    expect(wrongs).toEqual([])
  })
}
