#!/usr/bin/env node
// The command line's door: arguments in, text and an exit status out. Knows commands and options; everything they do is the library's.
// Invariant: stdout carries answers only (with --json exactly one object), everything else goes to stderr, and no JavaScript stack is shown.
//
// Exit status: 0 done, 1 the program or the question failed, 2 wrong usage or configuration.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import {
  type Answer,
  type BindingLevel,
  Catalogues,
  CodeMode,
  type Configuration,
  type Diagnostic,
  DiagnosticError,
  emptyConfiguration,
  findConfiguration,
  type Language,
  type Log,
  type LogLevel,
  logLevels,
  metaTools,
  type Reach,
  type RunResult,
  readConfiguration,
  renderDiagnostics,
  serveStdio,
  stderrLog,
  version,
} from './index.js'

interface CommonOptions {
  readonly config?: string
  readonly logLevel?: LogLevel
}

interface RunOptions extends CommonOptions {
  readonly eval?: string
  readonly json?: true
  readonly timeout?: number
  readonly language?: Language
  readonly strict?: true
}

interface ListOptions extends CommonOptions {
  readonly server?: string
  readonly query?: string
  readonly catalogues?: string
  readonly json?: true
}

interface StubsOptions {
  readonly server: string
  readonly level?: BindingLevel
  readonly file?: string
}

const stop = new AbortController()

function commandLine(): Command {
  const starbind = new Command('starbind')
    .description('One program instead of hundreds of tool calls: a code mode engine for MCP.')
    .version(version, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .helpCommand(false)
    .option('--config <file>', 'the servers to use (default: starbind.json, then .mcp.json, here or in a folder above)')
    .addOption(new Option('--log-level <level>', 'what to write to stderr').choices(logLevels))
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      outputError: (message, write) => write(message.replace(/^error: /, 'host error [wrong-usage] ')),
    })
    .showHelpAfterError('hint: starbind --help lists commands and options')
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  starbind ls                                  which servers and tools there are
  starbind cat servers/github.pyi              the stubs of one server
  starbind docs github list_issues             everything about one tool
  starbind stubs saved.json --server github    the stubs of a saved tools/list answer
  starbind run report.star --timeout 30s       run a program
  starbind run -e 'print(1 + 1)'               run a line
  starbind serve                               be an MCP server over stdio

