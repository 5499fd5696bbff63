// Descriptions of functions, for programs that inspect them: parameters, annotations, and the kind of function.

import type { Callable } from '../calls/signature.js'
import { dictOf } from '../containers/dict.js'
import { tuple, type Value } from '../values/values.js'

/** The name, the number of the kind in `inspect`, and the default if there is one. */
type Parameter = readonly [name: string, kind: number, usual?: Value]

export interface Described {
  readonly parameters: readonly Parameter[]
  /** Annotations by the name of the parameter, and under `return`. */
  readonly annotations: Value
  /** `generator`, `coroutine`, `async_generator`, or empty for a plain function. */
  readonly kind: string
}

interface Describable {
  $described?: Described
}

/** Stores the description of a function. `annotations` has alternating names and values. */
export function describedAs(
  f: Callable,
  parameters: readonly Parameter[],
  annotations: readonly Value[],
  kind: string,
): Callable {
  ;(f as Describable).$described = { parameters, annotations: dictOf(annotations), kind }
  return f
}

export function descriptionOf(f: Value | undefined): Described | undefined {
  return typeof f === 'function' ? (f as Describable).$described : undefined
}

/** The defaults of parameters that may be passed by position. */
export function positionalDefaults(known: Described | undefined): Value {
  const all = (known?.parameters ?? []).flatMap(([, kind, usual]) => (kind < 2 && usual !== undefined ? [usual] : []))
  return all.length === 0 ? null : tuple(all)
}

/** The defaults of keyword-only parameters. */
export function keywordDefaults(known: Described | undefined): Value {
  const all = (known?.parameters ?? []).flatMap(([name, kind, usual]) =>
    kind === 3 && usual !== undefined ? [name, usual] : [],
  )
  return all.length === 0 ? null : dictOf(all)
}
