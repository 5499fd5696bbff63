// Calls (specification: Function and method calls). Known callees (functions of the program, builtins) get their
// arguments bound here, once; methods of built-in types are dispatched by JavaScript through symbols; everything else
// goes through the prelude's binder.

import { callsForInts, type ForInts } from '../infer/for-ints.js'
import { LIST, MAP, STR, TUPLE } from '../infer/kinds.js'
import { is, isInt32, isSmallInt, part, within } from '../infer/types.js'
import { quote } from '../quote.js'
import { bindStatically, formalOf, isPositional, type Slot } from '../resolve/bind-arguments.js'
import { type Binding, isKnownFunction } from '../resolve/index.js'
import type { Argument, CallExpr, Expression } from '../syntax/nodes.js'
import { argumentsAct, callMethod, having } from './attributes.js'
import { quantifier } from './comprehensions.js'
import { append, type MethodCode, setDefault } from './container-methods.js'
import { type Generation, isConstant, isSimple } from './context.js'
import { memberName } from './member-names.js'
import { hasStatements } from './needs-statements.js'
import { operands, save } from './operators.js'
import { runsLater } from './read-ahead/roles.js'
import { DIRECT } from './read-ahead/statements.js'
import { literalFormat, textOf } from './text.js'
import { readVariable } from './variables.js'

/** What the name of a function's version for small ints ends in. */
export const FOR_INTS = '$int'
/** What the form of a function that is run in steps is called beside the function. */
export const STEPS = '$steps'

export function call(g: Generation, e: CallExpr): string {
  const callee = e.callee
  if (callee.kind === 'Identifier') {
    const binding = g.bindingOf(callee)!
    if (binding.kind === 'universal') {
      if (
        binding.name === 'super' &&
        e.arguments.length === 0 &&
        g.enclosingClass !== undefined &&
        g.self !== undefined
      ) {
        return `${g.helper('superOf')}(${g.enclosingClass.cell}, ${g.self})`
      }
      const direct = builtinCall(g, e, binding.name)
      if (direct !== undefined) return direct
    } else if (isKnownFunction(binding)) {
      return ownCall(g, e, callee, binding) ?? dynamicCall(g, e)
    }
  }
  if (callee.kind === 'DotExpr') return methodCall(g, e, callee.object, memberName(g, callee.name.name))
  return dynamicCall(g, e)
}

/** A direct call of a function of the program, where the arguments are bound now. */
function ownCall(
  g: Generation,
  e: CallExpr,
  callee: Expression & { kind: 'Identifier' },
  binding: Binding,
): string | undefined {
  const slots = bindStatically(formalOf(binding.definition!), e.arguments)
  if (slots === undefined) return undefined
  const native = { kind: 'unassigned', name: binding.name, global: binding.kind === 'global' } as const
  if (g.suspends && !g.inCoroutine && g.facts.concurrency.isStepping(binding.definition!)) {
    const f = g.facts.catches ? `(${readVariable(g, callee)}, ${binding.js}${STEPS})` : `${binding.js}${STEPS}`
    return `(yield* ${f}${g.mark(e, native)}(${slotCodes(g, slots, e.arguments).join(', ')}))`
  }
  const forInts = g.facts.inference.forInts(binding.definition!)
  if (forInts !== undefined) {
    const called = callForInts(g, e, forInts, (js) => `${binding.js}${js}${g.mark(e, native)}`)
    if (called !== undefined) return called
  }
  const f = entryOf(g, callee, binding)
  return `${f}${g.mark(e, native)}(${slotCodes(g, slots, e.arguments).join(', ')})`
}

/** A call of a function that is compiled for small ints too. */
function callForInts(
  g: Generation,
  e: CallExpr,
  forInts: ForInts,
  callee: (suffix: string) => string,
): string | undefined {
  const nodes = e.arguments.map((a) => a.value)
  const types = nodes.map((x) => g.typeOf(x))
  const reached = callsForInts(forInts, e, types)
  if (reached === 'never') return undefined
  const codes = operands(g, nodes)
  if (reached === 'always') return `${callee(FOR_INTS)}(${codes.join(', ')})`
  const names = codes.map((c) => (isConstant(c) ? c : g.temporary()))
  const setup = codes.map((c, i) => (names[i] === c ? '' : `${names[i]} = ${c}, `)).join('')
  const guards = names.filter((_, i) => forInts.parameters[i] && !isInt32(types[i]!)).map((n) => `(${n} | 0) === ${n}`)
  return `(${setup}${guards.join(' && ')} ? ${callee(FOR_INTS)}(${names.join(', ')}) : ${callee('')}(${names.join(', ')}))`
}

