// The door of the room `gateway`: configuration, upstream connections, and the MCP server that we are.

export { builtinNames } from '../builtin/index.js'
export { type ApprovalRule, approvalRule, namesOwnTool, namesTool, ruleAsks } from './approval-policy.js'
export { Audit } from './audit.js'
export { type LoginOptions as LoginConditions, login, logout } from './authorization/login.js'
export { SharedLogins } from './authorization/shared-logins.js'
export { TokenStore } from './authorization/token-store.js'
export type { CallerEnd } from './caller-end.js'
export { allowedTools } from './catalogue.js'
export { CatalogueStore } from './catalogue-store.js'
export { SharedTexts } from './catalogue-texts.js'
export {
  type AgentEntry,
  type AuditSettings,
  type AuthorizationSettings,
  type BindingLevel,
  type BucketSettings,
  type CallerEntry,
  type ChanceUse,
  type ClockUse,
  type CodeModeSettings,
  type CodeModeUse,
  type Configuration,
  checkConfiguration,
  checkServer,
  codeModeSettingNames,
  configurationRemarks,
  type Declared,
  defaultConfiguration,
  defined,
  type Environment,
  emptyConfiguration,
  type FollowOptions,
  findConfiguration,
  followConfiguration,
  type InProcess,
  type InProcessCall,
  type InProcessTool,
  type InProcessTools,
  type Isolation,
  isBucketUrl,
  isStoreUrl,
  type McpClientObject,
  type McpServerObject,
  type MemoryUse,
  type ModelConfig,
  type ModelEntry,
  modelsOf,
  type RateLimitEntry,
  type ResultSettings,
  type ResultsForm,
  readConfiguration,
  type ServerConfig,
  type ServerEntry,
  type ServeSettings,
  type StandardResult,
  type StandardSchema,
  type StubSettings,
  type ToolConfig,
  writtenKey,
} from './configuration/index.js'
export { DirectServers } from './direct-servers.js'
export { elicitingApproval } from './elicit-approval.js'
export {
  allowsTool,
  type FilterEntry,
  filterEntry,
  filterOfHeaders,
  matchesGlob,
  type RequestHeaders,
  ToolFilter,
  toolMatcher,
} from './filter.js'
export { Gate } from './gate.js'
export { type HostOptions, hostNames, type Start } from './importing/host-files.js'
export {
  type Imported,
  type ImportedFile,
  type ImportOptions,
  importHosts,
  type MissingVariable,
  movedHostText,
} from './importing/import-hosts.js'
export { type OwnFile, readOwnFile, readVariables, textWithServers } from './importing/own-file.js'
export { secretsApart, variablesText, type WrittenSecret } from './importing/written-secrets.js'
export type { UpstreamState } from './lifeline.js'
export {
  type Log,
  type LogFormat,
  type LogLevel,
  type LogLine,
  logFormats,
  logLevels,
  silentLog,
} from './log.js'
export { LoopDelay } from './loop-delay.js'
export { configUnknownKey, configWrongValue } from './messages.js'
export { Metrics } from './metrics.js'
export { writePrivateFile } from './private-file.js'
export { RateLimits } from './rate-limits.js'
export { withResourceTools } from './resource-tools.js'
export { exposes, offersOf, termsOf } from './serving/callers.js'
export { defaultPort } from './serving/default-port.js'
export { Direct } from './serving/direct.js'
export type { DirectTool } from './serving/direct-tools.js'
export type { HttpServing } from './serving/http.js'
export type { HttpRoutes, RoutedRequest } from './serving/http-routes.js'
export { addKey, defaultKeysFile, type KeyEntry, type KeyTerms, readKeys, removeKey } from './serving/keys.js'
export type { Offers } from './serving/offers.js'
export { serveHttp } from './serving/serve-http.js'
export type { CallerFacts, OpenSession, ProgramTool, ServedSession } from './serving/served.js'
export type { ServedFiles } from './serving/served-files.js'
export { type ServeOptions, serveStdio } from './serving/stdio.js'
export { stderrLog } from './stderr-log.js'
export { isCollected, type SpanAttributes, type SpanOptions, type SpanRole, Trace, type TraceCarrier } from './trace.js'
export type { ServerStatus } from './upstream.js'
export { Upstreams } from './upstreams.js'
export { Watch } from './watch.js'
