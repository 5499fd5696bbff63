// The types of calls that are bound at compile time, and the values that methods store in their objects.

import { bindStatically, formalOf, isPositional } from '../resolve/bind-arguments.js'
import { type Binding, isKnownFunction } from '../resolve/index.js'
import type { CallExpr, DefStmt, DotExpr } from '../syntax/nodes.js'
import { Containers } from './containers.js'
import type { State } from './flow.js'
import { callsForInts, type ForInts } from './for-ints.js'
import { hosted } from './hosted.js'
import { DICT, LIST, MAP, SET, STR, TUPLE } from './kinds.js'
import { builtinResult, methodResult } from './results.js'
import {
  ANY,
  ANY_INT,
  follow,
  holding,
  ints,
  is,
  isSmallInt,
  join,
  LENGTH,
  listOf,
  MAX_SAFE,
  shared,
  type Type,
  takenOf,
  taking,
} from './types.js'

export abstract class Calls extends Containers {
  /** The return types of functions. */
  protected readonly results = new Map<DefStmt, Type>()
  /** The versions for small ints of functions that are compiled a second time. */
  protected readonly specialised = new Map<DefStmt, ForInts>()

  protected call(e: CallExpr, state: State): Type {
    const { callee } = e
    // The callee is evaluated before the arguments, which may assign to its variables.
    if (callee.kind === 'DotExpr') return this.methodCall(e, callee, state)
    if (callee.kind !== 'Identifier') {
      const type = this.expression(callee, state)
      this.arguments(e, state)
      return toolResult(type)
    }
    const binding = this.resolution.bindingOf.get(callee)
    const type = this.read(binding, state)
    this.note(callee, type)
    const args = this.arguments(e, state)
    if (binding?.kind === 'universal') return this.builtinCall(binding.name, e, args)
    return binding !== undefined && isKnownFunction(binding) ? this.ownCall(binding, e, args) : toolResult(type)
  }

  private arguments(e: CallExpr, state: State): readonly Type[] {
    return e.arguments.map((a) => this.expression(a.value, state))
  }

  private ownCall(binding: Binding, e: CallExpr, args: readonly Type[]): Type {
    const definition = binding.definition!
    // A call that is bound at run time needs the function's signature.
    if (bindStatically(formalOf(definition), e.arguments) === undefined) binding.usedAsValue = true
    const forInts = this.specialised.get(definition)
    if (forInts !== undefined && callsForInts(forInts, e, args) === 'always') return forInts.result
    return this.results.get(definition) ?? ANY
  }

  private methodCall(e: CallExpr, callee: DotExpr, state: State): Type {
    const object = this.expression(callee.object, state)
    const args = this.arguments(e, state)
    const { name } = callee.name
    const member = this.memberOf(object, name)
    if (member !== undefined) {
      this.note(callee, member)
      return toolResult(member)
    }
    this.noteStored(name, takenOf(object), e.arguments)
    const result = follow((t) => methodResult(t, name), object)
    if (object.parts === undefined || !is(object, LIST | DICT | MAP)) return result
    if (isPositional(e.arguments)) return this.containerMethod(callee.object, object, name, args, state) ?? result
    if (callee.object.kind === 'Identifier') this.grow(callee.object, [], state)
    return result
  }

  /** The host function that is a member of a namespace. */
  protected memberOf(object: Type, name: string): Type | undefined {
    const what = takenOf(object).about
    return what?.kind === 'namespace' ? this.tool(what.name, name) : undefined
  }

  private builtinCall(name: string, e: CallExpr, args: readonly Type[]): Type {
    const [first] = args
    switch (name) {
      case 'abs':
        if (args.length !== 1 || !isSmallInt(first!)) return ANY
        return ints(Math.max(first!.lo, 0), Math.max(-first!.lo, first!.hi))
      case 'len':
        // A range can be longer than any container in memory.
        if (args.length === 1 && is(first!, STR | LIST | TUPLE | DICT | MAP | SET)) return LENGTH
        return this.options.classes ? ANY_INT : ints(0, MAX_SAFE)
      case 'min':
      case 'max':
        return args.length >= 2 && isPositional(e.arguments) ? shared(args.reduce(join)) : ANY
      case 'sorted':
      case 'list': {
        const [given] = e.arguments
        if (given?.form !== 'positional') return builtinResult(name)
        const element = this.elementOf(given.value)
        return first!.parts === undefined ? listOf(element) : holding(LIST, element)
      }
      default:
        return builtinResult(name)
    }
  }
}

/** The type of a call of a host function. */
function toolResult(callee: Type): Type {
  const what = takenOf(callee).about
  const returns = what?.kind === 'tool' ? what.fn.signature?.returns : undefined
  return returns === undefined ? ANY : taking(ANY, hosted(returns))
}
