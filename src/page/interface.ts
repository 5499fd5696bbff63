// The payloads and events of the HTTP interface, each declared once: the schemas check requests, the OpenAPI document
// is made of them, and browser code takes the types.
//
// Everything is below /api/v1/ and is JSON, unless a line says otherwise. Moments are milliseconds since 1970, and
// `…Ms` are milliseconds. Refusals have the body `Failure` and a fitting status: 400 wrong request, 401 nobody is signed
// in, 403 not allowed, 404 no such thing, 409 no longer possible, 413 too long, 429 too many at once, 503 closing.
// Changes made with the cookie carry the header `X-Starbind-Token` with `PageSession.token`.
//
//   GET    session                           PageSession
//   POST   login            Login          → PageSession, and the cookie (no cookie and no header needed)
//   POST   logout                          → 204
//   GET    events                            text/event-stream of PageEvent: `id:` and `data:` lines; resumes after
//                                            `Last-Event-ID`, or `?after=ID`
//   GET    runs?limit=&before=&state=&owner=  RunList
//   POST   runs             NewRun         → 201 StartedRun
//   GET    runs/{run}                        Run
//   GET    runs/{run}/calls/{call}           CallContents, `call` is `Call.number`
//   GET    runs/{run}/timeline.svg           image/svg+xml
//   POST   runs/{run}/cancel               → RunSummary
//   POST   runs/{run}/resume               → StartedRun
//   POST   runs/{run}/replay               → Replay
//   GET    approvals                         ApprovalList
//   POST   approvals/{run}/allow  Allow    → RunSummary; the run continues
//   POST   approvals/{run}/deny   Deny     → RunSummary; the run continues, the calls fail in the program
//   GET    servers                           ServerList
//   GET    servers/{server}                  Server
//   GET    servers/{server}/tools/{tool}     ToolDocs
//   POST   servers/{server}/restart | enable | disable → ServerSummary
//   POST   servers/{server}/login          → LoginPage
//   GET    doctor                            Doctor
//   POST   check            CheckText      → Checked
//   POST   completion       CompletionAt   → Completion
//   GET    programs                          ProgramList
//   GET    programs/{program}                SavedProgram
//   POST   programs/{program}  SaveProgram → SavedProgram, new or in place of the old one
//   DELETE programs/{program}              → 204
//   GET    tokens                            Tokens
//   GET    conversations                     ConversationList
//   POST   conversations    NewConversation → 201 Conversation
//   POST   conversations/import  Imported  → 201 Conversation
//   GET    conversations/{conversation}      Conversation
//   POST   conversations/{conversation}  ChangeConversation → Conversation
//   DELETE conversations/{conversation}    → 204
//   POST   conversations/{conversation}/duplicate → 201 Conversation
//   GET    conversations/{conversation}/export      text/markdown
//   POST   conversations/{conversation}/messages  NewMessage → text/event-stream of ChatEvent, `data:` lines only;
//                                            closing it stops the answer, and what came is kept
//   POST   conversations/{conversation}/answers   ChatAnswer → 204
//   GET    openapi.json                      this interface as an OpenAPI 3.1 document
//
// Files: POST /artifacts?name=NAME with the bytes as body → 201 { name, … }, GET /artifacts/NAME. They are the person's
// own, programs read them, and messages attach them by name.
// Pages are served with the policy `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;
// font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`.
// Invariant: what came from servers and models is data in JSON strings, never markup.

import { z } from 'zod'

const moment = z.number().describe('Milliseconds since 1970.')
const language = z.enum(['starlark', 'javascript'])
const count = z.number().int().nonnegative()

/** A refusal. `code` is kebab-case and stable. */
export const failure = z.object({
  error: z.object({ code: z.string(), message: z.string(), hint: z.string().optional() }),
})
export type Failure = z.infer<typeof failure>

