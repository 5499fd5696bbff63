// What the two forms of requests share: bounds, and complaints that name the parameter.

import { z } from 'zod'
import type { MessageInput } from '../conversation.js'
import type { ModelSettings, ToolChoice, ToolDefinition } from '../model.js'
import { Refusal } from './refusal.js'

/** A request to a model, whichever form it came in. */
export interface ModelQuestion {
  /** As the client wrote it: a name, and perhaps tools. */
  readonly model: string
  readonly messages: readonly MessageInput[]
  /** The client's own tools. */
  readonly tools: readonly ToolDefinition[]
  readonly toolChoice: ToolChoice | undefined
  /** Everything else, which the model's endpoint gets as it is. */
  readonly settings: ModelSettings
  readonly streams: boolean
}

const MOST_MESSAGES = 5000
const MOST_TOOLS = 512

export const text = z.string({ error: 'a string' })
export const flag = z.boolean({ error: 'true or false' }).nullish()
export const modelName = z
  .string({ error: 'the name of a model' })
  .min(1, { error: 'the name of a model' })
  .max(4000, { error: 'at most 4,000 characters' })
/** The interfaces of models know no other names. */
export const toolName = text.regex(/^[\w-]{1,128}$/, { error: 'a name of letters, digits, _ and -' })
/** A switch that can't be turned on here. */
export const off = z.literal(false, { error: 'false: it has no effect here' }).nullish()
export const jsonObject = z.record(z.string(), z.unknown(), { error: 'an object' })

/** A field without a meaning here; `instead` says what is wanted. */
export function nothing(instead: string) {
  return z.null({ error: instead }).optional()
}

/** A part of a message's content, by its `type`. */
export function partOf<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.looseObject({ type: z.literal(type), ...shape })
}

export function messagesOf<Message extends z.ZodType>(message: Message) {
  return z
    .array(message, { error: 'a list of messages' })
    .min(1, { error: 'at least one message' })
    .max(MOST_MESSAGES, { error: `at most ${MOST_MESSAGES} messages` })
}

export function toolsOf<Tool extends z.ZodType>(tool: Tool) {
  return z
    .array(tool, { error: 'a list of tools' })
    .max(MOST_TOOLS, { error: `at most ${MOST_TOOLS} tools` })
    .nullish()
}

/** The parsed body. Throws a Refusal that names the first mistake. */
export function parsed<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.infer<Schema> {
  const { success, data, error } = schema.safeParse(raw)
  if (success) return data
  const { path, message } = innermost(error.issues[0]!)
  const param = shownPath(path)
  const got = path.reduce<unknown>((at, key) => (at as Readonly<Record<PropertyKey, unknown>> | null)?.[key], raw)
  throw new Refusal(400, `${param || 'the body'}: got ${kindOf(got)}, want ${message}`, { param: param || null })
}

/** Refuses parameters that would change nothing here, because the client would wait for their effect. */
export function refuse(given: Readonly<Record<string, unknown>>, reasons: Readonly<Record<string, string>>): void {
  for (const [param, reason] of Object.entries(reasons)) {
    const value = given[param]
    if (value !== undefined && value !== null && value !== false)
      throw new Refusal(400, `${param} is not supported here: ${reason}`, { param, code: 'unsupported_parameter' })
  }
}

interface RawDefinition {
  readonly name: string
  readonly description?: string | null | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | null | undefined
  readonly strict?: boolean | null | undefined
}

/** A tool of the client, as the loop takes it. */
export function definitionOf({ name, description, parameters, strict }: RawDefinition): ToolDefinition {
  return {
    name,
    ...(description == null ? {} : { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(strict == null ? {} : { strict }),
  }
}

/** Throws a Refusal for two tools of one name. */
export function checkToolNames(tools: readonly ToolDefinition[], paramOf: (index: number) => string): void {
  const seen = new Set<string>()
  for (const [i, { name }] of tools.entries()) {
    if (seen.has(name)) throw new Refusal(400, `there are two tools ${name}`, { param: paramOf(i) })
    seen.add(name)
  }
}

/** Of the alternatives of a union, the one that got furthest is meant; never one of another `type`. */
function innermost(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue
  const alike = issue.errors.filter(
    (all) => !all.some(({ code, path }) => code === 'invalid_value' && path[0] === 'type'),
  )
  const inner = alike.map(([first]) => first!).sort((a, b) => b.path.length - a.path.length)[0]
  if (inner === undefined || inner.path.length === 0) return issue
  return innermost({ ...inner, path: [...issue.path, ...inner.path] })
}

function shownPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i === 0 ? '' : '.'}${String(part)}`))
    .join('')
}

const LONGEST_SHOWN = 60

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return JSON.stringify(value.slice(0, LONGEST_SHOWN))
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
