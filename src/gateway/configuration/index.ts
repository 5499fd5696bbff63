// The configuration: which upstreams there are and how programs run. Nothing here connects.

export type { AgentEntry } from './agents.js'
export { checkConfiguration, checkServer, modelsOf } from './check.js'
export {
  type Configuration,
  type Connection,
  type Environment,
  emptyConfiguration,
  type HttpConnection,
  hasOwnCredentials,
  type Root,
  type ServerConfig,
  type StdioConnection,
} from './configuration.js'
export type { Declared } from './declared.js'
export { defined } from './defined.js'
export { ownEntry } from './entry-forms.js'
export {
  configurationRemarks,
  defaultConfiguration,
  findConfiguration,
  readConfiguration,
  writtenKey,
} from './files.js'
export { type FollowOptions, followConfiguration } from './follow.js'
export { ownForm } from './forms.js'
export {
  acceptArguments,
  describeTool,
  givesObject,
  type InProcess,
  type InProcessCall,
  type InProcessTool,
  type InProcessTools,
  isMcpClient,
  isMcpServer,
  type McpClientObject,
  type McpServerObject,
  type StandardResult,
  type StandardSchema,
} from './in-process.js'
export { JsonTextError, parseJsonText } from './json-text.js'
export type { ModelConfig, ModelEntry } from './models.js'
export { inputVariable, referencesIn, SECRET_NAME } from './references.js'
export type {
  AuditSettings,
  AuthorizationSettings,
  CallerEntry,
  ChanceUse,
  ClockUse,
  CodeModeUse,
  MemoryUse,
  RateLimitEntry,
  ServeSettings,
} from './serving.js'
export { callerEntry, chanceUse, clockUse, memoryUse } from './serving.js'
export {
  type BindingLevel,
  type BucketSettings,
  type CodeModeSettings,
  codeModeSettingNames,
  type Isolation,
  knownKeys,
  type OAuthSettings,
  type ResultSettings,
  type ResultsForm,
  type ServerEntry,
  type StubSettings,
  type ToolConfig,
} from './shape.js'
export { isBucketUrl, isStoreUrl } from './state-settings.js'
