// The calls of one reply: which are made at once, which a person is asked about, and which the caller has to answer.
// Invariant: every call of the reply ends up as one tool message or as one pending call.

import { createHash } from 'node:crypto'
import {
  type ApprovalAnswer,
  type AskedCall,
  type Diagnostic,
  DiagnosticError,
  type RunEvent,
  type Trace,
  type TraceCarrier,
} from '../index.js'
import type { AgentHappening } from './agent-event.js'
import type { AgentRunOptions, OnAgentApproval } from './agent-options.js'
import type { PendingCall } from './agent-result.js'
import type { Bounds } from './bounds.js'
import { type ToolCall, type ToolMessage, textOf } from './conversation.js'
import {
  argumentsNoObject,
  argumentsNotJson,
  argumentsTooLong,
  callCancelled,
  callDenied,
  toolFailed,
  toolNotOffered,
  tooManyCalls,
} from './messages.js'
import type { OfferedTool, Offers } from './offers.js'
import { cutBlocks, type ToolAnswer } from './tool-answer.js'
import { toolSpan } from './traces/spans.js'

type Arguments = Readonly<Record<string, unknown>>

/** What the calls of one run have in common. */
export interface CallingRun extends Pick<AgentRunOptions, 'headers'> {
  readonly runId: string
  readonly trace: Trace
  readonly bounds: Bounds
  readonly offers: Offers
  readonly signal: AbortSignal
  readonly onApproval: OnAgentApproval | undefined
  /** The names of tools that a person has allowed for the whole run. */
  readonly allowed: Set<string>
  tell(happening: AgentHappening): void
}

export interface TurnOutcome {
  /** In the order of the calls. */
  readonly answers: readonly ToolMessage[]
  readonly pending: readonly PendingCall[]
}

/** `approvals`: the answers that are already there, by the ids of calls. */
export async function makeCalls(
  calls: readonly ToolCall[],
  run: CallingRun,
  approvals: Readonly<Record<string, ApprovalAnswer>> = {},
): Promise<TurnOutcome> {
  const read = calls.map((call, i) => readCall(call, { place: i, of: calls.length, run }))
  const asked = read.filter(
    (one): one is Callable =>
      'tool' in one && !Object.hasOwn(approvals, one.call.id) && one.tool.needsApproval() && !run.allowed.has(one.name),
  )
  const answered = asked.length === 0 ? Promise.resolve([]) : ask(asked, run)
  const decided = async (one: Callable): Promise<ApprovalAnswer> => {
    if (Object.hasOwn(approvals, one.call.id)) return approvals[one.call.id]!
    const place = asked.indexOf(one)
    return place < 0 ? 'once' : answerAt(await answered, place)
  }
  const ends = await Promise.all(
    read.map(async (one): Promise<ToolMessage | PendingCall> => {
      if (!('tool' in one)) return refuse(one.call, one.refusal, run)
      if (one.tool.kind === 'caller') return { call: one.call, reason: 'caller' }
      const decision = await decided(one)
      if (decision === 'run') run.allowed.add(one.name)
      if (decision === 'once' || decision === 'run') return make(one, run)
      if (decision !== 'pause') return deny(one, decision === 'deny' ? '' : decision.deny, run)
      const { server, tool } = one.tool
      run.tell({ type: 'approval', state: 'waiting', ...identityOf(one), arguments: one.args })
      return { call: one.call, reason: 'approval', server, tool }
    }),
  )
  return {
    answers: ends.filter((end): end is ToolMessage => 'role' in end),
    pending: ends.filter((end): end is PendingCall => !('role' in end)),
  }
}

/** Answers every call with the same words, and calls nothing. */
export function refuseAll(calls: readonly ToolCall[], words: string, run: Pick<CallingRun, 'tell'>): ToolMessage[] {
  return calls.map((call) => answerTo(call, words, run))
}

interface Callable {
  readonly call: ToolCall
  readonly name: string
  readonly tool: OfferedTool
  readonly args: Arguments
}

interface Refused {
  readonly call: ToolCall
  readonly refusal: Diagnostic
}

