// Method calls on objects whose type has no such method. `x[append](v)` then reads an attribute of that name, or fails
// when the method is looked up, before the arguments are evaluated.

import { allMethodNames, methodSymbol, noAttribute, textMethod } from '../calls/method-tables.js'
import { python } from '../values/mode.js'
import { rememberedText } from '../values/tool-data.js'
import type { Value } from '../values/values.js'
import { callAttribute, having } from './attributes.js'

/**
 * Must be called after all methods have been declared. `owners`: prototypes of objects that have attributes of any
 * name.
 */
export function answerMethodCalls(owners: readonly object[]): void {
  for (const name of allMethodNames()) {
    const symbol = methodSymbol(name)
    if (!Object.hasOwn(Object.prototype, symbol)) hide(Object.prototype, symbol, answerOfAll(name))
    const find = answerOfOwner(name)
    for (const owner of owners) if (!Object.hasOwn(owner, symbol)) hide(owner, symbol, find)
  }
}

function hide(target: object, key: symbol, get: (this: Value) => unknown): void {
  Object.defineProperty(target, key, { get, enumerable: false, configurable: true })
}

function answerOfOwner(name: string): (this: Value) => unknown {
  const answer = function (this: Value, ...args: Value[]): Value {
    return callAttribute(this, name, args)
  }
  return function () {
    having(this, name)
    return answer
  }
}

function answerOfAll(name: string): (this: Value) => unknown {
  const answer = function (this: Value, ...args: (Value | undefined)[]): Value {
    const text = rememberedText(this)
    const ofText = text === undefined ? undefined : textMethod(name)
    return ofText === undefined ? otherwise(this, name, args) : ofText.apply(text!, args)
  }
  return function () {
    if (rememberedText(this) !== undefined && textMethod(name) !== undefined) return answer
    if (!python) throw noAttribute(this, name)
    having(this, name)
    return answer
  }
}

/** The result of a method call on an object whose type has no such method. */
export function otherwise(x: Value, name: string, args: readonly (Value | undefined)[]): Value {
  if (!python) throw noAttribute(x, name)
  return callAttribute(
    x,
    name,
    args.filter((a) => a !== undefined),
  )
}
