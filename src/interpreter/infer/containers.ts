// The contents of containers: what assignments and methods store, and the types that indexing and iteration give. Knows
// targets and the methods that change containers.
// Invariant: contents are proved only for a container that a single variable can reach. Values that are stored anywhere
// else are recorded in Stored.

import type { Argument, CallExpr, Expression, Identifier } from '../syntax/nodes.js'
import { Conditions } from './conditions.js'
import type { State } from './flow.js'
import { hosted, hostedItem, recordOf } from './hosted.js'
import { ABSENT, DICT, FLOAT, INT, LIST, MAP, NONE, RANGE, STR, TUPLE } from './kinds.js'
import { rangeElement } from './results.js'
import {
  ANY,
  ANY_INT,
  alternatives,
  follow,
  holding,
  is,
  isUnknown,
  join,
  LENGTH,
  NOTHING,
  NULL,
  of,
  part,
  STRING,
  shared,
  type Type,
  takenOf,
  taking,
  unvalued,
} from './types.js'

export abstract class Containers extends Conditions {
  // ---- assignments ---------------------------------------------------------------------------------------------

  protected assign(t: Expression, type: Type, state: State): void {
    switch (t.kind) {
      case 'Identifier':
        return this.write(t, type, state)
      case 'ParenExpr':
        return this.assign(t.expression, type, state)
      case 'StarredExpr':
        return this.assign(t.value, of(LIST), state)
      case 'TupleExpr':
      case 'ListExpr':
        this.note(t, type)
        return this.unpack(t.elements, type, state)
      default:
        this.expression(t, state)
        return this.store(t, type, state)
    }
  }

  private unpack(targets: readonly Expression[], type: Type, state: State): void {
    const hasStar = targets.some((x) => x.kind === 'StarredExpr')
    const element = this.yielded(type)
    for (const [i, target] of targets.entries()) {
      const component = (t: Type): Type =>
        t.kinds === TUPLE && t.parts?.length === targets.length && !hasStar ? t.parts[i]! : element
      this.assign(target, follow(component, type), state)
    }
  }

  /** `x[i] = v` and `x[i:j] = v`; the types of the operands must have been recorded. */
  protected store(t: Expression, value: Type, state: State): void {
    const { stored } = this.options
    if (t.kind === 'IndexExpr') {
      const object = this.noted(t.object)
      const key = t.index.kind === 'StringLiteral' ? t.index.value : undefined
      stored.storeKey(takenOf(object), key)
      if (key === undefined) stored.storeItem(takenOf(object), value)
      if (t.object.kind !== 'Identifier' || object.parts === undefined) return
      this.grow(t.object, is(object, LIST) ? [value] : [this.noted(t.index), value], state)
    } else if (t.kind === 'SliceExpr') stored.storeItem(takenOf(this.noted(t.object)), ANY)
  }

  /** Widens the contents of an owned variable's container by further types. */
  protected grow(variable: Identifier, by: readonly Type[], state: State): void {
    const binding = this.resolution.bindingOf.get(variable)
    const old = binding === undefined ? undefined : state?.get(binding)
    if (binding === undefined || old?.parts === undefined || !is(old, LIST | DICT | MAP | ABSENT)) return
    if (old.parts.length !== by.length) return state?.set(binding, shared(old))
    const { kinds, lo, hi } = old
    const grown = { kinds, lo, hi, parts: old.parts.map((p, i) => join(p, shared(unvalued(by[i]!)))) }
    state?.set(binding, old.taken === undefined ? grown : taking(grown, ANY))
  }

  // ---- contents -------------------------------------------------------------------------------------------------

  /**
   * The type of the elements that a loop over an expression yields. The type of the expression must have been recorded.
   */
  protected elementOf(iterable: Expression): Type {
    const special = iterable.kind === 'CallExpr' ? this.elementOfCall(iterable) : undefined
    return special ?? this.yielded(this.noted(iterable))
  }

  private elementOfCall({ callee, arguments: args }: CallExpr): Type | undefined {
    if (callee.kind === 'Identifier')
      return this.resolution.bindingOf.get(callee)?.kind === 'universal'
        ? this.elementOfBuiltin(callee.name, args)
        : undefined
    if (callee.kind !== 'DotExpr' || args.length > 0) return undefined
    const object = this.noted(callee.object)
    if (object.parts === undefined || !is(object, DICT | MAP)) return undefined
    const [key, value] = object.parts as [Type, Type]
    const views: Readonly<Record<string, Type>> = { items: holding(TUPLE, key, value), keys: key, values: value }
    return Object.hasOwn(views, callee.name.name) ? views[callee.name.name] : undefined
  }

  private elementOfBuiltin(name: string, args: readonly Argument[]): Type | undefined {
    const [first] = args
    if (first?.form !== 'positional' || args.some((a) => a.form === 'args' || a.form === 'kwargs')) return undefined
    const isPlain = args.every((a) => a.form === 'positional')
    switch (name) {
      case 'range':
        return isPlain ? rangeElement(args.map((a) => this.noted(a.value))) : ANY_INT
      case 'sorted':
      case 'reversed':
      case 'list':
      case 'tuple':
      case 'set':
        return this.elementOf(first.value)
      case 'enumerate':
        return holding(TUPLE, args.length === 1 ? LENGTH : ANY_INT, this.elementOf(first.value))
      case 'zip':
        return isPlain ? holding(TUPLE, ...args.map((a) => this.elementOf(a.value))) : undefined
      default:
        return undefined
    }
  }

