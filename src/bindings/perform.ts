// Performs one call of a program: parse, find the tool, bind and check the arguments, call, convert.
// Invariant: it never rejects, nothing is sent before all checks, and every call that was sent has a record.

import * as crypto from 'node:crypto'
import { type Diagnostic, DiagnosticError, withheld } from '../diagnostics/index.js'
import type { ForeignCall, ForeignError, ForeignReply } from '../interpreter/index.js'
import { after, lastly, type Soon, settled } from '../soon/index.js'
import { bindArguments } from './arguments.js'
import type { BoundServer, BoundTool } from './bound.js'
import type { CallRecord } from './call-record.js'
import { DEEPEST, readCall } from './call-text.js'
import { ArgumentCheck, type Mismatch, pathOf as placeIn, problemIn, problemsIn } from './check-arguments.js'
import { convertOutcome, errorReply, type KeepFile, type ResultForm, sizeOf } from './convert-outcome.js'
import { ExactInteger, exactText, WrittenJson } from './exact-integers.js'
import { findServer, findTool } from './find.js'
import { identifierFor } from './identifiers.js'
import { messages, notes } from './messages.js'
import type { Observations } from './observed.js'
import type { CallLane } from './schedule.js'
import { schemaWords } from './schema-words.js'
import type { Tool, ToolCaller, ToolOutcome } from './tool.js'
import { type Notation, quotedName } from './value-words.js'

export interface CallLimits {
  readonly argumentBytes: number
  readonly responseBytes: number
}

export const defaultCallLimits: CallLimits = { argumentBytes: 4_000_000, responseBytes: 32_000_000 }

export interface PerformOptions {
  readonly signal?: AbortSignal
  /**
   * The timeout for the upstream's answer, by the names of server and tool; undefined: the default of the tools'
   * caller.
   */
  readonly timeoutMs?: ((server: string, tool: string) => number | undefined) | undefined
  readonly limits?: Partial<CallLimits>
  /** Keeps images and other bulk; without it records have no path. */
  readonly keep?: KeepFile
  /** The form in which the program gets text that is JSON. Default `auto`. */
  readonly resultForm?: ((server: string, tool: string) => ResultForm | undefined) | undefined
  /** The notation of messages about wrong calls. Default: Python's. */
  readonly notation?: Notation
  /** `performance.now()` when the run began. */
  readonly runStarted?: number
  /** Decides whether the program may call this function, by its guest names. Absent: every one. */
  readonly reaches?: (namespace: string, member: string) => boolean
  /** The guest names of servers that can't be reached now, each with the reason. Absent: none. */
  readonly unavailable?: () => Readonly<Record<string, string>>
  /**
   * Notified when a call has passed every check and will be sent or recalled: before `perform` returns its promise,
   * unless the call is long.
   */
  readonly onAccept?: (call: CallSent) => void
  /**
   * Decides on a call that is neither wrong nor recalled: a returned reply is the answer, and nothing is sent. Absent:
   * every call is sent.
   */
  readonly admit?: (call: CallToAdmit) => ForeignReply | undefined | Promise<ForeignReply | undefined>
  /**
   * Notified when a call is about to be sent: at once, or when its turn has come. The call waits for the returned
   * promise, and is not sent if that rejects with a DiagnosticError.
   */
  readonly onSend?: (call: CallSent) => void | Promise<void>
  /** The schedule in which calls wait for their turn; without it they never wait. */
  readonly lane?: CallLane | undefined
  /** Equal concurrent calls that share one answer, by their identity; absent: each is sent. */
  readonly shared?: Map<string, Promise<ToolOutcome | undefined>> | undefined
  /** The observed kind of the tool's answers. Absent: as known when the answer arrives. */
  readonly known?: (server: string, tool: string) => 'text' | 'data' | undefined
  /** Reads a long call elsewhere. Absent: it is read here. Never rejects. */
  readonly readLongCall?: (callText: string) => Promise<ReadLongCall>
  /** The answer of the same call in an earlier run; if present, nothing is sent. */
  readonly recall?: (call: CallSent) => ForeignReply | undefined
}

/** A call that has passed every check. */
export interface CallSent {
  readonly server: string
  readonly tool: string
  readonly argumentDigest: string
}

