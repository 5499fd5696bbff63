// Attributes and elements: which a value has, and what they are. Knows the tables of methods.

import { type Diagnostic, nearestNames } from '../../diagnostics/index.js'
import type { DotExpr, IndexExpr } from '../syntax/nodes.js'
import { Iteration } from './iteration.js'
import { messages } from './messages.js'
import { foreignName } from './methods.js'
import {
  ANY,
  builtinName,
  FUNCTION,
  hosted,
  join,
  NEVER,
  plainAlternatives,
  plainOf,
  STR,
  shown,
  type Type,
} from './types.js'

/** Methods that put something into their object. */
const STORING = ['append', 'extend', 'insert', 'update', 'setdefault', '__setitem__', 'appendleft', 'extendleft']

/** Attributes that values of built-in types have beside methods, in Python. */
const DATA_ATTRIBUTES = ['real', 'imag', 'numerator', 'denominator', 'start', 'stop', 'step']

export abstract class Members extends Iteration {
  protected member(namespace: string, name: string): Type | undefined {
    const fn = this.o.foreign.get(namespace)?.get(name)
    return fn === undefined ? undefined : { kind: 'tool', path: `${namespace}.${name}`, fn }
  }

  protected attribute(e: DotExpr, object: Type, isCalled: boolean): Type {
    const { name } = e.name
    if (object.kind === 'namespace') return this.member(object.name, name) ?? ANY
    if (!isCalled && STORING.includes(name)) this.o.changes.giveUp()
    if (object.kind === 'any') return ANY
    const all = plainAlternatives(object)
    const types = all.map(builtinName)
    if (/^__\w+__$/.test(name) || DATA_ATTRIBUTES.includes(name)) return ANY
    if (types.every((type) => type !== undefined && !this.hasMethod(type, name))) {
      this.found(this.noAttribute(e, object, all[0]!), 'AttributeError')
      return ANY
    }
    // A method that hides the field of its name.
    return !isCalled && all.every((one) => hasField(one, name)) ? FUNCTION : ANY
  }

  protected hasMethod(type: string, name: string): boolean {
    if (type === 'NoneType') return false
    const own = this.o.universe.types.get(type)
    return own === undefined || own.has(name)
  }

  protected noAttribute(e: DotExpr, object: Type, first: Type): Diagnostic {
    const { name } = e.name
    const text = this.textOf(e.object)
    const type = builtinName(first) ?? first.kind
    const isField = hasField(first, name)
    const own = [...(this.o.universe.types.get(type)?.keys() ?? [])]
    const near = nearestNames(name, own, 2)
    const fields =
      first.kind === 'record'
        ? nearestNames(
            name,
            first.fields.map((f) => f.key),
            2,
          )
        : []
    const hint = isField
      ? `write ${text}["${name}"]`
      : (foreignName(type, name, text) ??
        (fields.length > 0
          ? `did you mean ${fields.map((field) => `${text}["${field}"]`).join(' or ')}?`
          : near.length > 0
            ? `did you mean ${near.map((one) => `.${one}`).join(' or ')}?`
            : first.kind === 'none'
              ? undefined
              : type === 'dict'
                ? `for a key write ${text}["${name}"]`
                : undefined))
    return messages.noAttribute(this.span(e.name), shown(plainOf(object)), name, hint)
  }

  protected index(e: IndexExpr, object: Type, index: Type): Type {
    const key = e.index.kind === 'StringLiteral' ? e.index.value : undefined
    if (object.kind === 'any') return ANY
    const all = plainAlternatives(object)
    if (all.every((one) => ['none', 'bool', 'int', 'float', 'tool', 'namespace'].includes(one.kind))) {
      const [first] = all
      const hint =
        first!.kind === 'tool'
          ? 'call it with (…)'
          : first!.kind !== 'namespace'
            ? undefined
            : key !== undefined && this.member(first!.name, key) !== undefined
              ? `write ${first!.name}.${key}`
              : 'write server.tool'
      this.found(messages.notSubscriptable(this.span(e), shown(plainOf(object)), hint), 'TypeError')
      return ANY
    }
    let result: Type = NEVER
    let failing: Type | undefined
    for (const one of all) {
      const part = this.indexOne(one, key, index)
      if (part === undefined) failing ??= one
      else result = join(result, part)
    }
    if (result !== NEVER) return result
    if (failing?.kind === 'record' && key !== undefined) {
      const fields = failing.fields.map((field) => field.key)
      const diagnostic = messages.noField(
        this.span(e.index),
        this.textOf(e.object),
        key,
        nearestNames(key, fields, 2),
        fields,
      )
      this.found(diagnostic, 'KeyError')
    } else if (failing !== undefined) {
      const text = this.textOf(e.object)
      const hint =
        failing.kind === 'list'
          ? `index it with an int, or iterate over it: [x[…] for x in ${text}]`
          : 'index it with an int'
      this.found(messages.badIndex(this.span(e), shown(plainOf(failing)), shown(plainOf(index)), hint), 'TypeError')
    }
    return ANY
  }

  /** What indexing one alternative gives; undefined when it can't be. */
  protected indexOne(one: Type, key: string | undefined, index: Type): Type | undefined {
    const { changes } = this.o
    const noIndex = plainAlternatives(index).every((i) => ['str', 'none', 'float', 'list', 'dict'].includes(i.kind))
    switch (one.kind) {
      case 'none':
        return undefined
      case 'str':
        return noIndex ? undefined : STR
      case 'list':
        return noIndex ? undefined : this.readItem(changes.itemOf(one), one.made)
      case 'tuple':
        return noIndex ? undefined : ANY
      case 'record': {
        if (key === undefined || changes.mayHaveKey(key)) return ANY
        const field = one.fields.find((f) => f.key === key)
        if (field !== undefined) return hosted(field.type)
        return one.closed ? undefined : ANY
      }
      case 'dict':
        return one.made || changes.anyKey ? ANY : hosted(one.value)
      default:
        return ANY
    }
  }
}

/** Does the host declare a field of this name? */
export function hasField(type: Type, name: string): boolean {
  return type.kind === 'record' && type.fields.some((field) => field.key === name)
}
