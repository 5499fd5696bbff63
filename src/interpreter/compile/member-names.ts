// Names of attributes as a class sees them (Python: private names).

import type { Generation } from './context.js'

/** Names that begin with two underscores belong to the class alone. */
export function memberName(g: Generation, name: string): string {
  const cls = g.around.enclosingClass
  if (cls === undefined || !name.startsWith('__') || name.endsWith('__')) return name
  return `_${cls.name.replace(/^_+/, '')}${name}`
}
