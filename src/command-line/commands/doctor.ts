// `starbind doctor`: one line for each server that says whether it works and, if not, what is wrong. Invariant: no tool
// is called, and every server that was started is ended.

import type { Command } from 'commander'
import { CodeMode, type Configuration, type ServerStatus, silentLog } from '../../index.js'
import { examples, finish } from '../command.js'
import { type CommonOptions, configurationFileFor, configurationFor, remembering } from '../given.js'
import { printJson, show } from '../print.js'
import { showingWhoStarts } from '../starting.js'
import { mustGoOn, stopping } from '../stopping.js'

interface DoctorOptions extends CommonOptions {
  readonly json?: true
}

export function addDoctor(starbind: Command): void {
  starbind
    .command('doctor')
    .description('check the configuration and each server, and say in one line what is wrong')
    .option('--json', 'print one JSON object: ok, servers')
    .addHelpText('after', examples('starbind doctor', 'starbind doctor --config servers.json --json'))
    .action((_, command: Command) => finish(examine(command.optsWithGlobals())))
}

async function examine(options: DoctorOptions): Promise<number> {
  const file = configurationFileFor(options)
  const configuration = configurationFor(options, silentLog)
  await using codeMode = await CodeMode.open({
    configuration,
    ...remembering({ ...options, fresh: true }),
    warm: false,
    startServers: 'named',
    signal: stopping,
  })
  const servers = await showingWhoStarts(codeMode, codeMode.servers.started({ signal: stopping }))
  mustGoOn()
  const ok = servers.every(({ state }) => state === 'ready' || state === 'disabled')
  if (options.json) printJson({ ok, configuration: file ?? null, servers })
  else {
    show(process.stdout, stateOf(file, configuration))
    const widest = Math.max(0, ...servers.map(({ name }) => name.length))
    for (const server of servers)
      show(process.stdout, `${markOf(server)} ${server.name.padEnd(widest)}  ${findingOf(server)}`)
    if (servers.length === 0) show(process.stdout, 'it names no servers; starbind import finds those of other hosts')
  }
  return ok ? 0 : 1
}

function stateOf(file: string | undefined, { servers }: Configuration): string {
  if (file === undefined) return 'there is no configuration file'
  const wrong = servers.filter(({ connection }) => connection.type === 'unusable').length
  return wrong === 0
    ? `the configuration ${file} is in order`
    : `the configuration ${file} has ${wrong} wrong ${wrong === 1 ? 'entry' : 'entries'}; the others work`
}

function markOf({ state }: ServerStatus): string {
  return state === 'ready' ? 'ok  ' : state === 'disabled' ? 'off ' : 'BAD '
}

function findingOf({ state, reason, lastWords, tools, quarantined, cut }: ServerStatus): string {
  if (state !== 'ready') return [reason, lastWords].filter((part) => part !== '').join('; ')
  const [first, ...more] = quarantined
  const aside =
    first === undefined
      ? ''
      : `; ${first.name} is set aside: ${first.reason}${more.length === 0 ? '' : `, and ${more.length} more`}`
  const left = cut.map((what) => `; ${what}`).join('')
  return `${tools.length} tool${tools.length === 1 ? '' : 's'}${aside}${left}`
}
