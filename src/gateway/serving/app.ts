// The extension `io.modelcontextprotocol/ui` (MCP Apps) for callers: hosts that show apps get a view of the run beside the
// answer of `executeToolCode`. The view itself is src/page/browser/mcp-app.
// Invariant: other callers get the same bytes as without the extension, and calls are approved only with the token that
// the `_meta` of an answer brought, which hosts show to no model.

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { type Answer, type CallSummary, type KeptRunFacts, metaTools, type RunResult } from '../../meta-tools/index.js'
import { approvalWords } from '../elicit-approval.js'
import type { Params } from '../params.js'
import { errorCodes, ProtocolError } from '../protocol-error.js'
import type { ServedSession } from './served.js'

const EXTENSION = 'io.modelcontextprotocol/ui'
const MIME_TYPE = 'text/html;profile=mcp-app'
export const APP_URI = 'ui://starbind/run'
/** The key of the run in the `_meta` of an answer. */
const RUN = 'starbind/run'
const MOST_CALLS = 500
/** People read longer questions elsewhere. */
const LONGEST_WORDS = 50_000
/** What one process shows, no other approves. */
const KEY = randomBytes(32)

/** True if a client's capabilities say that it shows apps. */
export function showsApps({ extensions }: Params): boolean {
  const settings = (extensions as Params | null | undefined)?.[EXTENSION] as Params | null | undefined
  return Array.isArray(settings?.mimeTypes) && settings.mimeTypes.includes(MIME_TYPE)
}

/** Called by the view when a person has decided. */
export const answerTool = {
  name: 'answerWaitingRun',
  description: 'For the view beside an answer: what a person decided about the calls of a run that waits.',
  inputSchema: {
    type: 'object',
    properties: {
      runId: { type: 'string' },
      answer: { type: 'string', enum: ['allow', 'deny'] },
      token: { type: 'string' },
    },
    required: ['runId', 'answer', 'token'],
  },
  _meta: { ui: { visibility: ['app'] } },
}

/** The definitions for hosts that show apps. */
export const toolsWithApp = [
  ...metaTools.map((tool) =>
    tool.name === 'executeToolCode'
      ? { ...tool, _meta: { ui: { resourceUri: APP_URI, visibility: ['model'] } } }
      : tool,
  ),
  answerTool,
]

/** The view as a resource. It needs nothing from anywhere. */
export function readApp(): Params {
  const packed = readFileSync(new URL('../../page/app/run.html.br', import.meta.url))
  const csp = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }
  const text = brotliDecompressSync(packed).toString()
  return { contents: [{ uri: APP_URI, mimeType: MIME_TYPE, text, _meta: { ui: { csp, prefersBorder: true } } }] }
}

/** What the view draws: calls over time, and the calls that wait for a person. */
export async function runMeta(answer: Answer, runs: ServedSession['runs']): Promise<Params> {
  const { runId, calls, paused } = (answer.structured ?? {}) as Partial<RunResult>
  if (calls === undefined) return {}
  const { bars, endMs } = barsOf(calls)
  const waiting = (paused?.calls ?? []).map(({ server, tool, line }) => {
    return { server, tool, line, state: 'waiting', startMs: endMs, endMs: null }
  })
  const shown = [...bars.slice(0, MOST_CALLS), ...waiting.slice(0, MOST_CALLS)]
  const left = bars.length + waiting.length - shown.length
  const waits = paused === undefined ? {} : await runs.show(paused.runId).then(waitingIn, () => ({}))
  // Some room for bars that have only begun.
  return {
    _meta: { [RUN]: { runId, endMs: waiting.length > 0 ? endMs * 1.2 + 1 : endMs, calls: shown, left, ...waits } },
  }
}

/**
 * The calls from the first on, in the order of the program. The parts of a run that waited have each a time of their own,
 * so they are put one after the other.
 */
function barsOf(calls: readonly CallSummary[]) {
  let first = Number.POSITIVE_INFINITY
  let [offset, endMs] = [0, 0]
  const bars = calls.map(({ server, tool, outcome, startedAtMs, ms, bytes }) => {
    if (startedAtMs < first) [first, offset] = [startedAtMs, endMs - startedAtMs]
    const startMs = startedAtMs + offset
    endMs = Math.max(endMs, startMs + ms)
    const state = outcome === 'answered' || outcome === 'reused' ? 'ok' : outcome
    return { server, tool, state, reused: outcome === 'reused', startMs, endMs: startMs + ms, bytes }
  })
  return { bars, endMs }
}

function waitingIn(run: KeptRunFacts): Params {
  if (run.state !== 'paused') return {}
  const asked = askedIn(run)
  const words = approvalWords(asked, run.canAlsoCall)
  const isReadable = words.length <= LONGEST_WORDS && asked.every((call) => call.arguments !== undefined)
  return { waits: isReadable ? { words, token: tokenOf(run) } : {} }
}

function askedIn({ calls }: KeptRunFacts): KeptRunFacts['calls'] {
  return calls.filter(({ approval }) => approval === null)
}

/** For exactly this question: an answered one is no longer asked, and the next has another token. */
function tokenOf(run: KeptRunFacts): string {
  const asked = askedIn(run).map(({ server, tool, argumentDigest, line }) => [server, tool, argumentDigest, line])
  return sealed(JSON.stringify([run.runId, run.owner, run.expiresAt, asked])).toString('base64url')
}

/** Records what a person decided. The run goes on when it is resumed. Rejects where nobody decided. */
export async function answerWaitingRun(
  { runId, answer, token }: Params,
  runs: ServedSession['runs'],
): Promise<Record<string, unknown>> {
  if (typeof runId !== 'string' || (answer !== 'allow' && answer !== 'deny')) throw refused
  const run = await runs.show(runId)
  if (run.state !== 'paused' || !isSame(token, tokenOf(run))) throw refused
  if (answer === 'allow') await runs.approve(runId, { shown: askedIn(run) })
  else await runs.deny(runId)
  return { content: [{ type: 'text', text: `executeToolCode(resume="${runId}") goes on` }] }
}

const refused = new ProtocolError(
  errorCodes.refused,
  'only the person who sees the waiting calls beside an answer can answer here, and once; ' +
    'executeToolCode with resume shows them again',
)

function isSame(given: unknown, expected: string): boolean {
  return typeof given === 'string' && timingSafeEqual(sealed(given), sealed(expected))
}

function sealed(text: string): Buffer {
  return createHmac('sha256', KEY).update(text).digest()
}