/** A call that has passed every check, with the facts for a decision. */
export interface CallToAdmit extends CallSent {
  readonly bound: BoundTool
  /** JSON text. */
  readonly argumentText: string
}

export interface Performed {
  readonly reply: ForeignReply
  /** Absent when nothing was sent. */
  readonly record?: CallRecord
}

/** The targets of calls. */
export interface CallWorld {
  readonly servers: readonly BoundServer[]
  readonly caller: ToolCaller
  /** Learns the return types of tools from every successful reply. */
  readonly observations: Observations | undefined
}

export function perform(world: CallWorld, callText: string, options: PerformOptions): Soon<Performed> {
  const longest = options.limits?.argumentBytes ?? defaultCallLimits.argumentBytes
  const argumentBytes = Buffer.byteLength(callText)
  if (argumentBytes > longest) return { reply: errorReply(messages.argumentsTooLong(argumentBytes, longest)) }
  if (isLongCall(callText) && options.readLongCall !== undefined)
    return options.readLongCall(callText).then((long) => performLong(world, long, options))
  const read = readArguments(world.servers, callText, options)
  return 'error' in read ? { reply: errorReply(read.error) } : send(read.tool, written(read.args), world, options)
}

function performLong(world: CallWorld, long: ReadLongCall, options: PerformOptions): Soon<Performed> {
  if (!('text' in long)) return { reply: errorReply(long.error) }
  const { namespace, member } = long
  const target = findTarget(world.servers, { namespace, member }, options)
  if ('error' in target) return { reply: errorReply(target.error) }
  const args = new WrittenJson(long.text)
  const prepared = { args, text: long.text, digest: long.digest }
  return lastly(
    () => send(target.tool, prepared, world, options),
    () => args.release(),
  )
}

const LONG = 32 * 1024

/** True if a worker reads the call. Then it is not accepted at once. */
export function isLongCall(callText: string): boolean {
  return callText.length > LONG
}

/** The facts about a call before it is sent: its mistakes, or its arguments as JSON text. Plain data. */
export type ReadLongCall =
  | { readonly error: ForeignError }
  | { readonly namespace: string; readonly member: string; readonly text: string; readonly digest: string }

/** Reads, binds and checks one call, whatever its length. */
export function readLongCall(
  servers: readonly BoundServer[],
  callText: string,
  rules: Pick<PerformOptions, 'notation'>,
): ReadLongCall {
  const read = readArguments(servers, callText, rules)
  if ('error' in read) return read
  const { text, digest } = written(read.args)
  return { namespace: read.tool.server.name, member: read.tool.name, text, digest }
}

function outsideReach(namespace: string, member: string): ForeignError {
  return messages.outsideReach(`${shown(namespace)}.${shown(member)}`)
}

function readArguments(
  servers: readonly BoundServer[],
  callText: string,
  rules: Pick<PerformOptions, 'reaches' | 'notation' | 'unavailable'>,
): { readonly error: ForeignError } | { readonly tool: BoundTool; readonly args: Readonly<Record<string, unknown>> } {
  const read = readCall(callText)
  if (read.kind === 'malformed') return { error: messages.malformedCall() }
  const { call } = read
  const target = findTarget(servers, call, rules)
  if ('error' in target) return target
  const { tool } = target
  const { notation = 'python' } = rules
  const path = pathOf(tool)
  if (read.kind === 'too-deep') return { error: messages.tooDeep(path, DEEPEST) }
  const check = (args: Readonly<Record<string, unknown>>): ForeignError | undefined => {
    const mismatches = checkOf(tool.tool).mismatches(args, notation)
    return mismatches.length === 0
      ? undefined
      : messages.wrongArguments(path, problemsIn(mismatches, notation), undefined)
  }
  const bound = bindArguments(call, { path, signature: tool.signature, notation, check })
  return bound.ok ? { tool, args: bound.args } : { error: bound.error }
}

/** Arguments that have passed every check. */
interface Prepared {
  readonly args: Readonly<Record<string, unknown>> | WrittenJson
  readonly text: string
  /** The same for equal arguments, in whatever order their keys are. */
  readonly digest: string
}

function written(args: Readonly<Record<string, unknown>>): Prepared {
  const text = exactText(JSON.stringify(args))
  const inOrder = sorted(args)
  const ordered = inOrder === args ? text : exactText(JSON.stringify(inOrder))
  return { args, text, digest: sha256(ordered) }
}

