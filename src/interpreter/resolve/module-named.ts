import type { Expression } from '../syntax/nodes.js'
import type { Resolution } from './scope.js'

/**
 * The path of the pre-bound module, or of its imported member, that a name means. Undefined if the name may mean
 * anything else.
 */
export function moduleNamed(
  e: Expression,
  { bindingOf, imported }: Pick<Resolution, 'bindingOf' | 'imported'>,
  modules: { has(name: string): boolean },
): string | undefined {
  const binding = e.kind === 'Identifier' ? bindingOf.get(e) : undefined
  if (binding === undefined) return undefined
  if (binding.kind === 'universal') return modules.has(binding.name) ? binding.name : undefined
  return binding.assignments === 1 ? imported.get(binding) : undefined
}
