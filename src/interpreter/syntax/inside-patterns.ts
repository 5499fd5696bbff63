// What later stages need of a pattern without matching it: the names that it binds and the expressions that it evaluates.
// Knows the shape of patterns, nothing of what they mean.

import type { Expression, Identifier, Pattern } from './nodes.js'

/** Every place that binds a name; alternatives bind the same names each. */
export function namesBoundBy(pattern: Pattern): Identifier[] {
  switch (pattern.kind) {
    case 'CapturePattern':
    case 'StarPattern':
      return pattern.name === undefined ? [] : [pattern.name]
    case 'AsPattern':
      return [...namesBoundBy(pattern.pattern), pattern.name]
    case 'MappingPattern': {
      const names = pattern.entries.flatMap((entry) => namesBoundBy(entry.pattern))
      return pattern.rest === undefined ? names : [...names, pattern.rest]
    }
    default:
      return patternsIn(pattern).flatMap(namesBoundBy)
  }
}

/** Literals, dotted names and classes, in the order of the text. */
export function expressionsIn(pattern: Pattern): Expression[] {
  switch (pattern.kind) {
    case 'ValuePattern':
      return [pattern.value]
    case 'MappingPattern':
      return pattern.entries.flatMap((entry) => [entry.key, ...expressionsIn(entry.pattern)])
    case 'ClassPattern':
      return [pattern.callee, ...patternsIn(pattern).flatMap(expressionsIn)]
    default:
      return patternsIn(pattern).flatMap(expressionsIn)
  }
}

/** The patterns directly inside a pattern. */
export function patternsIn(pattern: Pattern): readonly Pattern[] {
  switch (pattern.kind) {
    case 'SequencePattern':
      return pattern.elements
    case 'MappingPattern':
      return pattern.entries.map((entry) => entry.pattern)
    case 'ClassPattern':
      return [...pattern.positional, ...pattern.named.map((one) => one.pattern)]
    case 'OrPattern':
      return pattern.alternatives
    case 'AsPattern':
      return [pattern.pattern]
    case 'ValuePattern':
    case 'ConstantPattern':
    case 'CapturePattern':
    case 'StarPattern':
      return []
  }
}

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

/** The name that takes the whole value where a pattern is nothing else. */
export function wholeName(pattern: Pattern): Identifier | undefined {
  return pattern.kind === 'CapturePattern' ? pattern.name : undefined
}

/** What is called in class patterns. */
export function classesIn(pattern: Pattern): Expression[] {
  const inner = patternsIn(pattern).flatMap(classesIn)
  return pattern.kind === 'ClassPattern' ? [pattern.callee, ...inner] : inner
}
