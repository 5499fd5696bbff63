// Decides which tools a connecting caller is offered, by its client name, headers and key.
// Invariant: a header or a client name can remove tools and choose how they are reached. It never grants anything.

import type { ApprovalRule } from '../approval-policy.js'
import {
  type CallerEntry,
  type ChanceUse,
  type ClockUse,
  type CodeModeUse,
  type Configuration,
  defined,
  type MemoryUse,
  type ServeSettings,
} from '../configuration/index.js'
import { type FilterEntry, matchesGlob, narrowingHeaders, type RequestHeaders } from '../filter.js'
import { isInsideItself } from '../itself.js'
import type { Offers } from './offers.js'
import type { CallerFacts } from './served.js'

export interface CallerTerms {
  readonly name: string
  readonly filters: readonly FilterEntry[]
  readonly headers: RequestHeaders
  readonly codeMode?: CodeModeUse
  readonly only?: string
  readonly clock?: ClockUse
  readonly random?: ChanceUse
  readonly memory?: MemoryUse
  readonly approve?: ApprovalRule
  readonly mayApprove?: boolean
  readonly results?: 'own' | 'named'
}

/** The header with which a caller chooses its tools: `true`, `false` or `auto`. */
const CODE_MODE_HEADER = 'x-starbind-code-mode'

/**
 * The offers besides the meta-tools.
 *
 * @example
 * import { offersOf, readConfiguration } from 'starbind'
 *
 * const { directTools, resources, prompts } = offersOf(readConfiguration('starbind.json'))
 * console.log({ directTools, resources, prompts })
 */
export function offersOf({ servers, serve = {} }: Configuration): Offers {
  const callers = Object.values(serve.callers ?? {})
  const uses = [serve.codeMode, ...servers.map(({ codeMode }) => codeMode), ...callers.map(({ codeMode }) => codeMode)]
  return {
    directTools: uses.some((use) => use === false || use === 'auto'),
    resources: usesPrograms(servers, serve) || servers.some(({ resources }) => resources === true),
    prompts: servers.some(({ prompts }) => prompts === true),
    ...(exposes(serve) ? { programs: true } : {}),
    ...(serve.taskAfterMs === undefined ? {} : { taskAfterMs: serve.taskAfterMs }),
    ...(isInsideItself(servers) ? { inside: true } : {}),
    ...instructionsOf(servers, serve),
  }
}

/** True if saved programs are tools of their own. */
export function exposes({ expose = false }: ServeSettings): boolean {
  return expose === true || (expose !== false && expose.length > 0)
}

/** Programs keep files, which are resources. */
function usesPrograms(servers: Configuration['servers'], { codeMode = true, callers = {} }: ServeSettings): boolean {
  const uses = [
    ...servers.map((server) => server.codeMode ?? codeMode),
    ...Object.values(callers).map((one) => one.codeMode ?? false),
  ]
  return servers.length === 0 || uses.some((use) => use !== false)
}

/** The maximum number of servers that the instructions name. */
const MOST_NAMED = 12

/** Names are listed only if every caller sees the same servers. */
function instructionsOf(
  servers: Configuration['servers'],
  { codeMode = true, callers = {} }: ServeSettings,
): Pick<Offers, 'instructions'> {
  const inPrograms = servers.filter((server) => server.disabled !== true && (server.codeMode ?? codeMode) !== false)
  if (servers.length > 0 && inPrograms.length === 0) return {}
  const names = Object.keys(callers).length === 0 ? inPrograms.map(({ name }) => name) : []
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  const whose = names.length === 0 ? 'many servers' : `these servers: ${names.slice(0, MOST_NAMED).join(', ')}${more}`
  return {
    instructions: `Programs call the tools of ${whose}. Find tools with listToolFiles, read them with readToolFile, then send one program with executeToolCode.`,
  }
}

export function termsOf(facts: CallerFacts, settings: ServeSettings): CallerTerms {
  const { clientName, headers, name, only, filters = [], clock, random, memory, approve, mayApprove, results } = facts
  const entry = entryOf(clientName, settings)
  const codeMode = wordOf(headers[CODE_MODE_HEADER]) ?? facts.codeMode ?? entry.codeMode
  return {
    name,
    headers,
    filters: [...filters, entry].map(filterOf),
    ...(codeMode === undefined ? {} : { codeMode }),
    ...defined({ only, clock, random, memory, approve, mayApprove, results }),
  }
}

/** The part of a key or an entry that filters tools. Only this part is stored with a caller's runs. */
function filterOf({ servers, toolsToExecute, toolsToAutoExecute, toolsToDeny }: FilterEntry): FilterEntry {
  return defined({ servers, toolsToExecute, toolsToAutoExecute, toolsToDeny })
}

/** The first entry whose name matches, in any case. */
function entryOf(clientName: string, { callers = {} }: ServeSettings): CallerEntry {
  const found = Object.entries(callers).find(([glob]) => matchesGlob(glob.toLowerCase(), clientName.toLowerCase()))
  return found?.[1] ?? {}
}

/** The headers that decide, when a session begins, which tools it has. */
export function choosingHeaders(headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(
    [CODE_MODE_HEADER, ...narrowingHeaders].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]]],
    ),
  )
}

function wordOf(header: RequestHeaders[string]): CodeModeUse | undefined {
  const word = [header].flat()[0]?.trim().toLowerCase()
  if (word === 'auto') return 'auto'
  return word === 'true' ? true : word === 'false' ? false : undefined
}
