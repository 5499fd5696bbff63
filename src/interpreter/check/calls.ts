// Mistakes in calls: of tools, of the program's own functions, of builtins and methods.

import * as Kind from '../infer/kinds.js'
import { type About, alternatives } from '../infer/types.js'
import { formalOf } from '../resolve/bind-arguments.js'
import { type Binding, isKnownFunction } from '../resolve/index.js'
import type { CallExpr, DefStmt, DotExpr, Expression } from '../syntax/nodes.js'
import { builtinName, shownKinds } from './descriptions.js'
import { isOf } from './kinds.js'
import { Members } from './members.js'
import { messages } from './messages.js'
import { refusedFirst } from './operators.js'
import { checkArguments } from './own-calls.js'
import { checkToolCall } from './tool-calls.js'

export abstract class Calls extends Members {
  protected abstract expression(e: Expression): void

  protected call(e: CallExpr): void {
    const { callee } = e
    const binding = callee.kind === 'Identifier' ? this.bindingOf(callee) : undefined
    const isKnown = binding !== undefined && (binding.kind === 'universal' || isKnownFunction(binding))
    if (callee.kind === 'DotExpr') {
      this.expression(callee.object)
      this.checkAttribute(callee)
    } else if (!isKnown) this.expression(callee)
    for (const a of e.arguments) this.expression(a.value)
    if (isKnown) return binding.kind === 'universal' ? this.builtinCall(e, binding.name) : this.ownCall(e, binding)
    const type = this.typeOf(callee)
    if (type.about?.kind === 'tool') this.toolCall(e, type.about)
    else if (callee.kind === 'DotExpr') this.methodCall(e, callee)
    else if (isOf(type, Kind.KNOWN | Kind.NAMESPACE))
      this.found(messages.notCallable(this.span(callee), shownKinds(type)), 'TypeError')
  }

  private toolCall(e: CallExpr, { path, fn }: About & { kind: 'tool' }): void {
    const { plain, inferred } = checkToolCall(e, {
      path,
      fn,
      typeOf: (x) => this.typeOf(x),
      span: this.o.span,
      isConstant: (x) => x.kind === 'Identifier' && this.bindingOf(x)?.kind === 'universal' && isConstantName(x.name),
    })
    for (const diagnostic of plain) this.found(diagnostic, 'TypeError', true)
    for (const diagnostic of inferred) this.found(diagnostic, 'TypeError')
  }

  private ownCall(e: CallExpr, binding: Binding): void {
    const fn = binding.definition!
    this.frame.mayCall.add(fn)
    if (this.protections.length > 0) this.report.guarded(fn)
    // In Python a coroutine runs only when it is awaited.
    if (!fn.isAsync) this.surelyCalls(fn)
    for (const diagnostic of checkArguments(e, formalOf(fn), binding.name, this.o.span))
      this.found(diagnostic, 'TypeError')
  }

  protected surelyCalls(fn: DefStmt): void {
    if (this.certain && this.protections.length === 0) this.frame.surelyCalls.add(fn)
  }

  private builtinCall(e: CallExpr, name: string): void {
    const formal = this.o.universe.builtins.get(name)
    const mistakes = formal === undefined ? [] : checkArguments(e, formal, name, this.o.span)
    for (const diagnostic of mistakes) this.found(diagnostic, 'TypeError')
    const [first] = e.arguments
    if (mistakes.length > 0 || first?.form !== 'positional') return
    const type = this.typeOf(first.value)
    const want = refusedFirst(name, type)
    if (want !== undefined)
      this.found(messages.badBuiltinArgument(this.span(first.value), name, shownKinds(type), want), 'TypeError')
  }

  private methodCall(e: CallExpr, callee: DotExpr): void {
    const { name } = callee.name
    const [only, ...more] = alternatives(this.typeOf(callee.object))
    const type = more.length === 0 ? builtinName(only!) : undefined
    const formal = type === undefined ? undefined : this.o.universe.types.get(type)?.get(name)
    if (formal === undefined) return
    for (const diagnostic of checkArguments(e, formal, `${type}.${name}`, this.o.span))
      this.found(diagnostic, 'TypeError')
  }
}

function isConstantName(name: string): boolean {
  return name === 'True' || name === 'False' || name === 'None'
}