/** Who is signed in, and what is possible here. */
export const pageSession = z.object({
  version: z.string(),
  name: z.string().describe('The caller to whom runs that are started here belong.'),
  token: z.string().describe('For the header X-Starbind-Token of every change. Empty for requests with a key.'),
  may: z.object({
    approve: z.boolean().describe('See the runs of all callers, and answer for them.'),
    manage: z.boolean().describe('Restart, enable and disable servers, and log in to them.'),
    save: z.boolean().describe('Save and delete programs: there is a folder for them.'),
    chat: z.boolean().describe('Talk to a model: one is configured.'),
  }),
  language: language.describe('The language of programs that name none.'),
  models: z.array(
    z.object({
      name: z.string(),
      problem: z.string().nullable().describe('Why it can not be used; null: it can.'),
    }),
  ),
})
export type PageSession = z.infer<typeof pageSession>

/** A one-time token of `starbind open` or an API key whose entry says `page: true`. */
export const login = z.strictObject({ token: z.string().max(1000) })
export type Login = z.infer<typeof login>

/**
 * `queued`: it waits for a worker. `running`: it is carried out. `waiting`: for a person. `answered`: a person has answered, and nobody has continued it
 * yet. `interrupted`: its process has ended. `ok`, `failed`, `cancelled`: it has ended.
 */
export const runState = z.enum(['queued', 'running', 'waiting', 'answered', 'interrupted', 'ok', 'failed', 'cancelled'])
export type RunState = z.infer<typeof runState>

export const runError = z.object({
  class: z.string().describe('Whose move it is: program error, tool error, limit, host error …'),
  code: z.string(),
  message: z.string(),
  line: z.number().nullable().describe('From 1; null: the failure has no place in the program.'),
  column: z.number().nullable(),
  hint: z.string().nullable(),
})
export type PageRunError = z.infer<typeof runError>

/** A run as a list shows it. */
export const runSummary = z.object({
  runId: z.string(),
  owner: z.string().describe('The caller.'),
  state: runState,
  firstLine: z.string().describe('The first line of the program that says something, at most 200 characters.'),
  language,
  startedAt: moment,
  endedAt: moment.nullable(),
  calls: count.describe('Calls so far.'),
  failures: count.describe('Those that failed.'),
  bytes: count.describe('What the answers of tools have, so far: bytes that went through.'),
  error: runError.nullable(),
  kept: z.boolean().describe('It outlives this process. The latest others are known until it ends.'),
})
export type RunSummary = z.infer<typeof runSummary>

export const runList = z.object({
  runs: z.array(runSummary).describe('The last changed first.'),
  next: z.string().nullable().describe('For `before`: the page after this one; null: there is none.'),
})
export type RunList = z.infer<typeof runList>

export const runQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  before: z.string().max(200).optional(),
  state: runState.optional(),
  owner: z.string().max(200).optional(),
})
export type RunQuery = z.infer<typeof runQuery>

export const eventQuery = z.strictObject({
  after: z.string().max(100).optional().describe('The id of the last event that is known, as in `Last-Event-ID`.'),
})
export type EventQuery = z.infer<typeof eventQuery>

/**
 * `underway`: no answer yet. `waiting`: for a person, it has not been sent. `denied`: a person refused it. `failed`: the
 * tool reported a failure. `lost`: no usable answer came. `limit`: a limit of the run ended it.
 */
export const callState = z.enum(['underway', 'waiting', 'ok', 'failed', 'lost', 'limit', 'denied'])
export type CallState = z.infer<typeof callState>