interface PlaceInTurn {
  readonly place: number
  readonly of: number
  readonly run: CallingRun
}

function readCall(call: ToolCall, { place, of, run }: PlaceInTurn): Callable | Refused {
  const { name, arguments: text } = call.function
  const { offers } = run
  const { maxCallsPerTurn, maxArgumentChars } = run.bounds
  const tool = offers.get(name)
  if (place >= maxCallsPerTurn) return { call, refusal: tooManyCalls(of, maxCallsPerTurn) }
  if (tool === undefined) return { call, refusal: toolNotOffered(name, [...offers.keys()]) }
  if (text.length > maxArgumentChars) return { call, refusal: argumentsTooLong(name, text.length, maxArgumentChars) }
  let args: unknown
  try {
    // Models write nothing where a tool has no parameters.
    args = text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return { call, refusal: argumentsNotJson(name, text) }
  }
  if (typeof args !== 'object' || args === null || Array.isArray(args))
    return {
      call,
      refusal: argumentsNoObject(name, Array.isArray(args) ? 'a list' : args === null ? 'null' : `a ${typeof args}`),
    }
  return { call, name, tool, args: args as Arguments }
}

function identityOf({ call, name, tool: { server, tool } }: Callable) {
  return { callId: call.id, parentId: null, name, server, tool }
}

async function ask(calls: readonly Callable[], run: CallingRun): Promise<readonly ApprovalAnswer[]> {
  if (run.onApproval === undefined) return []
  for (const one of calls) run.tell({ type: 'approval', state: 'asked', ...identityOf(one), arguments: one.args })
  const { runId, signal } = run
  // A function that fails leaves the calls open.
  try {
    const raw = await run.onApproval({ runId, calls: calls.map(askedCallOf), signal })
    return calls.map((_, place) => answerAt(raw, place))
  } catch {
    return []
  }
}

function askedCallOf({ args, tool: { server = '', tool = '' } }: Callable): AskedCall {
  const argumentDigest = createHash('sha256').update(JSON.stringify(args)).digest('hex')
  return { server, tool, arguments: args, argumentDigest, line: null, reason: 'approval' }
}

async function make(one: Callable, run: CallingRun): Promise<ToolMessage> {
  const identity = identityOf(one)
  const { tell } = run
  if (one.tool.needsApproval()) tell({ type: 'approval', state: 'approved', ...identity })
  tell({ type: 'tool_call', ...identity, arguments: one.args })
  const begun = performance.now()
  const { blocks, isError } = await toolSpan(run.trace, identity, (inner) => perform(one, run, inner.carrier))
  const content = cutBlocks(blocks, run.bounds.maxAnswerChars)
  const ms = performance.now() - begun
  tell({ type: 'tool_response', ...identity, isError, text: textOf({ content }), ms })
  return { role: 'tool', tool_call_id: one.call.id, content, ...(isError ? { is_error: true } : {}) }
}

/** A failure is an answer, too. */
async function perform(one: Callable, run: CallingRun, trace: TraceCarrier): Promise<ToolAnswer> {
  const { call, name, tool, args } = one
  const { signal, headers, tell } = run
  if (signal.aborted) return failure(textOfDiagnostic(callCancelled(name)))
  try {
    const answer = await tool.call(args, {
      callId: call.id,
      signal,
      timeoutMs: run.bounds.toolTimeoutMs,
      headers,
      trace,
      onApproval: run.onApproval && toldApproval(run.onApproval, call.id, tell),
      onRunEvent: (event) => tellOfProgram(event, call.id, tell),
      onProgress: (raw) => tellProgress(raw, identityOf(one), tell),
    })
    if (!answer.isError || tool.kind === 'meta-tool') return answer
    // The text says that it is a failure, because models see no mark.
    return failure(textOfDiagnostic(toolFailed(name, textOf({ content: answer.blocks }))))
  } catch (error) {
    if (signal.aborted) return failure(textOfDiagnostic(callCancelled(name)))
    return failure(
      error instanceof DiagnosticError
        ? error.message
        : textOfDiagnostic(toolFailed(name, error instanceof Error ? error.message : String(error))),
    )
  }
}

