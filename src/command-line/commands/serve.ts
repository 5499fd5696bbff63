// `starbind serve`: runs the MCP server.
// Invariant: over stdio, stdout carries the protocol only.

import { type Command, InvalidArgumentError } from 'commander'
import {
  CodeMode,
  type Configuration,
  defaultPort,
  type Log,
  offersOf,
  type ServeSettings,
  serveStdio,
  version,
} from '../../index.js'
import { examples, finish } from '../command.js'
import { followGiven } from '../following.js'
import { type CommonOptions, configurationFor, keepingIn, logFor, remembering } from '../given.js'
import { stopping } from '../stopping.js'

interface ServeOptions extends CommonOptions {
  readonly http?: true
  readonly host?: string
  readonly port?: number
}

export function addServe(starbind: Command): void {
  starbind
    .command('serve')
    .description('serve MCP over stdio, or over HTTP for many callers')
    .option('--http', `Streamable HTTP on /mcp and /mcp/SERVER, with /health and /metrics`)
    .option('--host <address>', 'to listen on (default: 127.0.0.1; any other needs keys: starbind keys add)')
    .option('--port <number>', `to listen on (default: ${defaultPort})`, port)
    .addHelpText(
      'after',
      examples('starbind serve', 'starbind serve --http', 'starbind serve --host 0.0.0.0 --port 8080'),
    )
    .action((_, command: Command) => finish(serve(command.optsWithGlobals())))
}

async function serve(options: ServeOptions): Promise<number> {
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
  const opening = CodeMode.open({
    configuration,
    ...remembering(options),
    ...keepingIn(options, configuration),
    log,
    callersAnswer: true,
    startServers: 'meanwhile',
    signal: stopping,
  })
  opening.then((codeMode) => codeMode.resumeBackground()).catch(() => {})
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
  const opening = CodeMode.open({
    configuration,
    serve,
    ...remembering(options),
    ...keepingIn(options, configuration),
    log,
    callersAnswer: true,
    startServers: 'meanwhile',
    signal: stopping,
  })
  opening.then((codeMode) => codeMode.resumeBackground()).catch(() => {})
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

function port(text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 0 || number > 65_535) throw new InvalidArgumentError('Write a port number.')
  return number
}