/** A call of a tool, as a waterfall draws it. */
export const call = z.object({
  number: count.describe('Its place among the calls of the run, from 1.'),
  server: z.string().describe("The server's name in the configuration."),
  tool: z.string().describe("The tool's name at its server."),
  state: callState,
  startMs: z.number().describe('After the start of the run.'),
  endMs: z.number().nullable().describe('After the start of the run; null: it has not ended.'),
  reused: z.boolean().describe('Nothing was sent: the answer is that of an earlier run.'),
  ahead: z.boolean().describe('A read that may have run ahead: the program did not wait for it at once.'),
  line: z.number().nullable().describe('The line of the program; null: unknown.'),
  approval: z
    .object({
      answer: z.enum(['once', 'run', 'deny']),
      by: z.string(),
      reason: z.string().nullable(),
      at: moment,
    })
    .nullable()
    .describe("A person's answer; null: nobody was asked, or nobody has answered."),
  waitedMs: z.number().nullable().describe('How long it waited for that answer before it was sent; null: it did not.'),
  progress: z
    .object({ progress: z.number(), total: z.number().nullable(), message: z.string().nullable() })
    .nullable()
    .describe('The last that the server said about a call that is underway.'),
  bytes: count.describe('Of the answer.'),
  argumentBytes: count,
  argumentDigest: z.string().describe('SHA-256 of the arguments.'),
  hasContents: z.boolean().describe('Arguments or answer can be fetched.'),
})
export type Call = z.infer<typeof call>

/** What was sent and what came back. Texts of more than 200,000 characters are cut. */
export const callContents = z.object({
  arguments: z.unknown().describe('An object; null: not kept.'),
  answer: z.string().nullable().describe('JSON or text, as the program got it; null: none, or not kept.'),
  isCut: z.boolean().describe('The answer is longer than shown.'),
})
export type CallContents = z.infer<typeof callContents>

export const print = z.object({ text: z.string(), atMs: z.number().describe('After the start of the run.') })
export type Print = z.infer<typeof print>

/** A run with everything but the contents of its calls. */
export const run = runSummary.extend({
  program: z.string(),
  calls: count,
  timeline: z.array(call).describe('In the order of their starts.'),
  prints: z.array(print),
  currentLine: z
    .number()
    .nullable()
    .describe('The line of the latest call of a run that has not ended; null: unknown.'),
  resultJson: z.string().nullable().describe('JSON, with integers of any size; null: no result, or it is not JSON.'),
  resultText: z.string().nullable().describe('The result in the notation of its language; null: there is none.'),
  report: z.string().describe('What a model reads about the run besides its output. Empty: nothing yet.'),
  stats: z
    .object({
      wallMs: z.number(),
      compileMs: z.number(),
      runMs: z.number(),
      toolWaitMs: z.number(),
      memoryBytes: z.number(),
    })
    .nullable(),
  seenBytes: count.describe('What a model saw of it: the output, the result and the report.'),
  tokens: z.object({
    direct: count.describe('What the arguments and answers of its calls would have been in a conversation.'),
    seen: count.describe('What the program and its answer are.'),
    isExact: z.boolean().describe('False: estimated, 4.4 characters each.'),
  }),
})
export type Run = z.infer<typeof run>

/** A program to run, or a saved one. */
export const newRun = z
  .strictObject({
    code: z.string().max(1_000_000).optional(),
    program: z.string().max(100).optional().describe('The name of a saved program, in place of `code`.'),
    arguments: z.record(z.string(), z.unknown()).optional().describe('For `program`.'),
    language: language.optional(),
    strict: z.boolean().optional(),
    timeoutMs: z.number().int().positive().max(3_600_000).optional(),
    ask: z.boolean().optional().describe('True: ask before each call of a tool that does not only read.'),
    readAhead: z.boolean().optional(),
  })
  .refine(({ code, program }) => (code === undefined) !== (program === undefined), 'want either code or program')
export type NewRun = z.infer<typeof newRun>

export const startedRun = z.object({ runId: z.string() })
export type StartedRun = z.infer<typeof startedRun>

export const replay = z.object({
  same: z.boolean().describe('It made the same calls and ended the same way.'),
  difference: z.string().nullable(),
})
export type Replay = z.infer<typeof replay>

