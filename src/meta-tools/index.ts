// The door of the room `meta-tools`: the four tools that a model sees, and their answers.

export { type Answer, type AnswerFile, defaultAnswerMaxChars } from './answer.js'
export { checkProgram, type ProgramCheck } from './check-program.js'
export { checkResult, type ResultSchema, type SchemaIssue, type SchemaOutcome } from './check-result.js'
export { type MetaToolDefinition, type MetaToolName, metaTools } from './definitions.js'
export {
  type AnthropicDefinition,
  type DefinitionFormat,
  type DefinitionFormats,
  definitionFormats,
  definitionsFor,
  type GeminiDefinition,
  type JsonSchema,
  type McpDefinition,
  type OpenAiDefinition,
  type OpenAiResponsesDefinition,
} from './definitions-for.js'
export { Desk } from './desk.js'
export { beginDeskThreads, deskWork } from './desk-threads.js'
export { executeToolCode } from './execute-tool-code.js'
export { describing, getToolDocs } from './get-tool-docs.js'
export { artifactNamed, artifactsIn, isRunResult } from './kept-artifacts.js'
export {
  type Approval,
  type ApprovalAnswer,
  type ApprovalRequest,
  type AskedCall,
  callWords,
  type OnApproval,
} from './ledger/approval.js'
export { asksNobody } from './ledger/held-calls.js'
export type {
  CallWanted,
  KeptCall,
  KeptContents,
  KeptRunFacts,
  RunPage,
  RunsWanted,
} from './ledger/kept-run-facts.js'
export { KeptRuns } from './ledger/kept-runs.js'
export type { QueuedRuns } from './ledger/queued-runs.js'
export { type ReplayReport, replayRun } from './ledger/replay.js'
export type { CallerOfRun } from './ledger/run-body.js'
export { isRunList, runFile, runInFile, runList } from './ledger/run-file.js'
export { findTools, listing, listToolFiles, type ToolResult } from './list-tool-files.js'
export {
  artifactOverQuota,
  closed,
  noQueue,
  noSavedProgram,
  noSuchRun,
  nothingToAnswer,
  runGivenUp,
  savedNameTaken,
  savedNotDescribed,
  savedTwice,
  savedUnnamable,
  savedUnreadable,
  unknownFile,
  unknownMetaTool,
  wrongSavedArguments,
} from './messages.js'
export type { OutputFormat } from './output-format.js'
export { withController } from './own-controller.js'
export { readRawArguments } from './raw-arguments.js'
export { reading, readToolFile } from './read-tool-file.js'
export type { RunContext, RunKeeping, SavedCall } from './run-context.js'
export { progressText, type RunEvent, type RunListener } from './run-events.js'
export { RunHistory } from './run-history.js'
export type { RunOptions } from './run-options.js'
export { resumeRun, runProgram, type StartedRun, startRun } from './run-program.js'
export type {
  CallSummary,
  PausedRun,
  RunError,
  RunFacts,
  RunFailure,
  RunResult,
  RunStatistics,
  RunSuccess,
} from './run-result.js'
export type { RunNews, RunWatcher, RunWatchers, Viewer } from './run-watch.js'
export { readProgram, savedCallIn } from './submission.js'
export type { ToolFiles } from './tool-files.js'
export { inTurns } from './turns.js'
