// Comprehensions (specification: Comprehensions). They are written as loops in front of the expression that holds them,
// because in QuickJS a closure for the body would cost as much as several rounds. `any(… for …)` and `all(… for …)` end
// their loop as soon as the result is known.

import { STR } from '../infer/kinds.js'
import { is, isSmallInt } from '../infer/types.js'
import type { Comprehension, ComprehensionClause, Expression, ForClause } from '../syntax/nodes.js'
import { eachTarget } from '../syntax/walk.js'
import type { Code } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { writeLoop } from './loops.js'
import { mayMutate } from './purity.js'

export function comprehension(g: Generation, c: Comprehension): Code {
  if (c.form === 'generator' && g.facts.resolution.lazy.has(c)) return lazy(g, c)
  return inOwnBlock(g, c, () => eager(g, c))
}

function eager(g: Generation, c: Comprehension): Code {
  const result = g.out.temporary()
  switch (c.form) {
    case 'list':
    case 'generator':
      collect(g, c, result)
      break
    case 'set':
      g.out.line`${result} = ${g.help('makeSet', [js.array([])])};`
      clauses(g, c, { element: () => g.out.line`${g.help('setAdd', [result, g.expression(c.element)], c.element)};` })
      break
    case 'dict':
      g.out.line`${result} = ${js.construct(g.names.helper('Map'))};`
      clauses(g, c, { element: () => writeEntry(g, c, result) })
  }
  return result
}

/**
 * Writes the comprehension in a block of its own if inner functions capture its variables, which are then new ones each
 * time.
 */
function inOwnBlock(g: Generation, c: Comprehension, write: () => Code): Code {
  const captured = [...g.facts.resolution.scopeOf.get(c)!.bindings.values()].filter((b) => b.captured)
  if (captured.length === 0) return write()
  g.out.line`{ let ${js.listed(captured.map((b) => g.names.variable(b)))};`
  const result = write()
  g.out.line`}`
  return result
}

/** Writes a loop that collects the elements in a new list. */
function collect(g: Generation, c: Comprehension, result: Code): void {
  const count = g.out.temporary()
  g.out.line`${result} = []; ${count} = 0;`
  // Storing at the end costs half as much as push().
  clauses(g, c, { element: () => g.out.line`${result}[${count}++] = ${g.expression(c.element)};` })
}

function writeEntry(g: Generation, c: Comprehension, result: Code): void {
  const key = g.out.save(g.expression(c.element))
  const value = g.out.save(g.expression(c.value!))
  const type = g.typeOf(c.element)
  const fast = js.call(js.property(result, 'set'), [key, value])
  if (is(type, STR) || isSmallInt(type)) return g.out.line`${fast};`
  const isPlain = js.some([js.isSmall(key), js.hasType(key, 'string')])
  g.out.line`if (${isPlain}) ${fast}; else ${g.help('dictSet', [result, key, value], c.element)};`
}

/** `any(…)` and `all(…)` over a generator expression, as a JavaScript boolean. */
export function quantifier(g: Generation, name: 'any' | 'all', c: Comprehension): Code {
  return inOwnBlock(g, c, () => quantified(g, name, c))
}

function quantified(g: Generation, name: 'any' | 'all', c: Comprehension): Code {
  const result = g.out.temporary()
  const label = g.names.label()
  g.out.line`${result} = ${js.literal(name === 'all')};`
  const element = (): void => {
    const code = g.test(c.element)
    const decides = name === 'any' ? code : js.not(code)
    g.out.line`if (${decides.text}) { ${result} = ${js.literal(name === 'any')}; break ${label}; }`
  }
  clauses(g, c, { element, label })
  return result
}

/** A generator. The first iterable is evaluated at once, everything else when an element is requested. */
function lazy(g: Generation, c: Comprehension): Code {
  const first = c.clauses[0] as ForClause
  const iterable = g.help('iterable', [g.expression(first.iterable)], first.iterable)
  const source = g.names.blockConstant()
  const inside = {
    isFile: false,
    breakLabel: undefined,
    exception: undefined,
    inCoroutine: false,
    runsLater: true,
    suspends: false,
  }
  const { declarations, body } = g.within(inside, () =>
    g.out.inFunction(() =>
      clauses(g, c, { element: () => g.out.line`${js.yielded(g.expression(c.element))};`, source }),
    ),
  )
  const made = js.functionCode({
    isGenerator: true,
    name: g.names.function('genexpr'),
    parameters: [source],
    body: js.fragment`${declarations}\n${body}\nreturn ${js.NULL};\n`,
  })
  return g.help('generator', [js.literal('<genexpr>'), js.call(made, [iterable])])
}

interface Inside {
  /** Writes the code that takes one element. */
  readonly element: () => void
  /** The label of the outermost loop. */
  readonly label?: Code
  /** The iterable of the outermost loop, if it has been evaluated already. */
  readonly source?: Code
}

/** The loops and conditions of a comprehension, from the clause `at` on. */
function clauses(g: Generation, c: Comprehension, { element, label, source }: Inside, at = 0): void {
  const first = c.clauses[at]
  if (first === undefined) return element()
  const rest = (): void => clauses(g, c, { element }, at + 1)
  if (first.kind === 'IfClause') {
    g.out.line`if (${g.test(first.test).text}) {`
    rest()
    g.out.line`}`
    return
  }
  declareTargets(g, first.target)
  const inside: Expression[] = [c.element, ...(c.value ? [c.value] : []), ...c.clauses.slice(at + 1).map(evaluated)]
  writeLoop(g, {
    target: first.target,
    iterable: first.iterable,
    mutates: inside.some((e) => mayMutate(g, e)),
    // A function created inside sees the variable even after the loop.
    ownCounter: first.target.kind === 'Identifier' && g.bindingOf(first.target)?.captured !== true,
    label,
    source,
    body: rest,
  })
}

function evaluated(clause: ComprehensionClause): Expression {
  return clause.kind === 'IfClause' ? clause.test : clause.iterable
}

/** A comprehension has variables of its own. If nothing captures them, they are declared with those of the function. */
function declareTargets(g: Generation, target: Expression): void {
  eachTarget(target, (t) => {
    if (t.kind !== 'Identifier') return
    const binding = g.bindingOf(t)!
    if (!binding.captured || g.facts.resolution.lazy.has(binding.scope!.node as Comprehension))
      g.out.declare(g.variable(t))
  })
}