/** Calls that wait for a person. All of them are answered at once. */
export const approval = z.object({
  runId: z.string(),
  owner: z.string(),
  program: z.string(),
  language,
  calls: z.array(
    z.object({
      server: z.string(),
      tool: z.string(),
      arguments: z.unknown().describe('An object; null: only the digest is kept.'),
      argumentDigest: z.string(),
      line: z.number().nullable(),
      reason: z
        .enum(['approval', 'unknown'])
        .describe('`unknown`: it was sent, and its answer is not known; it may have taken effect.'),
    }),
  ),
  canAlsoCall: z.array(z.string()).describe('Other tools that it may call and that need approval: `issues.close`.'),
  done: z
    .array(z.object({ server: z.string(), tool: z.string(), ok: z.boolean(), count }))
    .describe('What was already done.'),
  askedAt: moment,
  expiresAt: moment.nullable(),
})
export type PageApproval = z.infer<typeof approval>

export const approvalList = z.object({ approvals: z.array(approval).describe('The oldest first.') })
export type ApprovalList = z.infer<typeof approvalList>

/** `run`: also later calls of these tools in this run. */
export const allow = z.strictObject({
  scope: z.enum(['once', 'run']).default('once'),
  shown: z
    .array(approval.shape.calls.element.pick({ server: true, tool: true, argumentDigest: true }))
    .max(10_000)
    .optional()
    .describe('The calls that the person saw. If others wait by now, none is allowed: 409. Absent: whatever waits.'),
})
export type Allow = z.input<typeof allow>

export const deny = z.strictObject({ reason: z.string().max(2000).optional() })
export type Deny = z.infer<typeof deny>

/** Figures of calls, since this process began. */
export const callFigures = z.object({
  calls: count,
  failures: count,
  medianMs: z.number().nullable().describe('Of the last calls; null: there were none.'),
  slowMs: z.number().nullable().describe('95 of 100 of the last calls took at most this.'),
})
export type CallFigures = z.infer<typeof callFigures>

export const serverState = z.enum([
  'idle',
  'connecting',
  'ready',
  'degraded',
  'needs-auth',
  'failed',
  'disabled',
  'closed',
])
export type ServerState = z.infer<typeof serverState>

/** A server as a list shows it. */
export const serverSummary = z.object({
  name: z.string(),
  state: serverState,
  reason: z.string().describe('Why it is not ready. Empty: it is.'),
  said: z.string().describe('Its own words about that. Often empty.'),
  tools: count,
  setAside: z.array(z.object({ name: z.string(), reason: z.string() })).describe('Tools that can not be used.'),
  remarks: z.array(z.string()).describe('What was dropped of its messages, and the like.'),
  isRemembered: z.boolean().describe('Its tools were listed to an earlier process; it was not asked since.'),
  canLogIn: z.boolean(),
  figures: callFigures,
})
export type ServerSummary = z.infer<typeof serverSummary>

export const serverList = z.object({ servers: z.array(serverSummary) })
export type ServerList = z.infer<typeof serverList>

export const server = serverSummary.extend({
  tools: count,
  toolList: z.array(
    z.object({
      name: z.string().describe('Its name at its server.'),
      guestName: z.string().describe('The name that programs write: `files.read_text_file`.'),
      signature: z.string().describe('The line of its stub.'),
      summary: z.string(),
      needsApproval: z.boolean(),
      figures: callFigures,
    }),
  ),
  minutes: z
    .array(z.object({ at: moment, calls: count, failures: count, meanMs: z.number(), maxMs: z.number() }))
    .describe('The last hour: minutes with calls, the oldest first.'),
})
export type Server = z.infer<typeof server>

export const toolDocs = z.object({
  server: z.string(),
  tool: z.string(),
  stub: z.string().describe('As in the stub file, with the types that it names.'),
  docs: z.string().describe('Everything known, as getToolDocs answers.'),
  observed: z.string().nullable().describe('The shape of earlier answers, where the server declares none.'),
  inputSchema: z.unknown(),
  figures: callFigures,
})
export type ToolDocs = z.infer<typeof toolDocs>

export const loginPage = z.object({ url: z.string().describe('The page of the authorization server, to be opened.') })
export type LoginPage = z.infer<typeof loginPage>

