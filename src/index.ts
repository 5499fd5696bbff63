// The library's door. Everything that is public is named here; no type of the MCP SDK is.

export type { CallRecord, QuarantinedTool } from './bindings/index.js'
export { Catalogues, type CataloguesOptions } from './catalogues.js'
export { CodeMode, type OpenOptions, type Servers } from './code-mode.js'
export {
  type CallMade,
  type Diagnostic,
  type DiagnosticClass,
  DiagnosticError,
  renderDiagnostics,
  type Span,
  type TraceFrame,
} from './diagnostics/index.js'
export {
  type BindingLevel,
  type Configuration,
  emptyConfiguration,
  type FilterEntry,
  findConfiguration,
  type InProcess,
  type InProcessCall,
  type InProcessTool,
  type InProcessTools,
  type Log,
  type LogLevel,
  type LogLine,
  logLevels,
  type McpClientObject,
  type McpServerObject,
  type RequestHeaders,
  type ResultSettings,
  type ResultsForm,
  readConfiguration,
  type ServeOptions,
  type ServerConfig,
  type ServerEntry,
  type ServerStatus,
  type StandardResult,
  type StandardSchema,
  type StubSettings,
  serveStdio,
  stderrLog,
  type ToolConfig,
  type UpstreamState,
} from './gateway/index.js'
export type { Language, Reach } from './interpreter/index.js'
export {
  type Answer,
  type AnthropicDefinition,
  type CallSummary,
  type DefinitionFormat,
  type DefinitionFormats,
  type GeminiDefinition,
  type JsonSchema,
  type McpDefinition,
  type MetaToolDefinition,
  type MetaToolName,
  metaTools,
  type OpenAiDefinition,
  type OpenAiResponsesDefinition,
  type OutputFormat,
  type RunError,
  type RunEvent,
  type RunListener,
  type RunResult,
  type RunStatistics,
  type ToolResult,
} from './meta-tools/index.js'
export type { LimitName, Limits } from './sandbox/index.js'
export { type CallOptions, type ProgramCheck, type ProgramOptions, Session, type SessionOptions } from './session.js'
export { version } from './version.js'
