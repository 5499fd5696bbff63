// What servers and models write stays words: in Chromium, with the texts of the interface replaced by attacks.

import type { Page } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import type { ChatEvent } from '../../dist/page/interface.js'
import { goTo, type OpenPage } from './chromium.js'
import { infected, injections } from './injections.mjs'
import { openScriptedInterface } from './scripted-interface.mjs'
import { chatCall, conversation, story } from './story.mjs'

/** What starbind itself says: states, ids and the like. */
const ours = new Set([
  ...['state', 'language', 'runId', 'conversationId', 'callId', 'approvalId', 'parentId', 'role', 'mark', 'type'],
  ...['token', 'may', 'severity', 'kind', 'argumentDigest', 'resultJson', 'answer', 'next'],
])

/** Each attack in turn. */
function eachInTurn(): () => string {
  let at = 0
  return () => injections[at++ % injections.length]!
}

/** One message and one call of a tool for each attack. */
function attackedConversation() {
  const messages = injections.flatMap((text, at) => [
    { role: 'user', text, reasoning: null, attachments: [{ name: text, mimeType: text, bytes: 1 }], calls: [], at: 0 },
    {
      role: 'assistant',
      text,
      reasoning: text,
      attachments: [],
      calls: [chatCall(`c${at}`, null, text, { arguments: { [text]: text, code: text }, text, state: 'ok' })],
      at: 0,
    },
  ])
  return { ...conversation, title: injections[0], model: injections[1], messages }
}

function attacked(): Record<string, unknown> {
  const next = eachInTurn()
  const answers = infected(story(), next, ours) as Record<string, Record<string, unknown>>
  const rows = injections.map((text) => ({ [text]: text, html: text, nested: { [text]: [text] } }))
  const [known] = story()['GET runs/run-41'] === undefined ? [] : [story()['GET runs/run-41'] as { timeline: object[] }]
  const calls = injections.map((text, at) => ({
    ...known!.timeline[0],
    number: at + 1,
    server: text,
    tool: text,
    line: 1,
    state: ['failed', 'lost', 'denied', 'ok'][at % 4],
    approval: { answer: 'deny', by: text, reason: text, at: 0 },
    progress: { progress: 1, total: null, message: text },
  }))
  const prints = injections.map((text, at) => ({ text, atMs: at }))
  const run = { ...answers['GET runs/run-41'], resultJson: JSON.stringify(rows), timeline: calls, prints }
  const contents = {
    arguments: Object.fromEntries(rows.map((row, at) => [at, row])),
    answer: JSON.stringify(rows),
    isCut: true,
  }
  return {
    ...answers,
    'GET session': story()['GET session'],
    'GET openapi.json': story()['GET openapi.json'],
    'GET runs/run-41': run,
    'GET runs/run-41/calls/*': contents,
    'GET conversations/talk-1': attackedConversation(),
  }
}

const addresses: readonly (readonly [address: string, ready: string])[] = [
  ['#/runs/run-41', '.prints samp'],
  ['#/approvals', '.approval .name'],
  ['#/servers/shop%2Fget_order', '.tool .text'],
  ['#/programs/unpaid', '.cm-line'],
  ['#/tokens', '.bars td'],
  ['#/chat/talk-1', '.message:last-of-type'],
]

/** Elements that no view draws, handlers in attributes, and links that lead elsewhere than to the web or into the page. */
const strangers = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const wrong = 'iframe, object, embed, img, picture, video, audio, math, base, form[action], template, marquee, style, foreignObject, animate, set, use, image'
    const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
    return roots.flatMap((root) => [
      ...[...root.querySelectorAll(wrong)].map(({ outerHTML }) => outerHTML),
      ...[...root.querySelectorAll('script')].filter(({ src }) => !src.startsWith(location.origin)).map(({ outerHTML }) => outerHTML),
      ...[...root.querySelectorAll('*')].flatMap(({ attributes }) => [...attributes].filter(({ name }) => /^on/.test(name)).map(({ name, value }) => name + '=' + value)),
      ...[...root.querySelectorAll('[href], [src]')].map((one) => one.getAttribute('href') ?? one.getAttribute('src')).filter((to) => !/^(#|https?:|mailto:|\\.?\\/(?!\\/)|[\\w-]+\\.(css|js|svg)$)/.test(to)),
    ])
  })()`)

let served: Awaited<ReturnType<typeof openScriptedInterface>> | undefined
afterEach(async () => {
  await served?.close()
  served = undefined
})

export function attacks(open: OpenPage): void {
  it('run no script, make no request and open no dialog in any view', async () => {
    served = await openScriptedInterface(attacked())
    const { page, wrongs } = await open(`${served.url}${addresses[0]![0]}`)
    for (const [address, ready] of addresses) {
      await goTo(page, address)
      await page.locator(ready).first().waitFor()
      if (address === '#/runs/run-41') {
        await page.locator('.line').first().click()
        await page.locator('.call .grid, .call .tree').first().waitFor()
      }
      // What opens is opened, and what is in it too.
      for (let depth = 0; depth < 3; depth++) {
        await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
      }
      expect([address, await strangers(page), wrongs]).toEqual([address, [], []])
      expect(await page.title()).toMatch(/ · starbind$/)
    }
  })

  it('are shown as they were written', async () => {
    served = await openScriptedInterface(attacked())
    const { page } = await open(`${served.url}#/chat/talk-1`)
    await page.locator('.message').last().waitFor()
    const said = await page.locator('.message.user .said').allTextContents()
    expect(said).toEqual(injections)
    // Markdown keeps HTML as text; only its own marks are gone.
    const answers = await page.locator('.message.assistant').allTextContents()
    expect(answers).toHaveLength(injections.length)
    injections.forEach((text, at) => {
      if (text.startsWith('<') && !text.startsWith('<javascript')) expect(answers[at]).toContain(text)
    })
  })

  it('do nothing while an answer is streamed, piece by piece', async () => {
    const answers = story()
    const text = injections.join('\n\n')
    const pieces = text.match(/[\s\S]{1,400}/g)!
    const events: ChatEvent[] = [
      { type: 'call', call: chatCall('c1', null, injections[0]!, { arguments: { code: text }, text }) },
      { type: 'progress', callId: 'c1', progress: 1, total: null, message: injections[9]! },
      ...pieces.map((piece): ChatEvent => ({ type: 'text', text: piece })),
      { type: 'failure', code: 'failed', message: injections[10]!, hint: injections[12]! },
    ]
    answers['POST conversations/talk-1/messages'] = { stream: events, open: true }
    served = await openScriptedInterface(answers)
    const { page, wrongs } = await open(`${served.url}#/chat/talk-1`)
    await page.getByLabel('Message to the model').fill('go on')
    await page.keyboard.press('Enter')
    await page.locator('.message.assistant .notice').waitFor()
    expect(await strangers(page)).toEqual([])
    expect(wrongs).toEqual([])
  })
}
