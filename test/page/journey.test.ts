// A person in front of a real starbind: real programs, real servers, a real browser.

import { expect, it } from 'vitest'
import { inChromium } from './chromium.js'
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

inChromium('a person', (open) => {
  it('watches calls overlap while they happen, and allows a write', async () => {
    const { ordered, servers } = openShop()
    const { url, page: service, ask } = await openPage({ servers })
    const { page, wrongs } = await open(service.newAddress(url)!)
    await page.getByText('No program has run yet').waitFor()
    await ask('POST', 'runs', { code: program, ask: true })
    await page.locator('.entries a').click()
    await page.getByRole('heading', { name: '1 call waits for you' }).waitFor()
    expect(await page.title()).toBe('(1) Runs · starbind')
    expect(await page.locator('.asked-calls').textContent()).toContain('shop.order')
    expect(await page.locator('.code .wait code').textContent()).toBe('shop.order(id=7)')
    expect(ordered).toEqual([])
    await page.getByRole('button', { name: 'Allow once' }).click()
    await page.getByRole('cell', { name: '20', exact: true }).waitFor()
    expect(ordered).toEqual([{ id: 7 }])
    expect(await page.title()).toBe('Runs · starbind')
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
})
