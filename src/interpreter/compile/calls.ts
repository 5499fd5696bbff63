// Calls (specification: Function and method calls). The arguments of known callees (functions of the program, builtins)
// are bound here, at compile time. JavaScript dispatches methods of built-in types through symbols. All other calls go
// through the prelude's binder.

import { callsForInts, type ForInts } from '../infer/for-ints.js'
import { LIST, MAP, STR, TUPLE } from '../infer/kinds.js'
import { is, isInt32, isSmallInt, part, within } from '../infer/types.js'
import type { NativeMeaning } from '../program.js'
import { bindStatically, formalOf, isPositional, type Slot } from '../resolve/bind-arguments.js'
import { type Binding, callsByName, isKnownFunction } from '../resolve/index.js'
import type { Argument, CallExpr, Expression, Identifier } from '../syntax/nodes.js'
import { argumentsAct, callMethod, having } from './attributes.js'
import type { Code } from './code.js'
import * as js from './code.js'
import { quantifier } from './comprehensions.js'
import { append, type MethodCode, mapKey, recordGet, setDefault } from './container-methods.js'
import type { Generation } from './context.js'
import { memberName } from './member-names.js'
import type { Form } from './names.js'
import { extremeOfTwo, operands } from './operators.js'
import { runsLater } from './read-ahead/roles.js'
import { literalFormat, textOf } from './text.js'
import { waitingCall } from './tool-calls.js'
import { readVariable } from './variables.js'

export function call(g: Generation, e: CallExpr): Code {
  const { callee } = e
  const { roles, resolution } = g.facts
  if (callee.kind === 'DotExpr' && !(roles !== undefined && callsByName(e, resolution)))
    return methodCall(g, e, callee.object, memberName(g, callee.name.name))
  if (callee.kind !== 'Identifier') return dynamicCall(g, e)
  const binding = g.bindingOf(callee)!
  const direct =
    binding.kind === 'universal'
      ? builtinCall(g, e, binding.name)
      : isKnownFunction(binding)
        ? ownCall(g, e, callee, binding)
        : undefined
  return direct ?? dynamicCall(g, e)
}

/** A direct call of a function of the program, with its arguments bound at compile time. */
function ownCall(g: Generation, e: CallExpr, callee: Identifier, binding: Binding): Code | undefined {
  const slots = bindStatically(formalOf(binding.definition!), e.arguments)
  if (slots === undefined) return undefined
  const native: NativeMeaning = { kind: 'unassigned', name: binding.name, global: binding.kind === 'global' }
  const called = (f: Code, args: readonly Code[]): Code => js.call(f, args, g.out.mark(e, native))
  if (g.around.suspends && !g.around.inCoroutine && g.facts.concurrency.isStepping(binding.definition!))
    return js.yielded(called(formOf(g, callee, binding, '$steps'), slotCodes(g, slots, e.arguments)), '*')
  const forInts = g.facts.inference.forInts(binding.definition!)
  return (
    (forInts && callForInts(g, e, forInts, (form, args) => called(g.names.variable(binding, form), args))) ??
    called(entryOf(g, callee, binding), slotCodes(g, slots, e.arguments))
  )
}

/** A call of a function that is also compiled for small ints; undefined if it can't reach that version. */
function callForInts(
  g: Generation,
  e: CallExpr,
  forInts: ForInts,
  called: (form: Form | '', args: readonly Code[]) => Code,
): Code | undefined {
  const nodes = e.arguments.map((a) => a.value)
  const types = nodes.map((x) => g.typeOf(x))
  const reached = callsForInts(forInts, e, types)
  if (reached === 'never') return undefined
  const codes = operands(g, nodes)
  if (reached === 'always') return called('$int', codes)
  const steps: Code[] = []
  const args = codes.map((code) => {
    if (code.isConstant) return code
    const t = g.out.temporary()
    steps.push(js.assign(t, code))
    return t
  })
  const guards = args.filter((_, i) => forInts.parameters[i] && !isInt32(types[i]!)).map(js.isSmall)
  return js.sequence(steps, js.choice(js.every(guards), called('$int', args), called('', args)))
}

/** The callee of a direct call. */
function entryOf(g: Generation, callee: Identifier, binding: Binding): Code {
  if (g.facts.roles === undefined || runsLater(binding.definition!))
    return g.facts.catches ? readVariable(g, callee) : g.names.variable(binding)
  return formOf(g, callee, binding, '$direct')
}