/** Node 20.11 has no function for a digest at once, which takes half the time. */
function sha256(text: string): string {
  return crypto.hash?.('sha256', text) ?? crypto.createHash('sha256').update(text).digest('hex')
}

/** `server.tool` as a program writes it. */
export function pathOf(tool: BoundTool): string {
  return `${tool.server.name}.${tool.name}`
}

/** True when the server declares that the tool only reads or that repeating it does no harm. */
export function isSafeToRepeat(tool: Tool): boolean {
  return tool.annotations?.readOnlyHint === true || tool.annotations?.idempotentHint === true
}

function noTurn(): void {}

const checks = new WeakMap<Tool, ArgumentCheck>()

function checkOf(tool: Tool): ArgumentCheck {
  let check = checks.get(tool)
  if (check === undefined) {
    check = new ArgumentCheck(tool.inputSchema)
    checks.set(tool, check)
  }
  return check
}

/** The mistakes in the arguments of a tool, in words; empty if there are none. */
export function checkArguments(tool: Tool, args: Readonly<Record<string, unknown>>): readonly string[] {
  return checkOf(tool)
    .mismatches(args, 'python')
    .map((mismatch) => problemIn(mismatch, 'python').text)
}

/** The mistake in the value of one argument, in the notation. */
export function problemsWithValue(tool: Tool, key: string, value: unknown, notation: Notation): readonly string[] {
  return checkOf(tool)
    .mismatches({ [key]: value }, notation)
    .filter((mismatch) => mismatch.keys[0] === key)
    .map((mismatch) => problemIn(mismatch, notation).text)
}

/** The tool that is called: mostly by its guest name, but `runtime.call` takes every name that a server or a tool has. */
function findTarget(
  servers: readonly BoundServer[],
  { namespace, member }: Pick<ForeignCall, 'namespace' | 'member'>,
  { reaches, notation = 'python', unavailable }: Pick<PerformOptions, 'reaches' | 'notation' | 'unavailable'>,
): { tool: BoundTool } | { error: ForeignError } {
  const server = findServer(servers, namespace)
  if (server.found === undefined) {
    if (reaches?.(namespace, member) === false) return { error: outsideReach(namespace, member) }
    const own = identifierFor(namespace)
    const reason = unavailable?.()[own]
    if (reason !== undefined) return { error: messages.serverUnavailable(own, reason) }
    const names = servers.map((one) => one.name)
    return { error: messages.unknownServer(quotedName(namespace, notation), server.near, names) }
  }
  const { name } = server.found
  const tool = findTool(server.found, member)
  if (reaches?.(name, tool.found?.name ?? member) === false) return { error: outsideReach(name, member) }
  if (tool.found !== undefined) return { tool: tool.found }
  return { error: messages.unknownTool(name, quotedName(member, notation), tool.near) }
}

function shown(name: string): string {
  return JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name).slice(1, -1)
}

function send(tool: BoundTool, prepared: Prepared, world: CallWorld, options: PerformOptions): Soon<Performed> {
  const call = new OutgoingCall(tool, prepared, options)
  const { sent } = call
  options.onAccept?.(sent)
  const recalled = options.recall?.(sent)
  if (recalled !== undefined) return { reply: recalled, record: call.record('reused', Buffer.byteLength(recalled) - 1) }
  const instead = options.admit?.({ ...sent, bound: tool, argumentText: prepared.text })
  return after(instead, (refusal) =>
    refusal === undefined ? sendAdmitted(call, tool, world, options) : { reply: refusal },
  )
}

function sendAdmitted(call: OutgoingCall, tool: BoundTool, world: CallWorld, options: PerformOptions): Soon<Performed> {
  const { sent } = call
  const equal = `${sent.server}/${sent.tool}/${sent.argumentDigest}`
  const underway = options.shared?.get(equal)
  const answering = (): Soon<ToolOutcome | undefined> => {
    if (underway === undefined) return shared(call.send(world.caller), equal, options.shared)
    void options.onSend?.(sent)
    return underway
  }
  return settled(
    answering,
    (outcome): Performed => {
      if (outcome === undefined) return { reply: errorReply(messages.callFailed(pathOf(tool))) }
      try {
        return delivered(tool, outcome, { world, options, call, isShared: underway !== undefined })
      } catch {
        // A value that can't be written as JSON: our caller did not check it.
        const malformed = { ...messages.answerMalformed(pathOf(tool)), server: tool.server.name, tool: tool.name }
        return { reply: errorReply(malformed), record: call.record('lost', 0) }
      }
    },
    (error): Performed => {
      const reply = errorReply(callError(tool, error))
      return call.isSent || underway !== undefined ? { reply, record: call.record('lost', 0) } : { reply }
    },
  )
}

