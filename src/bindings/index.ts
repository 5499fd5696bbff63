// The door of the room `bindings`.

export type { ContentBlock, JsonSchema, Tool, ToolAnnotations, ToolCaller, ToolOutcome, ToolServer } from './tool.js'
