// Checks a call of a function of the program, or of a builtin, whose signature is fully known. Reports the same
// mistakes as the guest's binder.

import { type Diagnostic, nearestNames, type Span } from '../../diagnostics/index.js'
import type { Argument, CallExpr, Node } from '../syntax/nodes.js'
import type { Formal } from '../universe.js'
import { messages } from './messages.js'

/** Mistakes in the arguments of a call that do not depend on their values. */
export function checkArguments(
  e: CallExpr,
  formal: Formal,
  name: string,
  span: (node: Pick<Node, 'start' | 'end'>) => Span,
): readonly Diagnostic[] {
  return fits(e.arguments, formal) ? NOTHING : mistakesIn(e, formal, name, span)
}

const NOTHING: readonly Diagnostic[] = []

/** True for the usual call: positional arguments only, in a permitted number. */
function fits(args: readonly Argument[], formal: Formal): boolean {
  if (args.length > formal.positional) return false
  for (const a of args) if (a.form !== 'positional') return false
  for (let i = args.length; i < formal.required.length; i++) if (formal.required[i]) return false
  return true
}

function mistakesIn(
  e: CallExpr,
  formal: Formal,
  name: string,
  span: (node: Pick<Node, 'start' | 'end'>) => Span,
): Diagnostic[] {
  const isOpen = e.arguments.some((a) => a.form === 'args' || a.form === 'kwargs')
  const positional = e.arguments.filter((a) => a.form === 'positional')
  if (formal.argsSlot < 0 && positional.length > formal.positional) {
    const place = { start: positional[formal.positional]!.start, end: positional[positional.length - 1]!.end }
    return [
      messages.tooManyArguments(span(place), `${name}()`, formal.positional, positional.length, takesText(formal)),
    ]
  }
  const found: Diagnostic[] = []
  const given = new Set(formal.parameters.slice(0, positional.length).filter((_, i) => i < formal.positional))
  for (const a of e.arguments) {
    if (a.form !== 'named') continue
    const own = a.name!.name
    const i = formal.parameters.indexOf(own)
    if (i >= formal.positionalOnly) {
      if (given.has(own)) found.push(messages.argumentTwice(span(a.name!), `${name}()`, own))
      given.add(own)
    } else if (formal.kwargsSlot < 0) {
      const near = nearestNames(own, formal.parameters.slice(formal.positionalOnly), 2)
      found.push(messages.unknownParameter(span(a.name!), `${name}()`, own, near, takesText(formal)))
    }
  }
  const missing = formal.parameters.filter((p, i) => formal.required[i] && !given.has(p))
  if (missing.length > 0 && !isOpen && found.length === 0)
    found.push(messages.missingArguments(span(e), `${name}()`, missing, takesText(formal)))
  return found
}

function takesText(formal: Formal): string {
  const names = formal.parameters.map((p, i) => (formal.required[i] ? p : `${p}?`))
  const plain = names.slice(0, formal.positional)
  if (formal.argsSlot >= 0) plain.push('*args')
  const all = [
    ...plain,
    ...names.slice(formal.positional).map((p) => `${p}=`),
    ...(formal.kwargsSlot >= 0 ? ['**kwargs'] : []),
  ]
  return all.length === 0 ? 'call it without arguments' : `it takes ${all.join(', ')}`
}