/** A call that has passed every check: it is sent, and its record tells how that ended. */
class OutgoingCall {
  readonly sent: CallSent
  readonly #tool: BoundTool
  readonly #prepared: Prepared
  readonly #options: PerformOptions
  #started = performance.now()
  #isSent = false

  constructor(tool: BoundTool, prepared: Prepared, options: PerformOptions) {
    this.sent = { server: tool.server.source.name, tool: tool.tool.name, argumentDigest: prepared.digest }
    this.#tool = tool
    this.#prepared = prepared
    this.#options = options
  }

  /** False: the upstream did not receive the call. */
  get isSent(): boolean {
    return this.#isSent
  }

  /** Undefined when its turn never came. */
  send(caller: ToolCaller): Soon<ToolOutcome | undefined> {
    const { server, tool } = this.sent
    const { lane, signal, timeoutMs, onSend } = this.#options
    const waitMs = timeoutMs?.(server, tool)
    return after(lane?.turn(server, signal) ?? noTurn, (done) => {
      if (done === undefined) return undefined
      this.#started = performance.now()
      const args = this.#prepared.args as Readonly<Record<string, unknown>>
      const sending = (): Soon<ToolOutcome> => {
        this.#isSent = true
        return caller.call(server, tool, args, { signal, timeoutMs: waitMs })
      }
      return lastly(() => after(onSend?.(this.sent), sending), done)
    })
  }

