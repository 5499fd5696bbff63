// The names of properties that guest values other than records have. Generated code reads a constant key `x["name"]` as
// a property unless the name is one of these. The build writes them for the compiler.

import type { Value } from './values/values.js'

/** The string names of all properties that are visible on any of the samples. */
export function ownNames(samples: readonly Value[]): string[] {
  const names = new Set<string>()
  for (const sample of samples) {
    for (
      let o: object | null = sample === null ? null : (Object(sample) as object);
      o !== null;
      o = Object.getPrototypeOf(o) as object | null
    ) {
      for (const name of Object.getOwnPropertyNames(o)) names.add(name)
    }
  }
  return [...names].filter((n) => !/^\d+$/.test(n)).sort()
}
