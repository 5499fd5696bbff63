// Takes the pictures of the page in docs/images: every view of the story in test/page/story.mjs, light and dark.
//
//   node scripts/page-screenshots.mjs      after a build, with Debian's Chromium
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { openScriptedInterface } from '../test/page/scripted-interface.mjs'
import { start, story } from '../test/page/story.mjs'

const images = fileURLToPath(new URL('../docs/images/', import.meta.url))
/** By name: the address, and what makes it ready. */
const views = {
  runs: ['#/runs/run-41', 'text=Kestrel & Sons'],
  approvals: ['#/approvals', 'text=Allow once'],
  servers: ['#/servers/shop', 'figcaption'],
  programs: ['#/programs/unpaid', 'text=The check finds no mistake'],
  chat: ['#/chat/talk-1', 'text=Northgate Books'],
  tokens: ['#/tokens', 'text=498'],
}
const MOST_BYTES = 600_000

const served = await openScriptedInterface(story())
const quiet = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update']
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: quiet })
mkdirSync(images, { recursive: true })
let total = 0
for (const colorScheme of ['light', 'dark'])
  for (const [name, [address, ready]] of Object.entries(views))
    total += await take(name, { address, ready, colorScheme })
await browser.close()
await served.close()
if (total > MOST_BYTES) throw new Error(`${total} bytes of pictures, want at most ${MOST_BYTES}`)

/** The size of the picture. */
async function take(name, { address, ready, colorScheme }) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    colorScheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await page.clock.install({ time: new Date(start + 8000) })
  await page.goto(`${served.url}${address}`)
  await page.locator(ready).first().waitFor({ state: 'attached' })
  await page.evaluate('new Promise((done) => setTimeout(done, 300))')
  const session = await context.newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 72 })
  const file = path.join(images, `page-${name}-${colorScheme}.webp`)
  writeFileSync(file, Buffer.from(data, 'base64'))
  await context.close()
  console.log(path.relative(process.cwd(), file), statSync(file).size)
  return statSync(file).size
}