/** The findings of `starbind doctor`. */
export const doctor = z.object({
  ok: z.boolean(),
  configuration: z.string().nullable().describe('The path of the file.'),
  remarks: z.array(z.string()),
  servers: z.array(z.object({ name: z.string(), mark: z.enum(['ok', 'off', 'bad']), finding: z.string() })),
  programs: z.array(z.object({ file: z.string(), problem: z.string().nullable() })),
})
export type Doctor = z.infer<typeof doctor>

export const checkText = z.strictObject({
  code: z.string().max(1_000_000),
  language: language.optional(),
  strict: z.boolean().optional(),
})
export type CheckText = z.infer<typeof checkText>

/** A mistake or a warning, with its place. Lines and columns count from 1; the end is exclusive. */
export const pageDiagnostic = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string(),
  message: z.string(),
  hint: z.string().nullable(),
  line: z.number().nullable(),
  column: z.number().nullable(),
  endLine: z.number().nullable(),
  endColumn: z.number().nullable(),
})
export type PageDiagnostic = z.infer<typeof pageDiagnostic>

export const checked = z.object({
  ok: z.boolean(),
  language,
  diagnostics: z.array(pageDiagnostic),
  reach: z.array(z.string()).describe('The tools that it can call: `files.read_text_file`; `files.*` for any of them.'),
})
export type Checked = z.infer<typeof checked>

export const completionAt = z.strictObject({
  code: z.string().max(1_000_000),
  language: language.optional(),
  offset: count.describe('The place of the cursor, in UTF-16 units from the start.'),
})
export type CompletionAt = z.infer<typeof completionAt>

export const completion = z.object({
  from: count.describe('The start of what an option replaces; it ends at the cursor.'),
  options: z.array(
    z.object({
      label: z.string().describe('The text to insert.'),
      kind: z.enum(['server', 'tool', 'parameter', 'key', 'name', 'word']),
      detail: z.string().nullable().describe("A tool's parameters, a server's own name."),
    }),
  ),
})
export type Completion = z.infer<typeof completion>

export const programSummary = z.object({
  name: z.string(),
  file: z.string(),
  language,
  description: z.string(),
  inputSchema: z.unknown().describe('A JSON Schema of its arguments.'),
  problem: z.string().nullable(),
})
export type ProgramSummary = z.infer<typeof programSummary>

export const programList = z.object({ programs: z.array(programSummary) })
export type ProgramList = z.infer<typeof programList>

export const savedProgram = programSummary.extend({ text: z.string() })
export type PageSavedProgram = z.infer<typeof savedProgram>

/** The parameters of a saved program are those of its function `main`; with `parameters`, one is put around the text. */
export const saveProgram = z.strictObject({
  text: z.string().max(256 * 1024),
  language,
  parameters: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Za-z_]\w{0,60}$/),
        type: z.enum(['str', 'int', 'float', 'bool', 'list', 'dict', 'Any']),
        default: z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]).optional(),
      }),
    )
    .max(20)
    .optional(),
})
export type SaveProgram = z.infer<typeof saveProgram>

/** Estimated: 4.4 characters of JSON each, the average of real catalogues. */
export const tokens = z.object({
  servers: z.array(z.object({ server: z.string(), tools: count, tokens: count })),
  direct: count.describe('What the definitions of all tools cost in every request.'),
  metaTools: count.describe('What the four definitions cost.'),
})
export type Tokens = z.infer<typeof tokens>

const attachment = z.object({ name: z.string(), mimeType: z.string(), bytes: count })

export const chatCall = z.object({
  callId: z.string(),
  parentId: z.string().nullable().describe('The call of executeToolCode whose program made it; null: the model did.'),
  name: z.string().describe("The model's name of the tool; of a program's call `server.tool`."),
  arguments: z.unknown().describe('An object; null: not known.'),
  state: z.enum(['underway', 'waiting', 'ok', 'failed', 'denied']),
  text: z.string().nullable().describe('What the model reads; null: nothing yet, or a call of a program.'),
  ms: z.number().nullable(),
})
export type ChatCall = z.infer<typeof chatCall>

