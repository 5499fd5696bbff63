// Loops of for statements and comprehensions: chooses the JavaScript loop for an iterable, and unpacks its elements.

import { DICT, LIST, MAP, STR } from '../infer/kinds.js'
import { is, isOwn, isSmallInt, part, type Type } from '../infer/types.js'
import type { Expression } from '../syntax/nodes.js'
import type { Code, Fragment } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { operands } from './operators.js'
import { assign } from './targets.js'
import { isMadeBy, isTuple } from './values.js'

export interface LoopParts {
  readonly target: Expression
  readonly iterable: Expression
  /**
   * True if the body can change a container. Strict mode then locks the iterable, and the default dialect compares
   * sizes, as Python does.
   */
  readonly mutates: boolean
  /**
   * True if the target itself may be the counter: nothing sees it outside the loop, and the body does not assign it.
   */
  readonly ownCounter: boolean
  readonly label?: Code | undefined
  /** The value of the iterable, if it has been evaluated already. */
  readonly source?: Code | undefined
  readonly body: () => void
}

/** Writes a loop over `iterable`. */
export function writeLoop(g: Generation, parts: LoopParts): void {
  const { source, iterable, target } = parts
  if (source !== undefined) return writeWalkLoop(g, parts)
  const range = rangeArguments(g, iterable)
  if (range !== undefined) return writeRangeLoop(g, parts, range)
  const pair = pairOf(target)
  const items = calledWithoutArguments(iterable, 'items')
  if (pair !== undefined && items !== undefined) return writePairLoop(g, parts, items, pair)
  const enumerated = universalCall(g, iterable, 'enumerate')
  if (pair !== undefined && enumerated?.length === 1) return writeEnumerateLoop(g, parts, enumerated[0]!, pair)
  writeWalkLoop(g, parts)
}

type Pair = readonly [Expression, Expression]

/** The two targets into which each element is unpacked; undefined if there are not two. */
function pairOf(target: Expression): Pair | undefined {
  if (target.kind !== 'TupleExpr' || target.elements.some((e) => e.kind === 'StarredExpr')) return undefined
  const [first, second, ...more] = target.elements
  return first && second && more.length === 0 ? [first, second] : undefined
}

/** The arguments of a call of a builtin by its own name, if all are positional. */
export function universalCall(g: Generation, e: Expression, name: string): readonly Expression[] | undefined {
  if (e.kind !== 'CallExpr' || e.callee.kind !== 'Identifier' || e.callee.name !== name) return undefined
  if (g.bindingOf(e.callee)?.kind !== 'universal' || e.arguments.some((a) => a.form !== 'positional')) return undefined
  return e.arguments.map((a) => a.value)
}

function rangeArguments(g: Generation, e: Expression): readonly Expression[] | undefined {
  const args = universalCall(g, e, 'range')
  return args !== undefined && args.length >= 1 && args.length <= 3 ? args : undefined
}

function calledWithoutArguments(e: Expression, method: string): Expression | undefined {
  return e.kind === 'CallExpr' &&
    e.callee.kind === 'DotExpr' &&
    e.callee.name.name === method &&
    e.arguments.length === 0
    ? e.callee.object
    : undefined
}

/** The head of a JavaScript loop. */
interface Head {
  readonly counter: Code
  readonly start: Code
  readonly test: Code
  readonly step: Code
}

/** A loop from an index to the end of an array. */
function along(array: Code, counter: Code, start: Code, step = js.ONE): Head {
  return { counter, start, test: js.infix(counter, '<', js.property(array, 'length')), step }
}

/** Writes a loop. `first` is the code that unpacks an element before the body. */
function writeRounds(g: Generation, parts: LoopParts, { counter, start, test, step }: Head, first: Fragment): void {
  const label = parts.label === undefined ? js.lines([]) : js.fragment`${parts.label}: `
  const next = step === js.ONE ? js.fragment`${counter}++` : js.fragment`${counter} += ${step}`
  g.out.line`${label}for (${counter} = ${start}; ${test}; ${next}) {`
  g.out.add(first)
  parts.body()
  g.out.line`}`
}

/** Writes a loop between locks, if the dialect and the body need them. */
function guardedLoop(g: Generation, parts: LoopParts, iterated: Code | undefined, head: Head, first: Fragment): void {
  if (!parts.mutates || iterated === undefined) return writeRounds(g, parts, head, first)
  if (g.facts.dialect.strict) {
    const depth = g.out.temporary()
    g.out.line`${depth} = ${g.help('enter', [iterated])}; try {`
    writeRounds(g, parts, head, first)
    return g.out.line`} finally { ${g.help('leave', [depth])}; }`
  }
  const count = g.out.temporary()
  g.out.line`${count} = ${g.help('sizeOf', [iterated])};`
  const isSame = js.fragment`if (${js.infix(count, '>=', js.ZERO)}) ${g.help('sameSize', [iterated, count], parts.iterable)};`
  writeRounds(g, parts, head, first === '' ? isSame : js.lines([isSame, first]))
  g.out.add(isSame)
}

/**
 * The prelude's function for iterating. A variable may hold an iterator that the program uses after the loop, so its
 * elements are taken one by one.
 */
function walker(g: Generation, iterable: Expression): 'walk' | 'iterate' {
  const fresh =
    iterable.kind === 'CallExpr' &&
    iterable.callee.kind === 'Identifier' &&
    g.bindingOf(iterable.callee)?.kind === 'universal'
  return g.facts.dialect.strict || fresh ? 'walk' : 'iterate'
}