/** What a direct call of a function of the program calls. */
function entryOf(g: Generation, callee: Expression & { kind: 'Identifier' }, binding: Binding): string {
  const f = g.facts.catches ? readVariable(g, callee) : binding.js
  if (g.facts.roles === undefined || runsLater(binding.definition!)) return f
  return f === binding.js ? `${f}${DIRECT}` : `(${f}, ${binding.js}${DIRECT})`
}

function dynamicCall(g: Generation, e: CallExpr): string {
  if (isPositional(e.arguments)) {
    const n = e.arguments.length
    const [f, ...args] = operands(g, [e.callee, ...e.arguments.map((a) => a.value)])
    if (g.facts.roles !== undefined) return `${g.helper('callAhead')}${g.mark(e)}(${f}, [${args.join(', ')}])`
    if (n <= 3) return `${g.helper(`call${n}`)}${g.mark(e)}(${[f, ...args].join(', ')})`
    return `${g.helper('call')}${g.mark(e)}(${f}, [${args.join(', ')}])`
  }
  let f = g.expression(e.callee)
  if (e.arguments.some((a) => hasStatements(g, a.value)) && !isConstant(f)) f = save(g, f)
  const { positional, named } = argumentCodes(g, e)
  const helper = g.facts.roles !== undefined ? 'callAhead' : 'callNamed'
  return `${g.helper(helper)}${g.mark(e)}(${f}, ${positional}, ${named})`
}

function methodCall(g: Generation, e: CallExpr, object: Expression, name: string): string {
  const most = g.facts.universe.methods.get(name)
  const tool = g.suspends || g.facts.concurrency.isStarted(e) ? g.facts.concurrency.toolOf(e) : undefined
  if (tool !== undefined) return taskCall(g, e, tool)
  if (object.kind === 'StringLiteral' && name === 'format') {
    const text = literalFormat(g, object.value, e)
    if (text !== undefined) return text
  }
  if (
    name === 'get' &&
    (e.arguments.length === 2 || e.arguments.length === 1) &&
    isPositional(e.arguments) &&
    is(g.typeOf(object), MAP)
  )
    return mapGet(g, object, e)
  if (name === 'setdefault') {
    const found = setDefault(g, object, e, methodOf(g, e, name))
    if (found !== undefined) return found
  }
  const asked = (x: string): string => (argumentsAct(g, e) ? having(g, e, x, name) : x)
  if (isPositional(e.arguments)) {
    const values = e.arguments.map((a) => a.value)
    const native = textMethod(g, object, name, values)
    if (native !== undefined) return native
    const known =
      object.kind === 'Identifier' &&
      (g.bindingOf(object)?.kind === 'predeclared' || g.facts.universe.modules.has(object.name))
    const isBuiltin = most !== undefined && values.length <= most && !known
    const [o, ...args] = operands(g, [object, ...values])
    if (g.facts.methodNames.has(name) && name !== 'constructor' && !name.startsWith('__'))
      return callMethod(g, e, o!, name, args, isBuiltin ? methodOf(g, e, name) : attributeOf(g, e, name))
    return isBuiltin ? builtinMethod(g, e, name, o!, args) : boundMethod(g, e, name, asked(o!), args)
  }
  let o = asked(g.expression(object))
  if (e.arguments.some((a) => hasStatements(g, a.value)) && !isConstant(o)) o = save(g, o)
  const { positional, named } = argumentCodes(g, e)
  return `${g.helper('callAttribute')}${g.mark(e)}(${o}, ${quote(name)}, ${positional}, ${named})`
}

function methodOf(g: Generation, e: CallExpr, name: string): MethodCode {
  return (object, args) => builtinMethod(g, e, name, object, args)
}

