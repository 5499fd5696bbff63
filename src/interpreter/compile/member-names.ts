// Private names of Python's classes (Python reference: Private name mangling).

import type { Generation } from './context.js'

/**
 * The name of an attribute in the current class. A name that begins with two underscores gets the name of the class.
 */
export function memberName(g: Generation, name: string): string {
  const cls = g.around.enclosingClass
  if (cls === undefined || !name.startsWith('__') || name.endsWith('__')) return name
  return `_${cls.name.replace(/^_+/, '')}${name}`
}
