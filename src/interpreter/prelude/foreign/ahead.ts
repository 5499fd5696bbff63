// The functions of generated code in programs that run ahead of their reads (host/pending.ts). The compiler wraps every
// expression whose value may be pending, by its role (compile/read-ahead/roles.ts):
//
// carried   nothing looks at the value: it is assigned, stored, returned, passed to a function of the program
// shallow   the value itself is looked at, its elements are not: `plain`, `walked`, `owner`, `receiver`, `callee`
// deep      everything may be looked at: `settled`, the usual case
//
// A container does not know about pending elements. Code that stores one records the place, its home. Before anything
// except generated code looks at a container that may hold one, all homes are settled. So no function of the prelude
// ever meets a Pending.
//
// The prelude may call functions of the program that are values, and the bodies of generators and coroutines, in the
// middle of its work with containers. They run ahead too, but their pending values and results are settled before the
// prelude continues. The prelude may catch their failures, as a `try` may. host/homes.ts keeps the homes. Invariant:
// while the prelude works, no container that it can reach holds a Pending.

import { call, callNamed, isCallable } from '../calls/signature.js'
import { setAttribute } from '../classes/attributes.js'
import { FIELDS, METHODS, OPEN } from '../classes/classes.js'
import { dictFlat, dictReplace } from '../containers/dict.js'
import { guards, home, homes, note, settleHomes } from '../host/homes.js'
import { answerOf, isWaitedFor, Pending, runAhead, used } from '../host/pending.js'
import { drain, Iterator, nextOf, stepper } from '../operators/iterators.js'
import { setIndex } from '../operators/subscript.js'
import { Generator } from '../statements/generators.js'
import { python } from '../values/mode.js'
import { Big, Bytes, Float, isDict, Range, type RecordDict, TUPLE, type Value } from '../values/values.js'
import { callByName, calledByName, servers } from './by-name.js'
import { askWaiting, callText, isRead, isServer, placeMark, placeOf } from './namespaces.js'

// ---- homes -----------------------------------------------------------------------------------------------------

/** A value that will be stored in a container under a key. If its home can't be recorded, its value is awaited. */
function housed(v: Value, container: Value, key: Value): Value {
  if (!(v instanceof Pending)) return v
  if (v.$value !== undefined) return v.$value
  const canHold = Array.isArray(container) || (isDict(container) && isPlainDict(container))
  if (!canHold) return answerOf(v)
  note({ pending: v, container, key })
  return v
}

function isPlainDict(d: object): boolean {
  const kind = d.constructor as unknown
  return kind === Map || kind === Object
}

/** Records the pending elements of a new list or tuple. */
export function kept(all: Value[]): Value {
  for (let i = 0; i < all.length; i++) {
    if (all[i] instanceof Pending) {
      note({ pending: undefined, container: all, key: null })
      break
    }
  }
  return all
}

/** Records the pending values of a new dict. */
export function keptDict(d: object): Value {
  const flat = dictFlat(d)
  for (let i = 0; i < flat.length; i += 2) {
    const v = flat[i + 1]!
    if (v instanceof Pending) {
      const now = housed(v, d, flat[i]!)
      if (now !== v) dictReplace(d, flat[i]!, v, now)
    }
  }
  return d
}

/** `x[i] = v`. */
export function putIndex(x: Value, i: Value, v: Value): void {
  if (!(v instanceof Pending)) return setIndex(x, i, v)
  const place = Array.isArray(x) && (i as number) < 0 ? x.length + (i as number) : i
  setIndex(x, i, housed(v, x, place))
}

/** `x.name = v`. */
export function putAttribute(x: Value, name: string, v: Value): void {
  const open = (x as { [OPEN]?: Record<string, unknown> } | null)?.[OPEN]
  if (v instanceof Pending && open !== undefined && open[name] === undefined) {
    const fields = (x as { [FIELDS]: RecordDict })[FIELDS]
    fields[name] = housed(v, fields, name)
  } else setAttribute(x, name, plain(v))
}

