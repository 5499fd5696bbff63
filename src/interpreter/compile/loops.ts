// Loops, as for statements and comprehensions share them: which JavaScript loop walks an iterable, and how an element
// is taken apart.

import { DICT, LIST, MAP, STR } from '../infer/kinds.js'
import { is, isOwn, isSmallInt, part } from '../infer/types.js'
import type { Expression } from '../syntax/nodes.js'
import { captureBlock, type Generation, isConstant, isSimple } from './context.js'
import { operands, save } from './operators.js'
import { assign } from './targets.js'

export interface LoopParts {
  readonly target: Expression
  readonly iterable: Expression
  /** Can the body change a container? Then strict mode locks what is iterated over, and Python's sizes are compared. */
  readonly mutates: boolean
  /** May the target itself count, because nothing sees it outside the loop and the body does not assign it? */
  readonly ownCounter: boolean
  readonly label: string | undefined
  /** The value of the iterable, where it has been evaluated already. */
  readonly source?: string
  readonly body: () => void
}

/** Writes a loop over `iterable`. */
export function writeLoop(g: Generation, parts: LoopParts): void {
  if (parts.source !== undefined) return writeWalkLoop(g, parts)
  const range = rangeArguments(g, parts.iterable)
  if (range !== undefined) return writeRangeLoop(g, parts, range)
  const pairs = calledWithoutArguments(parts.iterable, 'items')
  if (
    pairs !== undefined &&
    parts.target.kind === 'TupleExpr' &&
    parts.target.elements.length === 2 &&
    !hasStar(parts.target)
  ) {
    return writePairLoop(g, parts, pairs, parts.target.elements)
  }
  const enumerated = universalCall(g, parts.iterable, 'enumerate')
  if (
    enumerated !== undefined &&
    enumerated.length === 1 &&
    parts.target.kind === 'TupleExpr' &&
    parts.target.elements.length === 2 &&
    !hasStar(parts.target)
  ) {
    return writeEnumerateLoop(g, parts, enumerated[0]!, parts.target.elements)
  }
  writeWalkLoop(g, parts)
}

function hasStar(t: Expression & { kind: 'TupleExpr' }): boolean {
  return t.elements.some((e) => e.kind === 'StarredExpr')
}

/** The arguments of a call of a builtin by its own name with positional arguments only. */
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

function open(parts: LoopParts, head: string): string {
  return `${parts.label === undefined ? '' : `${parts.label}: `}for (${head}) {`
}

/** Writes the loop's body between locks, where the dialect and the body ask for them. */
function guardedLoop(g: Generation, parts: LoopParts, iterated: string | undefined, head: string, first: string): void {
  const lock = g.facts.dialect.strict && parts.mutates && iterated !== undefined
  const size = !g.facts.dialect.strict && parts.mutates && iterated !== undefined
  let depth = ''
  let count = ''
  if (lock) {
    depth = g.temporary()
    g.out.push(`${depth} = ${g.helper('enter')}(${iterated}); try {`)
  } else if (size) {
    count = g.temporary()
    g.out.push(`${count} = ${g.helper('sizeOf')}(${iterated});`)
  }
  g.out.push(open(parts, head))
  if (size) g.out.push(`if (${count} >= 0) ${g.helper('sameSize')}${g.mark(parts.iterable)}(${iterated}, ${count});`)
  if (first !== '') g.out.push(first)
  parts.body()
  g.out.push('}')
  if (size) g.out.push(`if (${count} >= 0) ${g.helper('sameSize')}${g.mark(parts.iterable)}(${iterated}, ${count});`)
  if (lock) g.out.push(`} finally { ${g.helper('leave')}(${depth}); }`)
}

/**
 * What a variable holds may be an iterator that the program goes on with after the loop: it gives its elements one by
 * one.
 */
function walker(g: Generation, iterable: Expression): 'walk' | 'iterate' {
  const fresh =
    iterable.kind === 'CallExpr' &&
    iterable.callee.kind === 'Identifier' &&
    g.bindingOf(iterable.callee)?.kind === 'universal'
  return g.facts.dialect.strict || fresh ? 'walk' : 'iterate'
}

/** What a loop over a value of unknown type walks: an array itself, whatever else as the prelude says. */
function walked(g: Generation, iterable: Expression, code: string): string {
  const t = isSimple(code) ? code : g.temporary()
  const slow = `${g.helper(walker(g, iterable))}${g.mark(iterable)}(${t})`
  return `(${t === code ? t : `(${t} = ${code})`}?.constructor === ${g.helper('Array')} ? ${t} : ${slow})`
}

