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
  servers: get('servers', 'The servers that the caller may reach.', shape.serverList),
  server: get('servers/{server}', 'One server, with its tools.', shape.server),
  tool: get('servers/{server}/tools/{tool}', 'Everything about one tool.', shape.toolDocs),
  restartServer: post('servers/{server}/restart', 'End its connection and begin a new one.', shape.serverSummary),
  enableServer: post('servers/{server}/enable', 'Use it, until this process ends.', shape.serverSummary),
  disableServer: post('servers/{server}/disable', 'Do not use it, until this process ends.', shape.serverSummary),
  logInToServer: post('servers/{server}/login', 'Begin a login.', shape.loginPage),
  doctor: get('doctor', 'The findings about servers and configuration.', shape.doctor),
  check: post('check', 'The mistakes of a program and the tools that it can reach.', shape.checked, shape.checkText),
  completion: post('completion', 'What can be written at a place.', shape.completion, shape.completionAt),
  programs: get('programs', 'The saved programs.', shape.programList),
  program: get('programs/{program}', 'One saved program.', shape.savedProgram),
  saveProgram: post('programs/{program}', 'Save a program.', shape.savedProgram, shape.saveProgram),
  deleteProgram: { method: 'DELETE', path: 'programs/{program}', summary: 'Delete a program.', status: 204 },
  tokens: get('tokens', 'What the definitions of tools cost.', shape.tokens),
  conversations: get('conversations', 'The conversations of the caller.', shape.conversationList),
  newConversation: {
    ...post('conversations', 'Begin a conversation.', shape.conversation, shape.newConversation),
    status: 201,
  },
  importConversation: {
    ...post('conversations/import', 'Bring back an exported conversation.', shape.conversation, shape.imported),
    status: 201,
  },
  conversation: get('conversations/{conversation}', 'One conversation.', shape.conversation),
  changeConversation: post(
    'conversations/{conversation}',
    'Change title, model or instructions.',
    shape.conversation,
    shape.changeConversation,
  ),
  deleteConversation: {
    method: 'DELETE',
    path: 'conversations/{conversation}',
    summary: 'Delete a conversation.',
    status: 204,
  },
  duplicateConversation: {
    ...post('conversations/{conversation}/duplicate', 'Copy a conversation.', shape.conversation),
    status: 201,
  },
  exportConversation: {
    method: 'GET',
    path: 'conversations/{conversation}/export',
    summary: 'A conversation as Markdown.',
    status: 200,
    answer: 'text/markdown',
  },
  sendMessage: {
    method: 'POST',
    path: 'conversations/{conversation}/messages',
    summary: 'Ask, and follow the answer.',
    status: 200,
    body: shape.newMessage,
    events: shape.chatEvent,
  },
  answerInConversation: {
    method: 'POST',
    path: 'conversations/{conversation}/answers',
    summary: 'Answer a question about calls.',
    status: 204,
    body: shape.chatAnswer,
  },
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