function attributeOf(g: Generation, e: CallExpr, name: string): MethodCode {
  return (object, args) => boundMethod(g, e, name, object, args)
}

/** A method that the prelude finds. */
function boundMethod(g: Generation, e: CallExpr, name: string, object: string, args: readonly string[]): string {
  return `${g.helper('callAttribute')}${g.mark(e)}(${object}, ${quote(name)}, [${args.join(', ')}])`
}

/** A method of a built-in type, found by JavaScript on the receiver. */
function builtinMethod(g: Generation, e: CallExpr, name: string, object: string, args: readonly string[]): string {
  const native = { kind: 'method-of-none', name } as const
  const receiver = g.facts.catches ? `(${object} ?? ${g.helper('NONE')})` : /^\d/.test(object) ? `(${object})` : object
  return `${receiver}${g.mark(e, native)}[${g.method(name)}]${g.mark(e, native)}(${args.join(', ')})`
}

/** The call of a tool in a task, or as one. */
function taskCall(g: Generation, e: CallExpr, [space, member]: readonly [string, string]): string {
  const { positional, named } = argumentCodes(g, e)
  const place = g.facts.roles?.readOf(e) === undefined ? '' : `, ${quote(`${e.start}-${e.end}`)}`
  const args = `(${quote(space)}, ${quote(member)}, ${positional}, ${named}${place})`
  return g.facts.concurrency.isStarted(e)
    ? `${g.helper('started')}${g.mark(e)}${args}`
    : `(yield* ${g.helper('suspended')}${g.mark(e)}${args})`
}

/** Methods of what is known to be text, where JavaScript's own do the same. */
function textMethod(g: Generation, object: Expression, name: string, args: readonly Expression[]): string | undefined {
  if (!is(g.typeOf(object), STR)) return undefined
  const texts = args.every((a) => is(g.typeOf(a), STR))
  const [first, second] = args
  const isLiteral = first?.kind === 'StringLiteral' && first.value !== ''
  if (args.length === 1 && texts) {
    if (name === 'startswith') return nativeMethod(g, object, 'startsWith', args)
    if (name === 'endswith') return nativeMethod(g, object, 'endsWith', args)
    if (name === 'find') return nativeMethod(g, object, 'indexOf', args)
    if (name === 'split' && isLiteral) return nativeMethod(g, object, 'split', args)
  }
  if (name === 'replace' && args.length === 2 && isLiteral)
    if (second?.kind === 'StringLiteral' && !second.value.includes('$'))
      return nativeMethod(g, object, 'replaceAll', args)
  if (name === 'join' && args.length === 1 && object.kind === 'StringLiteral') {
    const list = g.typeOf(first!)
    if (is(list, LIST) && is(part(list, 0), STR)) return `${g.expression(first!)}.join(${quote(object.value)})`
  }
  return undefined
}

/** A method that JavaScript has, too. */
function nativeMethod(g: Generation, object: Expression, js: string, args: readonly Expression[]): string {
  const [o, ...codes] = operands(g, [object, ...args])
  return `${isSimple(o!) ? o : `(${o})`}.${js}(${codes.join(', ')})`
}

/** A call that does something in place, as a statement. */
export function callInPlace(g: Generation, e: CallExpr): string | undefined {
  return append(g, e, methodOf(g, e, 'append'))
}

/** `d.get(key, default)` of a dict that is a Map, where the default costs nothing to compute. */
function mapGet(g: Generation, object: Expression, e: CallExpr): string {
  const type = g.typeOf(e.arguments[0]!.value)
  const codes = operands(g, [object, ...e.arguments.map((a) => a.value)])
  const [o, , otherwise = 'null'] = codes
  const key = is(type, TUPLE) ? `${g.helper('tupleKey')}${g.mark(e)}(${codes[1]})` : codes[1]
  const k = isSimple(key!) ? key! : g.temporary()
  const setup = k === key ? '' : `${k} = ${key}, `
  const v = g.temporary()
  const generic = `${o}[${g.method('get')}]${g.mark(e)}(${k}, ${otherwise})`
  if (!isSimple(o!) || !isConstant(otherwise!))
    return `${o}[${g.method('get')}]${g.mark(e)}(${codes.slice(1).join(', ')})`
  const missing = is(type, STR | TUPLE) || isSmallInt(type) ? otherwise : generic
  return `(${setup}(${v} = ${o}.get(${k})) !== undefined ? ${v} : ${missing})`
}

