// Calls: of tools, of the program's own functions, of builtins and methods; which arguments can't be right and what
// comes back.

import * as Kind from '../infer/kinds.js'
import { formalOf } from '../resolve/bind-arguments.js'
import { type Binding, isKnownFunction } from '../resolve/index.js'
import type { Argument, CallExpr, DefStmt, DotExpr, Expression } from '../syntax/nodes.js'
import { isOf } from './kinds.js'
import { Members } from './members.js'
import { messages } from './messages.js'
import { builtinResult, methodResult } from './methods.js'
import { refusedFirst } from './operators.js'
import { checkArguments } from './own-calls.js'
import { checkToolCall, toolResult } from './tool-calls.js'
import { ANY, builtinName, plain, plainAlternatives, plainOf, type State, settled, shown, type Type } from './types.js'

export abstract class Calls extends Members {
  protected call(e: CallExpr, state: State): Type {
    const { callee } = e
    if (callee.kind === 'Identifier') {
      const binding = this.bindingOf(callee)
      if (binding?.kind === 'universal') return this.builtinCall(e, binding.name, state)
      if (binding !== undefined && isKnownFunction(binding)) return this.ownCall(e, binding, state)
    }
    if (callee.kind === 'DotExpr') {
      const object = this.expression(callee.object, state)
      const member = this.attribute(callee, object, true)
      this.arguments(e, state)
      if (member.kind === 'tool') return this.toolCall(e, member)
      return this.methodCall(e, callee, object)
    }
    const type = this.expression(callee, state)
    this.arguments(e, state)
    if (type.kind === 'tool') return this.toolCall(e, type)
    if (isOf(type, Kind.KNOWN | Kind.NAMESPACE))
      this.found(messages.notCallable(this.span(callee), shown(plainOf(type))), 'TypeError')
    return ANY
  }

  /** Walks the arguments of a call and notes their types. */
  protected arguments(e: CallExpr, state: State): void {
    for (const a of e.arguments) this.noted.set(a.value, this.expression(a.value, state))
  }

  protected toolCall(e: CallExpr, tool: Type & { kind: 'tool' }): Type {
    const { plain: shownByText, inferred } = checkToolCall(e, {
      path: tool.path,
      fn: tool.fn,
      typeOf: (x) => this.noted.get(x) ?? this.typeOfLiteral(x),
      span: this.o.span,
      isConstant: (x) => x.kind === 'Identifier' && this.bindingOf(x)?.kind === 'universal' && isConstantName(x.name),
    })
    for (const diagnostic of shownByText) this.found(diagnostic, 'TypeError', true)
    for (const diagnostic of inferred) this.found(diagnostic, 'TypeError')
    return toolResult(tool.fn)
  }

  /** Of a value inside a display that is passed as the arguments. */
  protected typeOfLiteral(e: Expression): Type {
    if (!['StringLiteral', 'IntLiteral', 'FloatLiteral'].includes(e.kind)) return ANY
    return this.expression(e, undefined)
  }

  protected ownCall(e: CallExpr, binding: Binding, state: State): Type {
    this.arguments(e, state)
    const fn = binding.definition!
    this.frame.mayCall.add(fn)
    if (this.protections.length > 0) this.report.guarded(fn)
    // In Python a coroutine runs only when it is awaited.
    if (!fn.isAsync) this.surelyCalls(fn)
    for (const diagnostic of checkArguments(e, formalOf(fn), binding.name, this.o.span))
      this.found(diagnostic, 'TypeError')
    return this.results.get(fn) ?? ANY
  }

  protected surelyCalls(fn: DefStmt): void {
    if (this.certain && this.protections.length === 0) this.frame.surelyCalls.add(fn)
  }

  protected builtinCall(e: CallExpr, name: string, state: State): Type {
    this.arguments(e, state)
    const formal = this.o.universe.builtins.get(name)
    const mistakes = formal === undefined ? [] : checkArguments(e, formal, name, this.o.span)
    for (const diagnostic of mistakes) this.found(diagnostic, 'TypeError')
    const first = e.arguments[0]
    if (mistakes.length === 0 && first?.form === 'positional') {
      const type = this.noted.get(first.value)!
      const want = refusedFirst(name, type)
      if (want !== undefined)
        this.found(messages.badBuiltinArgument(this.span(first.value), name, shown(plainOf(type)), want), 'TypeError')
      if (name === 'list' || name === 'sorted')
        return { kind: 'list', item: this.elementOf(first.value, type), made: true }
    }
    return builtinResult(name)
  }

  protected methodCall(e: CallExpr, callee: DotExpr, object: Type): Type {
    const { name } = callee.name
    this.noteStored(e, name, object)
    if (object.kind === 'any') return ANY
    const all = plainAlternatives(object)
    const type = all.length === 1 ? builtinName(all[0]!) : undefined
    if (type === undefined) return ANY
    const formal = this.o.universe.types.get(type)?.get(name)
    if (formal === undefined) return ANY
    for (const diagnostic of checkArguments(e, formal, `${type}.${name}`, this.o.span))
      this.found(diagnostic, 'TypeError')
    return methodResult(type, name)
  }

  /** What a method puts into its object. */
  protected noteStored(e: CallExpr, name: string, object: Type): void {
    const { changes } = this.o
    const [first, second] = e.arguments
    switch (name) {
      case 'append':
      case 'appendleft':
        return e.arguments.length === 1 ? changes.storeItem(object, plain(this.stored(first))) : changes.giveUp()
      case 'insert':
        return e.arguments.length === 2 ? changes.storeItem(object, plain(this.stored(second))) : changes.giveUp()
      case 'extend':
      case 'extendleft':
        return e.arguments.length === 1 ? changes.storeItem(object, this.itemOf(this.stored(first))) : changes.giveUp()
      case 'setdefault':
        return changes.storeKey(object, first?.value.kind === 'StringLiteral' ? first.value.value : undefined)
      case 'update':
        return changes.storeKey(object, undefined)
      default:
        if (name.startsWith('__') && /^__(i|set)/.test(name)) changes.giveUp()
    }
  }

  private stored(a: Argument | undefined): Type {
    return a?.form === 'positional' ? settled(this.noted.get(a.value) ?? ANY) : ANY
  }
}

function isConstantName(name: string): boolean {
  return name === 'True' || name === 'False' || name === 'None'
}