export const chatMessage = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  text: z.string().describe('Markdown.'),
  reasoning: z.string().nullable(),
  attachments: z.array(attachment),
  calls: z.array(chatCall).describe('Of an assistant: the calls after its text.'),
  at: moment.nullable(),
})
export type ChatMessage = z.infer<typeof chatMessage>

export const conversationSummary = z.object({
  conversationId: z.string(),
  title: z.string(),
  model: z.string(),
  startedAt: moment,
  changedAt: moment,
  messageCount: count,
})
export type ConversationSummary = z.infer<typeof conversationSummary>

export const conversationList = z.object({
  conversations: z.array(conversationSummary).describe('The last changed first.'),
})
export type ConversationList = z.infer<typeof conversationList>

export const conversation = conversationSummary.extend({
  instructions: z.string().describe('The system message.'),
  messages: z.array(chatMessage).describe('Without the system message. An index here is that of `from`.'),
})
export type Conversation = z.infer<typeof conversation>

export const newConversation = z.strictObject({
  title: z.string().max(200).optional().describe('Default: the beginning of the first message.'),
  model: z.string().max(200).optional().describe('Default: the first that can be used.'),
  instructions: z.string().max(100_000).optional(),
})
export type NewConversation = z.infer<typeof newConversation>

export const changeConversation = newConversation
export type ChangeConversation = NewConversation

export const imported = z.strictObject({ markdown: z.string().max(4_000_000) })
export type Imported = z.infer<typeof imported>

/** `from`: the message at this index and all after it are replaced. The same text is a replay. */
export const newMessage = z.strictObject({
  text: z.string().max(1_000_000),
  attachments: z.array(z.string().max(200)).max(20).optional().describe('Names of artifacts.'),
  from: count.optional(),
})
export type NewMessage = z.infer<typeof newMessage>

/** The answer to an `approval` event of the conversation. */
export const chatAnswer = z.strictObject({
  approvalId: z.string().max(100),
  answer: z.enum(['once', 'run', 'deny']),
  reason: z.string().max(2000).optional(),
})
export type ChatAnswer = z.infer<typeof chatAnswer>

/** An event of one answer of a model. */
export const chatEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().describe('A piece of the answer.') }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({ type: z.literal('call'), call: chatCall.describe('New, or changed: `callId` tells which.') }),
  z.object({
    type: z.literal('progress'),
    callId: z.string(),
    progress: z.number(),
    total: z.number().nullable(),
    message: z.string().nullable(),
  }),
  z.object({
    type: z.literal('approval'),
    approvalId: z.string(),
    program: z.string().nullable().describe('Null: the model calls the tools itself.'),
    calls: approval.shape.calls,
  }),
  z.object({ type: z.literal('answered'), approvalId: z.string() }),
  z.object({ type: z.literal('failure'), code: z.string(), message: z.string(), hint: z.string().nullable() }),
  z.object({
    type: z.literal('end'),
    why: z.string().describe('answered, pending, turns, length, cancelled, failed …'),
    conversation,
  }),
])
export type ChatEvent = z.infer<typeof chatEvent>

/** An event of the stream that everything on the page follows. */
export const pageEvent = z.discriminatedUnion('type', [
  z
    .object({ type: z.literal('hello'), resumed: z.boolean() })
    .describe('First. `resumed` false: the stream is new or has a gap, so fetch again what is shown.'),
  z.object({ type: z.literal('run'), run: runSummary }).describe('A run is new, or has changed its state.'),
  z.object({ type: z.literal('call'), runId: z.string(), call }).describe('A call is new, or has changed.'),
  z.object({ type: z.literal('print'), runId: z.string(), print }),
  z.object({ type: z.literal('approval'), approval }).describe('Calls wait for a person.'),
  z
    .object({ type: z.literal('approval-gone'), runId: z.string() })
    .describe('Somebody has answered, or the run ended.'),
  z.object({ type: z.literal('server'), server: serverSummary }).describe('Its state or its tools have changed.'),
])
export type PageEvent = z.infer<typeof pageEvent>
