// Methods of built-in types. A method call `x.append(v)` compiles to `x[append](v)`, where `append` is a symbol, and
// the implementations are properties of JavaScript's own prototypes. So the engine dispatches, and no key of data is
// ever taken for a method. Implementations receive the object as `this` and absent arguments as `undefined`. Several
// guest types share a prototype (list and tuple are arrays; every object inherits Object.prototype, where records find
// dict's methods), so an implementation checks its receiver.
// Invariant: an implementation accepts any number of arguments up to the largest number that any type's method of that
// name takes.

import { contentOf, textInside } from '../values/contents.js'
import { type GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { asName, inQuotes, said, spelled } from '../values/said.js'
import { rememberedText } from '../values/tool-data.js'
import { isDict, typeName, typeOf, type Value } from '../values/values.js'
import { type Callable, define, isCallable, nearest, parseSignature, type Signature } from './signature.js'

type MethodFunction = (this: never, ...args: (Value | undefined)[]) => Value

interface Method {
  readonly sig: Signature
  readonly fn: MethodFunction
}

/** By name of the type, then of the method. Here the string type is always `str`. */
const registry: Record<string, Record<string, Method>> = {}
const symbols: Record<string, symbol> = Object.create(null)

/** The symbol under which the implementations of a method are stored. */
export function methodSymbol(name: string): symbol {
  return (symbols[name] ??= Symbol(name))
}

/**
 * Declares a method of a built-in type. `parameters` is in the notation of `builtin`; `prototype` is the JavaScript
 * prototype that carries it.
 */
export function method(type: string, prototype: object, name: string, parameters: string, fn: MethodFunction): void {
  ;(registry[type] ??= Object.create(null) as Record<string, Method>)[name] = {
    sig: parseSignature(name, parameters),
    fn,
  }
  hide(prototype, methodSymbol(name), fn)
}

function hide(target: object, key: symbol, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: false, configurable: true })
}

/** Functions that belong to types and not to their objects. */
const statics: Record<string, Record<string, Value>> = {}

/** Declares a function that belongs to a type: `dict.fromkeys`. */
export function onType(type: string, name: string, f: Value): void {
  ;(statics[type] ??= Object.create(null) as Record<string, Value>)[name] = f
}

/** The member of a built-in type: a function of the type, or a method as a function of its object. */
export function typeMember(type: string, name: string): Value | undefined {
  return statics[type]?.[name] ?? typeMethod(type, name)
}

/** A method of a built-in type as a function of its object: `str.upper`. */
function typeMethod(type: string, name: string): Callable | undefined {
  const m = registry[type]?.[name]
  if (!m) return undefined
  const { sig } = m
  const fn = (self: Value, ...args: (Value | undefined)[]): Value => {
    const own = ofType(self, type)
    if (own === undefined) throw notApplying(type, name, self)
    return (m.fn as (this: Value, ...a: (Value | undefined)[]) => Value).apply(own, args)
  }
  return define(fn, {
    ...sig,
    n: sig.n < 0 ? -1 : sig.n + 1,
    parameters: ['self', ...sig.parameters],
    positional: sig.positional + 1,
    positionalOnly: sig.positionalOnly + 1,
    required: [true, ...sig.required],
    argsSlot: sig.argsSlot < 0 ? -1 : sig.argsSlot + 1,
    kwargsSlot: sig.kwargsSlot < 0 ? -1 : sig.kwargsSlot + 1,
  })
}

/** The value of a built-in type that `x` is or contains. Undefined if it has another type. */
function ofType(x: Value, type: string): Value | undefined {
  const own = (type === 'str' ? textInside(x) : undefined) ?? contentOf(x) ?? x
  const name = registryName(own)
  if (name === type) return own
  // Types that inherit: the methods of one exist for the other.
  const isKind = (name === 'bool' && type === 'int') || (type === 'dict' && isDict(own))
  return isKind || registry[type] === undefined ? own : undefined
}

/** The failure of a type's method that receives an object of another type. */
export function notApplying(type: string, name: string, self: Value): GuestError {
  return guestError(
    'TypeError',
    said`descriptor ${inQuotes(name)} for '${asName(type)}' objects doesn't apply to a '${typeOf(self)}' object`,
  )
}

/** The names of the methods of all types. */
export function allMethodNames(): string[] {
  return Object.keys(symbols)
}

/** The method of strings with this name. */
export function textMethod(name: string): ((this: Value, ...args: (Value | undefined)[]) => Value) | undefined {
  return registry.str?.[name]?.fn as never
}

/** The names of the methods of a built-in type, sorted. */
export function methodNames(type: string): string[] {
  const own = registry[type]
  return own ? Object.keys(own).sort() : []
}

/** True if the type of `x` has a method of this name. */
export function hasMethod(x: Value, name: string): boolean {
  return registry[registryName(x)]?.[name] !== undefined
}

function registryName(x: Value): string {
  const name = typeName(x)
  return name === 'string' ? 'str' : name
}

/** The method `name` of the built-in type of `x`, bound to `x`; undefined if there is none. */
export function boundMethod(x: Value, name: string): Callable | undefined {
  const own = boundMethodOf(registryName(x), x, name)
  if (own !== undefined) return own
  const text = rememberedText(x)
  return text === undefined ? undefined : boundMethodOf('str', text, name)
}

/**
 * A method that `x` inherits because its type is derived from `type`, or a function of the type itself: `{}.fromkeys`.
 */
export function boundMethodOf(type: string, x: Value, name: string): Callable | undefined {
  const m = registry[type]?.[name]
  if (!m) return python ? (statics[type]?.[name] as Callable | undefined) : undefined
  const fn = (...args: (Value | undefined)[]): Value =>
    (m.fn as (this: Value, ...a: (Value | undefined)[]) => Value).apply(x, args)
  const bound = fn as unknown as Callable
  bound.sig = { ...m.sig, receiver: x }
  return bound
}

/** The failure of reading an attribute that a value does not have. */
export function noAttribute(x: Value, name: string): GuestError {
  const near = nearest(name, methodNames(registryName(x)))
  const type = typeOf(x)
  const message = python
    ? said`'${type}' object has no attribute ${inQuotes(name)}`
    : said`${type} has no .${asName(name)} field or method`
  return guestError(
    'AttributeError',
    message,
    near === undefined ? undefined : { hint: said`did you mean .${spelled(near)}?` },
  )
}

/**
 * For each method name, the largest number of positional arguments that any built-in type takes for it. If a type
 * collects `*args` or `**kwargs` under a name, the name is left out: its calls are always bound.
 */
export function methodTable(): Record<string, number> {
  const out: Record<string, number> = {}
  const collecting = new Set<string>()
  for (const type of Object.values(registry)) {
    for (const [name, { sig }] of Object.entries(type)) {
      if (sig.argsSlot >= 0 || sig.kwargsSlot >= 0) collecting.add(name)
      out[name] = Math.max(out[name] ?? 0, sig.positional)
    }
  }
  for (const name of collecting) delete out[name]
  return out
}

/** The methods of each built-in type with their signatures. */
export function typeTable(): Record<string, Record<string, Signature>> {
  const out: Record<string, Record<string, Signature>> = {}
  for (const [type, methods] of Object.entries(registry)) {
    out[type] = Object.fromEntries(Object.entries(methods).map(([name, { sig }]) => [name, sig]))
  }
  // Objects also have the functions of their type.
  if (python)
    for (const [type, functions] of Object.entries(statics))
      for (const [name, f] of Object.entries(functions)) if (isCallable(f)) (out[type] ??= {})[name] ??= f.sig
  return out
}
