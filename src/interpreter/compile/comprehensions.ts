// Comprehensions (specification: Comprehensions), written as loops in front of the expression that holds them: in
// QuickJS a closure for the body would cost as much as several rounds. `any(… for …)` and `all(… for …)` end their loop
// as soon as the answer is known.

import { STR } from '../infer/kinds.js'
import { is, isSmallInt } from '../infer/types.js'
import type { Comprehension, ComprehensionClause, Expression, ForClause } from '../syntax/nodes.js'
import { captureBlock, declarations, type Generation, newFrame } from './context.js'
import { writeLoop } from './loops.js'
import { save } from './operators.js'
import { mayMutate } from './purity.js'

export function comprehension(g: Generation, c: Comprehension): string {
  if (c.form === 'generator' && g.facts.resolution.lazy.has(c)) return lazy(g, c)
  return inOwnBlock(g, c, () => eager(g, c))
}

function eager(g: Generation, c: Comprehension): string {
  switch (c.form) {
    case 'list':
    case 'generator':
      return collected(g, c)
    case 'set': {
      const result = g.temporary()
      g.out.push(`${result} = ${g.helper('makeSet')}([]);`)
      clauses(
        g,
        c,
        c.clauses,
        () => g.out.push(`${g.helper('setAdd')}${g.mark(c.element)}(${result}, ${g.expression(c.element)});`),
        undefined,
      )
      return result
    }
    case 'dict': {
      const result = g.temporary()
      g.out.push(`${result} = new ${g.helper('Map')}();`)
      clauses(
        g,
        c,
        c.clauses,
        () => {
          const key = save(g, g.expression(c.element))
          const value = save(g, g.expression(c.value!))
          const type = g.typeOf(c.element)
          const plain =
            is(type, STR) || isSmallInt(type) ? undefined : `(${key} | 0) === ${key} || typeof ${key} === "string"`
          const fast = `${result}.set(${key}, ${value})`
          g.out.push(
            plain === undefined
              ? `${fast};`
              : `if (${plain}) ${fast}; else ${g.helper('dictSet')}${g.mark(c.element)}(${result}, ${key}, ${value});`,
          )
        },
        undefined,
      )
      return result
    }
  }
}

/** Variables that functions inside capture are new ones each time the comprehension runs. */
function inOwnBlock(g: Generation, c: Comprehension, write: () => string): string {
  const captured = [...g.facts.resolution.scopeOf.get(c)!.bindings.values()].filter((b) => b.captured)
  if (captured.length === 0) return write()
  g.out.push(`{ let ${captured.map((b) => b.js).join(', ')};`)
  const result = write()
  g.out.push('}')
  return result
}

/** The elements in a new list. */
function collected(g: Generation, c: Comprehension): string {
  const result = g.temporary()
  const count = g.temporary()
  g.out.push(`${result} = []; ${count} = 0;`)
  // Storing at the end is half the price of push().
  clauses(g, c, c.clauses, () => g.out.push(`${result}[${count}++] = ${g.expression(c.element)};`), undefined)
  return result
}

/** `any(…)` and `all(…)` over a generator expression: a JavaScript boolean. */
export function quantifier(g: Generation, name: 'any' | 'all', c: Comprehension): string {
  return inOwnBlock(g, c, () => quantified(g, name, c))
}

function quantified(g: Generation, name: 'any' | 'all', c: Comprehension): string {
  const result = g.temporary()
  const label = g.label()
  g.out.push(`${result} = ${name === 'all'};`)
  clauses(
    g,
    c,
    c.clauses,
    () => {
      const element = g.test(c.element)
      g.out.push(
        `if (${name === 'any' ? element : `!(${element})`}) { ${result} = ${name === 'any'}; break ${label}; }`,
      )
    },
    label,
  )
  return result
}

/**
 * A generator: the first iterable is evaluated where the expression stands, everything else when an element is asked
 * for.
 */
function lazy(g: Generation, c: Comprehension): string {
  const first = c.clauses[0] as ForClause
  const source = g.expression(first.iterable)
  const parameter = g.blockConstant()
  const outer = g.frame
  const outerLoops = g.loops
  const outerCoroutine = g.inCoroutine
  const outerLater = g.runsLater
  const outerSuspends = g.suspends
  g.suspends = false
  g.inCoroutine = false
  g.runsLater = true
  g.frame = newFrame(false)
  g.loops = []
  const body = captureBlock(g, () =>
    clauses(g, c, c.clauses, () => g.out.push(`yield ${g.expression(c.element)};`), undefined, parameter),
  )
  const head = declarations(g.frame)
  g.frame = outer
  g.loops = outerLoops
  g.inCoroutine = outerCoroutine
  g.runsLater = outerLater
  g.suspends = outerSuspends
  const inner = `(function* f_genexpr(${parameter}) {${head}\n${body}\nreturn null;\n})`
  return `${g.helper('generator')}("<genexpr>", ${inner}(${g.helper('iterable')}${g.mark(first.iterable)}(${source})))`
}

function clauses(
  g: Generation,
  c: Comprehension,
  rest: readonly ComprehensionClause[],
  element: () => void,
  label: string | undefined,
  source?: string,
): void {
  const [first, ...others] = rest
  if (first === undefined) return element()
  if (first.kind === 'IfClause') {
    g.out.push(`if (${g.test(first.test)}) {`)
    clauses(g, c, others, element, undefined)
    g.out.push('}')
    return
  }
  declareTargets(g, first.target)
  const inside: Expression[] = [
    c.element,
    ...(c.value ? [c.value] : []),
    ...others.map((o) => (o.kind === 'IfClause' ? o.test : o.iterable)),
  ]
  writeLoop(g, {
    target: first.target,
    iterable: first.iterable,
    mutates: inside.some((e) => mayMutate(g, e)),
    // A function made inside sees the variable after the loop, too.
    ownCounter: first.target.kind === 'Identifier' && g.bindingOf(first.target)?.captured !== true,
    label,
    ...(source === undefined ? {} : { source }),
    body: () => clauses(g, c, others, element, undefined),
  })
}

/** The variables of a comprehension are its own; where nothing captures them, they are declared with the function's. */
function declareTargets(g: Generation, target: Expression): void {
  switch (target.kind) {
    case 'Identifier': {
      const binding = g.bindingOf(target)!
      if (!binding.captured || g.facts.resolution.lazy.has(binding.scope!.node as Comprehension))
        g.frame.variables.add(binding.js)
      return
    }
    case 'ParenExpr':
      return declareTargets(g, target.expression)
    case 'StarredExpr':
      return declareTargets(g, target.value)
    case 'TupleExpr':
    case 'ListExpr':
      for (const e of target.elements) declareTargets(g, e)
      return
    default:
      return
  }
}
