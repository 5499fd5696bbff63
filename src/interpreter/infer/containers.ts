// What assignments and methods put into the containers of variables, and what walking through a value gives. Knows
// targets and the methods that change containers. Invariant: only a container that one variable alone can reach has
// known contents.

import type { Argument, Expression, Identifier } from '../syntax/nodes.js'
import { Conditions } from './conditions.js'
import { ABSENT, DICT, LIST, MAP, NONE, STR, TUPLE } from './kinds.js'
import { rangeElement } from './results.js'
import { ANY, holding, is, join, LENGTH, NOTHING, of, part, STRING, shared, type Type } from './types.js'
import type { State } from './variables.js'

export abstract class Containers extends Conditions {
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
        return this.unpack(t.elements, type, state)
      case 'IndexExpr':
        this.expression(t, state)
        return this.putInto(t, type, state)
      default:
        this.expression(t, state)
    }
  }

  private unpack(targets: readonly Expression[], type: Type, state: State): void {
    const parts =
      type.kinds === TUPLE && type.parts?.length === targets.length && !targets.some((x) => x.kind === 'StarredExpr')
        ? type.parts
        : undefined
    for (let i = 0; i < targets.length; i++) this.assign(targets[i]!, parts?.[i] ?? ANY, state)
  }

  /** The type that was noted for an expression. */
  private noted(e: Expression): Type {
    return this.types.get(e) ?? ANY
  }

  /** What a loop over an expression, whose type has been noted, yields. */
  protected elementOf(iterable: Expression): Type {
    if (iterable.kind === 'CallExpr' && iterable.callee.kind === 'Identifier') {
      const callee = this.resolution.bindingOf.get(iterable.callee)
      if (
        callee?.kind === 'universal' &&
        callee.name === 'range' &&
        iterable.arguments.every((a) => a.form === 'positional')
      ) {
        return this.rangeOf(iterable.arguments)
      }
      if (callee?.kind === 'universal' && callee.name === 'enumerate' && iterable.arguments.length === 1) {
        return holding(TUPLE, LENGTH, this.yielded(this.noted(iterable.arguments[0]!.value)))
      }
    }
    if (iterable.kind === 'CallExpr' && iterable.callee.kind === 'DotExpr' && iterable.arguments.length === 0) {
      const object = this.noted(iterable.callee.object)
      if (object.parts !== undefined && is(object, DICT | MAP)) {
        const name = iterable.callee.name.name
        if (name === 'items') return holding(TUPLE, ...object.parts)
        if (name === 'keys') return object.parts[0]!
        if (name === 'values') return object.parts[1]!
      }
    }
    return this.yielded(this.noted(iterable))
  }

  private rangeOf(args: readonly Argument[]): Type {
    return rangeElement(args.map((a) => this.noted(a.value)))
  }

  /** What walking through a value of this type gives. */
  protected yielded(t: Type): Type {
    if (!this.options.strict && is(t, STR)) return STRING
    if (t.parts === undefined) return ANY
    return is(t, LIST | DICT | MAP) ? part(t, 0) : is(t, TUPLE) ? t.parts.reduce(join, NOTHING) : ANY
  }

  /** `x[i] = v`: what the container of an owned variable holds from now on. */
  protected putInto(t: Expression & { kind: 'IndexExpr' }, value: Type, state: State): void {
    if (t.object.kind !== 'Identifier') return
    const object = this.noted(t.object)
    if (object.parts === undefined) return
    if (is(object, LIST)) this.grow(t.object, [value], state)
    else this.grow(t.object, [this.noted(t.index), value], state)
  }

  protected grow(variable: Identifier, by: readonly Type[], state: State): void {
    const binding = this.resolution.bindingOf.get(variable)
    const old = binding === undefined ? undefined : state?.get(binding)
    if (binding === undefined || old?.parts === undefined || !is(old, LIST | DICT | MAP | ABSENT)) return
    if (old.parts.length !== by.length) state?.set(binding, shared(old))
    else state?.set(binding, { ...old, parts: old.parts.map((p, i) => join(p, shared(by[i]!))) })
  }

  /** What a method does to the container of an owned variable, and what it gives. */
  protected containerMethod(object: Expression, type: Type, name: string, args: readonly Type[], state: State): Type {
    const element = part(type, 0)
    const value = part(type, 1)
    const variable = object.kind === 'Identifier' ? object : undefined
    if (is(type, LIST)) {
      if (name === 'pop') return element
      if (name === 'append' && args.length === 1) {
        if (variable) this.grow(variable, [args[0]!], state)
        return of(NONE)
      }
      if (variable && (name === 'extend' || name === 'insert')) this.grow(variable, [ANY], state)
      return ANY
    }
    if (name === 'get' || name === 'pop')
      return name === 'get' && args.length === 1
        ? join(value, of(NONE))
        : args.length === 2
          ? join(value, shared(args[1]!))
          : value
    if (name === 'setdefault') {
      const given = args.length === 2 ? shared(args[1]!) : args.length === 1 ? of(NONE) : ANY
      if (variable) this.grow(variable, [args[0] ?? ANY, given], state)
      return join(value, given)
    }
    return ANY
  }
}