  /** The type of the elements that iterating over this type gives. */
  protected yielded(type: Type): Type {
    return follow((t) => {
      if (isUnknown(t)) return ANY
      return unvalued(alternatives(t).reduce((all, one) => join(all, this.yieldedBy(one)), NOTHING))
    }, type)
  }

  private yieldedBy(one: Type): Type {
    switch (one.kinds) {
      case STR:
        return this.options.strict ? ANY : STRING
      case LIST:
        return this.elementIn(one)
      case TUPLE:
        return one.parts === undefined ? ANY : one.parts.reduce(join, NOTHING)
      case RANGE:
        return ANY_INT
      default:
        if (!is(one, DICT | MAP)) return ANY
        return one.parts?.[0] ?? (recordOf(one) === undefined ? ANY : taking(ANY, STRING))
    }
  }

  /** The type of a list's element. It is not proved if others may have stored elements. */
  private elementIn(list: Type): Type {
    const { stored } = this.options
    if (list.parts !== undefined) return part(list, 0)
    switch (list.about?.kind) {
      case 'item':
        return taking(ANY, stored.itemOf('program', list.about.item))
      case 'host':
        return taking(ANY, stored.itemOf('host', hostedItem(list.about.type)))
      default:
        return ANY
    }
  }

  /** The type of `value[key]`. `key` is the index if it is a constant string. */
  protected indexed(object: Type, index: Type, key: string | undefined): Type {
    return follow(
      (t, at) => {
        if (isUnknown(t)) return ANY
        const found = alternatives(t).flatMap((one) => this.indexedBy(one, at, key) ?? [])
        return found.length === 0 ? ANY : found.reduce(join)
      },
      object,
      index,
    )
  }

  /** The type of indexing one alternative; undefined if it can't be indexed so. */
  protected indexedBy(one: Type, index: Type, key: string | undefined): Type | undefined {
    switch (one.kinds) {
      case NONE:
        return undefined
      case STR:
        return isNoIndex(index) ? undefined : STRING
      case LIST:
        return isNoIndex(index) ? undefined : this.elementIn(one)
      case TUPLE: {
        if (isNoIndex(index)) return undefined
        if (one.parts === undefined) return ANY
        return index.kinds === INT && index.lo === index.hi && index.lo >= 0
          ? part(one, index.lo)
          : one.parts.reduce(join, NOTHING)
      }
      default:
        return is(one, DICT | MAP) ? this.valueIn(one, key) : ANY
    }
  }

  private valueIn(dict: Type, key: string | undefined): Type | undefined {
    const { stored } = this.options
    if (dict.parts !== undefined) return part(dict, 1)
    if (dict.about?.kind !== 'host') return ANY
    const { type } = dict.about
    if (type.kind === 'dict') return stored.anyKey ? ANY : taking(ANY, hosted(type.value))
    if (type.kind !== 'record' || key === undefined || stored.mayHaveKey(key)) return ANY
    const field = type.fields.find((f) => f.key === key)
    if (field !== undefined) return taking(ANY, hosted(field.type))
    return type.closed ? undefined : ANY
  }

  // ---- methods -------------------------------------------------------------------------------------------------

  /**
   * The effect of a method on the container of an owned variable, and the method's return type. Undefined if nothing is
   * known.
   */
  protected containerMethod(
    object: Expression,
    type: Type,
    name: string,
    args: readonly Type[],
    state: State,
  ): Type | undefined {
    const variable = object.kind === 'Identifier' ? object : undefined
    if (is(type, LIST)) {
      if (name === 'pop') return part(type, 0)
      if (name === 'append' && args.length === 1) {
        if (variable) this.grow(variable, [args[0]!], state)
        return NULL
      }
      if (variable && (name === 'extend' || name === 'insert')) this.grow(variable, [ANY], state)
      return undefined
    }
    const value = part(type, 1)
    if (name === 'get' && args.length === 1) return join(value, NULL)
    if (name === 'get' || name === 'pop') return args.length === 2 ? join(value, shared(args[1]!)) : value
    if (name === 'setdefault') {
      const given = args.length === 2 ? shared(args[1]!) : args.length === 1 ? NULL : ANY
      if (variable) this.grow(variable, [args[0] ?? ANY, given], state)
      return join(value, given)
    }
    return undefined
  }

  /** Records the values that a method stores in its object. */
  protected noteStored(name: string, object: Type, args: readonly Argument[]): void {
    const { stored } = this.options
    const [first, second] = args
    switch (name) {
      case 'append':
      case 'appendleft':
        return args.length === 1 ? stored.storeItem(object, this.given(first)) : stored.giveUp()
      case 'insert':
        return args.length === 2 ? stored.storeItem(object, this.given(second)) : stored.giveUp()
      case 'extend':
      case 'extendleft':
        return args.length === 1 ? stored.storeItem(object, this.yielded(this.given(first))) : stored.giveUp()
      case 'setdefault':
        return stored.storeKey(object, first?.value.kind === 'StringLiteral' ? first.value.value : undefined)
      case 'update':
        return stored.storeKey(object, undefined)
      default:
        if (/^__(i|set)/.test(name)) stored.giveUp()
    }
  }

  private given(a: Argument | undefined): Type {
    return a?.form === 'positional' ? this.noted(a.value) : ANY
  }
}

/** True if a value of the type can never be the index of a sequence. */
function isNoIndex(index: Type): boolean {
  return is(takenOf(index), STR | NONE | FLOAT | LIST | DICT | MAP)
}
