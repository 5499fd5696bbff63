// `starbind keys`: manages the API keys for HTTP.
// Invariant: a key is shown once, when it is made.

import {
  type ApprovalRule,
  addKey,
  type ChanceUse,
  type ClockUse,
  type CodeModeUse,
  defaultKeysFile,
  type KeyEntry,
  type KeyTerms,
  type MemoryUse,
  readKeys,
  removeKey,
} from '../../index.js'
import { type CommonOptions, configurationFor, quietLog, worldGiven } from '../given.js'

interface KeysOptions extends CommonOptions {
  readonly file?: string
  readonly json?: true
  readonly servers?: string
  readonly tools?: string
  readonly deny?: string
  readonly codeMode?: 'true' | 'false' | 'auto'
  readonly clock?: ClockUse
  readonly random?: ChanceUse
  readonly memory?: MemoryUse
  readonly approve?: string
  readonly mayApprove?: true
  readonly page?: true
}

export async function add(name: string, options: KeysOptions): Promise<number> {
  const token = addKey(fileFor(options), name, termsIn(options))
  process.stdout.write(`${token}\n`)
  process.stderr.write('this is shown once; callers send it as: Authorization: Bearer KEY\n')
  return 0
}

export async function list(options: KeysOptions): Promise<number> {
  const keys = readKeys(fileFor(options)).map(({ sha256: _, ...key }) => key)
  if (options.json) process.stdout.write(`${JSON.stringify({ keys })}\n`)
  else if (keys.length === 0) process.stderr.write('there are no keys: starbind keys add NAME\n')
  else process.stdout.write(`${keys.map(lineOf).join('\n')}\n`)
  return 0
}

export async function remove(name: string, options: KeysOptions): Promise<number> {
  removeKey(fileFor(options), name)
  return 0
}

/** The file of the option, else of the configuration, else of the user. */
function fileFor(options: KeysOptions): string {
  if (options.file !== undefined) return options.file
  const configuration = configurationFor(options, quietLog(options))
  return configuration.serve?.keysFile ?? defaultKeysFile()
}

function termsIn(given: KeysOptions): KeyTerms {
  const { servers, tools, deny, codeMode, approve, mayApprove, page } = given
  const use: CodeModeUse | undefined =
    codeMode === 'auto' ? 'auto' : codeMode === undefined ? undefined : codeMode === 'true'
  return {
    ...(servers === undefined ? {} : { servers: listOf(servers) }),
    ...(tools === undefined ? {} : { toolsToExecute: listOf(tools) }),
    ...(deny === undefined ? {} : { toolsToDeny: listOf(deny) }),
    ...(use === undefined ? {} : { codeMode: use }),
    ...worldGiven(given),
    ...(approve === undefined ? {} : { approve: ruleOf(approve) }),
    ...(mayApprove === undefined ? {} : { mayApprove }),
    ...(page === undefined ? {} : { page }),
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
  const { name, created, servers, toolsToExecute, toolsToDeny, approve } = key
  const terms = [
    servers === undefined ? '' : `servers ${servers.join(', ')}`,
    toolsToExecute === undefined ? '' : `tools ${toolsToExecute.join(', ')}`,
    toolsToDeny === undefined ? '' : `never ${toolsToDeny.join(', ')}`,
    ...(['codeMode', 'clock', 'random', 'memory'] as const).map((one) =>
      key[one] === undefined ? '' : `${one} ${key[one]}`,
    ),
    approve === undefined ? '' : `asks before ${typeof approve === 'string' ? approve : approve.join(', ')}`,
    key.mayApprove === true ? 'may approve' : '',
    key.page === true ? 'opens the page' : '',
  ].filter((term) => term !== '')
  return `${name}  since ${created.slice(0, 10)}  ${terms.length === 0 ? 'everything' : terms.join('; ')}`
}
