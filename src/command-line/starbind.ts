import { Command, Option } from 'commander'
import { logFormats, logLevels, version } from '../index.js'
import { type AddCommand, tellMistake } from './command.js'
import { failureStatus } from './failure.js'
import { tellHeldWarnings } from './held-warnings.js'
import { listenForTheEnd } from './stopping.js'
import { addAdd } from './usage/add.js'
import { addApprovals, addApprove, addDeny } from './usage/approvals.js'
import { addCat } from './usage/cat.js'
import { addChat } from './usage/chat.js'
import { addCheck } from './usage/check.js'
import { addCompletion } from './usage/completion.js'
import { addDocs } from './usage/docs.js'
import { addDoctor } from './usage/doctor.js'
import { addImport } from './usage/import.js'
import { addKeys } from './usage/keys.js'
import { addLogin, addLogout } from './usage/login.js'
import { addLs } from './usage/ls.js'
import { addOpen } from './usage/open.js'
import { addRepl } from './usage/repl.js'
import { addReplay } from './usage/replay.js'
import { addResume } from './usage/resume.js'
import { addRun } from './usage/run.js'
import { addRuns } from './usage/runs.js'
import { addServe } from './usage/serve.js'
import { addStubs } from './usage/stubs.js'
import { addTraces } from './usage/traces.js'
import { addTry } from './usage/try.js'
import { addWork } from './usage/work.js'

/** In the order of `starbind --help`. */
const commands: readonly AddCommand[] = [
  addTry,
  addServe,
  addWork,
  addOpen,
  addKeys,
  addRun,
  addApprovals,
  addApprove,
  addDeny,
  addResume,
  addRuns,
  addReplay,
  addRepl,
  addChat,
  addTraces,
  addCheck,
  addLs,
  addCat,
  addDocs,
  addDoctor,
  addImport,
  addAdd,
  addLogin,
  addLogout,
  addStubs,
  addCompletion,
]

/** Runs the command in the process's arguments. Resolves when it is done; the exit status is set by then. */
export async function starbind(): Promise<void> {
  listenForTheEnd()
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => process.exit(failureStatus(error)))
  }
  try {
    await commandLine().parseAsync()
  } catch (error) {
    process.exitCode = failureStatus(error)
  }
  tellHeldWarnings()
}

function commandLine(): Command {
  const starbind = new Command('starbind')
    .description('One program instead of hundreds of tool calls: a code mode engine for MCP.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .option('--config <file>', 'the servers to use (default: starbind.json, then .mcp.json, here or in a folder above)')
    .addOption(
      new Option('--log-level <level>', 'the lowest level that is written to stderr')
        .choices(logLevels)
        .env('STARBIND_LOG_LEVEL'),
    )
    .addOption(
      new Option('--log-format <format>', 'the format of the log (default: text)')
        .choices(logFormats)
        .env('STARBIND_LOG_FORMAT'),
    )
    .option('--fresh', 'ask servers for their tools again instead of using their last lists')
    .option('--no-state', 'keep no runs and no files after the command has ended')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      outputError: tellMistake,
    })
    .showHelpAfterError('hint: starbind --help lists commands and options')
    .exitOverride()
    .addHelpText(
      'after',
      `
Examples:
  starbind try                                 see it work, without any configuration
  starbind ls                                  which servers and tools there are
  starbind cat servers/github.pyi              the stubs of one server
  starbind docs github list_issues             everything about one tool
  starbind stubs saved.json --server github    the stubs of a saved tools/list answer
  starbind run report.star --timeout 30s       run a program
  starbind run -e 'print(1 + 1)'               run a line
  starbind repl                                type programs line by line
  starbind chat                                talk to a model that may call the tools
  starbind serve                               be an MCP server over stdio
  starbind open                                see in a browser what programs do

Exit status: 0 done, 1 the program failed, 2 wrong usage or configuration, 3 the program waits for a person.`,
    )
  for (const add of commands) add(starbind)
  addHelp(starbind)
  for (const command of starbind.commands) pointToHelp(command)
  return starbind
}

/** Commander's own answers an unknown name with the general help. */
function addHelp(starbind: Command): void {
  starbind
    .command('help [command...]')
    .description('print the help of a command')
    .action((names: readonly string[]) => {
      let command = starbind
      for (const name of names) {
        const found = command.commands.find((one) => one.name() === name)
        if (found === undefined) command.error(`error: unknown command '${name}'`)
        else command = found
      }
      command.help()
    })
}

/** After a mistake in the options of one command, refers to the help of that command. */
function pointToHelp(command: Command, path = `starbind ${command.name()}`): void {
  command.showHelpAfterError(`hint: ${path} --help shows its options and examples`)
  for (const inner of command.commands) pointToHelp(inner, `${path} ${inner.name()}`)
}