Exit status: 0 done, 1 the program failed, 2 wrong usage or configuration.`,
    )

  starbind
    .command('serve')
    .description('be an MCP server over stdio with the four meta-tools')
    .action((_, command: Command) => finish(serve(command.optsWithGlobals())))

  starbind
    .command('run [file]')
    .description('run a program from a file, from stdin (-), or from the command line (-e)')
    .option('-e, --eval <code>', 'the program itself')
    .option('--json', 'print one JSON object: ok, result, logs, calls, error, stats')
    .addOption(new Option('--timeout <duration>', 'the longest it may take: 500ms, 5s, 2m').argParser(duration))
    .addOption(
      new Option('--language <name>', 'of the program (default: by the file name)').choices(['starlark', 'javascript']),
    )
    .option('--strict', 'pure Starlark, without what Python adds')
    .action((file: string | undefined, _, command: Command) => finish(run(file, command.optsWithGlobals())))

  starbind
    .command('check [file]')
    .description('say what is wrong with a program, and which tools it can reach; nothing runs')
    .option('-e, --eval <code>', 'the program itself')
    .option('--json', 'print one JSON object: ok, and diagnostics or warnings and reach')
    .addOption(
      new Option('--language <name>', 'of the program (default: by the file name)').choices(['starlark', 'javascript']),
    )
    .option('--strict', 'pure Starlark, without what Python adds')
    .action((file: string | undefined, _, command: Command) => finish(checkProgram(file, command.optsWithGlobals())))

  starbind
    .command('ls [words...]')
    .description('list servers and tools as a tree of stub files; with words, those that match')
    .option('--server <name>', 'only this server')
    .option('--query <text>', 'the words, as one text')
    .option('--catalogues <folder>', 'saved tools/list answers, one JSON file for each server; nothing is started')
    .option('--json', 'with --catalogues: print one JSON object')
    .action((words: string[], _, command: Command) => {
      const { server, catalogues, json, ...options } = command.optsWithGlobals<ListOptions>()
      const query = [...words, ...(options.query === undefined ? [] : [options.query])].join(' ')
      const args = { ...(query === '' ? {} : { query }), ...(server === undefined ? {} : { server }) }
      if (catalogues !== undefined) return finish(listCatalogues(catalogues, args, json === true))
      if (json) return finish(Promise.reject(wrongUsage('--json needs --catalogues')))
      return finish(ask(options, 'listToolFiles', args))
    })

  starbind
    .command('stubs <catalogue>')
    .description('print the stubs of a saved tools/list answer; nothing is started')
    .requiredOption('--server <name>', 'what to call the server')
    .addOption(
      new Option('--level <level>', 'one stub file for the server or one for each tool').choices(['server', 'tool']),
    )
    .option('--file <path>', 'only this file')
    .action((catalogue: string, _, command: Command) => finish(printStubs(catalogue, command.optsWithGlobals())))

  starbind
    .command('cat <files...>')
    .description('print stub files and other files that a model can read')
    .action((fileNames: string[], _, command: Command) =>
      finish(ask(command.optsWithGlobals(), 'readToolFile', { fileNames })),
    )

  starbind
    .command('docs <server> <tools...>')
    .description('print the full documentation of tools')
    .action((server: string, tools: string[], _, command: Command) =>
      finish(ask(command.optsWithGlobals(), 'getToolDocs', { server, tools })),
    )
  return starbind
}

async function finish(command: Promise<number>): Promise<void> {
  process.exitCode = await command
}

// The commands. Each resolves to the exit status.

async function serve(options: CommonOptions): Promise<number> {
  const log = stderrLog(options.logLevel ?? 'info')
  const configuration = configurationFor(options, log)
  // Hosts give a server a few seconds to say hello; upstreams may take longer than that to start.
  const opening = CodeMode.open({ configuration, log, signal: stop.signal })
  opening.catch(() => {})
  await serveStdio({
    version,
    tools: metaTools,
    structured: configuration.answerStructured ?? false,
    call: async (name, args, options) => (await opening).call(name, args, options),
    log,
    signal: stop.signal,
  })
  await (await opening).close()
  return 0
}

async function run(file: string | undefined, options: RunOptions): Promise<number> {
  let result: RunResult
  try {
    const code = await programText(file, options)
    const configuration = configurationFor(options, quietLog(options))
    await using codeMode = await CodeMode.open({ configuration, log: quietLog(options), signal: stop.signal })
    result = await codeMode.run(code, {
      language: options.language ?? languageOf(file) ?? configuration.language,
      ...(options.strict ? { strict: true } : {}),
      ...(options.timeout === undefined ? {} : { limits: { wallMs: options.timeout } }),
      signal: stop.signal,
    })
  } catch (error) {
    if (options.json && error instanceof DiagnosticError) printJson(nothingRan(error.diagnostics[0]!))
    throw error
  }
  if (options.json) printJson(result)
  else printRun(result)
  return result.ok ? 0 : 1
}

async function checkProgram(file: string | undefined, options: RunOptions): Promise<number> {
  const code = await programText(file, options)
  const configuration = configurationFor(options, quietLog(options))
  await using codeMode = await CodeMode.open({
    configuration,
    log: quietLog(options),
    warm: false,
    signal: stop.signal,
  })
  const checked = await codeMode.check(code, {
    language: options.language ?? languageOf(file) ?? configuration.language,
    ...(options.strict ? { strict: true } : {}),
  })
  if (options.json) process.stdout.write(`${JSON.stringify(checked)}\n`)
  else if (!checked.ok) show(process.stderr, renderDiagnostics(checked.diagnostics, code))
  else {
    if (checked.warnings.length > 0)
      show(process.stderr, `if the program gets there:\n${renderDiagnostics(checked.warnings, code)}`)
    show(process.stdout, `ok\nreaches: ${reachText(checked.reach)}`)
  }
  return checked.ok ? 0 : 1
}

function reachText({ tools, widened }: Reach): string {
  if (widened === 'all') return 'any tool'
  const all = [
    ...tools.map((tool) => `${tool.namespace}.${tool.member}`),
    ...widened.map((name) => `any tool of ${name}`),
  ]
  return all.length === 0 ? 'no tools' : all.join(', ')
}

/** Asks a meta-tool what a model would ask it. */
async function ask(options: CommonOptions, metaTool: string, args: Record<string, unknown>): Promise<number> {
  const log = quietLog(options)
  await using codeMode = await CodeMode.open({
    configuration: configurationFor(options, log),
    log,
    signal: stop.signal,
  })
  return printAnswer(await codeMode.call(metaTool, args))
}

/** Lists or searches saved answers. */
async function listCatalogues(
  folder: string,
  args: { readonly query?: string; readonly server?: string },
  json: boolean,
): Promise<number> {
  const catalogues = Catalogues.openFolder(folder)
  warnAboutQuarantined(catalogues)
  if (!json) return printAnswer(catalogues.listToolFiles(args))
  const results = catalogues.search(args.query, args.server)
  process.stdout.write(`${JSON.stringify({ results })}\n`)
  return 0
}

/** Prints the stub files of a saved answer. */
async function printStubs(file: string, { server, level = 'server', file: only }: StubsOptions): Promise<number> {
  const catalogues = Catalogues.open({ [server]: file }, { bindingLevel: level })
  warnAboutQuarantined(catalogues)
  return printAnswer(catalogues.readToolFile({ fileNames: only === undefined ? catalogues.stubFiles() : [only] }))
}

function warnAboutQuarantined(catalogues: Catalogues): void {
  for (const [server, tools] of catalogues.quarantined)
    for (const { name, reason } of tools) process.stderr.write(`${server}: the tool ${name} is set aside: ${reason}\n`)
}

function printAnswer(answer: Answer): number {
  show(answer.isError ? process.stderr : process.stdout, answer.text)
  return answer.isError ? 1 : 0
}

// What the commands are given.

function configurationFor(options: CommonOptions, log: Log): Configuration {
  if (options.config !== undefined) return readConfiguration(options.config)
  const found = findConfiguration(process.cwd())
  log({ level: 'debug', message: found === undefined ? 'there is no configuration file' : `using ${found}` })
  // A file that was found speaks for the folder it lies in: its relative paths mean that folder.
  return found === undefined ? emptyConfiguration : readConfiguration(found, { startIn: path.dirname(found) })
}

function quietLog(options: CommonOptions): Log {
  return stderrLog(options.logLevel ?? 'warn')
}

async function programText(file: string | undefined, options: RunOptions): Promise<string> {
  if (options.eval !== undefined) {
    if (file !== undefined) throw wrongUsage('give either a file or -e CODE, not both')
    return options.eval
  }
  if (file === undefined) throw wrongUsage('there is no program: give a file, - for stdin, or -e CODE')
  if (file === '-') return readAll(process.stdin)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    const reason = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : String(code)
    throw wrongUsage(`the program ${file} can't be read: ${reason}`)
  }
}