/**
 * Another form of a function. If the function may be unassigned and the program could observe that, its name is read
 * first.
 */
function formOf(g: Generation, callee: Identifier, binding: Binding, form: Form): Code {
  const code = g.names.variable(binding, form)
  const read = g.facts.catches ? readVariable(g, callee) : undefined
  return read === undefined || read.isSimple ? code : js.sequence([read], code)
}

function dynamicCall(g: Generation, e: CallExpr): Code {
  const ahead = g.facts.roles !== undefined
  if (isPositional(e.arguments)) {
    const n = e.arguments.length
    const [f, ...args] = operands(g, [e.callee, ...e.arguments.map((a) => a.value)])
    if (!ahead && n <= 3) return g.help(`call${n}`, [f!, ...args], e)
    return g.help(ahead ? 'callAhead' : 'call', [f!, js.array(args)], e)
  }
  const f = [g.expression(e.callee)]
  const args = g.out.behind(f, () => argumentCodes(g, e))
  return g.help(ahead ? 'callAhead' : 'callNamed', [...f, ...args], e)
}

function methodCall(g: Generation, e: CallExpr, object: Expression, name: string): Code {
  const tool = g.around.suspends || g.facts.concurrency.isStarted(e) ? g.facts.concurrency.toolOf(e) : undefined
  if (tool !== undefined) return taskCall(g, e, tool)
  const named = g.facts.concurrency.toolOf(e)
  const special = (named && waitingCall(g, e, named)) ?? specialMethod(g, e, object, name)
  if (special !== undefined) return special
  const asked = (o: Code): Code => (argumentsAct(g, e) ? having(g, e, o, name) : o)
  if (isPositional(e.arguments)) {
    const values = e.arguments.map((a) => a.value)
    const [o, ...args] = operands(g, [object, ...values])
    const isBuiltin = isBuiltinMethod(g, object, name, values.length)
    const method = isBuiltin ? methodOf(g, e) : attributeOf(g, e)
    const ofClass = g.facts.methodNames.has(name) && name !== 'constructor' && !name.startsWith('__')
    if (ofClass) return callMethod(g, e, { object: o!, name, args }, method)
    return method({ object: isBuiltin ? o! : asked(o!), name, args })
  }
  const receiver = [asked(g.expression(object))]
  const args = g.out.behind(receiver, () => argumentCodes(g, e))
  return g.help('callAttribute', [...receiver, js.literal(name), ...args], e)
}

/** Methods for which there is cheaper code than a call of the prelude; undefined for others. */
function specialMethod(g: Generation, e: CallExpr, object: Expression, name: string): Code | undefined {
  if (object.kind === 'StringLiteral' && name === 'format') {
    const text = literalFormat(g, object.value, e)
    if (text !== undefined) return text
  }
  if (name === 'setdefault') {
    const found = setDefault(g, object, e, methodOf(g, e))
    if (found !== undefined) return found
  }
  if (!isPositional(e.arguments)) return undefined
  const values = e.arguments.map((a) => a.value)
  if (name === 'get' && (values.length === 2 || values.length === 1)) {
    if (is(g.typeOf(object), MAP)) return mapGet(g, object, e)
    // A method of the program is called in another way, so that its answers can stay pending.
    return g.facts.methodNames.has('get') ? undefined : recordGet(g, object, e, methodOf(g, e))
  }
  return textMethod(g, object, name, values)
}

/** True if it can be a method of a built-in type that takes this number of arguments. */
function isBuiltinMethod(g: Generation, object: Expression, name: string, n: number): boolean {
  const most = g.facts.universe.methods.get(name)
  const isModule =
    object.kind === 'Identifier' &&
    (g.bindingOf(object)?.kind === 'predeclared' || g.facts.universe.modules.has(object.name))
  return most !== undefined && n <= most && !isModule
}

/** A method of a built-in type. JavaScript finds it on the receiver. */
function methodOf(g: Generation, e: CallExpr): MethodCode {
  return ({ object, name, args }) => {
    const mark = g.out.mark(e, { kind: 'method-of-none', name })
    return js.call(js.element(methodReceiver(g, object), g.names.method(name), { mark }), args, mark)
  }
}

/**
 * The receiver of a method. If the program may catch exceptions, None becomes an object, so that JavaScript itself does
 * not fail.
 */
export function methodReceiver(g: Generation, object: Code): Code {
  return g.facts.catches ? js.infix(object, '??', g.names.helper('NONE')) : object
}

