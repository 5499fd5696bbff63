import type { Expression } from '../syntax/nodes.js'
import type { Resolution } from './scope.js'

/**
 * The path in pre-bound modules that a name means: of a module, or of the member that an import bound. Undefined where
 * the name may mean anything else.
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
