// One Chromium for the tests of a file, and what a page must not do in it.

import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe } from 'vitest'

const executable = process.env.CHROMIUM ?? '/usr/bin/chromium'

// Nothing of Chromium's own speaks to anybody: neither updates nor variations.
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A page, and what went wrong in it: exceptions, breaches of the policy, dialogs, requests to other hosts. */
export interface Watched {
  readonly page: Page
  readonly wrongs: string[]
}

export type OpenPage = (url: string, options?: BrowserContextOptions) => Promise<Watched>

/** Tests in Chromium; skipped, with the reason in their name, where there is none. */
export function inChromium(name: string, tests: (open: OpenPage) => void): void {
  if (!existsSync(executable)) {
    describe.skip(`${name}: skipped, there is no ${executable}`, () => tests(absent))
    return
  }
  describe(name, () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: executable, args: quiet })
    })
    afterEach(async () => {
      for (const context of browser.contexts()) await context.close()
    })
    afterAll(() => browser.close())
    tests(async (url, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      const wrongs = watch(page, new URL(url).origin)
      await page.goto(url)
      return { page, wrongs }
    })
  })
}

const absent: OpenPage = async () => {
  throw new Error('there is no Chromium')
}

function watch(page: Page, origin: string): string[] {
  const wrongs: string[] = []
  page.on('pageerror', (error) => wrongs.push(`exception: ${error.message}`))
  page.on('dialog', (dialog) => {
    wrongs.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) wrongs.push(`policy: ${message.text()}`)
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url()))
      wrongs.push(`request: ${request.url()}`)
  })
  page.context().on('page', (other) => {
    if (other !== page) wrongs.push(`window: ${other.url()}`)
  })
  return wrongs
}
