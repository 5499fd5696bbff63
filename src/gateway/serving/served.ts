// What `serving/` needs of the library: a session for each caller.

import type { Answer, KeptRunFacts, RunListener } from '../../meta-tools/index.js'
import type { ApprovalRule } from '../approval-policy.js'
import type { CallerEnd } from '../caller-end.js'
import type { ChanceUse, ClockUse, CodeModeUse, MemoryUse } from '../configuration/index.js'
import type { FilterEntry, RequestHeaders } from '../filter.js'
import type { TraceCarrier } from '../trace.js'
import type { Direct } from './direct.js'
import type { ServedFiles } from './served-files.js'

/**
 * The facts about a connecting caller.
 *
 * @example
 * import { type CallerFacts, CodeMode } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const facts: CallerFacts = { clientName: 'cursor', headers: {}, name: 'laptop', filters: [{ servers: ['files'] }] }
 * console.log(codeMode.accept(facts).status())
 */
export interface CallerFacts {
  /** The client's own name. It proves nothing. */
  readonly clientName: string
  readonly headers: RequestHeaders
  /** The only server that the caller asked for. Absent: all servers. */
  readonly only?: string | undefined
  /** The owner of the session, for people: the name of a key or of the session. */
  readonly name: string
  /** The permissions of its key. */
  readonly filters?: readonly FilterEntry[] | undefined
  readonly codeMode?: CodeModeUse | undefined
  readonly clock?: ClockUse | undefined
  readonly random?: ChanceUse | undefined
  readonly memory?: MemoryUse | undefined
  readonly approve?: ApprovalRule | undefined
  readonly mayApprove?: boolean | undefined
  /** True: its key opens the page. */
  readonly page?: boolean | undefined
  /** `named`: all sessions with this name share their artifacts. Default: each session has its own. */
  readonly results?: 'own' | 'named' | undefined
}

export interface MetaToolCallOptions {
  /** Aborts when the caller cancels the call or is gone. */
  readonly signal: AbortSignal
  /** Receives the events of a run, if the caller asked for progress. */
  readonly onEvent?: RunListener | undefined
  /** Receives the questions and messages of upstreams during the call. */
  readonly caller?: CallerEnd | undefined
  /** The caller's trace context, unchanged: `traceparent`, `tracestate`, `baggage`. */
  readonly trace?: TraceCarrier | undefined
  /** Receives the name of the program's run. The run is then kept and continues without its caller. */
  readonly onKept?: ((runId: string) => void) | undefined
  /** The headers of the request that may be passed on to servers. Absent: those of the session. */
  readonly headers?: RequestHeaders | undefined
}

/**
 * A saved program as a tool.
 *
 * @example
 * import { CodeMode, type ProgramTool } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ programs: 'programs', serve: { expose: true } })
 * const tools: readonly ProgramTool[] = await codeMode.programTools()
 * console.log(tools.map(({ name }) => name))
 */
export interface ProgramTool {
  readonly name: string
  readonly description?: string
  /** A JSON Schema of type object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/**
 * One caller's view.
 *
 * @example
 * import { CodeMode, type ServedSession } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const session: ServedSession = codeMode.accept({ clientName: 'host', headers: {}, name: 'host' })
 * console.log((await session.call('listToolFiles', {}, { signal: AbortSignal.timeout(5000) })).text)
 * session.end()
 */
export interface ServedSession {
  /** True if the meta-tools are offered: programs reach some server, or there is no server at all. */
  readonly usesPrograms: boolean
  readonly direct: Direct
  /** The files in `results/` of this caller. */
  readonly files: ServedFiles
  /** The saved programs that are tools of their own, in the protocol's form, sorted by name. */
  programTools(): Promise<readonly ProgramTool[]>
  /** The kept runs that the caller may see. Rejects with a DiagnosticError for any other run. */
  readonly runs: {
    show(runId: string): Promise<KeptRunFacts>
    cancel(runId: string): Promise<KeptRunFacts>
    /** Approves the waiting calls, if they are those that a person was shown. */
    approve(runId: string, options: { readonly shown: KeptRunFacts['calls'] }): Promise<KeptRunFacts>
    deny(runId: string): Promise<KeptRunFacts>
  }
  /** Answers one call of a meta-tool. */
  call(name: string, args: Readonly<Record<string, unknown>>, options: MetaToolCallOptions): Promise<Answer>
  /** The same session, narrowed by the headers of one request. */
  narrowed(headers: RequestHeaders): ServedSession
  /** Ends its requests in progress. */
  end(): void
}

/**
 * Creates the session of a connecting caller.
 *
 * @example
 * import { CodeMode, type OpenSession } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const open: OpenSession = async (facts) => codeMode.accept({ ...facts, filters: [{ toolsToDeny: ['files/delete_*'] }] })
 * console.log((await open({ clientName: 'host', headers: {}, name: 'host' })).usesPrograms)
 */
export type OpenSession = (facts: CallerFacts) => Promise<ServedSession>