/** The value that `x.append(v)` appends. */
export function appended(x: Value, v: Value): Value {
  if (!(v instanceof Pending)) return v
  return Array.isArray(x) && x[0] !== TUPLE ? housed(v, x, x.length) : answerOf(v)
}

// ---- looking ---------------------------------------------------------------------------------------------------

/** A value that is looked at, elements included. */
export function settled(x: Value): Value {
  if (!used || x === null || typeof x !== 'object') return x
  const v = x instanceof Pending ? answerOf(x) : x
  if (homes.length > 0 && reaches(v, BUDGET) !== 0) settleHomes()
  return v
}

/** The same, for an `x` whose evaluation may have stored something in a value that was looked at before. */
export function settledAll(x: Value): Value {
  const v = plain(x)
  if (homes.length > 0) settleHomes()
  return v
}

/** A value that is looked at, elements excluded. */
export function plain(x: Value): Value {
  return x instanceof Pending ? answerOf(x) : x
}

/** A value that is unpacked or indexed. Lists, tuples and dicts return their elements unchanged. */
export function shallow(x: Value): Value {
  const v = x instanceof Pending ? answerOf(x) : x
  if (homes.length > 0 && typeof v === 'object' && v !== null && !isPlain(v)) settleHomes()
  return v
}

function isPlain(x: object): boolean {
  return Array.isArray(x) || isPlainDict(x) || x instanceof Set || x instanceof Range || isServer(x) || x === servers
}

/** The iterable of a loop. Iterators of the prelude look into containers at every step. */
export function walkable(x: Value): Value {
  const v = shallow(x)
  if (!(v instanceof Iterator) || v instanceof Generator) return v
  const step = (): Value | undefined => {
    if (homes.length > 0) settleHomes()
    return nextOf(v)
  }
  return new Iterator(v.$type, step, v.$rest === undefined ? undefined : () => drain(v))
}

/** The object of an attribute. Objects of the program's classes return their fields unchanged. */
export function owner(x: Value): Value {
  const v = plain(x)
  if (homes.length > 0 && typeof v === 'object' && v !== null && !isPlain(v) && fieldsOf(v) === undefined) settleHomes()
  return v
}

const DICT_METHODS: readonly string[] = python
  ? ['get', 'keys', 'items', 'values', 'pop', 'setdefault', 'update', 'clear']
  : ['get', 'keys', 'pop', 'setdefault', 'update', 'clear']
const LIST_METHODS: readonly string[] = ['append', 'extend', 'insert', 'pop', 'clear']

/** The object of a method call. Methods of lists and dicts that look at no element leave elements unchanged. */
export function receiver(x: Value, name: string): Value {
  const v = plain(x)
  if (homes.length === 0 || typeof v !== 'object' || v === null || v instanceof Set) return v
  if (fieldsOf(v) !== undefined && hasMethod(v, name)) return v
  if (Array.isArray(v) ? LIST_METHODS.includes(name) : isPlainDict(v) && DICT_METHODS.includes(name)) return v
  if (reaches(v, BUDGET) !== 0) settleHomes()
  return v
}

/** A callee. Functions of the program and tools do not look into containers. */
export function callee(f: Value): Value {
  const v = plain(f)
  if (homes.length > 0 && !(typeof v === 'function' && (isOfProgram(v) || isTool(v)))) settleHomes()
  return v
}

function isTool(f: Value): boolean {
  return placeOf(f) !== undefined || f === callByName
}

/** The number of steps of the search for pending values. If they do not suffice, everything is awaited. */
const BUDGET = 300

/**
 * 0 if `x` leads to a pending value within `budget` steps, or to a value that may hold one; otherwise the rest of the
 * budget.
 */