  record(outcome: CallRecord['outcome'], bytes: number, notes: readonly string[] = []): CallRecord {
    const { tool } = this.#tool
    const { runStarted } = this.#options
    return {
      server: this.sent.server,
      tool: this.sent.tool,
      ok: outcome === 'answered' || outcome === 'reused',
      outcome,
      startedAtMs: runStarted === undefined ? 0 : this.#started - runStarted,
      ms: performance.now() - this.#started,
      bytes,
      argumentBytes: Buffer.byteLength(this.#prepared.text),
      argumentDigest: this.sent.argumentDigest,
      safeToRepeat: isSafeToRepeat(tool),
      ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
      ...(notes.length === 0 ? {} : { notes }),
    }
  }
}

/** An answer that equal calls share as long as it is awaited. */
function shared(
  answer: Soon<ToolOutcome | undefined>,
  equal: string,
  all: PerformOptions['shared'],
): Soon<ToolOutcome | undefined> {
  if (all === undefined || !(answer instanceof Promise)) return answer
  all.set(equal, answer)
  return answer.finally(() => all.delete(equal))
}

interface Delivery {
  readonly world: CallWorld
  readonly options: PerformOptions
  readonly call: OutgoingCall
  /** Another call was sent, and this one has its answer. */
  readonly isShared: boolean
}

/** The program's value of an answer, and the notes about it. */
function delivered(tool: BoundTool, outcome: ToolOutcome, { world, options, call, isShared }: Delivery): Performed {
  const { server } = tool
  const bytes = sizeOf(outcome)
  const path = pathOf(tool)
  const longest = options.limits?.responseBytes ?? defaultCallLimits.responseBytes
  if (bytes > longest)
    return { reply: errorReply(messages.responseTooLong(path, bytes, longest)), record: call.record('limit', bytes) }
  const converted = convertOutcome(outcome, {
    path,
    server: server.name,
    tool: tool.name,
    signature: tool.signature,
    form: formOf(tool, world, options),
    keep: options.keep,
  })
  if (outcome.isError) return { reply: converted.reply, record: call.record('failed', bytes) }
  const contradictions = schemaNotes(tool, outcome, bytes)
  const shown = outcome.read === undefined ? converted.reply : sampleReply(tool, outcome.read.sample)
  if (shown !== undefined && tool.tool.outputSchema === undefined)
    world.observations?.learn(server.source.name, tool.tool.name, shown)
  else if (shown !== undefined && contradictions.length > 0) world.observations?.distrust(server.source.name, tool.tool)
  const facts = [...converted.notes, ...contradictions]
  return { reply: converted.reply, record: call.record(isShared ? 'reused' : 'answered', bytes, facts) }
}

/** The stub of a tool whose answers were all text says `str`, so its answers stay text. */
function formOf(tool: BoundTool, { observations }: CallWorld, { resultForm, known }: PerformOptions): ResultForm {
  const [server, name] = [tool.server.source.name, tool.tool.name]
  const seen = (): ResultForm | undefined =>
    known === undefined ? observations?.answersOf(server, name) : known(server, name)
  return resultForm?.(server, name) ?? seen() ?? declaredForm(tool) ?? 'auto'
}

/** A part of a long answer that shows its shape. */
function sampleReply({ signature }: BoundTool, sample: string | undefined): ForeignReply | undefined {
  if (sample === undefined) return undefined
  if (!signature.unwraps) return `J${sample}`
  const { result } = JSON.parse(sample) as { readonly result?: unknown }
  return `J${JSON.stringify(result ?? null)}`
}

/** The declared type settles whether text that is JSON is meant as text. */
function declaredForm({ signature, tool }: BoundTool): ResultForm | undefined {
  if (tool.outputSchema === undefined) return undefined
  return signature.returns.kind === 'str' ? 'text' : 'data'
}

/** A problem without values of the answer: the places that the schema names, and the types it wants there. */
function withoutValues(mismatch: Mismatch, tool: Tool): string {
  if (mismatch.kind !== 'value')
    return mismatch.kind === 'missing' ? 'a key is missing' : 'there is a key that it does not declare'
  const { text, values } = placeIn(mismatch.keys)
  const place = withheld(text, values, (key) => schemaWords(tool).has(key))
  return `${place === '' ? 'the whole' : place} is not ${mismatch.want}`
}

const outputChecks = new WeakMap<Tool, ArgumentCheck>()
/** Larger answers are not compared with the schema: the check runs on the thread that serves everybody. */
const LARGEST_CHECKED = 1_000_000

/** The contradiction between an answer and the tool's output schema. */
function schemaNotes(bound: BoundTool, outcome: ToolOutcome, bytes: number): string[] {
  const { tool } = bound
  if (tool.outputSchema === undefined || bytes > LARGEST_CHECKED || outcome.read !== undefined) return []
  if (outcome.structuredContent === undefined || outcome.structuredContent === null)
    return [notes.withoutStructure(pathOf(bound))]
  let check = outputChecks.get(tool)
  if (check === undefined) {
    check = new ArgumentCheck(tool.outputSchema)
    outputChecks.set(tool, check)
  }
  const problems = check.mismatches(outcome.structuredContent as Readonly<Record<string, unknown>>, 'python')
  if (problems.length === 0) return []
  return [notes.againstSchema(pathOf(bound), problems.map((one) => withoutValues(one, tool)).join('; '))]
}

const KINDS: Readonly<Record<Diagnostic['class'], ForeignError['kind']>> = {
  'program error': 'program',
  'tool error': 'tool',
  limit: 'limit',
  'host error': 'host',
  paused: 'host',
}

function callError(tool: BoundTool, error: unknown): ForeignError {
  const diagnostic = error instanceof DiagnosticError ? error.diagnostics[0] : undefined
  if (diagnostic === undefined) return messages.callFailed(pathOf(tool))
  const { code, message, hint } = diagnostic
  const kind = KINDS[diagnostic.class]
  return {
    kind,
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    // The gateway's messages about a call quote none of its values.
    ...(kind === 'program' ? { values: [] } : {}),
    ...(kind === 'tool' ? { server: tool.server.name, tool: tool.name } : {}),
  }
}

/** Equal values with their keys in one order. The value itself where they are in order, as they mostly are. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof ExactInteger) return value
  if (Array.isArray(value)) {
    const items = value.map(sorted)
    return items.every((item, i) => item === value[i]) ? value : items
  }
  const entries = Object.entries(value)
  let isSame = true
  for (const [i, entry] of entries.entries()) {
    const inner = sorted(entry[1])
    isSame &&= inner === entry[1] && (i === 0 || entries[i - 1]![0] < entry[0])
    entry[1] = inner
  }
  return isSame ? value : Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
