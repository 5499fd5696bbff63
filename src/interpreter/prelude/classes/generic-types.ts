// Generic types as values: `list[int]`, `Dict[str, int]`, `Optional[X]`, `int | None`. Implements identity, comparison
// and text, and delegates everything else to the type that they are made of.
// Invariant: a Union has at least two different types, and none of them is a Union.

import { call, callNamed } from '../calls/signature.js'
import { setOf } from '../containers/set.js'
import { equal } from '../operators/comparison.js'
import { repr } from '../text/repr.js'
import { typeError } from '../values/errors.js'
import { PROTOCOL, type Protocol, protocolOf } from '../values/protocol.js'
import { said, word } from '../values/said.js'
import { ELLIPSIS, FrozenSet, isList, isTuple, nameClass, tuple, type Value } from '../values/values.js'
import { classIn } from './classes.js'
import { builtinClass } from './known-classes.js'

/** `list[int]`, or a name of `typing` for a type: `List`. */
export class GenericType {
  readonly #origin: Value
  /** Absent for a name without arguments. */
  readonly $args: readonly Value[] | undefined
  /** Its name in `typing`. Absent if it was made from the type itself. */
  readonly $name: string | undefined
  constructor(origin: Value, args: readonly Value[] | undefined, name?: string) {
    this.#origin = origin
    this.$args = args
    this.$name = name
  }

