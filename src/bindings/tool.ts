// An MCP tool as the rooms above see it, without the SDK.

import type { Awaitable } from '../awaitable/index.js'
import type { NamedFiles } from './artifact-arguments.js'

/** An upstream's JSON Schema: untrusted data of any draft. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown }

export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** One tool of one upstream, as validated by the gateway. */
export interface Tool {
  /** The tool's own name at its upstream. */
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
  /** True: starbind made it for the server's resources or prompts, and the server does not list it. */
  readonly isProvided?: true
}

/** An upstream with the tools that are visible to the current caller. */
export interface ToolServer {
  /** The name in the configuration. */
  readonly name: string
  readonly description?: string
  readonly tools: readonly Tool[]
}

/**
 * A content block of a tool's result, as MCP defines it (CallToolResult.content). Unknown types are kept as they came.
 */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource'
      readonly resource: {
        readonly uri: string
        readonly mimeType?: string
        readonly text?: string
        readonly blob?: string
      }
    }
  | {
      readonly type: 'resource_link'
      readonly uri: string
      readonly name?: string
      readonly mimeType?: string
      readonly description?: string
      readonly size?: number
    }
  | { readonly type: string; readonly [key: string]: unknown }

/** The answer of an upstream. */
export interface ToolOutcome {
  readonly isError: boolean
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  /** The structured content in its server's own spelling, present if parsing would lose a detail. Untrusted. */
  readonly structuredText?: string
  /** An answer that is too long to be parsed on the event loop; its structured content is only here. */
  readonly read?: {
    /** The structured content as its server spelt it, and that of its key `result`. Certainly JSON. */
    readonly structured?: string | undefined
    readonly lone?: string | undefined
    /** The indices of contents that are JSON text. */
    readonly isJson: readonly boolean[]
    /** For each content that is a picture or a file: the digest of its bytes, and whether it is base64. */
    readonly files?: readonly ({ readonly sha256: string; readonly isBase64: boolean } | null)[] | undefined
    /** In `structured` and `lone` this, a colon and an index stand for the base64 of the content of that index. */
    readonly mark?: string | undefined
    /** A part of the data that shows its shape, as JSON text. */
    readonly sample?: string | undefined
  }
}

/** The progress of a call, as its server reports it. */
export interface ToolProgress {
  readonly progress: number
  readonly total?: number
  /** At most 200 characters. */
  readonly message?: string
}

/** The caller's kept files, for a server that may read them. */
export interface KeptForCall {
  /** Those that the call's arguments mention, as they were when the program made it. */
  readonly files: NamedFiles
  /** The paths of all. */
  readonly paths: readonly string[]
}

export interface ToolCallOptions {
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
  /** Receives the call's progress; if present, the server is asked to report it. */
  readonly onProgress?: ((progress: ToolProgress) => void) | undefined
  readonly kept?: KeptForCall | undefined
}

/**
 * Reaches upstreams. Implemented by the gateway. Gives the upstream's answer, `isError` included; throws or rejects
 * with a DiagnosticError when the call could not be made or its answer did not arrive (unknown server, connection lost,
 * timeout, cancelled). Arguments are JSON data, in which integers that a double can't hold are ExactIntegers: they are
 * sent with all their digits.
 */
export interface ToolCaller {
  call(
    server: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options?: ToolCallOptions,
  ): Awaitable<ToolOutcome>
}

/** True when the server declares that the tool only reads or that repeating it does no harm. */
export function isSafeToRepeat(tool: Tool): boolean {
  return tool.annotations?.readOnlyHint === true || tool.annotations?.idempotentHint === true
}
