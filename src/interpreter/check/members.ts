// Finds mistakes in attributes, indexing and iteration. Knows the tables of methods.

import { type Diagnostic, nearestNames } from '../../diagnostics/index.js'
import { hasField, recordOf } from '../infer/hosted.js'
import * as Kind from '../infer/kinds.js'
import { alternatives, isUnknown, type Type } from '../infer/types.js'
import { didYouMean } from '../mistake.js'
import type { DotExpr, Expression, IndexExpr } from '../syntax/nodes.js'
import { builtinName, shownKinds } from './descriptions.js'
import { isOf, kindsOf } from './kinds.js'
import { messages } from './messages.js'
import { foreignName } from './methods.js'
import { impossibleIteration } from './operators.js'
import { Places } from './places.js'

/** Python's attributes of built-in types that are not methods. */
const DATA_ATTRIBUTES = ['real', 'imag', 'numerator', 'denominator', 'start', 'stop', 'step']

/** Types that can't be indexed at all. */
const UNINDEXED = Kind.SCALARS | Kind.TOOL | Kind.NAMESPACE

export abstract class Members extends Places {
  protected checkAttribute(e: DotExpr): void {
    const { name } = e.name
    const object = this.typeOf(e.object)
    if (isUnknown(object) || /^__\w+__$/.test(name) || DATA_ATTRIBUTES.includes(name)) return
    const all = alternatives(object)
    if (all.every((one) => this.lacks(builtinName(one), name)))
      this.found(this.noAttribute(e, object, all[0]!), 'AttributeError')
  }

  private lacks(type: string | undefined, name: string): boolean {
    if (type === undefined) return false
    if (type === 'NoneType') return true
    const own = this.o.universe.types.get(type)
    return own !== undefined && !own.has(name)
  }

  private noAttribute(e: DotExpr, object: Type, first: Type): Diagnostic {
    return messages.noAttribute(this.span(e.name), shownKinds(object), e.name.name, this.attributeHint(e, first))
  }

  private attributeHint(e: DotExpr, first: Type): string | undefined {
    const { name } = e.name
    const text = this.textOf(e.object)
    const type = builtinName(first)!
    if (hasField(first, name)) return `write ${text}["${name}"]`
    const foreign = foreignName(type, name, text)
    if (foreign !== undefined) return foreign
    const keys = recordOf(first)?.fields.map((f) => f.key) ?? []
    const methods = [...(this.o.universe.types.get(type)?.keys() ?? [])]
    return (
      didYouMean(nearestNames(name, keys, 2).map((field) => `${text}["${field}"]`)) ??
      didYouMean(nearestNames(name, methods, 2).map((one) => `.${one}`)) ??
      (type === 'dict' ? `for a key write ${text}["${name}"]` : undefined)
    )
  }

  protected checkIndex(e: IndexExpr): void {
    const object = this.typeOf(e.object)
    if (isUnknown(object)) return
    const key = e.index.kind === 'StringLiteral' ? e.index.value : undefined
    const all = alternatives(object)
    if (isOf(object, UNINDEXED)) {
      const hint = this.unindexedHint(all[0]!, key)
      return this.found(messages.notSubscriptable(this.span(e), shownKinds(object), hint), 'TypeError')
    }
    const index = this.typeOf(e.index)
    if (all.some((one) => this.o.inference.canIndex(one, index, key))) return
    const [failing] = all
    const fields = recordOf(failing!)?.fields.map((field) => field.key)
    if (fields !== undefined && key !== undefined) {
      const near = nearestNames(key, fields, 2)
      this.found(messages.noField(this.span(e.index), this.textOf(e.object), key, near, fields), 'KeyError')
    } else {
      const isList = kindsOf(failing!) === Kind.LIST
      const hint = `index it with an int${isList ? `, or iterate over it: [x[…] for x in ${this.textOf(e.object)}]` : ''}`
      this.found(messages.badIndex(this.span(e), shownKinds(failing!), shownKinds(index), hint), 'TypeError')
    }
  }

  private unindexedHint(first: Type, key: string | undefined): string | undefined {
    if (first.about?.kind === 'tool') return 'call it with (…)'
    if (first.about?.kind !== 'namespace') return undefined
    const { name } = first.about
    return key !== undefined && this.o.foreign.get(name)?.has(key) ? `write ${name}.${key}` : 'write server.tool'
  }

  protected checkIterable(e: Expression): void {
    const type = this.typeOf(e)
    if (!impossibleIteration(type, this.o.strict)) return
    this.found(messages.notIterable(this.span(e), shownKinds(type), this.iterableHint(e, type)), 'TypeError')
  }

  private iterableHint(e: Expression, type: Type): string | undefined {
    switch (kindsOf(alternatives(type)[0]!)) {
      case Kind.INT:
        return `write range(${this.textOf(e)})`
      case Kind.TOOL:
        return `call it: ${this.textOf(e)}(…)`
      case Kind.FUNCTION:
        // A method that is used as a value, such as `answer.items`, usually means the key.
        return e.kind === 'DotExpr' ? `write ${this.textOf(e.object)}["${e.name.name}"]` : 'call it with (…)'
      default:
        return undefined
    }
  }

  /** True if a loop over it surely has a round. */
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
        const isRange = e.callee.kind === 'Identifier' && e.callee.name === 'range'
        if (!isRange || this.bindingOf(e.callee)?.kind !== 'universal' || more.length > 0) return false
        return only?.form === 'positional' && only.value.kind === 'IntLiteral' && only.value.value > 0n
      }
      default:
        return false
    }
  }
}
