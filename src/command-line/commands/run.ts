// `starbind run`: run a program, and show what it printed, its result and what it called.

import type { Command } from 'commander'
import { Option } from 'commander'
import { CodeMode, type Diagnostic, DiagnosticError, type RunResult } from '../../index.js'
import { finish } from '../command.js'
import {
  configurationFor,
  duration,
  languageFor,
  languageOption,
  type ProgramOptions,
  programText,
  quietLog,
} from '../given.js'
import { show } from '../print.js'
import { stopping } from '../stopping.js'

interface RunOptions extends ProgramOptions {
  readonly json?: true
  readonly timeout?: number
}

export function addRun(starbind: Command): void {
  starbind
    .command('run [file]')
    .description('run a program from a file, from stdin (-), or from the command line (-e)')
    .option('-e, --eval <code>', 'the program itself')
    .option('--json', 'print one JSON object: ok, result, logs, calls, error, stats')
    .addOption(new Option('--timeout <duration>', 'the longest it may take: 500ms, 5s, 2m').argParser(duration))
    .addOption(languageOption())
    .option('--strict', 'pure Starlark, without what Python adds')
    .action((file: string | undefined, _, command: Command) => finish(run(file, command.optsWithGlobals())))
}

async function run(file: string | undefined, options: RunOptions): Promise<number> {
  let result: RunResult
  try {
    const code = await programText(file, options)
    const configuration = configurationFor(options, quietLog(options))
    await using codeMode = await CodeMode.open({ configuration, log: quietLog(options), signal: stopping })
    result = await codeMode.run(code, {
      language: languageFor(file, options, configuration),
      ...(options.strict ? { strict: true } : {}),
      ...(options.timeout === undefined ? {} : { limits: { wallMs: options.timeout } }),
      signal: stopping,
    })
  } catch (error) {
    if (options.json && error instanceof DiagnosticError) printResult(nothingRan(error.diagnostics[0]!))
    throw error
  }
  if (options.json) printResult(result)
  else printRun(result)
  return result.ok ? 0 : 1
}

/** For people: what the program printed and its result on stdout, everything about the run on stderr. */
function printRun(result: RunResult): void {
  for (const line of result.logs) show(process.stdout, line)
  if (result.resultText !== undefined) show(process.stdout, `result: ${result.resultText}`)
  if (result.report !== '') show(process.stderr, result.report)
}

/** For machines, in one line. The result is its own JSON text, in which big integers and 120.0 are exact. */
function printResult(result: RunResult): void {
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
