// `starbind approvals`, `approve` and `deny`: the calls that programs wait for, and a person's answers.

import type { CodeMode, KeptRunFacts } from '../../index.js'
import { type CommonOptions, keepingIn } from '../given.js'
import { withNamedRun } from '../named-run.js'
import { openQuietly } from '../opening.js'
import { printJson, show } from '../print.js'
import { waitingText } from '../run-text.js'

interface ApprovalOptions extends CommonOptions {
  readonly json?: true
  readonly allOfThisTool?: true
  readonly reason?: string
}

export async function approvals(options: ApprovalOptions): Promise<number> {
  await using codeMode = await openForRuns(options)
  const waiting = (await codeMode.runs.list()).filter(({ state }) => state === 'paused')
  if (options.json)
    printJson({
      approvals: waiting.map(({ ending: _, calls, ...run }) => ({
        ...run,
        calls: calls.filter(({ approval }) => approval === null),
      })),
    })
  else show(process.stdout, waiting.length === 0 ? 'nothing waits' : waiting.map(waitingText).join('\n\n'))
  return 0
}

export async function approve(run: string, options: ApprovalOptions): Promise<number> {
  await using codeMode = await openForRuns(options)
  const approving = codeMode.runs.approve(run, { allOfThisTool: options.allOfThisTool ?? false })
  return told(await withNamedRun(approving), 'approved')
}

export async function deny(run: string, options: ApprovalOptions): Promise<number> {
  await using codeMode = await openForRuns(options)
  const { reason } = options
  return told(await withNamedRun(codeMode.runs.deny(run, reason === undefined ? {} : { reason })), 'denied')
}

function told({ runId, state, calls }: KeptRunFacts, what: string): number {
  const last = Math.max(...calls.map(({ approval }) => approval?.at ?? 0))
  const now = calls.filter(({ approval }) => approval?.at === last)
  const names = now.map(({ server, tool }) => `${server}.${tool}`).join(', ')
  const next = state === 'queued' ? `a worker continues ${runId}` : `starbind resume ${runId} continues`
  show(process.stdout, `${what}: ${names}\n${next}`)
  return 0
}

/** Opens a CodeMode that starts no server. */
export function openForRuns(options: CommonOptions): Promise<CodeMode> {
  return openQuietly(options, (configuration) => ({ ...keepingIn(options, configuration), warm: false }))
}
