import type { Expression, Identifier, Pattern } from './nodes.js'
import { patternsIn } from './walk.js'

/** Does a pattern match every value? */
export function isIrrefutable(pattern: Pattern): boolean {
  switch (pattern.kind) {
    case 'CapturePattern':
      return true
    case 'AsPattern':
      return isIrrefutable(pattern.pattern)
    case 'OrPattern':
      return pattern.alternatives.some(isIrrefutable)
    default:
      return false
  }
}

/** The name of a pattern that consists of a capture alone. */
export function wholeName(pattern: Pattern): Identifier | undefined {
  return pattern.kind === 'CapturePattern' ? pattern.name : undefined
}

/** The callees of class patterns. */
export function classesIn(pattern: Pattern): Expression[] {
  const inner = patternsIn(pattern).flatMap(classesIn)
  return pattern.kind === 'ClassPattern' ? [pattern.callee, ...inner] : inner
}
