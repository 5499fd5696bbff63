// Binds the arguments of a call to parameters at compile time, when the function is known (specification: Function and
// method calls). The guest's binder in prelude/calls/signature.ts does the same at run time. Calls that can't be bound
// here are left to it, errors included.

import type { Argument, DefStmt, Expression, Parameter } from '../syntax/nodes.js'
import type { Formal } from '../universe.js'

/** A JavaScript argument: an expression, absent, or several gathered for `*args` or `**kwargs`. */
export type Slot =
  | Expression
  | undefined
  | { readonly gathered: readonly Expression[] }
  | { readonly named: readonly (readonly [string, Expression])[] }

export function formalOf(fn: DefStmt): Formal {
  return formalOfParameters(fn.parameters)
}

export function formalOfParameters(parameters: readonly Parameter[]): Formal {
  const names: string[] = []
  const required: boolean[] = []
  let positional = -1
  let positionalOnlyCount = 0
  let argsSlot = -1
  let kwargsSlot = -1
  let slot = 0
  for (const p of parameters) {
    switch (p.form) {
      case 'plain':
        names.push(p.name!.name)
        required.push(p.default === undefined)
        slot++
        break
      case 'slash':
        positionalOnlyCount = names.length
        break
      case 'star':
        positional = names.length
        break
      case 'args':
        positional = names.length
        argsSlot = slot++
        break
      case 'kwargs':
        kwargsSlot = slot++
        break
    }
  }
  if (positional < 0) positional = names.length
  return { parameters: names, positional, positionalOnly: positionalOnlyCount, required, argsSlot, kwargsSlot }
}

/** The number of arguments with which the function may be called directly, or -1. */
export function directArity(f: Formal): number {
  const exact = f.argsSlot < 0 && f.kwargsSlot < 0 && f.positional === f.parameters.length && f.required.every((r) => r)
  return exact ? f.parameters.length : -1
}

/** The JavaScript arguments of a call, or undefined when it can only be bound at run time. */
export function bindStatically(f: Formal, args: readonly Argument[]): readonly Slot[] | undefined {
  if (f.argsSlot < 0 && f.kwargsSlot < 0 && args.length <= f.positional && isPositional(args))
    return f.required.includes(true, args.length) ? undefined : args.map((a) => a.value)
  if (args.some((a) => a.form === 'args' || a.form === 'kwargs')) return undefined
  const count = f.parameters.length + (f.argsSlot >= 0 ? 1 : 0) + (f.kwargsSlot >= 0 ? 1 : 0)
  const slots: Slot[] = Array.from({ length: count }, () => undefined)
  const slotOf = (i: number): number => (f.argsSlot >= 0 && i >= f.argsSlot ? i + 1 : i)
  const positional = args.filter((a) => a.form === 'positional')
  for (let i = 0; i < Math.min(positional.length, f.positional); i++) slots[slotOf(i)] = positional[i]!.value
  if (f.argsSlot >= 0) slots[f.argsSlot] = { gathered: positional.slice(f.positional).map((a) => a.value) }
  else if (positional.length > f.positional) return undefined
  const extra: [string, Expression][] = []
  for (const a of args) {
    if (a.form !== 'named') continue
    const i = f.parameters.indexOf(a.name!.name)
    if (i >= f.positionalOnly) {
      if (slots[slotOf(i)] !== undefined) return undefined
      slots[slotOf(i)] = a.value
    } else if (f.kwargsSlot >= 0) extra.push([a.name!.name, a.value])
    else return undefined
  }
  if (f.kwargsSlot >= 0) slots[f.kwargsSlot] = { named: extra }
  for (let i = 0; i < f.parameters.length; i++) if (f.required[i] && slots[slotOf(i)] === undefined) return undefined
  while (slots.length > 0 && slots[slots.length - 1] === undefined) slots.pop()
  return slots
}

export function isPositional(args: readonly Argument[]): boolean {
  for (const a of args) if (a.form !== 'positional') return false
  return true
}
