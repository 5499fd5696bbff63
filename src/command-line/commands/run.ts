// `starbind run`: runs a program and shows its output, its result and its calls.

import { writeFileSync } from 'node:fs'
import {
  type Diagnostic,
  DiagnosticError,
  type ProgramOptions as ProgramSettings,
  type RunListener,
  type RunResult,
  renderDiagnostics,
} from '../../index.js'
import { recording } from '../../page/index.js'
import { askingPerson } from '../ask-person.js'
import { wrongUsage } from '../failure.js'
import {
  configurationFor,
  keepingIn,
  languageGiven,
  type ProgramOptions,
  programText,
  quietLog,
  remembering,
  worldGiven,
} from '../given.js'
import { openGiven } from '../opening.js'
import { printJson } from '../print.js'
import { isSaved, refuseOption, type Typed, withInput } from '../program-input.js'
import { isPersonThere } from '../question.js'
import { onlyReading } from '../read-only.js'
import { exitStatus, printResult } from '../run-output.js'
import { saveFiles } from '../saved-files.js'
import { whoStarts } from '../starting.js'
import { interruptedStatus, stopping } from '../stopping.js'
import { type Alone, type WatchedRun, watched } from '../watched-run.js'

interface RunOptions extends ProgramOptions {
  readonly json?: true
  readonly events?: true
  readonly timeout?: number
  readonly now?: number
  readonly seed?: number
  readonly ask?: true
  readonly save?: string
  readonly timeline?: string
  readonly help?: true
}

interface TypedRun extends Typed {
  readonly options: RunOptions
}

export async function run(typed: TypedRun): Promise<number> {
  const { file, options, command } = typed
  if (file !== undefined && /^-./.test(file)) refuseOption(command, file)
  if (options.help && file === undefined && options.eval === undefined) command.help()
  const forMachines = options.json || options.events
  try {
    const { result, print } = await runOnce(typed)
    if (forMachines) printResult(result, options)
    else print()
    return interruptedStatus() ?? exitStatus(result)
  } catch (error) {
    if (forMachines && error instanceof DiagnosticError) printResult(nothingRan(error.diagnostics[0]!), options)
    throw error
  }
}

/** Resolves when the servers have ended, too, so that nothing they say comes after the answer. */
async function runOnce(typed: TypedRun): Promise<WatchedRun> {
  const { file, options } = typed
  const begun = Date.now()
  if (options.ask && !isPersonThere()) throw wrongUsage('--ask needs a person at a terminal')
  const text = isSaved(file) ? '' : await programText(file, options)
  const configuration = configurationFor(options, quietLog(options))
  const keeping = keepingIn(options, configuration)
  const isKept = typeof (keeping.state ?? configuration.state) === 'string'
  await using codeMode = await openGiven({
    configuration,
    ...worldGiven(options),
    ...remembering(options),
    ...keeping,
    log: quietLog(options),
    startServers: 'named',
    signal: stopping,
  })
  const program = { ...languageGiven(file, options), ...(options.strict ? { strict: true } : {}) }
  const { code, input } = await withInput(codeMode, text, typed)
  const { session, refusal } = options.readOnly ? await onlyReading(codeMode, code, program) : { session: codeMode }
  const drawing = options.timeline === undefined ? undefined : recording(session)
  const started = async (onEvent: RunListener, alone: Alone): Promise<RunResult> =>
    refusal === undefined
      ? session.run(code, {
          ...program,
          ...input,
          ...settingsOf(options),
          ...(options.ask ? { approve: 'writes' } : {}),
          onApproval: askingPerson(alone, { isKept }),
          signal: stopping,
          onEvent,
        })
      : nothingRan(refusal)
  const ran =
    options.json || options.events
      ? { result: await started(options.events ? printJson : () => {}, (work) => work()), print: () => {} }
      : await watched(started, { starting: () => whoStarts(codeMode), isKept })
  if (drawing !== undefined) writeFileSync(options.timeline!, drawing(file ?? 'program'))
  if (options.save !== undefined) await saveFiles(session.artifacts, options.save, begun)
  return ran
}

/** Settings of the run and not of its program. */
function settingsOf({ timeout, now, seed }: RunOptions): Pick<ProgramSettings, 'limits' | 'now' | 'seed'> {
  return {
    ...(timeout === undefined ? {} : { limits: { wallMs: timeout } }),
    ...(now === undefined ? {} : { now }),
    ...(seed === undefined ? {} : { seed }),
  }
}

function nothingRan(diagnostic: Diagnostic): RunResult {
  const stats = { wallMs: 0, compileMs: 0, runMs: 0, toolWaitMs: 0, memoryBytes: 0 }
  const { class: kind, code, message, hint = null } = diagnostic
  const error = { class: kind, code, message, line: null, column: null, hint }
  const report = renderDiagnostics([diagnostic])
  return { runId: '', reusable: false, ok: false, result: null, logs: [], calls: [], error, stats, report }
}
