import type { Binding, Resolution } from '../resolve/index.js'
import type { Identifier, Statement } from '../syntax/nodes.js'
import { eachBound, forEachStatement } from '../syntax/walk.js'

/** The variables that a block assigns, including its inner blocks but not its inner functions. */
export function assignedIn(body: readonly Statement[], { bindingOf }: Resolution): Set<Binding> {
  const out = new Set<Binding>()
  const add = (id: Identifier): void => {
    const binding = bindingOf.get(id)
    if (binding) out.add(binding)
  }
  forEachStatement(body, (s) => {
    eachBound(s, add)
    return s.kind !== 'DefStmt' && s.kind !== 'ClassStmt'
  })
  return out
}
