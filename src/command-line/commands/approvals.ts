// `starbind approvals`, `approve` and `deny`: the calls that programs wait for, and a person's answers.

import type { Command } from 'commander'
import { CodeMode, type KeptRunFacts } from '../../index.js'
import { examples, finish } from '../command.js'
import { type CommonOptions, configurationFor, keepingIn, quietLog, remembering } from '../given.js'
import { withNamedRun } from '../named-run.js'
import { printJson, show } from '../print.js'
import { waitingText } from '../run-text.js'
import { stopping } from '../stopping.js'

interface ApprovalOptions extends CommonOptions {
  readonly json?: true
  readonly allOfThisTool?: true
  readonly reason?: string
}

export function addApprovals(starbind: Command): void {
  starbind
    .command('approvals')
    .description('list the calls that programs wait to make')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('starbind approvals', 'starbind approvals --json'))
    .action((_, command: Command) => finish(approvals(command.optsWithGlobals())))
}

export function addApprove(starbind: Command): void {
  starbind
    .command('approve <run>')
    .description('approve the calls that a paused run waits to make, once; starbind resume continues it')
    .option('--all-of-this-tool', 'and all further calls of these tools in this run')
    .addHelpText(
      'after',
      examples('starbind approve run-1f2e3d4c5b', 'starbind approve run-1f2e3d4c5b --all-of-this-tool'),
    )
    .action((run: string, _, command: Command) => finish(approve(run, command.optsWithGlobals())))
}

export function addDeny(starbind: Command): void {
  starbind
    .command('deny <run>')
    .description('deny the calls that a paused run waits to make: they fail; starbind resume continues it')
    .option('--reason <words>', 'that the program and the model read')
    .addHelpText(
      'after',
      examples('starbind deny run-1f2e3d4c5b', "starbind deny run-1f2e3d4c5b --reason 'not on a Friday'"),
    )
    .action((run: string, _, command: Command) => finish(deny(run, command.optsWithGlobals())))
}

async function approvals(options: ApprovalOptions): Promise<number> {
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

async function approve(run: string, options: ApprovalOptions): Promise<number> {
  await using codeMode = await openForRuns(options)
  const approving = codeMode.runs.approve(run, { allOfThisTool: options.allOfThisTool ?? false })
  return told(await withNamedRun(approving), 'approved')
}

async function deny(run: string, options: ApprovalOptions): Promise<number> {
  await using codeMode = await openForRuns(options)
  const { reason } = options
  return told(await withNamedRun(codeMode.runs.deny(run, reason === undefined ? {} : { reason })), 'denied')
}

function told({ runId, calls }: KeptRunFacts, what: string): number {
  const last = Math.max(...calls.map(({ approval }) => approval?.at ?? 0))
  const now = calls.filter(({ approval }) => approval?.at === last)
  const names = now.map(({ server, tool }) => `${server}.${tool}`).join(', ')
  show(process.stdout, `${what}: ${names}\nstarbind resume ${runId} continues`)
  return 0
}

/** Nothing is started for it. */
export async function openForRuns(options: CommonOptions): Promise<CodeMode> {
  const log = quietLog(options)
  const configuration = configurationFor(options, log)
  return CodeMode.open({
    configuration,
    ...keepingIn(options, configuration),
    ...remembering(options),
    log,
    warm: false,
    startServers: 'named',
    signal: stopping,
  })
}
