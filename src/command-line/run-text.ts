// Kept runs as a person reads them.

import { type KeptRunFacts, visible } from '../index.js'

/** A waiting run, with its open calls. */
export function waitingText({ runId, owner, changedAt, expiresAt, calls }: KeptRunFacts): string {
  const until = expiresAt === null ? '' : `, ends ${moment(expiresAt)} unless it is answered`
  const open = calls.filter(({ approval }) => approval === null)
  return [`${runId}  asked ${moment(changedAt)} by ${owner}${until}`, ...open.map(callText)].join('\n')
}

/** One run in a line. */
export function runLine({ runId, state, startedAt, background, ending, program }: KeptRunFacts): string {
  const end = ending === null ? '' : ending.ok ? ' ok' : ` ${ending.error?.code}`
  const first = program.text.split('\n').find((line) => line.trim() !== '') ?? ''
  return `${runId}  ${moment(startedAt)}  ${background ? 'background, ' : ''}${state}${end}  ${first.trim().slice(0, 60)}`
}

/** One run, whole. */
export function runText(run: KeptRunFacts): string {
  const { program, calls, ending, lacks } = run
  return [
    runLine(run),
    ...(lacks === null ? [] : [`waits for a worker with the server ${lacks}`]),
    '',
    ...program.text
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
    ...(calls.length === 0 ? [] : ['', ...calls.map(callText)]),
    ...(ending === null
      ? []
      : [
          '',
          ...ending.logs,
          ...(ending.resultText === undefined ? [] : [`result: ${ending.resultText}`]),
          ...(ending.report === '' ? [] : [ending.report]),
        ]),
  ].join('\n')
}

function callText(call: KeptRunFacts['calls'][number]): string {
  const { server, tool, arguments: given, argumentDigest, line, reason, approval } = call
  const place = line === null ? '' : ` (line ${line})`
  const shown = given === undefined ? `arguments with the digest ${argumentDigest}` : visible(JSON.stringify(given))
  const twice = reason === 'unknown' ? '; it was sent once, and its effect is unknown' : ''
  const said =
    approval === null
      ? ''
      : `: ${approval.answer === 'deny' ? 'denied' : 'approved'} by ${approval.by} ${moment(approval.at)}`
  return `  ${server}.${tool} ${shown}${place}${twice}${said}`
}

export function moment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
