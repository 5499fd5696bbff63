// The view of a run beside the answer of `executeToolCode`, in a frame of a host that shows MCP Apps. It speaks JSON-RPC
// with the host through `postMessage` and with nobody else.
// Invariant: words of programs and servers become text, and only a person's click sends an answer.

import { drawTimeline, type TimelineCall } from '../../timeline/index.js'

/** In the `_meta` of the answer; see gateway/serving/app.ts. */
interface ShownRun {
  readonly runId: string
  readonly endMs: number
  readonly calls: readonly Partial<TimelineCall>[]
  /** The calls that are left out. */
  readonly left: number
  /** Absent: the run waits for nobody. Without words: nobody could read them here. */
  readonly waits?: { readonly words?: string; readonly token?: string }
}

interface Reply {
  readonly result?: { readonly isError?: boolean }
  readonly error?: { readonly message?: string }
}

const main = document.querySelector('main')!
const status = document.querySelector('[role=status]')!
const pending = new Map<number, (reply: Reply) => void>()
let requests = 0

function send(message: object): void {
  // The host's origin is unknown here. Nothing is sent that the host has not given.
  parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
}

function request(method: string, params: object): Promise<Reply> {
  const id = ++requests
  send({ id, method, params })
  return new Promise((resolve) => pending.set(id, resolve))
}

addEventListener('message', ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== '2.0') return
  const { id, method, params } = data
  if (method === undefined) {
    pending.get(id)?.(data)
    pending.delete(id)
  } else if (method === 'ui/notifications/tool-result') show(params?._meta?.['starbind/run'])
  else if (method === 'ui/notifications/tool-cancelled') status.textContent = 'The call was cancelled.'
  else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} })
  else if (id !== undefined) send({ id, error: { code: -32601, message: 'Method not found' } })
})

function show(run: ShownRun | undefined): void {
  main.replaceChildren()
  status.textContent = run === undefined ? 'This answer came without its calls.' : ''
  if (run === undefined) return
  if (run.calls.length > 0) main.append(waterfall(run))
  else status.textContent = 'The program called no tool.'
  if (run.waits !== undefined) main.append(...question(run, run.waits))
}

function waterfall({ runId, calls, endMs, left }: ShownRun): HTMLElement {
  const place = document.createElement('div')
  const drawn = calls.map((call) => ({ ...EMPTY, ...call }))
  const title = left === 0 ? `${calls.length} calls` : `${calls.length} of ${calls.length + left} calls`
  // The drawing escapes all words.
  place.innerHTML = drawTimeline([{ title, calls: drawn, endMs }], { label: `The calls of ${runId} over time` })
  return place
}

const EMPTY: TimelineCall = {
  ...{ server: '', tool: '', state: 'ok', startMs: 0, endMs: null, bytes: 0 },
  ...{ reused: false, ahead: false, line: null, approval: null, waitedMs: null },
}

function question({ runId }: ShownRun, { words, token }: NonNullable<ShownRun['waits']>): HTMLElement[] {
  const asked = document.createElement('pre')
  asked.textContent = words ?? `This run waits for you: starbind runs ${runId}, then starbind approve ${runId}`
  if (token === undefined) return [asked]
  const buttons = document.createElement('p')
  for (const [answer, label] of [
    ['allow', 'Allow'],
    ['deny', 'Deny'],
  ] as const) {
    const button = document.createElement('button')
    button.textContent = label
    button.addEventListener('click', ({ isTrusted }) => {
      if (isTrusted) void decide(buttons, { runId, answer, token })
    })
    buttons.append(button)
  }
  return [asked, buttons]
}

async function decide(
  buttons: HTMLElement,
  decision: { readonly runId: string; readonly answer: 'allow' | 'deny'; readonly token: string },
): Promise<void> {
  buttons.remove()
  const { result, error } = await request('tools/call', { name: 'answerWaitingRun', arguments: decision })
  if (error !== undefined || result?.isError === true) {
    status.textContent = `Not answered: ${error?.message ?? 'the host refused the call'}`
    return
  }
  const done = decision.answer === 'allow' ? 'allowed' : 'denied'
  const next = `executeToolCode(resume="${decision.runId}")`
  status.textContent = `You have ${done} it. The program goes on with ${next}.`
  void request('ui/message', { role: 'user', content: [{ type: 'text', text: `I have ${done} it. Now ${next}.` }] })
}

function watchSize(): void {
  new ResizeObserver(() => {
    const { scrollWidth: width, scrollHeight: height } = document.documentElement
    send({ method: 'ui/notifications/size-changed', params: { width, height } })
  }).observe(document.body)
}

const introduction = {
  protocolVersion: '2026-01-26',
  appInfo: { name: 'starbind', version: '1' },
  appCapabilities: { availableDisplayModes: ['inline'] },
}
void request('ui/initialize', introduction).then(() => {
  send({ method: 'ui/notifications/initialized', params: {} })
  watchSize()
})