/** The arguments of a call that the guest binds: an array of values, and names and values alternating. */
export function argumentCodes(g: Generation, e: CallExpr): { readonly positional: string; readonly named: string } {
  const codes = operands(
    g,
    e.arguments.map((a) => a.value),
  )
  const positional: string[] = []
  const named: string[] = []
  e.arguments.forEach((a, i) => {
    let code = codes[i]!
    if (a.form === 'positional') positional.push(code)
    else if (a.form === 'args') {
      // Python evaluates `*args` before all named arguments; Starlark goes from left to right.
      const before: string[] = []
      for (let n = 1; g.facts.dialect.strict && n < named.length; n += 2) {
        if (isConstant(named[n]!)) continue
        const t = g.temporary()
        before.push(`${t} = ${named[n]}`)
        named[n] = t
      }
      if (before.length > 0) code = `(${before.join(', ')}, ${code})`
      positional.push(`...${g.helper('starArguments')}${g.mark(a)}(${code})`)
    } else if (a.form === 'named') named.push(quote(a.name!.name), code)
    else named.push(`...${g.helper('starNamed')}${g.mark(a)}(${code})`)
  })
  return { positional: `[${positional.join(', ')}]`, named: named.length === 0 ? 'undefined' : `[${named.join(', ')}]` }
}

function builtinCall(g: Generation, e: CallExpr, name: string): string | undefined {
  const only = e.arguments.length === 1 ? e.arguments[0]!.value : undefined
  if ((name === 'any' || name === 'all') && only?.kind === 'Comprehension' && only.form === 'generator')
    return quantifier(g, name, only)
  if (name === 'len' && e.arguments.length === 1 && isPositional(e.arguments)) {
    const type = g.typeOf(e.arguments[0]!.value)
    if (is(type, LIST) || (is(type, STR) && g.facts.dialect.strict))
      return `${g.expression(e.arguments[0]!.value)}.length`
    if (is(type, TUPLE)) return `(${g.expression(e.arguments[0]!.value)}.length - 1)`
    if (is(type, MAP)) return `${g.expression(e.arguments[0]!.value)}.size`
  }
  if (name === 'int' && only !== undefined && isPositional(e.arguments) && is(g.typeOf(only), STR)) {
    return digitAt(g, e, only) ?? `${g.helper('readDecimal')}${g.mark(e)}(${g.expression(only)})`
  }
  if (name === 'str' && only !== undefined && isPositional(e.arguments)) {
    const type = g.typeOf(only)
    if (is(type, STR) || isSmallInt(type)) return textOf(g, g.expression(only), only)
  }
  const sig = g.facts.universe.builtins.get(name)
  if (sig === undefined) return undefined
  const slots = bindStatically(sig, e.arguments)
  if (slots === undefined) return undefined
  return `${g.builtin(name)}${g.mark(e)}(${slotCodes(g, slots, e.arguments).join(', ')})`
}

/** `int(s[i])`: a digit is read where it stands. */
function digitAt(g: Generation, e: CallExpr, read: Expression): string | undefined {
  if (read.kind !== 'IndexExpr' || read.object.kind !== 'Identifier' || read.index.kind !== 'Identifier')
    return undefined
  if (!is(g.typeOf(read.object), STR) || !within(g.typeOf(read.index), 0, 2 ** 31)) return undefined
  const t = g.temporary()
  const digit = `(${t} = ${g.expression(read.object)}.charCodeAt(${g.expression(read.index)}) - 48) >= 0 && ${t} <= 9`
  return `(${digit} ? ${t} : ${g.helper('readDecimal')}${g.mark(e)}(${g.expression(read)}))`
}

/** The codes of bound arguments; they are evaluated in the order of the call, whatever the order of the parameters. */
function slotCodes(g: Generation, slots: readonly Slot[], args: readonly Argument[]): string[] {
  if (slots.length === args.length && slots.every((s, i) => s === args[i]!.value))
    return operands(g, slots as readonly Expression[])
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
