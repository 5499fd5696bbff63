// The door of the room `gateway`: configuration, upstream connections, and the MCP server that we are.

export {
  type BindingLevel,
  type Configuration,
  checkConfiguration,
  checkServer,
  type Environment,
  emptyConfiguration,
  findConfiguration,
  type InProcess,
  type InProcessCall,
  type InProcessTool,
  type InProcessTools,
  type McpClientObject,
  type McpServerObject,
  type ResultSettings,
  type ResultsForm,
  readConfiguration,
  type ServerConfig,
  type ServerEntry,
  type StandardResult,
  type StandardSchema,
  type StubSettings,
  type ToolConfig,
} from './configuration/index.js'
export { allowsTool, type FilterEntry, filterOfHeaders, type RequestHeaders, ToolFilter } from './filter.js'
export { Gate, type GateCaller } from './gate.js'
export { type Log, type LogLevel, type LogLine, logLevels, silentLog, stderrLog } from './log.js'
export { type ServeOptions, serveStdio } from './server.js'
export type { ServerStatus, UpstreamState } from './upstream.js'
export { Upstreams, type UpstreamsOptions } from './upstreams.js'
