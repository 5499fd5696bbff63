// Which functions of the host a program can call. Looks at every place where a namespace is mentioned: a member that is
// named there is reached, and a namespace that goes anywhere else (into a list, a call, a variable that is assigned
// more than once) may be asked for any member.
// Knows names, not values. Invariant: what a run can call is in the answer, or its namespace is, or the answer is
// `all`.

import type { ForeignFunction } from '../foreign.js'
import type { Reach } from '../program.js'
import type { Binding, Resolution } from '../resolve/index.js'
import type { CallExpr, Expression, File, Identifier } from '../syntax/nodes.js'
import { forEachExpression, forEachStatement } from '../syntax/walk.js'

/** Builtins that look at a value and keep nothing of it. */
const ONLOOKERS = ['hasattr', 'dir', 'help', 'type', 'print', 'repr', 'str', 'bool', 'callable', 'isinstance', 'id']

export function reachOf(
  file: File,
  resolution: Resolution,
  foreign: ReadonlyMap<string, ReadonlyMap<string, ForeignFunction>>,
): Reach {
  for (const { kind, name } of resolution.outside)
    if (kind === 'predeclared' && !foreign.has(name)) return { tools: [], widened: 'all' }
  if (![...resolution.outside].some(({ kind }) => kind === 'predeclared')) return { tools: [], widened: [] }
  const tools = new Map<string, { namespace: string; member: string }>()
  const widened = new Set<string>()
  const aliases = new Map<Binding, string>()
  const seen = new Set<Expression>()

  const namespaceOf = (e: Expression): string | undefined => {
    if (e.kind === 'ParenExpr') return namespaceOf(e.expression)
    const binding = e.kind === 'Identifier' ? resolution.bindingOf.get(e) : undefined
    if (binding === undefined) return undefined
    return binding.kind === 'predeclared' && foreign.has(binding.name) ? binding.name : aliases.get(binding)
  }
  const member = (namespace: string, name: string): void => {
    const fn = foreign.get(namespace)?.get(name)
    if (fn !== undefined) tools.set(`${namespace}.${fn.name}`, { namespace, member: fn.name })
    else if (/^__\w+__$/.test(name) && name !== '__name__') widened.add(namespace)
  }
  const pass = (e: Expression): void => {
    seen.add(e)
    if (e.kind === 'ParenExpr') pass(e.expression)
  }
  /** A second name for a namespace; false when the name can stand for something else, too. */
  const alias = (id: Identifier, namespace: string): boolean => {
    const binding = resolution.bindingOf.get(id)
    if (binding === undefined || binding.assignments !== 1 || binding.scope?.kind === 'class') return false
    aliases.set(binding, namespace)
    return true
  }

  for (let found = -1; found < aliases.size; ) {
    found = aliases.size
    forEachStatement(file.body, (s) => {
      if (s.kind === 'AssignStmt') {
        const namespace = namespaceOf(s.value)
        if (namespace === undefined) return
        const named = s.targets.filter((t) => t.kind === 'Identifier' && alias(t, namespace))
        for (const t of named) pass(t)
        if (named.length === s.targets.length) pass(s.value)
      } else if (s.kind === 'ImportStmt') {
        for (const { path, alias: as } of s.names) {
          const name = path.map((p) => p.name).join('.')
          if (foreign.has(name) && !alias(as ?? path[0]!, name)) widened.add(name)
        }
      } else if (s.kind === 'ImportFromStmt') {
        const name = s.path.map((p) => p.name).join('.')
        if (foreign.has(name)) for (const n of s.names) member(name, n.name.name)
      }
    })
  }

  const onCall = (e: CallExpr): void => {
    const { callee } = e
    if (callee.kind !== 'Identifier' || resolution.bindingOf.get(callee)?.kind !== 'universal') return
    const [first, second] = e.arguments
    const namespace = first?.form === 'positional' ? namespaceOf(first.value) : undefined
    if (namespace === undefined) return
    if (callee.name === 'getattr') {
      if (second?.form === 'positional' && second.value.kind === 'StringLiteral') member(namespace, second.value.value)
      else widened.add(namespace)
    } else if (!ONLOOKERS.includes(callee.name)) return
    pass(first!.value)
  }

  forEachExpression(file.body, (e) => {
    if (e.kind === 'DotExpr') {
      const namespace = namespaceOf(e.object)
      if (namespace === undefined) return
      member(namespace, e.name.name)
      pass(e.object)
    } else if (e.kind === 'CallExpr') onCall(e)
    else if (e.kind === 'Identifier' && !seen.has(e)) {
      const namespace = namespaceOf(e)
      if (namespace !== undefined) widened.add(namespace)
    }
  })
  return {
    tools: [...tools.values()].filter(({ namespace }) => !widened.has(namespace)),
    widened: [...widened].sort(),
  }
}