  /** A class or a form of `typing`. */
  get $origin(): Value {
    // A built-in type may have got its callable in the meantime.
    return classIn(this.#origin)?.$value ?? this.#origin
  }
}

/** `origin[index]`. `name` is the name in `typing`, if that was indexed. */
export function generic(origin: Value, index: Value, name?: string): GenericType {
  const args = isTuple(index) ? index.slice(1) : [index]
  return new GenericType(
    origin,
    name === undefined || name === 'Literal' || name === 'Annotated' ? args : args.map(typed),
    name,
  )
}

/** The type from which `x` is derived: `list` for `list[int]`. All other values are their own. */
export function originOf(x: Value): Value {
  return x instanceof GenericType ? x.$origin : x
}

const forwards = new Map<string, Value>()

/**
 * The type for an argument of a generic type of `typing`: None stands for its type, and a text for the name of a type
 * that is defined later.
 */
function typed(x: Value): Value {
  if (x === null) return builtinClass('NoneType').$value
  if (isList(x)) return x.map(typed)
  if (typeof x !== 'string') return x
  const known = forwards.get(x) ?? new Forward(x)
  forwards.set(x, known)
  return known
}

class Forward {
  readonly $text: string
  constructor(text: string) {
    this.$text = text
  }
}
const forwardProtocol: Protocol = {
  getAttribute: (x, name) => (name === '__forward_arg__' ? (x as Forward).$text : undefined),
  binary: (operator, x, other, reflected) => either(operator, x, other, reflected),
  isTypingOnly: () => true,
  truth: () => true,
  repr: (x) => `ForwardRef(${repr((x as Forward).$text)})`,
}
Object.defineProperty(Forward.prototype, PROTOCOL, { value: forwardProtocol })
nameClass((x) => x instanceof Forward, 'ForwardRef')

const genericProtocol: Protocol = {
  getItem: (x, index) => generic((x as GenericType).$origin, index, (x as GenericType).$name),
  getAttribute(x, name) {
    const { $origin, $args, $name } = x as GenericType
    if (name === '__origin__') return $origin
    if (name === '__name__' && $name !== undefined) return $name
    if (name === '__args__') return $args === undefined ? undefined : tuple($args.flatMap((a) => (isList(a) ? a : [a])))
    return protocolOf($origin)?.getAttribute?.($origin as object, name)
  },
  call(x, args, named) {
    const { $origin, $name } = x as GenericType
    const cls = classIn($origin)
    if ($name !== undefined && cls?.$kind === 'builtin')
      typeError(said`Type ${word($name)} cannot be instantiated; use ${word(cls.$name)}() instead`)
    return named === undefined ? call($origin, args) : callNamed($origin, args, named)
  },
  equals: (x, other) =>
    other instanceof GenericType &&
    other.$origin === (x as GenericType).$origin &&
    other.$name === (x as GenericType).$name &&
    equal([...(other.$args ?? [])], [...((x as GenericType).$args ?? [])]),
  hashKey(x) {
    const { $origin, $args = [], $name = null } = x as GenericType
    return tuple([$origin, $name, ...$args.map((a) => (isList(a) ? tuple(a) : a))])
  },
  binary: (operator, x, other, reflected) => either(operator, x, other, reflected),
  isTypingOnly: (x) => isForm((x as GenericType).$origin),
  truth: () => true,
  repr(x) {
    const { $origin, $args, $name } = x as GenericType
    const name = $name === undefined ? typeText($origin) : `typing.${$name}`
    if ($args === undefined) return name
    return `${name}[${$args.length === 0 ? '()' : $args.map($name === 'Literal' ? repr : typeText).join(', ')}]`
  },
}
Object.defineProperty(GenericType.prototype, PROTOCOL, { value: genericProtocol })
nameClass(
  (x) => x instanceof GenericType,
  (x) => ((x as GenericType).$name === undefined ? 'GenericAlias' : '_GenericAlias'),
)

const isForm = (x: Value): boolean => protocolOf(x)?.isTypingOnly?.(x as object) === true

function typeText(x: Value): string {
  if (isList(x)) return `[${x.map(typeText).join(', ')}]`
  if (x === ELLIPSIS) return '...'
  return classIn(x) === undefined ? repr(x) : repr(x).slice("<class '".length, -"'>".length)
}

// ---- unions ----------------------------------------------------------------------------------------------------

/** `int | str`, or `Union[int, str]` of `typing`. */
export class Union {
  readonly $types: readonly Value[]
  readonly $isTyping: boolean
  constructor(types: readonly Value[], isTyping: boolean) {
    this.$types = types
    this.$isTyping = isTyping
  }
}

/** `a | b`. Undefined if one of them is not a type. */
export function united(a: Value, b: Value): Value | undefined {
  const isTyping = [a, b].some((x) => isForm(x) || (x instanceof GenericType && x.$name !== undefined))
  const isType = (x: Value): boolean =>
    x === null || x instanceof Union || x instanceof GenericType || classIn(x) !== undefined || isForm(x)
  return isType(a) && isType(b) ? unionOf([a, b], isTyping) : undefined
}

/** The union of types, or the type itself if all are the same. */
export function unionOf(types: readonly Value[], isTyping: boolean): Value {
  const flat = types.flatMap((t) => (t instanceof Union ? t.$types : [isTyping || t === null ? typed(t) : t]))
  const different = flat.filter((t, i) => flat.findIndex((other) => equal(t, other)) === i)
  const fromTyping = isTyping || types.some((t) => t instanceof Union && t.$isTyping)
  return different.length === 1 ? different[0]! : new Union(different, fromTyping)
}

function either(operator: string, x: Value, other: Value, reflected: boolean): Value | undefined {
  return operator === '|' ? united(reflected ? other : x, reflected ? x : other) : undefined
}

const unionProtocol: Protocol = {
  binary: (operator, x, other, reflected) => either(operator, x, other, reflected),
  getAttribute: (x, name) => (name === '__args__' ? tuple((x as Union).$types) : undefined),
  equals: (x, other) => other instanceof Union && equal(membersOf(x as Union), membersOf(other)),
  hashKey: (x) => membersOf(x as Union),
  truth: () => true,
  repr(x) {
    const { $types, $isTyping } = x as Union
    const none = builtinClass('NoneType').$value
    if (!$isTyping) return $types.map((t) => (t === none ? 'None' : typeText(t))).join(' | ')
    const [first] = $types.filter((t) => t !== none)
    if ($types.length === 2 && $types.includes(none)) return `typing.Optional[${typeText(first!)}]`
    return `typing.Union[${$types.map(typeText).join(', ')}]`
  },
}
const membersOf = ({ $types }: Union): Value => new FrozenSet(setOf($types) as Set<Value>)

Object.defineProperty(Union.prototype, PROTOCOL, { value: unionProtocol })
nameClass((x) => x instanceof Union, 'UnionType')
for (const name of ['UnionType', 'GenericAlias']) builtinClass(name).$extras.module = 'types'