/** The iterable for a value of unknown type: an array itself, or the prelude's choice. */
function walked(g: Generation, iterable: Expression, code: Code): Code {
  const t = code.isSimple ? code : g.out.temporary()
  const value = t === code ? t : js.assign(t, code)
  return js.choice(isMadeBy(g, value, 'Array'), t, g.help(walker(g, iterable), [t], iterable))
}

/** The index of the first element of an array that may be a tuple. */
function firstPlace(g: Generation, array: Code): Code {
  return js.choice(isTuple(g, array), js.ONE, js.ZERO)
}

function writeWalkLoop(g: Generation, parts: LoopParts): void {
  const type = g.typeOf(parts.iterable)
  const value = parts.source ?? g.expression(parts.iterable)
  const array = g.out.temporary()
  const index = g.out.temporary()
  const knownList = is(type, LIST)
  // The body does not change a container that only this expression or variable can reach (infer/owned.ts).
  const own = isOwn(type, LIST | DICT | MAP)
  const mayLock = parts.mutates && !own && !is(type, STR)
  const iterated = mayLock ? (knownList ? array : g.out.save(value)) : undefined
  g.out.line`${array} = ${knownList ? value : walked(g, parts.iterable, iterated ?? value)};`
  const start = knownList || is(type, DICT | MAP) ? js.ZERO : firstPlace(g, array)
  const elementType = knownList || own ? part(type, 0) : undefined
  const first = g.out.capture(() => assign(g, parts.target, js.element(array, index), elementType))
  // In the default dialect a list may grow during iteration, so its length is read in each round.
  const locked = g.facts.dialect.strict || !knownList ? iterated : undefined
  guardedLoop(g, parts, locked, along(array, index, start), first)
}

function writeRangeLoop(g: Generation, parts: LoopParts, args: readonly Expression[]): void {
  const head = rangeHead(g, parts, args)
  const isCounted = parts.target.kind === 'Identifier' && head.counter === g.variable(parts.target)
  const first = isCounted ? js.lines([]) : g.out.capture(() => assign(g, parts.target, head.counter))
  writeRounds(g, parts, head, first)
}

function rangeHead(g: Generation, { iterable, target, ownCounter }: LoopParts, args: readonly Expression[]): Head {
  const codes = operands(g, args)
  const bound = (i: number, what: 'start' | 'stop' | 'step'): Code =>
    isSmallInt(g.typeOf(args[i]!)) ? codes[i]! : g.help('rangeBound', [codes[i]!, js.literal(what)], iterable)
  // The bounds are evaluated in order, once, before the first round.
  const once = (code: Code): Code => (code.isConstant ? code : g.out.save(code))
  const isShort = args.length === 1
  const givenStart = isShort ? js.ZERO : bound(0, 'start')
  const givenStop = bound(isShort ? 0 : 1, 'stop')
  const start = once(givenStart)
  const stop = once(givenStop)
  const givenStep = args.length === 3 ? bound(2, 'step') : js.ONE
  const isSafe = givenStep.isConstant && givenStep.literal !== 0
  const step = isSafe ? givenStep : g.out.save(g.help('rangeStep', [givenStep], iterable))
  const counter = ownCounter && target.kind === 'Identifier' ? g.variable(target) : g.out.temporary()
  const test = rangeTest(counter, stop, step, args[2] && g.typeOf(args[2]))
  return { counter, start, test, step: step.literal === 1 ? js.ONE : step }
}

function rangeTest(counter: Code, stop: Code, step: Code, type: Type | undefined): Code {
  const up = js.infix(counter, '<', stop)
  if (type === undefined || (isSmallInt(type) && type.lo > 0)) return up
  const down = js.infix(counter, '>', stop)
  return isSmallInt(type) && type.hi < 0 ? down : js.choice(js.infix(step, '>', js.ZERO), up, down)
}

function writePairLoop(g: Generation, parts: LoopParts, dict: Expression, targets: Pair): void {
  const value = g.out.save(g.expression(dict))
  const flat = g.out.temporary()
  const index = g.out.temporary()
  g.out.line`${flat} = ${g.help('itemPairs', [value], parts.iterable)};`
  const type = g.typeOf(dict)
  const first = g.out.capture(() => {
    assign(g, targets[0], js.element(flat, index), part(type, 0))
    assign(g, targets[1], js.element(flat, js.infix(index, '+', js.ONE)), part(type, 1))
  })
  // In Starlark items() is a new list; in Python it is a view of the dict.
  const locked = g.facts.dialect.strict || isOwn(type, DICT | MAP) ? undefined : value
  guardedLoop(g, parts, locked, along(flat, index, js.ZERO, js.literal(2)), first)
}

function writeEnumerateLoop(g: Generation, parts: LoopParts, iterable: Expression, targets: Pair): void {
  const code = g.expression(iterable)
  const value = parts.mutates ? g.out.saved(code) : code
  const array = g.out.temporary()
  const index = g.out.temporary()
  const type = g.typeOf(iterable)
  const own = isOwn(type, LIST)
  const base = own ? js.ZERO : g.out.temporary()
  if (own) g.out.line`${array} = ${value};`
  else {
    const walk = g.help(walker(g, iterable), [value], parts.iterable)
    g.out.line`${array} = ${walk}; ${base} = ${firstPlace(g, array)};`
  }
  const first = g.out.capture(() => {
    assign(g, targets[0], own ? index : js.infix(index, '-', base))
    assign(g, targets[1], js.element(array, index), own ? part(type, 0) : undefined)
  })
  // In Starlark enumerate() is a new list: it is copied if the program could tell the difference.
  if (g.facts.dialect.strict && parts.mutates && !own)
    g.out.line`${array} = ${js.call(js.property(array, 'slice'), [])};`
  guardedLoop(g, parts, g.facts.dialect.strict || own ? undefined : value, along(array, index, base), first)
}
