// Private names of Python's classes.

import type { Generation } from './context.js'

/** The name of an attribute in the current class: names that begin with two underscores get the class's name. */
export function memberName(g: Generation, name: string): string {
  const cls = g.around.enclosingClass
  if (cls === undefined || !name.startsWith('__') || name.endsWith('__')) return name
  return `_${cls.name.replace(/^_+/, '')}${name}`
}