/** A method call through the prelude. */
function attributeOf(g: Generation, e: CallExpr): MethodCode {
  return ({ object, name, args }) => g.help('callAttribute', [object, js.literal(name), js.array(args)], e)
}

/** A call of a tool inside a task, or as a task of its own. */
function taskCall(g: Generation, e: CallExpr, [space, member]: readonly [string, string]): Code {
  const place = g.facts.roles?.readOf(e) === undefined ? [] : [js.literal(`${e.start}-${e.end}`)]
  const args = [js.literal(space), js.literal(member), ...argumentCodes(g, e), ...place]
  return g.facts.concurrency.isStarted(e) ? g.help('started', args, e) : js.yielded(g.help('suspended', args, e), '*')
}

/** Methods of proved strings for which JavaScript's own methods do the same. */
function textMethod(g: Generation, object: Expression, name: string, args: readonly Expression[]): Code | undefined {
  if (!is(g.typeOf(object), STR)) return undefined
  const [first, second] = args
  const native = (method: string): Code => {
    const [o, ...codes] = operands(g, [object, ...args])
    return js.call(js.property(o!, method), codes)
  }
  const isLiteral = first?.kind === 'StringLiteral' && first.value !== ''
  if (args.length === 1 && is(g.typeOf(first!), STR)) {
    if (name === 'startswith') return native('startsWith')
    if (name === 'endswith') return native('endsWith')
    if (name === 'find') return native('indexOf')
    if (name === 'split' && isLiteral) return native('split')
  }
  if (name === 'replace' && args.length === 2 && isLiteral)
    if (second?.kind === 'StringLiteral' && !second.value.includes('$')) return native('replaceAll')
  if (name === 'join' && args.length === 1 && object.kind === 'StringLiteral') {
    const list = g.typeOf(first!)
    if (is(list, LIST) && is(part(list, 0), STR))
      return js.call(js.property(g.expression(first!), 'join'), [js.literal(object.value)])
  }
  return undefined
}

/** Writes a call that changes its object in place, as a statement. Returns false for all other calls. */
export function callInPlace(g: Generation, e: CallExpr): boolean {
  return append(g, e, methodOf(g, e))
}

/** `d.get(key, default)` of a dict that is a Map, where the default costs nothing to evaluate. */
function mapGet(g: Generation, object: Expression, e: CallExpr): Code {
  const key = e.arguments[0]!.value
  const [map, plainKey, ...more] = operands(g, [object, ...e.arguments.map((a) => a.value)])
  const generic = (args: readonly Code[]): Code => js.call(js.element(map!, g.names.method('get')), args, g.out.mark(e))
  const [otherwise = js.NULL] = more
  if (!map!.isSimple || !otherwise.isConstant) return generic([plainKey!, ...more])
  const type = g.typeOf(key)
  const steps: Code[] = []
  const k = g.out.held(mapKey(g, e, key, plainKey!), steps)
  const v = g.out.temporary()
  const missing = is(type, STR | TUPLE) || isSmallInt(type) ? otherwise : generic([k, otherwise])
  const found = js.isDefined(js.assign(v, js.call(js.property(map!, 'get'), [k])))
  return js.sequence(steps, js.choice(found, v, missing))
}

/** The arguments of a call that the guest binds: an array of values, and an array of alternating names and values. */
export function argumentCodes(g: Generation, e: CallExpr): readonly [positional: Code, named: Code] {
  const codes = operands(
    g,
    e.arguments.map((a) => a.value),
  )
  const positional: Code[] = []
  const named: Code[] = []
  e.arguments.forEach((a, i) => {
    const code = codes[i]!
    if (a.form === 'positional') positional.push(code)
    else if (a.form === 'args') {
      // Python evaluates `*args` before all named arguments; Starlark goes from left to right.
      const steps = g.facts.dialect.strict ? evaluateFirst(g, named) : []
      positional.push(js.spread(g.help('starArguments', [js.sequence(steps, code)], a)))
    } else if (a.form === 'named') named.push(js.literal(a.name!.name), code)
    else named.push(js.spread(g.help('starNamed', [code], a)))
  })
  return [js.array(positional), named.length === 0 ? js.UNDEFINED : js.array(named)]
}

/** Replaces the values of named arguments by temporaries. Returns the steps that set these. */
function evaluateFirst(g: Generation, named: Code[]): readonly Code[] {
  const steps: Code[] = []
  for (let n = 1; n < named.length; n += 2) {
    if (named[n]!.isConstant) continue
    const t = g.out.temporary()
    steps.push(js.assign(t, named[n]!))
    named[n] = t
  }
  return steps
}

