// `starbind keys`: manages the API keys for HTTP.
// Invariant: a key is shown once, when it is made.

import { type Command, Option } from 'commander'
import {
  type ApprovalRule,
  addKey,
  type ChanceUse,
  type ClockUse,
  type CodeModeUse,
  defaultKeysFile,
  type KeyEntry,
  type KeyTerms,
  readKeys,
  removeKey,
} from '../../index.js'
import { examples, finish } from '../command.js'
import { type CommonOptions, clockOption, configurationFor, quietLog, randomOption, worldGiven } from '../given.js'

interface KeysOptions extends CommonOptions {
  readonly file?: string
  readonly json?: true
  readonly servers?: string
  readonly tools?: string
  readonly deny?: string
  readonly codeMode?: 'true' | 'false' | 'auto'
  readonly clock?: ClockUse
  readonly random?: ChanceUse
  readonly approve?: string
  readonly mayApprove?: true
}

export function addKeys(starbind: Command): void {
  const keys = starbind
    .command('keys')
    .description('the keys with which callers connect over HTTP')
    .addHelpText(
      'after',
      examples(
        'starbind keys add laptop',
        "starbind keys add ci --servers git,files --tools 'git/log,files/read_*' --deny 'files/*secret*'",
        'starbind keys list',
        'starbind keys remove ci',
      ),
    )
  keys
    .command('add <name>')
    .description('make a key and print it; only its digest is kept')
    .option('--servers <names>', 'only these servers: names and globs, with commas between')
    .option('--tools <patterns>', 'only these tools: server/tool, server/*, with commas between')
    .option('--deny <patterns>', 'never these tools')
    .addOption(new Option('--code-mode <use>', 'how its tools are reached').choices(['true', 'false', 'auto']))
    .addOption(clockOption())
    .addOption(randomOption())
    .option('--approve <rule>', 'ask a person before: always, writes, destructive, or tools with commas between')
    .option('--may-approve', 'it may see and answer the runs of all callers')
    .option('--file <path>', 'where keys are kept')
    .action((name: string, _, command: Command) => finish(add(name, command.optsWithGlobals())))
  keys
    .command('list')
    .description('the names of the keys and what each may call')
    .option('--json', 'print one JSON object')
    .option('--file <path>', 'where keys are kept')
    .action((_, command: Command) => finish(list(command.optsWithGlobals())))
  keys
    .command('remove <name>')
    .description('remove a key and end its sessions')
    .option('--file <path>', 'where keys are kept')
    .action((name: string, _, command: Command) => finish(remove(name, command.optsWithGlobals())))
}

async function add(name: string, options: KeysOptions): Promise<number> {
  const token = addKey(fileFor(options), name, termsIn(options))
  process.stdout.write(`${token}\n`)
  process.stderr.write('this is shown once; callers send it as: Authorization: Bearer KEY\n')
  return 0
}

async function list(options: KeysOptions): Promise<number> {
  const keys = readKeys(fileFor(options)).map(({ sha256: _, ...key }) => key)
  if (options.json) process.stdout.write(`${JSON.stringify({ keys })}\n`)
  else if (keys.length === 0) process.stderr.write('there are no keys: starbind keys add NAME\n')
  else process.stdout.write(`${keys.map(lineOf).join('\n')}\n`)
  return 0
}

async function remove(name: string, options: KeysOptions): Promise<number> {
  removeKey(fileFor(options), name)
  return 0
}

/** The file that was named, else the configuration's, else the person's own. */
function fileFor(options: KeysOptions): string {
  if (options.file !== undefined) return options.file
  const configuration = configurationFor(options, quietLog(options))
  return configuration.serve?.keysFile ?? defaultKeysFile()
}

function termsIn({ servers, tools, deny, codeMode, clock, random, approve, mayApprove }: KeysOptions): KeyTerms {
  const use: CodeModeUse | undefined =
    codeMode === 'auto' ? 'auto' : codeMode === undefined ? undefined : codeMode === 'true'
  return {
    ...(servers === undefined ? {} : { servers: listOf(servers) }),
    ...(tools === undefined ? {} : { toolsToExecute: listOf(tools) }),
    ...(deny === undefined ? {} : { toolsToDeny: listOf(deny) }),
    ...(use === undefined ? {} : { codeMode: use }),
    ...worldGiven({ clock, random }),
    ...(approve === undefined ? {} : { approve: ruleOf(approve) }),
    ...(mayApprove === undefined ? {} : { mayApprove }),
  }
}

function ruleOf(text: string): ApprovalRule {
  return text === 'never' || text === 'always' || text === 'writes' || text === 'destructive' ? text : listOf(text)
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function lineOf(key: Omit<KeyEntry, 'sha256'>): string {
  const { name, created, servers, toolsToExecute, toolsToDeny, codeMode, clock, random, approve, mayApprove } = key
  const terms = [
    servers === undefined ? '' : `servers ${servers.join(', ')}`,
    toolsToExecute === undefined ? '' : `tools ${toolsToExecute.join(', ')}`,
    toolsToDeny === undefined ? '' : `never ${toolsToDeny.join(', ')}`,
    codeMode === undefined ? '' : `codeMode ${codeMode}`,
    clock === undefined ? '' : `clock ${clock}`,
    random === undefined ? '' : `random ${random}`,
    approve === undefined ? '' : `asks before ${typeof approve === 'string' ? approve : approve.join(', ')}`,
    mayApprove === true ? 'may approve' : '',
  ].filter((term) => term !== '')
  return `${name}  since ${created.slice(0, 10)}  ${terms.length === 0 ? 'everything' : terms.join('; ')}`
}
