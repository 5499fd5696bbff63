// Validates raw configuration data.
// Invariant: data that leaves this file is complete and checked, and every complaint names the file, the line, the key
// and the expected value.

import path from 'node:path'
import type { z } from 'zod'
import { type Diagnostic, DiagnosticError } from '../../diagnostics/index.js'
import { type Limits, resolveLimits } from '../../sandbox/index.js'
import { serverNameUnusable } from '../messages.js'
import { explain, wrong } from './complaints.js'
import { type Configuration, emptyConfiguration, type ServerConfig } from './configuration.js'
import { defined } from './defined.js'
import { modelConfigs } from './model-entry.js'
import type { ModelConfig, ModelEntry } from './models.js'
import { References } from './references.js'
import { serverConfig } from './server-entry.js'
import { serveSettings } from './serving.js'
import type { CodeModeEntry, ServerEntry, StubSettings } from './shape.js'
import { configurationEntry, type stubsEntry } from './shape.js'
import { isStoreUrl, stateSettings } from './state-settings.js'
import type { CheckOptions } from './surroundings.js'

/** Checks a configuration that is already data. Throws a DiagnosticError with everything that is wrong in it. */
export function checkConfiguration(raw: unknown, options: CheckOptions): Configuration {
  const { entry, wrongServers } = parsed(raw, options)
  const { mcpServers = {} } = entry
  const { limits, answer, stubs, results, roots, ...settings }: CodeModeEntry = entry.codeMode ?? {}
  const faults: Diagnostic[] = limitFaults(limits ?? {}, options)
  const state = stateIn(settings.state, options, faults)
  // An address that can't be read has its own complaint.
  const isShared = isStoreUrl(state ?? options.state) || (state === undefined && settings.state !== undefined)
  const deployment = stateSettings(settings, { ...options, isShared }, faults)
  const folders = [
    isStoreUrl(state) ? false : state,
    folderIn(options.folder, settings.programs ?? 'programs'),
  ].flatMap((one) => one || [])
  const ownFiles = [...(options.ownFiles ?? []), ...folders]
  const servers = Object.entries(mcpServers).map(([name, one]) => {
    const folder = options.folderOf?.(name) ?? options.folder
    const own: Diagnostic[] = []
    const server = serverConfig(name, one, { ...options, folder, roots, ownFiles }, own)
    if (own.length > 0 && options.toleratesEntries === true) return unusableServer(name, own, one)
    faults.push(...own)
    return server
  })
  const models = entry.models === undefined ? undefined : modelConfigs(entry.models, options, faults)
  for (const [name, { model }] of Object.entries(entry.agents ?? {}))
    if (models?.some((one) => one.name === model) !== true)
      faults.push(wrong(options, ['agents', name, 'model'], JSON.stringify(model), 'a name in models'))
  if (faults.length > 0) throw new DiagnosticError(faults)
  const written = Object.keys((raw as { readonly mcpServers?: object }).mcpServers ?? {})
  const inOrder = [...servers, ...wrongServers].sort((a, b) => written.indexOf(a.name) - written.indexOf(b.name))
  return {
    ...emptyConfiguration,
    servers: inOrder,
    ...defined({
      ...settings,
      state,
      ...deployment,
      programs: folderIn(options.folder, settings.programs),
      limits: limits === undefined ? undefined : defined(limits),
      answerMaxChars: answer?.maxChars,
      answerStructured: answer?.structured,
      stubs: stubs === undefined ? undefined : stubSettings(stubs, options.folder),
      results: results === undefined ? undefined : defined(results),
      serve: entry.serve === undefined ? undefined : serveSettings(entry.serve, options.folder),
      models,
      agents: entry.agents,
    }),
  }
}

