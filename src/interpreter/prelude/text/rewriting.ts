// Rewriting of long texts by the host's engine, in the guest's own thread. rewrite.ts of the host has the other half and
// describes the answers.

const globals = globalThis as { hostRewrite?: (order: string) => string | undefined }
const { hostRewrite } = globals
delete globals.hostRewrite

/** The longest text that the host rewrites, in UTF-16 units. */
const LONGEST = 32_000_000

/** True if the host rewrites this text. */
export function isRewritable(text: string): boolean {
  return hostRewrite !== undefined && text.length <= LONGEST
}

/** A text as the host rewrites it. Undefined if it need not change. */
export function rewritten(order: string, text: string): string | undefined {
  return hostRewrite!(order + text)
}
