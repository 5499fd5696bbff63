// The door of the room `meta-tools`: the four tools that a model sees, and what they answer.

export { type Answer, answerRun, cut, defaultAnswerMaxChars } from './answer.js'
export { type MetaToolDefinition, type MetaToolName, metaTools } from './definitions.js'
export {
  type AnthropicDefinition,
  type DefinitionFormat,
  type DefinitionFormats,
  definitionsFor,
  type McpDefinition,
  type OpenAiDefinition,
} from './definitions-for.js'
export { executeToolCode, type RunOptions, runProgram, type Workbench } from './execute-tool-code.js'
export { getToolDocs } from './get-tool-docs.js'
export { findTools, listToolFiles, type ToolResult } from './list-tool-files.js'
export { unknownMetaTool } from './messages.js'
export { readToolFile } from './read-tool-file.js'
export type { CallSummary, RunError, RunResult, RunStatistics } from './run-result.js'
export type { ToolFiles } from './tool-files.js'