function writeWalkLoop(g: Generation, parts: LoopParts): void {
  const type = g.typeOf(parts.iterable)
  const value = parts.source ?? g.expression(parts.iterable)
  const array = g.temporary()
  const index = g.temporary()
  const knownList = is(type, LIST)
  // What only this expression or variable can reach is not changed by the body: see owned.ts.
  const own = isOwn(type, LIST | DICT | MAP)
  const mayLock = parts.mutates && !own && !is(type, STR)
  const iterated = mayLock ? (knownList ? array : save(g, value)) : undefined
  g.out.push(`${array} = ${knownList ? value : walked(g, parts.iterable, iterated ?? value)};`)
  const start = knownList || is(type, DICT | MAP) ? '0' : `${array}[0] === ${g.helper('TUPLE')} ? 1 : 0`
  const element = knownList || own ? part(type, 0) : undefined
  const first = captureBlock(g, () => assign(g, parts.target, `${array}[${index}]`, element))
  // A list in the default dialect may grow while it is walked; its length is read anew.
  guardedLoop(
    g,
    parts,
    g.facts.dialect.strict || !knownList ? iterated : undefined,
    `${index} = ${start}; ${index} < ${array}.length; ${index}++`,
    first,
  )
}

function writeRangeLoop(g: Generation, parts: LoopParts, args: readonly Expression[]): void {
  const codes = operands(g, args)
  const bound = (code: string, e: Expression, what: string): string =>
    isSmallInt(g.typeOf(e)) ? code : `${g.helper('rangeBound')}${g.mark(parts.iterable)}(${code}, "${what}")`
  const startNode = args.length >= 2 ? args[0]! : undefined
  const stopNode = args.length >= 2 ? args[1]! : args[0]!
  let start = startNode === undefined ? '0' : bound(codes[0]!, startNode, 'start')
  let stop = bound(codes[args.length >= 2 ? 1 : 0]!, stopNode, 'stop')
  // The bounds are evaluated in order, once, before the first round.
  if (!isConstant(start)) start = save(g, start)
  if (!isConstant(stop)) stop = save(g, stop)
  const stepType = args.length === 3 ? g.typeOf(args[2]!) : undefined
  let step = args.length === 3 ? bound(codes[2]!, args[2]!, 'step') : '1'
  if (args.length === 3 && !isConstant(step))
    step = save(g, `${g.helper('rangeStep')}${g.mark(parts.iterable)}(${step})`)
  else if (step === '0') step = save(g, `${g.helper('rangeStep')}${g.mark(parts.iterable)}(0)`)
  const simple = parts.target.kind === 'Identifier' ? g.bindingOf(parts.target) : undefined
  const counter = parts.ownCounter && simple !== undefined ? simple.js : g.temporary()
  const up = stepType === undefined || (isSmallInt(stepType) && stepType.lo > 0)
  const down = stepType !== undefined && isSmallInt(stepType) && stepType.hi < 0
  const test = up
    ? `${counter} < ${stop}`
    : down
      ? `${counter} > ${stop}`
      : `${step} > 0 ? ${counter} < ${stop} : ${counter} > ${stop}`
  const next = step === '1' ? `${counter}++` : `${counter} += ${step}`
  const first = counter === simple?.js ? '' : captureBlock(g, () => assign(g, parts.target, counter))
  g.out.push(open(parts, `${counter} = ${start}; ${test}; ${next}`))
  if (first !== '') g.out.push(first)
  parts.body()
  g.out.push('}')
}

function writePairLoop(g: Generation, parts: LoopParts, dict: Expression, targets: readonly Expression[]): void {
  const value = save(g, g.expression(dict))
  const flat = g.temporary()
  const index = g.temporary()
  g.out.push(`${flat} = ${g.helper('itemPairs')}${g.mark(parts.iterable)}(${value});`)
  const type = g.typeOf(dict)
  const first = captureBlock(g, () => {
    assign(g, targets[0]!, `${flat}[${index}]`, part(type, 0))
    assign(g, targets[1]!, `${flat}[${index} + 1]`, part(type, 1))
  })
  // In Starlark items() is a list of its own; in Python it is a view of the dict.
  guardedLoop(
    g,
    parts,
    g.facts.dialect.strict || isOwn(type, DICT | MAP) ? undefined : value,
    `${index} = 0; ${index} < ${flat}.length; ${index} += 2`,
    first,
  )
}

function writeEnumerateLoop(
  g: Generation,
  parts: LoopParts,
  iterable: Expression,
  targets: readonly Expression[],
): void {
  let value = g.expression(iterable)
  if (parts.mutates && !isSimple(value)) value = save(g, value)
  const array = g.temporary()
  const index = g.temporary()
  const type = g.typeOf(iterable)
  const own = isOwn(type, LIST)
  const base = own ? '0' : g.temporary()
  if (own) g.out.push(`${array} = ${value};`)
  else
    g.out.push(
      `${array} = ${g.helper(walker(g, iterable))}${g.mark(parts.iterable)}(${value}); ${base} = ${array}[0] === ${g.helper('TUPLE')} ? 1 : 0;`,
    )
  const first = captureBlock(g, () => {
    assign(g, targets[0]!, own ? index : `${index} - ${base}`)
    assign(g, targets[1]!, `${array}[${index}]`, own ? part(type, 0) : undefined)
  })
  // In Starlark enumerate() is a list of its own: the copy is made where something could tell.
  if (g.facts.dialect.strict && parts.mutates && !own) g.out.push(`${array} = ${array}.slice();`)
  guardedLoop(
    g,
    parts,
    g.facts.dialect.strict || own ? undefined : value,
    `${index} = ${base}; ${index} < ${array}.length; ${index}++`,
    first,
  )
}
