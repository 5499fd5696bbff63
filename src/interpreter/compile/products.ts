// Products that a loop builds up: `r *= i` where `r` may be a big int, the factors are small and nothing else in the loop reads `r`. The factors are
// multiplied among themselves, as a machine number, as long as that is exact; only then is the big int multiplied. Integer multiplication
// is associative, so the product is the same.
// Invariant: when the loop is left in any way that the rest of the function can see, the gathered factor has been multiplied in.

import { INT } from '../infer/kinds.js'
import { isSmallInt, MAX_SAFE } from '../infer/types.js'
import type { AugmentedAssignStmt, Expression, ForStmt } from '../syntax/nodes.js'
import { type Generation, isSimple } from './context.js'
import { save } from './operators.js'

interface Product {
  readonly variable: string
  readonly factor: string
}

/** Begins to gather the products of a loop; writes what must stand before it. The loop's body must be written next. */
export function beginProducts(g: Generation, s: ForStmt): readonly Product[] {
  // What a handler or an `else` sees must be up to date.
  if (g.facts.catches || s.orelse.length > 0) return []
  const found: Product[] = []
  for (const statement of s.body) {
    if (statement.kind !== 'AugmentedAssignStmt' || !isProduct(g, statement, s)) continue
    const factor = save(g, '1')
    found.push({ variable: g.bindingOf(statement.target as Expression & { kind: 'Identifier' })!.js, factor })
    g.products.set(statement, factor)
  }
  return found
}

function isProduct(g: Generation, a: AugmentedAssignStmt, loop: ForStmt): boolean {
  if (a.operator !== '*' || a.target.kind !== 'Identifier') return false
  const binding = g.bindingOf(a.target)
  const type = g.typeOf(a.target)
  return (
    binding?.kind === 'local' &&
    !binding.captured &&
    type.kinds === INT &&
    !isSmallInt(type) &&
    isSmallInt(g.typeOf(a.value)) &&
    g.facts.usesIn(binding, loop) === 1
  )
}

/** Writes `target *= value` for a product that is gathered in `factor`. */
export function gather(
  g: Generation,
  s: AugmentedAssignStmt & { target: { kind: 'Identifier' } },
  factor: string,
): void {
  const { js } = g.bindingOf(s.target)!
  const code = g.expression(s.value)
  const x = isSimple(code) ? code : save(g, code)
  const t = save(g, `${factor} * ${x}`)
  g.out.push(`if (${t} <= ${MAX_SAFE} && ${t} >= -${MAX_SAFE}) ${factor} = ${t};`)
  g.out.push(`else { ${js} = ${g.helper('mulInt')}(${js}, ${factor}); ${factor} = ${x}; }`)
}

export function endProducts(g: Generation, products: readonly Product[]): void {
  for (const { variable, factor } of products)
    g.out.push(`if (${factor} !== 1) ${variable} = ${g.helper('mulInt')}(${variable}, ${factor});`)
}
