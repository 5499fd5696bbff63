// Tool events beside the pieces of an answer: for clients that ask for them.
// Invariant: a `tool_response` has the id of its `tool_call`, and says whether it failed.

import type { AgentEvent } from '../agent-event.js'
import type { Refusal } from './refusal.js'

/** An event; what it is about is under the name of its type. */
export interface ToolEvent {
  /** `tool_call`, `tool_response`, `progress`, `approval`, `warning`, `error`. */
  readonly event_type: string
  /** Like OpenAI's objects: `tool.call`. */
  readonly object: string
  /** When it happened, in seconds since 1970, and in milliseconds. */
  readonly created: number
  readonly time: number
  readonly sequence?: number
  readonly run_id?: string
  readonly [content: string]: unknown
}

/** Undefined for events that are parts of the answer. */
export function toolEventOf(event: AgentEvent): ToolEvent | undefined {
  const content = contentOf(event)
  if (content === undefined) return undefined
  const { time, sequence, runId } = event
  return { ...headOf(Object.keys(content)[0]!, time), sequence, run_id: runId, ...content }
}

/** A warning of this endpoint itself, before a run begins. */
export function warningEvent(source: string, message: string, context: object): ToolEvent {
  return { ...headOf('warning', Date.now()), warning: warningOf(source, message, context) }
}

/** The event for a failure that ends a stream. */
export function failureEvent({ status, body }: Refusal, runId: string): ToolEvent {
  const error = { ...body, source: status === 502 ? 'model_api' : 'endpoint', severity: 'error', context: { status } }
  return { ...headOf('error', Date.now()), run_id: runId, error }
}

function headOf(kind: string, time: number) {
  return { event_type: kind, object: kind.replace('_', '.'), created: Math.floor(time / 1000), time }
}

function contentOf(event: AgentEvent): Readonly<Record<string, object>> | undefined {
  switch (event.type) {
    case 'tool_call':
      return { tool_call: { ...callOf(event), arguments: event.arguments } }
    case 'tool_response': {
      const { isError, text, ms } = event
      const response = text ?? null
      return {
        tool_response: { ...callOf(event), response, ...(isError ? { error: text ?? 'the call failed' } : {}), ms },
      }
    }
    case 'progress': {
      const { progress, total, message } = event
      return { progress: { ...callOf(event), progress, total, message } }
    }
    case 'approval':
      return { approval: { ...callOf(event), state: event.state, arguments: event.arguments, reason: event.reason } }
    case 'error': {
      const { source, code, message, severity } = event
      // The failure that ends a run is reported with the end of the stream. Clients take a key `error` for the end.
      return severity === 'warning' ? { warning: warningOf(source, message, { code }) } : undefined
    }
    case 'text':
    case 'reasoning':
    case 'turn':
    case 'usage':
      return undefined
  }
}

function warningOf(source: string, message: string, context: object): object {
  return { source, message, severity: 'warning', context }
}

function callOf({ callId, parentId, name, server, tool }: Extract<AgentEvent, { callId: string }>): object {
  return { id: callId, parent_id: parentId, name, server, tool }
}
