import type { Signature } from './signature.js'
import type { Tool, ToolServer } from './tool.js'

/** Whether a listing shows one stub file per server or one per tool. */
export type BindingLevel = 'server' | 'tool'

export interface BoundTool {
  /** The guest name. */
  readonly name: string
  readonly server: BoundServer
  readonly tool: Tool
  readonly signature: Signature
}

export interface BoundServer {
  /** The guest name. */
  readonly name: string
  readonly source: ToolServer
  /** By guest name. */
  readonly tools: readonly BoundTool[]
}

/** `server.tool` as a program writes it. */
export function pathOf(tool: BoundTool): string {
  return `${tool.server.name}.${tool.name}`
}
