// Decides which calls need a person's approval. Knows rules and tools; asks nobody.
// Invariant: a further rule can only add calls that need approval.

import { z } from 'zod'
import type { Tool } from '../bindings/index.js'
import { listOf, text } from './configuration/declared.js'
import { matchesGlob, toolMatcher } from './filter.js'

const words = ['never', 'always', 'writes', 'destructive'] as const
export const approvalRule = z.union([z.enum(words), listOf(text, 'a list of tool names')], {
  error: `${words.map((word) => `"${word}"`).join(', ')} or a list of tool names`,
})

/**
 * The calls that need approval: none, all, those of tools that are not declared read-only, those of tools that may
 * destroy something, or those of tools with these names. Names may have globs, as those of filters have.
 *
 * @example
 * import { type ApprovalRule, CodeMode } from 'starbind'
 *
 * const approve: ApprovalRule = ['issues/close_*', 'mail/send']
 * await using codeMode = await CodeMode.open({ servers: { issues: { command: 'my-mcp-server' } }, approve })
 */
export type ApprovalRule = z.output<typeof approvalRule>

/** `onlyReads`: the configuration or the server declares the tool read-only. `isNamed`: a name in a list matches. */
export function ruleAsks(
  rule: ApprovalRule,
  tool: Tool,
  { onlyReads, isNamed }: { readonly onlyReads: boolean; readonly isNamed: (names: readonly string[]) => boolean },
): boolean {
  switch (rule) {
    case 'never':
      return false
    case 'always':
      return true
    case 'writes':
      return !onlyReads
    case 'destructive':
      // The protocol's defaults for a tool without annotations.
      return !onlyReads && tool.annotations?.destructiveHint !== false
    default:
      return isNamed(rule)
  }
}

/** True if a list of names, in the notation of filters, contains the tool. */
export function namesTool(names: readonly string[], server: string, tool: string): boolean {
  return toolMatcher(names)(server, tool)
}

/** The same in a server's own entry. */
export function namesOwnTool(names: readonly string[], tool: string): boolean {
  return names.some((name) => matchesGlob(name, tool))
}
