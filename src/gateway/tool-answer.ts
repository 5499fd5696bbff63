// Reads a tool's result leniently.

import { z } from 'zod'
import type { ContentBlock, ToolOutcome } from '../bindings/index.js'
import { DiagnosticError } from '../diagnostics/index.js'
import { answerMalformed, type CalledTool } from './messages.js'
import { readAnswerIn } from './reading/large-message.js'
import { SPELLING } from './reading/spelling.js'

/**
 * Where a result has the number or the truth value that a function returned without having declared it: as text it
 * would be no data, and the protocol's structured content is always an object. A server that sends this itself only
 * says it of its own result.
 */
export const LONE_VALUE = 'starbind/value'

/** Throws a DiagnosticError for a value that is not a tool result. */
export function outcomeOf(raw: unknown, called: CalledTool): ToolOutcome {
  if (isPlain(raw)) {
    const { isError = false, content, structuredContent } = raw
    return structuredContent === undefined ? { isError, content } : { isError, content, structuredContent }
  }
  const answer = toolAnswer.safeParse(raw)
  if (!answer.success) {
    const issue = answer.error.issues[0]
    const reason = `${issue?.path.join('.') || 'the answer'} is not ${issue?.message}`
    throw new DiagnosticError(answerMalformed(called, reason))
  }
  const { isError, content, _meta, [SPELLING]: spelling } = answer.data
  const structuredContent = answer.data.structuredContent ?? _meta?.[LONE_VALUE]
  const read = readAnswerIn(raw)
  return {
    isError: isError ?? false,
    content: content as readonly ContentBlock[],
    ...(structuredContent === undefined || structuredContent === null ? {} : { structuredContent }),
    ...(typeof spelling === 'string' ? { structuredText: spelling } : {}),
    ...(read === undefined ? {} : { read }),
  }
}

/** One text, with or without data, as most answers are: there is nothing more to be read in them. */
function isPlain(raw: unknown): raw is {
  readonly isError?: boolean
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }]
  readonly structuredContent?: object
} {
  const { isError = false, content, structuredContent = {} } = (raw ?? {}) as Readonly<Record<string, unknown>>
  if (typeof isError !== 'boolean' || !Array.isArray(content) || content.length !== 1) return false
  const { type, text } = (content[0] ?? {}) as Readonly<Record<string, unknown>>
  if (type !== 'text' || typeof text !== 'string' || structuredContent === null) return false
  return Reflect.ownKeys(raw as object).every((key) => PLAIN.has(key))
}

const PLAIN: ReadonlySet<PropertyKey> = new Set(['content', 'isError', 'structuredContent'])

const string = z.string({ error: 'a string' })
const block = z.looseObject({ type: string }, { error: 'an object' }).superRefine((value, context) => {
  const wants: Record<string, readonly string[]> = {
    text: ['text'],
    image: ['data', 'mimeType'],
    audio: ['data', 'mimeType'],
    resource_link: ['uri'],
  }
  for (const key of wants[value.type] ?? []) {
    if (typeof value[key] !== 'string') context.addIssue({ code: 'custom', path: [key], message: 'a string' })
  }
  const resource = value.type === 'resource' ? value.resource : undefined
  if (value.type === 'resource' && typeof (resource as { uri?: unknown } | null | undefined)?.uri !== 'string') {
    context.addIssue({ code: 'custom', path: ['resource'], message: 'a resource with a uri' })
  }
})

const toolAnswer = z.looseObject(
  {
    isError: z.boolean({ error: 'true or false' }).nullish(),
    content: z.array(block, { error: 'a list' }).default([]),
    structuredContent: z.unknown().optional(),
    _meta: z.record(z.string(), z.unknown()).optional().catch(undefined),
  },
  { error: 'an object' },
)