/** The folder or the URL, with its references resolved. */
function stateIn(
  state: string | false | undefined,
  options: CheckOptions,
  faults: Diagnostic[],
): string | false | undefined {
  if (typeof state !== 'string') return state
  const place = ['codeMode', 'state']
  const known = faults.length
  const url = new References([], options, faults).resolve(state, place)
  if (faults.length > known) return undefined
  if (!isStoreUrl(url)) return folderIn(options.folder, url)
  const { hostname = '', pathname = '' } = URL.canParse(url) ? new URL(url) : {}
  if (hostname === '' || !/^(\/\d{0,4})?$/.test(pathname))
    faults.push(wrong(options, place, 'something else', 'redis://[USER:PASSWORD@]HOST[:PORT][/NUMBER]'))
  return url
}

function folderIn(base: string, folder: string | false | undefined): string | false | undefined {
  return typeof folder === 'string' ? path.resolve(base, folder) : folder
}

/** The result of validating a configuration. Servers with wrong entries are separated, if that is tolerated. */
function parsed(raw: unknown, options: CheckOptions) {
  const first = configurationEntry.safeParse(raw, { reportInput: true })
  if (first.success) return { entry: first.data, wrongServers: [] }
  const faults = first.error.issues.map((issue) => ({
    faults: explain(issue, options),
    server: issue.path[0] === 'mcpServers' && issue.path.length > 1 ? String(issue.path[1]) : undefined,
  }))
  if (options.toleratesEntries !== true || faults.some(({ server }) => server === undefined))
    throw new DiagnosticError(faults.flatMap((one) => one.faults))
  const { mcpServers, ...rest } = raw as { readonly mcpServers: Readonly<Record<string, unknown>> }
  const names = [...new Set(faults.map(({ server }) => server!))]
  const usable = Object.entries(mcpServers).filter(([name]) => !names.includes(name))
  const wrongServers = names.map((name) => {
    const own = faults.flatMap((one) => (one.server === name ? one.faults : []))
    return unusableServer(name, own, mcpServers[name])
  })
  return { entry: configurationEntry.parse({ ...rest, mcpServers: Object.fromEntries(usable) }), wrongServers }
}

/** An unusable server, with its faults. */
export function unusableServer(name: string, faults: readonly Diagnostic[], entry: unknown): ServerConfig {
  const disabled = (entry as { readonly disabled?: unknown } | null)?.disabled === true
  return { name, connection: { type: 'unusable', faults }, disabled, secrets: [], credentials: [] }
}

/** Checks the entry of one server. Throws a DiagnosticError with everything that is wrong in it. */
export function checkServer(name: string, entry: ServerEntry, options: CheckOptions): ServerConfig {
  const [server] = checkConfiguration({ mcpServers: { [name]: entry } }, options).servers
  if (server === undefined) throw new DiagnosticError(serverNameUnusable(name))
  return server
}

/**
 * The models of entries in the form of the block `models`. Throws a DiagnosticError with everything that is wrong in
 * them.
 *
 * @example
 * import { modelsOf } from 'starbind'
 *
 * const [gpt] = modelsOf({ gpt: { baseUrl: 'https://api.openai.com/v1', apiKey: '${OPENAI_API_KEY}' } })
 * console.log(gpt?.faults.length === 0 ? 'ready' : 'the key is missing')
 */
export function modelsOf(entries: Readonly<Record<string, ModelEntry>>): readonly ModelConfig[] {
  return checkConfiguration({ models: entries }, { folder: process.cwd(), placeOf: () => 'models:' }).models ?? []
}

/** Amounts that the sandbox does not accept, each with its place. */
function limitFaults(
  limits: { readonly [K in keyof Limits]?: number | undefined },
  options: CheckOptions,
): Diagnostic[] {
  return Object.entries(limits).flatMap(([name, value]) => {
    try {
      resolveLimits({ [name]: value })
      return []
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      const place = options.placeOf(['codeMode', 'limits', name])
      return error.diagnostics.map((fault) => ({ ...fault, message: `${place} ${fault.message}` }))
    }
  })
}

function stubSettings(entry: z.infer<typeof stubsEntry>, folder: string): StubSettings {
  const { observationsFile, ...rest } = entry
  return defined({
    ...rest,
    observationsFile: observationsFile === undefined ? undefined : path.resolve(folder, observationsFile),
  })
}