function reaches(x: Value | undefined, budget: number): number {
  let left = budget
  const queue: (Value | undefined)[] = [x]
  for (let at = 0; at < queue.length; at++) {
    const v = queue[at]
    if (v === null || v === undefined || (typeof v !== 'object' && typeof v !== 'function')) continue
    if (--left < 0) return 1
    if (typeof v === 'function') {
      if (!isOfProgram(v)) return 1
    } else if (Array.isArray(v)) {
      if (v.length > left) return 1
      for (let i = 0; i < v.length; i++) if (v[i] !== TUPLE) queue.push(v[i] as Value)
    } else if (isPlainDict(v)) {
      const flat = dictFlat(v)
      for (let i = 1; i < flat.length; i += 2) queue.push(flat[i])
    } else if (
      !(v instanceof Set || v instanceof Float || v instanceof Big || v instanceof Bytes || v instanceof Range)
    ) {
      return 1
    }
  }
  return 0
}

function fieldsOf(x: object): RecordDict | undefined {
  return (x as { [FIELDS]?: RecordDict })[FIELDS]
}

/** True if `x.name(…)` calls a method of the class and not a field. */
function hasMethod(x: object, name: string): boolean {
  const methods = (x as { [METHODS]?: Record<string, unknown> })[METHODS]
  return methods?.[name] !== undefined && fieldsOf(x)![name] === undefined
}

// ---- functions of the program ----------------------------------------------------------------------------------

/** A function of the program in the form for any caller. */
interface Entry {
  (...args: Value[]): Value
  /** The form for code of the program, which handles pending values. */
  $direct?: (...args: Value[]) => Value
}

function isOfProgram(f: object): boolean {
  return (f as Entry).$direct !== undefined
}

/** A function of the program as a value, for any caller. */
export function entered(fn: (...args: Value[]) => Value): object {
  const entry: Entry = (...args) => {
    home.enter()
    try {
      return plain(fn(...args))
    } finally {
      home.leave()
    }
  }
  entry.$direct = fn
  return entry
}

// ---- calls -----------------------------------------------------------------------------------------------------

/** The stack at a call of the program. */
export function stackHere(): string {
  return new Error().stack ?? ''
}

/**
 * `space.member(…)` for a tool that only reads. `text` begins with the call's place in the program's text and a space.
 */
export function readTool(text: string, stack: string, space: string, member: string): Value {
  const mark = placeMark(space, member)
  const inGuard = guards > 0
  if (inGuard && isWaitedFor()) return askWaiting(mark + text.slice(text.indexOf(' ') + 1), true)
  return runAhead(mark === '' ? text : text.replace(' ', ` ${mark}`), stack, inGuard)
}

/** The same with arguments that are known only now. */
export function readAhead(
  stack: string,
  place: string,
  space: string,
  member: string,
  args: readonly Value[],
  named?: readonly Value[],
): Value {
  return readTool(`${place} ${callText(space, member, args, named ?? [])}`, stack, space, member)
}

/** `f(…)` for a value that may be a function of the program, or a tool under another name. */
export function callAhead(f: Value, args: readonly Value[], named?: readonly Value[]): Value {
  const byName = calledByName(f, args, named)
  if (byName !== undefined && isRead(byName.space, byName.member))
    return readAhead(stackHere(), '', byName.space, byName.member, byName.positional, byName.named)
  const place = placeOf(f)
  if (place !== undefined && isRead(place[0], place[1]))
    return readAhead(stackHere(), '', place[0], place[1], args, named)
  if (named !== undefined) return callNamed(f, args, named)
  const direct = isCallable(f) && f.sig.n === args.length ? (f as unknown as Entry).$direct : undefined
  return direct === undefined ? call(f, args) : direct(...args)
}

/** `list(map(f, xs))`. */
export function mapped(f: Value, xs: Value): Value {
  const out: Value[] = []
  const next = stepper(xs)
  for (let x = next(); x !== undefined; x = next()) {
    out.push(callAhead(f, [settled(x)]))
    if (!Array.isArray(xs) && homes.length > 0) settleHomes()
  }
  return kept(out)
}
