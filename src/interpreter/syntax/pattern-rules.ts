// Mistakes in well-formed match statements: names bound twice, unreachable cases, duplicate keys.

import { type Fault, messages } from './messages.js'
import type { Expression, Identifier, MatchCase, NodeBase, Pattern } from './nodes.js'
import { patternsIn } from './walk.js'

interface PatternFault {
  readonly fault: Fault
  readonly node: Pick<NodeBase, 'start' | 'end'>
}

/** The mistakes in the cases of one match statement. */
export function matchFaults(cases: readonly MatchCase[]): PatternFault[] {
  const faults: PatternFault[] = []
  const report = (node: PatternFault['node'], fault: Fault): void => void faults.push({ fault, node })
  cases.forEach(({ pattern, guard }, i) => {
    judgeReach(pattern, guard !== undefined || i === cases.length - 1, 'cases', report)
    bound(pattern, report)
  })
  return faults
}

type Report = (node: PatternFault['node'], fault: Fault) => void

/** Types that models write as patterns to match their values. */
const TYPES = ['int', 'float', 'str', 'bool', 'list', 'dict', 'tuple', 'set', 'bytes', 'frozenset']

/** A pattern that matches anything must be the last; `may` says whether this one is the last. */
function judgeReach(pattern: Pattern, may: boolean, what: 'cases' | 'alternatives', report: Report): void {
  switch (pattern.kind) {
    case 'CapturePattern': {
      if (may) return
      const name = pattern.name?.name
      report(pattern, messages.unreachableCase(name, what, hintFor(name)))
      return
    }
    case 'AsPattern':
      return judgeReach(pattern.pattern, may, what, report)
    case 'OrPattern':
      pattern.alternatives.forEach((one, i) => {
        const isLast = i === pattern.alternatives.length - 1
        judgeReach(one, isLast && may, isLast ? what : 'alternatives', report)
      })
      return
    default:
      for (const inner of patternsIn(pattern)) judgeReach(inner, true, what, report)
  }
}

function hintFor(name: string | undefined): string {
  if (name === undefined) return 'move it to the end'
  if (TYPES.includes(name)) return `write ${name}() to match values of the type`
  return `move it to the end, or compare with the value of a name in a guard: case x if x == ${name}:`
}

/** The names that a pattern binds, once each. */
function bound(pattern: Pattern, report: Report): Map<string, Identifier> {
  if (pattern.kind === 'OrPattern') return boundByAll(pattern.alternatives, report)
  repetitions(pattern, report)
  const names = new Map<string, Identifier>()
  const add = (id: Identifier | undefined): void => {
    if (id === undefined) return
    if (names.has(id.name)) report(id, messages.boundTwice(id.name))
    names.set(id.name, id)
  }
  for (const inner of patternsIn(pattern)) bound(inner, report).forEach(add)
  if (pattern.kind === 'CapturePattern' || pattern.kind === 'StarPattern' || pattern.kind === 'AsPattern')
    add(pattern.name)
  else if (pattern.kind === 'MappingPattern') add(pattern.rest)
  return names
}

function boundByAll(alternatives: readonly Pattern[], report: Report): Map<string, Identifier> {
  const [first, ...others] = alternatives.map((one) => ({ one, names: bound(one, report) }))
  const names = first!.names
  const stranger = others.find(
    (other) => other.names.size !== names.size || [...other.names.keys()].some((n) => !names.has(n)),
  )
  if (stranger !== undefined) report(stranger.one, messages.differentNames())
  return names
}

function repetitions(pattern: Pattern, report: Report): void {
  if (pattern.kind === 'SequencePattern') {
    const second = pattern.elements.filter((e) => e.kind === 'StarPattern')[1]
    if (second !== undefined) report(second, messages.starPatternTwice())
  } else if (pattern.kind === 'MappingPattern') {
    eachTwice(
      pattern.entries,
      ({ key }) => keyOf(key),
      ({ key }, shown) => report(key, messages.repeatedKey(shown.slice(2))),
    )
  } else if (pattern.kind === 'ClassPattern') {
    eachTwice(
      pattern.named,
      ({ name }) => name.name,
      ({ name }) => report(name, messages.repeatedAttribute(name.name)),
    )
  }
}

function eachTwice<T>(all: readonly T[], keyFor: (one: T) => string | undefined, found: (one: T, key: string) => void) {
  const seen = new Set<string>()
  for (const one of all) {
    const key = keyFor(one)
    if (key === undefined) continue
    if (seen.has(key)) found(one, key)
    seen.add(key)
  }
}

/**
 * A text that is the same for keys that are equal in a dict: two characters and the key's text. Undefined if the key is
 * known only at run time.
 */
function keyOf(key: Expression): string | undefined {
  switch (key.kind) {
    case 'StringLiteral':
      return `s ${JSON.stringify(key.value)}`
    case 'BytesLiteral':
      return `b ${key.value.join()}`
    case 'IntLiteral':
    case 'FloatLiteral':
      return `n ${key.value}`
    case 'UnaryExpr': {
      const text = keyOf(key.operand)?.slice(2)
      return text === '0' ? 'n 0' : `n -${text}`
    }
    case 'Identifier':
      return key.name === 'True' ? 'n 1' : key.name === 'False' ? 'n 0' : 'None'
    default:
      return undefined
  }
}
