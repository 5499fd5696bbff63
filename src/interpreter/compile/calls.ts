// Calls (specification: Function and method calls). Known callees (functions of the program, builtins) get their arguments bound here, once; methods
// of built-in types are dispatched by JavaScript through symbols; everything else goes through the prelude's binder.

import type { Argument, CallExpr, DefStmt, Expression, Parameter } from '../syntax/nodes.js'
import { quantifier } from './comprehensions.js'
import { type Generation, isConstant, isSimple, type SignatureParts } from './context.js'
import { isKnownFunction } from './infer.js'
import { hasStatements } from './needs-statements.js'
import { operands, save } from './operators.js'
import { quote } from './quote.js'
import { literalFormat } from './text.js'
import { is, isSmallInt, LIST, MAP, STR, TUPLE } from './types.js'

/** What binding needs to know of a function; the guest's Signature has the same fields. */
type Formal = SignatureParts

/** A JavaScript argument: an expression, absent, or several gathered for `*args` or `**kwargs`. */
type Slot =
  | Expression
  | undefined
  | { readonly gathered: readonly Expression[] }
  | { readonly named: readonly (readonly [string, Expression])[] }

export function call(g: Generation, e: CallExpr): string {
  const callee = e.callee
  if (callee.kind === 'Identifier') {
    const binding = g.bindingOf(callee)!
    if (binding.kind === 'universal') {
      const direct = builtinCall(g, e, binding.name)
      if (direct !== undefined) return direct
    } else if (isKnownFunction(binding)) {
      const slots = bindStatically(formalOf(binding.definition!), e.arguments)
      if (slots !== undefined) {
        const native = { kind: 'unassigned', name: binding.name, global: binding.kind === 'global' } as const
        return `${binding.js}${g.mark(e, native)}(${slotCodes(g, slots, e.arguments).join(', ')})`
      }
    }
  }
  if (callee.kind === 'DotExpr') return methodCall(g, e, callee.object, callee.name.name)
  return dynamicCall(g, e)
}

function positionalOnly(args: readonly Argument[]): boolean {
  return args.every((a) => a.form === 'positional')
}

function dynamicCall(g: Generation, e: CallExpr): string {
  if (positionalOnly(e.arguments)) {
    const n = e.arguments.length
    const [f, ...args] = operands(g, [e.callee, ...e.arguments.map((a) => a.value)])
    if (n <= 3) return `${g.helper(`call${n}`)}${g.mark(e)}(${[f, ...args].join(', ')})`
    return `${g.helper('call')}${g.mark(e)}(${f}, [${args.join(', ')}])`
  }
  let f = g.expression(e.callee)
  if (e.arguments.some((a) => hasStatements(a.value)) && !isConstant(f)) f = save(g, f)
  const { positional, named } = argumentCodes(g, e)
  return `${g.helper('callNamed')}${g.mark(e)}(${f}, ${positional}, ${named})`
}

function methodCall(g: Generation, e: CallExpr, object: Expression, name: string): string {
  const most = g.universe.methods.get(name)
  if (object.kind === 'StringLiteral' && name === 'format') {
    const text = literalFormat(g, object.value, e)
    if (text !== undefined) return text
  }
  if (name === 'get' && e.arguments.length === 2 && positionalOnly(e.arguments) && is(g.typeOf(object), MAP))
    return mapGet(g, object, e)
  const known =
    object.kind === 'Identifier' && (g.bindingOf(object)?.kind === 'predeclared' || g.universe.modules.has(object.name))
  if (most !== undefined && positionalOnly(e.arguments) && e.arguments.length <= most && !known) {
    const [o, ...args] = operands(g, [object, ...e.arguments.map((a) => a.value)])
    const receiver = g.catches ? `(${o} ?? ${g.helper('NONE')})` : /^\d/.test(o!) ? `(${o})` : o
    const native = { kind: 'method-of-none', name } as const
    return `${receiver}${g.mark(e, native)}[${g.method(name)}]${g.mark(e, native)}(${args.join(', ')})`
  }
  if (positionalOnly(e.arguments)) {
    const [o, ...args] = operands(g, [object, ...e.arguments.map((a) => a.value)])
    return `${g.helper('callAttribute')}${g.mark(e)}(${o}, ${quote(name)}, [${args.join(', ')}])`
  }
  let o = g.expression(object)
  if (e.arguments.some((a) => hasStatements(a.value)) && !isConstant(o)) o = save(g, o)
  const { positional, named } = argumentCodes(g, e)
  return `${g.helper('callAttribute')}${g.mark(e)}(${o}, ${quote(name)}, ${positional}, ${named})`
}

