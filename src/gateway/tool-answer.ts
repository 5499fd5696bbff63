// Reads a tool's result leniently.

import { z } from 'zod'
import type { ContentBlock, ToolOutcome } from '../bindings/index.js'
import { DiagnosticError } from '../diagnostics/index.js'
import { answerMalformed, type CalledTool } from './messages.js'
import { readAnswerIn } from './reading/large-message.js'
import { SPELLING } from './reading/spelling.js'
import { LONE_VALUE } from './transports/in-process.js'

/** Throws a DiagnosticError for a value that is not a tool result. */
export function outcomeOf(raw: unknown, called: CalledTool): ToolOutcome {
  if (isPlainText(raw)) return { isError: raw.isError === true, content: raw.content }
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

/** One text and nothing else, as most answers are: there is nothing more to be read in them. */
function isPlainText(raw: unknown): raw is {
  readonly isError?: boolean
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }]
} {
  const { isError = false, content } = (raw ?? {}) as Readonly<Record<string, unknown>>
  if (typeof isError !== 'boolean' || !Array.isArray(content) || content.length !== 1) return false
  const { type, text } = (content[0] ?? {}) as Readonly<Record<string, unknown>>
  if (type !== 'text' || typeof text !== 'string') return false
  return Reflect.ownKeys(raw as object).every((key) => key === 'content' || key === 'isError')
}

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
