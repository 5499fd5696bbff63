// What a loop gets from a value, and whether it gets anything at all.

import type { Expression } from '../syntax/nodes.js'
import { messages } from './messages.js'
import { impossibleIteration } from './operators.js'
import { ANY, hosted, INT, join, NEVER, plain, plainAlternatives, plainOf, STR, shown, type Type } from './types.js'
import { Walker } from './walker.js'

export abstract class Iteration extends Walker {
  protected checkIterable(e: Expression, type: Type): void {
    if (!impossibleIteration(type, this.o.strict)) return
    const kind = plainAlternatives(type)[0]!.kind
    const hint =
      kind === 'int'
        ? `write range(${this.textOf(e)})`
        : kind === 'tool'
          ? `call it: ${this.textOf(e)}(…)`
          : kind === 'function'
            ? this.callHint(e)
            : undefined
    this.found(messages.notIterable(this.span(e), shown(plainOf(type)), hint), 'TypeError')
  }

  /** A function where something else is wanted: what is meant by `answer.items` is mostly the key. */
  private callHint(e: Expression): string {
    return e.kind === 'DotExpr' ? `write ${this.textOf(e.object)}["${e.name.name}"]` : 'call it with (…)'
  }

  /** What iterating over a value yields. */
  protected itemOf(type: Type): Type {
    if (type.kind === 'any') return ANY
    let item: Type = NEVER
    for (const one of plainAlternatives(type)) {
      switch (one.kind) {
        case 'list':
          item = join(item, this.readItem(this.o.changes.itemOf(one), one.made))
          break
        case 'tuple':
          item = one.items.length === 0 ? ANY : one.items.reduce(join, item)
          break
        case 'str':
        case 'record':
          item = join(item, STR)
          break
        case 'range':
          item = join(item, INT)
          break
        default:
          return ANY
      }
    }
    return item.kind === 'never' ? ANY : plain(item)
  }

  /** Like #itemOf, and sees through the builtins and methods that are written in loops. */
  protected elementOf(e: Expression, type: Type): Type {
    if (e.kind !== 'CallExpr') return this.itemOf(type)
    const [first, ...more] = e.arguments
    const { callee } = e
    const itemIn = (x: Expression): Type => this.elementOf(x, this.noted.get(x) ?? ANY)
    if (callee.kind === 'Identifier' && this.bindingOf(callee)?.kind === 'universal') {
      if (e.arguments.some((a) => a.form === 'args' || a.form === 'kwargs')) return ANY
      if (callee.name === 'range') return INT
      if (first === undefined || first.form !== 'positional') return ANY
      if (['sorted', 'reversed', 'list', 'tuple', 'set'].includes(callee.name)) return itemIn(first.value)
      if (callee.name === 'enumerate') return { kind: 'tuple', items: [INT, itemIn(first.value)] }
      if (callee.name === 'zip' && more.every((a) => a.form === 'positional'))
        return { kind: 'tuple', items: e.arguments.map((a) => itemIn(a.value)) }
    }
    return this.itemOf(type)
  }

  protected isNonEmpty(e: Expression): boolean {
    switch (e.kind) {
      case 'ParenExpr':
        return this.isNonEmpty(e.expression)
      case 'ListExpr':
      case 'TupleExpr':
        return e.elements.some((x) => x.kind !== 'StarredExpr')
      case 'StringLiteral':
        return e.value !== '' && !this.o.strict
      case 'DictExpr':
        return e.entries.some((entry) => entry.key !== undefined)
      case 'CallExpr': {
        const [only, ...more] = e.arguments
        const { callee } = e
        if (callee.kind !== 'Identifier' || this.bindingOf(callee)?.kind !== 'universal' || callee.name !== 'range')
          return false
        return (
          more.length === 0 && only?.form === 'positional' && only.value.kind === 'IntLiteral' && only.value.value > 0n
        )
      }
      default:
        return false
    }
  }

  protected readItem(item: Type, made: true | undefined): Type {
    return item.kind === 'never' ? ANY : made ? item : hosted(item)
  }
}