function failure(text: string): ToolAnswer {
  return { blocks: [{ type: 'text', text }], isError: true }
}

function textOfDiagnostic(diagnostic: Diagnostic): string {
  return new DiagnosticError(diagnostic).message
}

function refuse(call: ToolCall, refusal: Diagnostic, run: Pick<CallingRun, 'tell'>): ToolMessage {
  return answerTo(call, textOfDiagnostic(refusal), run)
}

function deny(one: Callable, reason: string, run: CallingRun): ToolMessage {
  run.tell({ type: 'approval', state: 'denied', ...identityOf(one), reason })
  return refuse(one.call, callDenied(one.name, reason), run)
}

/** The answer to a call that was not made. */
function answerTo(call: ToolCall, text: string, { tell }: Pick<CallingRun, 'tell'>): ToolMessage {
  const identity = { callId: call.id, parentId: null, name: call.function.name }
  tell({ type: 'tool_call', ...identity })
  tell({ type: 'tool_response', ...identity, isError: true, text, ms: 0 })
  return { role: 'tool', tool_call_id: call.id, content: [{ type: 'text', text }], is_error: true }
}

type Tell = CallingRun['tell']

/** The same function, whose questions about calls of a program are events. */
function toldApproval(ask: OnAgentApproval, parentId: string, tell: Tell): OnAgentApproval {
  return async (request) => {
    const identities = request.calls.map(({ server, tool }) => ({
      callId: parentId,
      parentId: null,
      name: `${server}.${tool}`,
      server,
      tool,
    }))
    for (const [i, identity] of identities.entries())
      tell({ type: 'approval', state: 'asked', ...identity, arguments: request.calls[i]!.arguments })
    const raw = await ask(request)
    for (const [i, identity] of identities.entries()) {
      const answer = answerAt(raw, i)
      if (answer === 'once' || answer === 'run') tell({ type: 'approval', state: 'approved', ...identity })
      else if (answer !== 'pause')
        tell({ type: 'approval', state: 'denied', ...identity, reason: answer === 'deny' ? '' : answer.deny })
    }
    return raw
  }
}

/** A list has an answer for each call; any other answer is for all. A missing one leaves the call open. */
function answerAt(raw: ApprovalAnswer | readonly ApprovalAnswer[], place: number): ApprovalAnswer {
  return Array.isArray(raw) ? ((raw as readonly ApprovalAnswer[])[place] ?? 'pause') : (raw as ApprovalAnswer)
}

/** The calls of a program, as parts of the call that runs it. */
function tellOfProgram(event: RunEvent, parentId: string, tell: Tell): void {
  if (event.type === 'run.finished') {
    if (event.error?.class !== 'paused') return
    const { message: reason } = event.error
    tell({ type: 'approval', state: 'waiting', callId: parentId, parentId: null, name: event.runId, reason })
    return
  }
  if (!('callId' in event)) return
  const { callId, server, tool } = event
  const identity = { callId, parentId, name: `${server}.${tool}`, server, tool }
  switch (event.type) {
    case 'call.started':
      return tell({ type: 'tool_call', ...identity })
    case 'call.progress':
      return tellProgress({ ...event }, identity, tell)
    case 'call.finished':
      return tell({ type: 'tool_response', ...identity, isError: !event.record.ok, ms: event.record.ms })
  }
}

const LONGEST_PROGRESS = 200

function tellProgress(
  { progress, total, message }: Readonly<Record<string, unknown>>,
  identity:
    | ReturnType<typeof identityOf>
    | { readonly callId: string; readonly parentId: string; readonly name: string },
  tell: Tell,
): void {
  if (typeof progress !== 'number') return
  tell({
    type: 'progress',
    ...identity,
    progress,
    ...(typeof total === 'number' ? { total } : {}),
    ...(typeof message === 'string' ? { message: message.slice(0, LONGEST_PROGRESS) } : {}),
  })
}
