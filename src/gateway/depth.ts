// How deep a value is nested. What comes from a server is walked by functions that call themselves, here and in the engine, and one deep value would exhaust
// their stack. Knows values only. Invariant: the answer takes no more stack for a deep value than for a flat one.

/** Deeper than anybody's data, and less than what any of those functions can't take. */
export const DEEPEST = 1000

/** True for a value with lists and objects in each other more than `DEEPEST` levels deep. */
export function isTooDeep(value: unknown): boolean {
  let level = isBranch(value) ? [value] : []
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= DEEPEST) return true
    const below: object[] = []
    for (const one of level)
      for (const inner of Array.isArray(one) ? one : Object.values(one)) if (isBranch(inner)) below.push(inner)
    level = below
  }
  return false
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
