// The room's door, and the entry `starbind/agent` of the package.

export { type Agent, type AgentTool, createAgent } from './agent.js'
export type { AgentEvent, AgentHappening } from './agent-event.js'
export type {
  AgentApprovalRequest,
  AgentBounds,
  AgentMode,
  AgentOptions,
  AgentRunOptions,
  OnAgentApproval,
  SubAgent,
  ToolSet,
} from './agent-options.js'
export type { AgentError, AgentResult, MadeCall, ModelUsage, PendingCall, RunEnd } from './agent-result.js'
export type {
  AssistantMessage,
  ContentBlock,
  Message,
  MessageInput,
  TextBlock,
  ToolCall,
  ToolMessage,
} from './conversation.js'
export { type ChatEndpointOptions, chatEndpoint } from './endpoint/endpoint.js'
export type {
  ModelDelta,
  ModelEndpoint,
  ModelFunction,
  ModelReply,
  ModelRequest,
  ModelSettings,
  Prices,
  ReplyTokens,
  RequestContext,
  ToolChoice,
  ToolDefinition,
} from './model.js'
export { addAgents, agentsOf } from './sub-agents.js'
export {
  type AgentTrace,
  listTraces,
  showTrace,
  type TraceFacts,
} from './traces/kept-trace.js'
export { figuresOf, figuresText } from './traces/trace-figures.js'
export { traceHtml } from './traces/trace-html.js'
export type { TraceMode } from './traces/trace-mode.js'
export { type TracePart, traceParts } from './traces/trace-parts.js'