function languageOf(file: string | undefined): Language | undefined {
  const ending = path.extname(file ?? '')
  if (['.js', '.mjs'].includes(ending)) return 'javascript'
  return ['.star', '.bzl', '.py'].includes(ending) ? 'starlark' : undefined
}

function duration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text)
  const milliseconds = Math.round(Number(match?.[1]) * { ms: 1, s: 1000, m: 60_000 }[match?.[2] ?? 's']!)
  if (!match || milliseconds < 1) throw new InvalidArgumentError('Write 500ms, 5s or 2m.')
  return milliseconds
}

// What they print.

/** For people: what the program printed and its result on stdout, everything about the run on stderr. */
function printRun(result: RunResult): void {
  for (const line of result.logs) show(process.stdout, line)
  if (result.resultText !== undefined) show(process.stdout, `result: ${result.resultText}`)
  if (result.report !== '') show(process.stderr, result.report)
}

/** One line. The result is its own JSON text, in which big integers and 120.0 are exact. */
function printJson(result: RunResult): void {
  const { ok, logs, error, stats } = result
  const calls = result.calls.map(({ server, tool, ok, ms, bytes }) => ({ server, tool, ok, ms, bytes }))
  const exact = result.resultJson ?? JSON.stringify(result.result)
  const rest = JSON.stringify({ logs, error, calls, stats }).slice(1)
  process.stdout.write(`{"ok":${ok},"result":${exact},${rest}\n`)
}

function nothingRan(diagnostic: Diagnostic): RunResult {
  const stats = { wallMs: 0, compileMs: 0, runMs: 0, toolWaitMs: 0, memoryBytes: 0 }
  const { class: kind, code, message, hint = null } = diagnostic
  const error = { class: kind, code, message, line: null, column: null, hint }
  return { runId: '', reusable: false, ok: false, result: null, logs: [], calls: [], error, stats, report: '' }
}

/** Ends with a newline. What tools say may hold anything, and a terminal would obey it. */
function show(stream: NodeJS.WriteStream, text: string): void {
  const shown = stream.isTTY ? text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '\ufffd') : text
  stream.write(shown.endsWith('\n') ? shown : `${shown}\n`)
}

function wrongUsage(message: string): DiagnosticError {
  return new DiagnosticError({
    class: 'host error',
    code: 'wrong-usage',
    message,
    hint: 'starbind --help lists commands and options',
  })
}

/** Where every failure of a command ends: one message and a status. */
function failureStatus(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof DiagnosticError) {
    process.stderr.write(`${renderDiagnostics(error.diagnostics)}\n`)
    return 2
  }
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`host error [internal] starbind itself failed: ${message}\n`)
  if (process.env.STARBIND_DEBUG !== undefined && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return 2
}

async function main(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // Asked twice: upstreams are killed as the process exits.
      if (stop.signal.aborted) process.exit(130)
      stop.abort()
    })
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => process.exit(failureStatus(error)))
  }
  // `starbind ls | head`: whoever read stdout has had enough.
  process.stdout.on('error', () => stop.abort())
  process.stderr.on('error', () => {})
  try {
    await commandLine().parseAsync()
  } catch (error) {
    process.exitCode = failureStatus(error)
  }
}

await main()
