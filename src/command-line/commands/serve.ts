// `starbind serve`: runs the MCP server.
// Invariant: over stdio, stdout carries the protocol only.

import {
  type CodeMode,
  type Configuration,
  type Log,
  type OpenOptions,
  offersOf,
  type ServeSettings,
  serveStdio,
  version,
} from '../../index.js'
import { followGiven } from '../following.js'
import { type CommonOptions, configurationFor, keepingIn, logFor, remembering } from '../given.js'
import { openGiven } from '../opening.js'
import { stopping } from '../stopping.js'

interface ServeOptions extends CommonOptions {
  readonly http?: true
  readonly host?: string
  readonly port?: number
}

export async function serve(options: ServeOptions): Promise<number> {
  const log = logFor(options, 'info')
  const configuration = configurationFor(options, log)
  const isHttp = options.http === true || options.host !== undefined || options.port !== undefined
  return isHttp ? overHttp(options, configuration, log) : overStdio(options, configuration, log)
}

async function overStdio(options: ServeOptions, configuration: Configuration, log: Log): Promise<number> {
  if (process.stdin.isTTY)
    log({
      level: 'info',
      message: 'waiting for an MCP host on stdin; Ctrl-C ends it. For callers over HTTP: --http',
    })
  // Hosts give a server a few seconds to say hello; upstreams may take longer than that to start.
  const opening = opened(options, { configuration, log })
  using _following = followGiven(options, configuration, opening, log)
  await serveStdio({
    version,
    structured: configuration.answerStructured ?? false,
    offers: offersOf(configuration),
    open: async (facts) => (await opening).accept(facts),
    log,
    signal: stopping,
  })
  await (await opening).close()
  return 0
}

async function overHttp(options: ServeOptions, configuration: Configuration, log: Log): Promise<number> {
  const { host, port } = options
  const serve: ServeSettings = { ...(host === undefined ? {} : { host }), ...(port === undefined ? {} : { port }) }
  const opening = opened(options, { configuration, serve, log })
  using _following = followGiven(options, configuration, opening, log)
  await using codeMode = await opening
  const { url } = await codeMode.serveHttp()
  log({ level: 'info', message: `serving on ${url}` })
  await new Promise<void>((resolve) => {
    if (stopping.aborted) resolve()
    stopping.addEventListener('abort', () => resolve(), { once: true })
  })
  return 0
}

function opened(
  options: ServeOptions,
  settings: OpenOptions & { readonly configuration: Configuration },
): Promise<CodeMode> {
  const opening = openGiven({
    ...settings,
    ...remembering(options),
    ...keepingIn(options, settings.configuration),
    callersAnswer: true,
    startServers: 'meanwhile',
    signal: stopping,
  })
  opening.then((codeMode) => codeMode.resumeBackground()).catch(() => {})
  return opening
}
