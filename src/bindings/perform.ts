// Performs one call of a program: parse, find the tool, bind and check the arguments, call, convert.
// Invariant: it never rejects, nothing is sent before all checks, and every call that was sent has a record.

import { type Awaitable, after, lastly, settled } from '../awaitable/index.js'
import { type Diagnostic, DiagnosticError } from '../diagnostics/index.js'
import type { ForeignError } from '../interpreter/index.js'
import { filesNamed } from './artifact-arguments.js'
import { type BoundTool, pathOf } from './bound.js'
import { errorReply } from './convert-outcome.js'
import { delivered } from './delivered.js'
import { WrittenJson } from './exact-integers.js'
import { messages } from './messages.js'
import { OutgoingCall, shared } from './outgoing-call.js'
import {
  type CallWorld,
  defaultCallLimits,
  type Performed,
  type PerformOptions,
  type ReadLongCall,
} from './perform-options.js'
import { findTarget, isLongCall, type Prepared, readArguments, written } from './read-arguments.js'
import type { ToolOutcome } from './tool.js'

export function perform(world: CallWorld, callText: string, options: PerformOptions): Awaitable<Performed> {
  const longest = options.limits?.argumentBytes ?? defaultCallLimits.argumentBytes
  const { files, bytes } = filesNamed(callText, options.keptFile ?? noFile, longest)
  const argumentBytes = Buffer.byteLength(callText) + bytes
  if (argumentBytes > longest) return { reply: errorReply(messages.argumentsTooLong(argumentBytes, longest)) }
  if (isLongCall(callText) && options.readLongCall !== undefined)
    return options.readLongCall(callText, files).then((long) => performLong(world, long, options))
  const read = readArguments(world.servers, callText, options, files)
  return 'error' in read ? { reply: errorReply(read.error) } : send(read.tool, written(read.args), world, options)
}

function noFile(): undefined {}

function performLong(world: CallWorld, long: ReadLongCall, options: PerformOptions): Awaitable<Performed> {
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

function send(tool: BoundTool, prepared: Prepared, world: CallWorld, options: PerformOptions): Awaitable<Performed> {
  const call = new OutgoingCall(tool, prepared, options)
  const { sent } = call
  options.onAccept?.(sent)
  const recalled = options.recall?.(sent)
  if (recalled !== undefined) {
    const record = call.record('reused', Buffer.byteLength(recalled) - 1)
    return { reply: recalled, record: { ...record, ok: recalled[0] !== 'E' } }
  }
  const instead = options.admit?.({ ...sent, bound: tool, argumentText: prepared.text })
  return after(instead, (refusal) =>
    refusal === undefined ? sendAdmitted(call, tool, world, options) : { reply: refusal },
  )
}

function sendAdmitted(
  call: OutgoingCall,
  tool: BoundTool,
  world: CallWorld,
  options: PerformOptions,
): Awaitable<Performed> {
  const { sent } = call
  const equal = `${sent.server}/${sent.tool}/${sent.argumentDigest}`
  const underway = options.shared?.get(equal)
  const answering = (): Awaitable<ToolOutcome | undefined> => {
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
        // The answer has a value that can't be written as JSON, which our caller did not check.
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
