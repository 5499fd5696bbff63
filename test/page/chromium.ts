// One page in one Chromium for the tests of a file, and what it must not do.

import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'

const executable = process.env.CHROMIUM ?? '/usr/bin/chromium'

// Nothing of Chromium's own speaks to anybody, neither updates nor variations, it starts few processes, and compiles
// nothing for a second time that will soon be gone.
const quiet = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer',
  '--in-process-gpu',
  '--js-flags=--no-opt',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-extensions',
  '--disable-sync',
]

/** A page, and what went wrong in it: exceptions, breaches of the policy, dialogs, requests to other hosts. */
export interface Watched {
  readonly page: Page
  readonly wrongs: string[]
}

interface Conditions {
  readonly colorScheme?: 'light' | 'dark'
  readonly permissions?: readonly string[]
}

export type OpenPage = (url: string, conditions?: Conditions) => Promise<Watched>

/** Moves to another view of the page that is open, without loading it again. */
export const goTo = (page: Page, address: string): Promise<unknown> =>
  page.evaluate(`location.hash = ${JSON.stringify(address)}`)

/** Tests in Chromium; skipped, with the reason in their name, where there is none. */
export function inChromium(name: string, tests: (open: OpenPage) => void): void {
  if (!existsSync(executable)) {
    describe.skip(`${name}: skipped, there is no ${executable}`, () => tests(absent))
    return
  }
  describe(name, () => {
    let browser: Browser
    let page: Page
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: executable, args: quiet })
      page = await browser.newPage()
      page.setDefaultTimeout(60_000)
    })
    afterAll(() => browser.close())
    tests(async (url, { colorScheme = 'light', permissions = [] } = {}) => {
      await page.goto('about:blank')
      await page.setViewportSize({ width: 1280, height: 800 })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.context().grantPermissions([...permissions])
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
  for (const event of ['pageerror', 'dialog', 'console', 'request'] as const) page.removeAllListeners(event)
  page.context().removeAllListeners('page')
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
  page.context().on('page', (other) => wrongs.push(`window: ${other.url()}`))
  return wrongs
}