/** `d.get(key, default)` of a dict that is a Map, where the default costs nothing to compute. */
function mapGet(g: Generation, object: Expression, e: CallExpr): string {
  const [o, key, otherwise] = operands(g, [object, ...e.arguments.map((a) => a.value)])
  const k = isSimple(key!) ? key! : g.temporary()
  const setup = k === key ? '' : `${k} = ${key}, `
  const v = g.temporary()
  const type = g.typeOf(e.arguments[0]!.value)
  const generic = `${o}[${g.method('get')}]${g.mark(e)}(${k}, ${otherwise})`
  if (!isSimple(o!) || !isConstant(otherwise!)) return `${o}[${g.method('get')}]${g.mark(e)}(${key}, ${otherwise})`
  const missing = is(type, STR) || isSmallInt(type) ? otherwise : generic
  return `(${setup}(${v} = ${o}.get(${k})) !== undefined ? ${v} : ${missing})`
}

/** The arguments of a call that the guest binds: an array of values, and names and values alternating. */
function argumentCodes(g: Generation, e: CallExpr): { readonly positional: string; readonly named: string } {
  const codes = operands(
    g,
    e.arguments.map((a) => a.value),
  )
  const positional: string[] = []
  const named: string[] = []
  e.arguments.forEach((a, i) => {
    const code = codes[i]!
    if (a.form === 'positional') positional.push(code)
    else if (a.form === 'args') positional.push(`...${g.helper('starArguments')}${g.mark(a)}(${code})`)
    else if (a.form === 'named') named.push(quote(a.name!.name), code)
    else named.push(`...${g.helper('starNamed')}${g.mark(a)}(${code})`)
  })
  return { positional: `[${positional.join(', ')}]`, named: named.length === 0 ? 'undefined' : `[${named.join(', ')}]` }
}

function builtinCall(g: Generation, e: CallExpr, name: string): string | undefined {
  const only = e.arguments.length === 1 ? e.arguments[0]!.value : undefined
  if ((name === 'any' || name === 'all') && only?.kind === 'Comprehension' && only.form === 'generator')
    return quantifier(g, name, only)
  if (name === 'len' && e.arguments.length === 1 && positionalOnly(e.arguments)) {
    const type = g.typeOf(e.arguments[0]!.value)
    if (is(type, LIST) || (is(type, STR) && g.dialect.strict)) return `${g.expression(e.arguments[0]!.value)}.length`
    if (is(type, TUPLE)) return `(${g.expression(e.arguments[0]!.value)}.length - 1)`
  }
  if (name === 'int' && only !== undefined && positionalOnly(e.arguments) && is(g.typeOf(only), STR)) {
    return `${g.helper('readDecimal')}${g.mark(e)}(${g.expression(only)})`
  }
  const sig = g.universe.builtins.get(name)
  if (sig === undefined) return undefined
  const slots = bindStatically(sig, e.arguments)
  if (slots === undefined) return undefined
  return `${g.builtin(name)}${g.mark(e)}(${slotCodes(g, slots, e.arguments).join(', ')})`
}

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

function bindStatically(f: Formal, args: readonly Argument[]): readonly Slot[] | undefined {
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

/** The codes of bound arguments; they are evaluated in the order of the call, whatever the order of the parameters. */
function slotCodes(g: Generation, slots: readonly Slot[], args: readonly Argument[]): string[] {
  const order: Expression[] = []
  for (const s of slots) {
    if (s === undefined) continue
    if ('gathered' in s) order.push(...s.gathered)
    else if ('named' in s) order.push(...s.named.map((n) => n[1]))
    else order.push(s)
  }
  const source = args.map((a) => a.value)
  const codes = new Map<Expression, string>()
  const list = operands(g, source)
  source.forEach((e, i) => {
    codes.set(e, list[i]!)
  })
  if (order.some((e, i) => e !== source[i])) {
    for (const e of source) if (!isConstant(codes.get(e)!)) codes.set(e, save(g, codes.get(e)!))
  }
  return slots.map((s) => {
    if (s === undefined) return 'undefined'
    if ('gathered' in s) return `[${[g.helper('TUPLE'), ...s.gathered.map((e) => codes.get(e)!)].join(', ')}]`
    if ('named' in s) {
      if (s.named.length === 0) return `new ${g.helper('Map')}()`
      return `${g.helper('dictOf')}([${s.named.map(([n, e]) => `${quote(n)}, ${codes.get(e)!}`).join(', ')}])`
    }
    return codes.get(s)!
  })
}