function builtinCall(g: Generation, e: CallExpr, name: string): Code | undefined {
  const { enclosingClass, self } = g.around
  if (name === 'super' && e.arguments.length === 0 && enclosingClass !== undefined && self !== undefined)
    return g.help('superOf', [enclosingClass.cell, self])
  const only = e.arguments.length === 1 ? e.arguments[0]!.value : undefined
  if ((name === 'any' || name === 'all') && only?.kind === 'Comprehension' && only.form === 'generator')
    return quantifier(g, name, only)
  const short = only !== undefined && isPositional(e.arguments) ? shortCall(g, e, name, only) : undefined
  if (short !== undefined) return short
  if ((name === 'max' || name === 'min') && e.arguments.length === 2 && isPositional(e.arguments)) {
    const general = (values: readonly Code[]): Code =>
      js.call(g.names.builtin(name), [js.array([g.names.helper('TUPLE'), ...values])], g.out.mark(e))
    const [x, y] = e.arguments
    const code = extremeOfTwo(g, name, [x!.value, y!.value], general)
    if (code !== undefined) return code
  }
  const sig = g.facts.universe.builtins.get(name)
  const slots = sig && bindStatically(sig, e.arguments)
  return slots && js.call(g.names.builtin(name), slotCodes(g, slots, e.arguments), g.out.mark(e))
}

/** Builtins of one argument that need no call if its type is proved. */
function shortCall(g: Generation, e: CallExpr, name: string, only: Expression): Code | undefined {
  const type = g.typeOf(only)
  switch (name) {
    case 'len': {
      const length = (): Code => js.property(g.expression(only), 'length')
      if (is(type, LIST) || (is(type, STR) && g.facts.dialect.strict)) return length()
      if (is(type, TUPLE)) return js.infix(length(), '-', js.ONE)
      return is(type, MAP) ? js.property(g.expression(only), 'size') : undefined
    }
    case 'int':
      return is(type, STR) ? (digitAt(g, e, only) ?? readDecimal(g, e, only)) : undefined
    case 'str':
      return is(type, STR) || isSmallInt(type) ? textOf(g, g.expression(only), only) : undefined
    default:
      return undefined
  }
}

function readDecimal(g: Generation, e: CallExpr, text: Expression): Code {
  return g.help('readDecimal', [g.expression(text)], e)
}

/** `int(s[i])`: reads a digit in place. */
function digitAt(g: Generation, e: CallExpr, text: Expression): Code | undefined {
  if (text.kind !== 'IndexExpr' || text.object.kind !== 'Identifier' || text.index.kind !== 'Identifier')
    return undefined
  if (!is(g.typeOf(text.object), STR) || !within(g.typeOf(text.index), 0, 2 ** 31)) return undefined
  const t = g.out.temporary()
  const character = js.call(js.property(g.expression(text.object), 'charCodeAt'), [g.expression(text.index)])
  const digit = js.assign(t, js.infix(character, '-', js.literal(48)))
  const isDigit = js.every([js.infix(digit, '>=', js.ZERO), js.infix(t, '<=', js.literal(9))])
  return js.choice(isDigit, t, readDecimal(g, e, text))
}

/** The codes of bound arguments. They are evaluated in the order of the call, whatever the order of the parameters. */
function slotCodes(g: Generation, slots: readonly Slot[], args: readonly Argument[]): Code[] {
  const source = args.map((a) => a.value)
  const list = operands(g, source)
  const order = slots.flatMap(expressionsIn)
  const isReordered = order.some((e, i) => e !== source[i])
  const codes = new Map(
    source.map((e, i) => [e, isReordered && !list[i]!.isConstant ? g.out.save(list[i]!) : list[i]!]),
  )
  return slots.map((s) => {
    if (s === undefined) return js.UNDEFINED
    if ('gathered' in s) return js.array([g.names.helper('TUPLE'), ...s.gathered.map((e) => codes.get(e)!)])
    if ('named' in s) {
      if (s.named.length === 0) return js.construct(g.names.helper('Map'))
      return g.help('dictOf', [js.array(s.named.flatMap(([n, e]) => [js.literal(n), codes.get(e)!]))])
    }
    return codes.get(s)!
  })
}

function expressionsIn(slot: Slot): readonly Expression[] {
  if (slot === undefined) return []
  if ('gathered' in slot) return slot.gathered
  return 'named' in slot ? slot.named.map(([, e]) => e) : [slot]
}
