// `starbind doctor`: one line for each server, with its state and the reason of a failure.
// Invariant: no tool is called, and every server that was started is ended.

import path from 'node:path'
import {
  CodeMode,
  type Configuration,
  configurationRemarks,
  importHosts,
  type SavedProgramStatus,
  type ServerConfig,
  type ServerStatus,
  silentLog,
  writtenKey,
} from '../../index.js'
import { findingOf, markOf } from '../../page/index.js'
import { noConfiguration } from '../failure.js'
import { type CommonOptions, configurationFileFor, configurationFor, remembering } from '../given.js'
import type { Paint } from '../paint.js'
import { printJson, show } from '../print.js'
import { showingWhoStarts } from '../starting.js'
import { mustGoOn, stopping } from '../stopping.js'

const MARKS = { ok: 'ok  ', off: 'off ', bad: 'BAD ' }

interface DoctorOptions extends CommonOptions {
  readonly json?: true
}

export async function examine(options: DoctorOptions): Promise<number> {
  const file = configurationFileFor(options)
  if (file === undefined) throw noConfiguration(await importableHosts())
  const configuration = configurationFor(options, silentLog)
  await using codeMode = await CodeMode.open({
    configuration,
    ...remembering({ ...options, fresh: true }),
    log: silentLog,
    warm: false,
    startServers: 'named',
    signal: stopping,
  })
  const servers = await showingWhoStarts(codeMode, codeMode.servers.started({ signal: stopping }))
  mustGoOn()
  const programs = await codeMode.programs()
  const ok =
    servers.every(({ state }) => state === 'ready' || state === 'disabled') &&
    programs.every(({ problem }) => problem === undefined)
  const remarks = configurationRemarks(file).map(({ message, hint }) => `${message}${hint ? `; ${hint}` : ''}`)
  if (options.json) printJson({ ok, configuration: file, remarks, servers, programs })
  else {
    const notes = remarks.map((remark) => `note ${remark}`)
    const banners = servers.flatMap((server) => bannerOf(server, configuration))
    tell(servers, configuration, file, [
      stateOf(file, configuration),
      ...banners,
      ...notes,
      ...programs.map(programLine),
    ])
  }
  return ok ? 0 : 1
}

/** The hosts on this machine that have servers. */
async function importableHosts(): Promise<string[]> {
  const folder = process.cwd()
  const nowhere = path.join(folder, 'starbind.json')
  const { found } = await importHosts({ folder, except: nowhere, into: folder, known: {}, environment: process.env })
  return [...new Set(found.filter(({ names }) => names.length > 0).map(({ host }) => host))]
}

/** What programs may do that people should know of. */
function bannerOf({ name, remark }: ServerStatus, { servers }: Configuration): string[] {
  if (remark === undefined) return []
  const rule = servers.find((one) => one.name === name)?.approve
  const asks = rule === 'always' ? 'a person is asked before each' : rule === 'never' ? 'nobody is asked' : undefined
  return [`note ${name}: ${remark.replace(/\.$/, '')}; ${asks ?? 'its approve says when a person is asked'}`]
}

function programLine({ file, problem }: SavedProgramStatus): string {
  return problem === undefined ? `ok   ${file}` : `BAD  ${problem}`
}

function tell(
  servers: readonly ServerStatus[],
  configuration: Configuration,
  file: string,
  first: readonly string[],
): void {
  const widest = Math.max(0, ...servers.map(({ name }) => name.length))
  const lines = servers.map((server) => {
    const config = configuration.servers.find(({ name }) => name === server.name)
    const written = (key: string) => writtenKey(file, server.name, key)
    const hints =
      config === undefined ? [] : [...unknownTools(server, config, written), ...whatHelps(server, config, written)]
    return `${MARKS[markOf(server)]} ${server.name.padEnd(widest)}  ${[findingOf(server), ...hints].join('; ')}`
  })
  const none = servers.length === 0 ? ['it names no servers; starbind import finds those of other hosts'] : []
  show(process.stdout, [...first, ...lines, ...none].join('\n'), paintFindings)
}

const paintFindings: Paint = (text, { bold, dim, green, red, yellow }) =>
  text
    .replace(/^ok {3}(\S+)/gm, (_, name) => `${green('ok')}   ${bold(name)}`)
    .replace(/^BAD {2}(\S+)/gm, (_, name) => `${red('BAD')}  ${bold(name)}`)
    .replace(/^off {2}.*/gm, (line) => dim(line))
    .replace(/^note /gm, (mark) => yellow(mark))

/** The name of a server's key in its file, and its place. */
type WrittenKeys = (key: string) => ReturnType<typeof writtenKey>

/** Names in a server's lists of tools that match none of its tools. */
function unknownTools(
  { state, tools, quarantined }: ServerStatus,
  config: ServerConfig,
  written: WrittenKeys,
): string[] {
  const { toolsToDeny = [] } = config
  // Denied tools are not listed, whether they exist or not.
  if (state !== 'ready' || toolsToDeny.some((name) => name.includes('*'))) return []
  const known = new Set([...tools, ...quarantined.map(({ name }) => name), ...toolsToDeny])
  return (['toolsToExecute', 'toolsToAutoExecute'] as const).flatMap((key) => {
    const wrong = (config[key] ?? []).filter((name) => !name.includes('*') && !known.has(name))
    const isOnlyOutside = key === 'toolsToAutoExecute' && config.toolsToExecute?.includes('*') === false
    if (wrong.length === 0 || isOnlyOutside) return []
    const { place, name } = written(key) ?? { place: '', name: key }
    return [`${place} ${name} names unknown tools: ${wrong.join(', ')}`.trimStart()]
  })
}

/** Launchers that download their package. */
const FETCHERS = /(?:^|[\\/])(npx|pnpx|bunx|uvx|docker)(?:\.cmd|\.exe)?$/

function whatHelps(
  { reason }: ServerStatus,
  { connection, connectTimeoutMs }: ServerConfig,
  written: WrittenKeys,
): string[] {
  if (!reason.startsWith('it did not answer within')) return []
  const fetcher = connection.type === 'stdio' ? FETCHERS.exec(connection.command)?.[1] : undefined
  const key = written('connectTimeoutMs')
  const place = connectTimeoutMs === undefined ? '' : ` (${key?.place})`
  const more = `raise ${key === undefined ? 'STARBIND_CONNECT_TIMEOUT_MS' : `its ${key.name}${place}`}`
  return [
    fetcher === undefined
      ? `if it is only slow, ${more}`
      : `${fetcher} may still be fetching it: run it once by hand, or ${more}`,
  ]
}

function stateOf(file: string, { servers }: Configuration): string {
  const wrong = servers.filter(({ connection }) => connection.type === 'unusable').length
  return wrong === 0
    ? `the configuration ${file} is in order`
    : `the configuration ${file} has ${wrong} wrong ${wrong === 1 ? 'entry' : 'entries'}; the others work`
}
