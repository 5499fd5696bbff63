// The operations of the HTTP interface: paths, what they take, what they answer. Requests are checked by it, and the
// OpenAPI document is made of it.
// Invariant: an operation that is not here does not exist.

import type { z } from 'zod'
import * as shape from './interface.js'

export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Below `/api/v1/`; parts in braces are parameters. */
  readonly path: string
  readonly summary: string
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  /** The status of success. */
  readonly status: 200 | 201 | 204
  /** The type of a body that is not JSON, or the schema of one that is; absent: none. */
  readonly answer?: z.ZodType | 'image/svg+xml' | 'text/markdown' | 'application/json'
  /** The schema of the events of a stream, in place of an answer. */
  readonly events?: z.ZodType
  /** True: it needs no session. */
  readonly isOpen?: true
}

export const operations = {
  session: get('session', 'Who is signed in, and what is possible here.', shape.pageSession),
  login: { ...post('login', 'Sign in with a one-time token or a key.', shape.pageSession, shape.login), isOpen: true },
  logout: { method: 'POST', path: 'logout', summary: 'Sign out.', status: 204 },
  events: {
    method: 'GET',
    path: 'events',
    summary: 'What happens, as it happens.',
    status: 200,
    query: shape.eventQuery,
    events: shape.pageEvent,
  },
  runs: { ...get('runs', 'The runs that the caller may see.', shape.runList), query: shape.runQuery },
  startRun: { ...post('runs', 'Start a run.', shape.startedRun, shape.newRun), status: 201 },
  run: get('runs/{run}', 'One run.', shape.run),
  call: get('runs/{run}/calls/{call}', 'What was sent in one call, and what came back.', shape.callContents),
  timeline: {
    method: 'GET',
    path: 'runs/{run}/timeline.svg',
    summary: 'The waterfall of its calls.',
    status: 200,
    answer: 'image/svg+xml',
  },
  cancelRun: post('runs/{run}/cancel', 'End a run.', shape.runSummary),
  resumeRun: post('runs/{run}/resume', 'Continue a run that was answered or interrupted.', shape.startedRun),
  replayRun: post('runs/{run}/replay', 'Run it again without calling any tool, and compare.', shape.replay),
  approvals: get('approvals', 'What waits for a person.', shape.approvalList),
  allow: post('approvals/{run}/allow', 'Allow the calls that a run waits for.', shape.runSummary, shape.allow),
  deny: post('approvals/{run}/deny', 'Deny them: they fail in the program.', shape.runSummary, shape.deny),
  openApi: {
    method: 'GET',
    path: 'openapi.json',
    summary: 'This interface.',
    status: 200,
    answer: 'application/json',
    isOpen: true,
  },
} as const satisfies Record<string, Operation>

export type OperationName = keyof typeof operations

function get<Answer extends z.ZodType>(path: string, summary: string, answer: Answer) {
  return { method: 'GET', path, summary, status: 200, answer } as const
}

function post<Answer extends z.ZodType, Body extends z.ZodType | undefined = undefined>(
  path: string,
  summary: string,
  answer: Answer,
  body?: Body,
) {
  return { method: 'POST', path, summary, status: 200, answer, body: body as Body } as const
}

/** The operations of a path, and its parameters by their names. */
export function matching(
  pathname: string,
): readonly { readonly name: OperationName; readonly parameters: Parameters }[] {
  const parts = pathname.split('/')
  return (Object.keys(operations) as OperationName[]).flatMap((name) => {
    const pattern = operations[name].path.split('/')
    if (pattern.length !== parts.length) return []
    const parameters: Record<string, string> = {}
    const fits = pattern.every((part, i) => {
      if (!part.startsWith('{')) return part === parts[i]
      const value = decoded(parts[i]!)
      parameters[part.slice(1, -1)] = value ?? ''
      return value !== undefined && value !== ''
    })
    return fits ? [{ name, parameters }] : []
  })
}

export type Parameters = Readonly<Record<string, string>>

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
