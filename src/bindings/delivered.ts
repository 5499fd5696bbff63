// Turns an answer into the program's value and the notes about it.

import { withheld } from '../diagnostics/index.js'
import type { ForeignReply } from '../interpreter/index.js'
import { type BoundTool, pathOf } from './bound.js'
import { ArgumentCheck, type Mismatch, pathOf as placeIn } from './check-arguments.js'
import { convertOutcome, errorReply, type ResultForm, sizeOf } from './convert-outcome.js'
import { messages, notes } from './messages.js'
import type { OutgoingCall } from './outgoing-call.js'
import { type CallWorld, defaultCallLimits, type Performed, type PerformOptions } from './perform-options.js'
import { schemaWords } from './schema-words.js'
import type { Tool, ToolOutcome } from './tool.js'

interface Delivery {
  readonly world: CallWorld
  readonly options: PerformOptions
  readonly call: OutgoingCall
  /** The call shares the answer of an equal call. */
  readonly isShared: boolean
}

/** The program's value of an answer, and the notes about it. */
export function delivered(
  tool: BoundTool,
  outcome: ToolOutcome,
  { world, options, call, isShared }: Delivery,
): Performed {
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
  if (shown !== undefined && tool.tool.outputSchema === undefined) {
    if (tool.tool.isProvided !== true) world.observations?.learn(server.source.name, tool.tool.name, shown)
  } else if (shown !== undefined && contradictions.length > 0)
    world.observations?.distrust(server.source.name, tool.tool)
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

/** A part of a long answer, for its shape. */
function sampleReply({ signature }: BoundTool, sample: string | undefined): ForeignReply | undefined {
  if (sample === undefined) return undefined
  if (!signature.unwraps) return `J${sample}`
  const { result } = JSON.parse(sample) as { readonly result?: unknown }
  return `J${JSON.stringify(result ?? null)}`
}

/** The declared type decides whether JSON text is meant as text. */
function declaredForm({ signature, tool }: BoundTool): ResultForm | undefined {
  if (tool.outputSchema === undefined) return undefined
  return signature.returns.kind === 'str' ? 'text' : 'data'
}

/** A problem without values of the answer: places in the schema, and the types wanted there. */
function withoutValues(mismatch: Mismatch, tool: Tool): string {
  if (mismatch.kind !== 'value')
    return mismatch.kind === 'missing' ? 'a key is missing' : 'there is a key that it does not declare'
  const { text, values } = placeIn(mismatch.keys)
  const place = withheld(text, values, (key) => schemaWords(tool).has(key))
  return `${place === '' ? 'the whole' : place} is not ${mismatch.want}`
}

const outputChecks = new WeakMap<Tool, ArgumentCheck>()
/** Larger answers are not compared with the schema, because the check runs on the main thread. */
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
