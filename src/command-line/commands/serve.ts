// `starbind serve`: runs the MCP server.
// Invariant: over stdio, stdout carries the protocol only.

import {
  type CodeMode,
  type Configuration,
  type HttpRoutes,
  type Log,
  type ModelConfig,
  type OpenOptions,
  offersOf,
  type ServeSettings,
  serveStdio,
  version,
} from '../../index.js'
import { wrongUsage } from '../failure.js'
import { followGiven } from '../following.js'
import { type CommonOptions, configurationFileFor, configurationFor, hasQueue, logFor, modelsGiven } from '../given.js'
import { openToStay } from '../opening.js'
import { stopped, stopping } from '../stopping.js'

export interface ServeOptions extends CommonOptions {
  readonly http?: true
  readonly host?: string
  readonly port?: number
  readonly model: readonly string[]
  readonly work?: number
}

export async function serve(options: ServeOptions): Promise<number> {
  const log = logFor(options, 'info')
  const configuration = configurationFor(options, log)
  const isHttp = options.http === true || options.host !== undefined || options.port !== undefined
  if (!isHttp && options.model.length > 0) throw wrongUsage('--model is for chat clients over HTTP: add --http')
  return isHttp ? overHttp(options, configuration, log) : overStdio(options, configuration, log)
}

async function overStdio(options: ServeOptions, configuration: Configuration, log: Log): Promise<number> {
  if (process.stdin.isTTY)
    log({
      level: 'info',
      message: 'waiting for an MCP host on stdin; Ctrl-C ends it. For callers over HTTP: --http',
    })
  // Hosts give a server a few seconds to say hello; upstreams may take longer than that to start.
  const runs = workOf(options, configuration)
  const opening = opened(options, { configuration, log })
  const working = opening.then((codeMode) => (runs > 0 ? codeMode.work({ runs }) : undefined))
  working.catch(() => {})
  using _following = followGiven(options, configuration, opening, log)
  await serveStdio({
    version,
    structured: configuration.answerStructured ?? false,
    offers: offersOf(configuration),
    open: async (facts) => (await opening).accept(facts),
    log,
    signal: stopping,
  })
  // Hosts wait about two seconds for the end.
  await (await working)?.drain({ graceMs: 1000 })
  await (await opening).close()
  return 0
}

/** `onServing` receives the address that opens the page once; undefined: the page takes a key there. */
export async function overHttp(
  options: ServeOptions,
  configuration: Configuration,
  log: Log,
  onServing: (address: string | undefined) => void = (address) => tellPage(address, log),
): Promise<number> {
  const { host, port } = options
  const runs = workOf(options, configuration)
  const models = modelsGiven(options.model, configuration)
  const serve: ServeSettings = { ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) }
  const opening = opened(options, { configuration, serve, log })
  using _following = followGiven(options, configuration, opening, log)
  await using codeMode = await opening
  const { pageFor } = await import('../page.js')
  const page = pageFor(codeMode, { configuration, models, file: configurationFileFor(options) })
  const chat = models.length === 0 ? [] : [await routesFor(codeMode, models, log)]
  const worker = runs > 0 ? codeMode.work({ runs }) : undefined
  const { url } = await codeMode.serveHttp({ routes: [page, ...chat] })
  log({ level: 'info', message: `serving on ${url}` })
  onServing(page.newAddress(url))
  if (models.length > 0) {
    const names = models.map(({ name }) => name).join(', ')
    log({ level: 'info', message: `chat clients reach ${names} on ${new URL('/v1', url).href}` })
  }
  await stopped()
  await worker?.drain()
  return 0
}

function tellPage(address: string | undefined, log: Log): void {
  if (address !== undefined) log({ level: 'info', message: `the page, once: ${address}` })
}

/** Loaded only where there are models. */
async function routesFor(codeMode: CodeMode, models: readonly ModelConfig[], log: Log): Promise<HttpRoutes> {
  for (const { name, faults } of models)
    for (const { message } of faults) log({ level: 'warn', message: `the model ${name} can't be used: ${message}` })
  const { chatEndpoint } = await import('../../agent/index.js')
  return chatEndpoint(codeMode, { models, log })
}

function opened(
  options: ServeOptions,
  settings: OpenOptions & { readonly configuration: Configuration },
): Promise<CodeMode> {
  const opening = openToStay(options, { ...settings, callersAnswer: true })
  opening.then((codeMode) => codeMode.resumeBackground()).catch(() => {})
  return opening
}

const USUAL_WORK = 4

/** How many background runs this process carries out at once. */
function workOf(options: ServeOptions, configuration: Configuration): number {
  const { work } = options
  if (hasQueue(options, configuration)) return work ?? USUAL_WORK
  if (work !== undefined) throw wrongUsage('--work is for runs in Redis: set "state" to redis://… in the configuration')
  return 0
}
