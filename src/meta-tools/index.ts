// The door of the room `meta-tools`: the four tools that a model sees, and what they answer.

export { type Answer, defaultAnswerMaxChars } from './answer.js'
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
export { Desk, deskWork } from './desk.js'
export { executeToolCode, type RunOptions, runProgram } from './execute-tool-code.js'
export { describing, getToolDocs } from './get-tool-docs.js'
export { findTools, listing, listToolFiles, type ToolResult } from './list-tool-files.js'
export { closed, unknownMetaTool } from './messages.js'
export { type OutputFormat, outputFormats } from './output-format.js'
export { readRawArguments } from './raw-arguments.js'
export { reading, readToolFile } from './read-tool-file.js'
export type { RunContext } from './run-context.js'
export type { RunEvent, RunListener } from './run-events.js'
export { RunHistory } from './run-history.js'
export type {
  CallSummary,
  RunError,
  RunFacts,
  RunFailure,
  RunResult,
  RunStatistics,
  RunSuccess,
} from './run-result.js'
export { readProgram } from './submission.js'
export type { ToolFiles } from './tool-files.js'
export { inTurns } from './turns.js'
