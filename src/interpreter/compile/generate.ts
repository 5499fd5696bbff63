// Puts a whole program together: the stages' tables become one JavaScript function that takes the prelude and returns the result.
// Invariant: the text contains no program text but what quote() escaped, numbers, and identifiers of our own namespace.

import type { Diagnostic } from '../../diagnostics/index.js'
import type { Dialect } from '../dialect.js'
import type { ForeignNamespace } from '../foreign.js'
import { infer } from '../infer/infer.js'
import { quote } from '../quote.js'
import type { Binding, Resolution } from '../resolve/index.js'
import type { Expression, File, NodeBase, Statement } from '../syntax/nodes.js'
import type { Positions } from '../syntax/positions.js'
import { forEachStatement } from '../syntax/walk.js'
import type { Universe } from '../universe.js'
import { type Reads, Roles } from './ahead.js'
import { aheadExpression } from './ahead-code.js'
import { Concurrency } from './concurrency.js'
import { captureBlock, declarations, type Generation, newFrame } from './context.js'
import { expression, test } from './expressions.js'
import { statementStarts } from './needs-statements.js'
import { Origins, type OriginTable } from './origins.js'
import { block } from './statements.js'

export interface GenerateOptions {
  readonly dialect: Dialect
  readonly universe: Universe
  readonly positions: Positions
  readonly foreign: readonly ForeignNamespace[]
  /** What the program runs ahead of; absent: it waits for every call. */
  readonly reads?: Reads
  /** Can the embedding host freeze values? */
  readonly freezes: boolean
  /** Does the program ask for docstrings anywhere? */
  readonly keepsDocs: boolean
  /** Does the program ask for what is being handled, or raise it again from elsewhere? */
  readonly keepsHandled: boolean
}

/** The text with which a body begins. */
function docstring(body: readonly Statement[] | undefined): string | undefined {
  const first = body?.[0]
  return first?.kind === 'ExprStmt' && first.expression.kind === 'StringLiteral' ? first.expression.value : undefined
}

export interface Generated {
  readonly code: string
  readonly positions: OriginTable
  readonly diagnostics: readonly Diagnostic[]
}

export function generate(file: File, resolution: Resolution, options: GenerateOptions): Generated {
  const { dialect, universe, positions } = options
  const origins = new Origins()
  const diagnostics: Diagnostic[] = []
  const helpers = new Set<string>()
  const builtins = new Set<string>()
  const methods = new Set<string>()
  const constants = new Map<string, string>()
  const signatures: string[] = []
  let labels = 0
  let blockConstants = 0
  let catches = false
  let classes = false
  let inPlace = false
  const methodNames = new Set<string>()
  let formatsItself = false
  forEachStatement(file.body, (s) => {
    if (s.kind === 'TryStmt' || s.kind === 'WithStmt') catches = true
    if (s.kind === 'ClassStmt') {
      classes = true
      if (s.bases.some((b) => changesItself(b.value))) inPlace = true
      for (const m of s.body) if (m.kind === 'DefStmt') methodNames.add(m.name.name)
    }
    if (s.kind === 'DefStmt' && s.name.name === '__format__') formatsItself = true
    if (
      s.kind === 'DefStmt' &&
      /^__i(?:add|sub|mul|matmul|truediv|floordiv|mod|pow|and|or|xor|lshift|rshift)__$/.test(s.name.name)
    )
      inPlace = true
  })
  const { reads } = options
  const roles = reads === undefined ? undefined : new Roles(file, resolution, reads)

  const g: Generation = {
    dialect,
    universe,
    resolution,
    inference: infer(file, resolution, { strict: dialect.strict, classes, ahead: reads !== undefined }),
    origins,
    namespaces: new Set(options.foreign.map((f) => f.name)),
    out: [],
    frame: newFrame(true),
    loops: [],
    catches,
    hasClasses: classes,
    methodNames,
    hasOwnEquality: classes || [...resolution.outside].some((b) => b.name === 'type' && b.kind === 'universal'),
    changesInPlace: inPlace,
    result: fileBinding(resolution, 'result')?.js,
    formatsItself,
    enclosingClass: undefined,
    self: undefined,
    inCoroutine: false,
    roles,
    concurrency: new Concurrency(file, resolution, options.foreign),
    suspends: false,
    runsLater: false,
    qualifiers: [],
    countsCalls: [...resolution.outside].some((b) => b.name === 'RecursionError' && b.kind === 'universal'),
    keepsHandled: options.keepsHandled,
    freezes: options.freezes,
    helper(name) {
      helpers.add(name)
      return `h_${name}`
    },
    builtin(name) {
      builtins.add(name)
      return `b_${name}`
    },
    method(name) {
      methods.add(name)
      return `m_${name}`
    },
    constant(code) {
      let name = constants.get(code)
      if (name === undefined) {
        name = `k${constants.size}`
        constants.set(code, name)
      }
      return name
    },
    blockConstant: () => `d${blockConstants++}`,
    signature(name, formal, n, qualified, doc) {
      const active = dialect.recursion ? '' : ', active: false'
      signatures.push(
        `{name: ${quote(name)}, n: ${n}, parameters: [${formal.parameters.map(quote).join(', ')}], positional: ${formal.positional}, ` +
          `positionalOnly: ${formal.positionalOnly}, required: [${formal.required.join(', ')}], argsSlot: ${formal.argsSlot}, ` +
          `kwargsSlot: ${formal.kwargsSlot}, builtin: false${active}${qualified === undefined ? '' : `, qualified: ${quote(qualified)}`}${doc === undefined ? '' : `, doc: ${quote(doc)}`}}`,
      )
      return `s${signatures.length - 1}`
    },
    docOf: (body) => (options.keepsDocs ? docstring(body) : undefined),
    module: (name) => g.constant(g.namespaces.has(name) ? `$.predeclared(${quote(name)})` : `$.module(${quote(name)})`),
    localNames(fn) {
      const scope = resolution.scopeOf.get(fn)
      return scope === undefined ? [] : [...scope.bindings.values()].map((b) => b.js)
    },
    usesIn: (binding, s) => usesIn(resolution, binding, s),
    products: new Map(),
    statementStarts: statementStarts(resolution),
    onlyUsedIn: (binding, s) => binding.from >= s.start && binding.to <= s.end,
    label: () => `L${labels++}`,
    temporary() {
      const n = g.frame.used++
      g.frame.most = Math.max(g.frame.most, g.frame.used)
      return `t${n}`
    },
    mark: (node, native) =>
      origins.mark({ start: node.start, end: node.end, ...(native === undefined ? {} : { native }) }),
    typeOf: (e) => g.inference.typeOf(e),
    bindingOf: (e) => resolution.bindingOf.get(e),
    span: (node) => positions.span(node.start, node.end),
    refuse(node, what, instead) {
      diagnostics.push({
        class: 'program error',
        code: 'not-supported',
        message: `${what} is not supported`,
        span: positions.span(node.start, node.end),
        hint: instead,
      })
    },
    expression: roles === undefined ? (e) => expression(g, e) : (e) => aheadExpression(g, e),
    test: (e) => test(g, e),
    block: (body) => block(g, body),
  }

  const body = captureBlock(g, () => writeFile(g, file))
  for (const [, scope] of resolution.scopeOf) {
    if (scope.kind === 'file') for (const b of scope.bindings.values()) g.frame.variables.add(b.js)
  }
  const head = [
    '"use strict";',
    helpers.size === 0 ? '' : `var {${[...helpers].map((h) => `${h}: h_${h}`).join(', ')}} = $.helpers;`,
    ...[...builtins].map((b) => `var b_${b} = $.builtin(${quote(b)});`),
    ...[...methods].map((m) => `var m_${m} = $.methodSymbol(${quote(m)});`),
    ...[...constants].map(([code, name]) => `var ${name} = ${code};`),
    ...signatures.map((s, i) => `var s${i} = ${s};`),
    declarations(g.frame),
  ]
  const foreign = namespaces(options.foreign, resolution)
  const text = `$starbind(${foreign}, function toplevel($) {\n${head.filter((l) => l !== '').join('\n')}\n${body}\n}${reads === undefined ? '' : `, ${readNames(reads)}`})`
  const settled = origins.settle(text)
  return { code: settled.code, positions: settled.table, diagnostics }
}

const mutableBases = /^(?:dict|list|set|deque|Counter|defaultdict|OrderedDict|UserDict|UserList|Mutable\w+)$/

/** Do objects of classes with this base change themselves in `x += y`? */
function changesItself(base: Expression): boolean {
  if (base.kind === 'IndexExpr') return changesItself(base.object)
  return mutableBases.test(base.kind === 'DotExpr' ? base.name.name : base.kind === 'Identifier' ? base.name : '')
}

/** The program's statements, and what it returns: `result`, else (in the default dialect) the value of a last bare expression. */
function writeFile(g: Generation, file: File): void {
  const last = file.body[file.body.length - 1]
  const lastValue = !g.dialect.strict && last?.kind === 'ExprStmt' ? last.expression : undefined
  const exits = !g.dialect.strict && [...g.resolution.outside].some((b) => exiting.has(b.name))
  if (exits) g.out.push('try {')
  g.block(lastValue === undefined ? file.body : file.body.slice(0, -1))
  const value = lastValue === undefined ? 'undefined' : lastExpression(g, lastValue)
  const { result } = g
  g.out.push(result === undefined ? `return ${value};` : `return ${result} === undefined ? ${value} : ${result};`)
  // An early end leaves the result as it is.
  if (exits) g.out.push(`} catch (e) { ${g.helper('exited')}(e); } return ${result ?? 'undefined'};`)
}

/** What a program must name to end itself early. */
const exiting: ReadonlySet<string> = new Set(['sys', 'exit', 'quit', 'SystemExit'])

/** None is no value: most last expressions are calls that are made for their effect. */
function lastExpression(g: Generation, e: Expression): string {
  const t = g.temporary()
  g.out.push(`${t} = ${g.expression(e)};`)
  return `(${t} === null ? undefined : ${t})`
}

function fileBinding(resolution: Resolution, name: string): Binding | undefined {
  for (const [, scope] of resolution.scopeOf) if (scope.kind === 'file') return scope.bindings.get(name)
  return undefined
}

function usesIn(resolution: Resolution, binding: Binding, s: NodeBase): number {
  let uses = 0
  for (const [id, named] of resolution.bindingOf)
    if (named === binding && id.start >= s.start && id.end <= s.end) uses++
  return uses
}

/** The names that the guest knows reads by. */
function readNames(reads: Reads): string {
  const names = [...reads].flatMap(([space, members]) => [...new Set(members.values())].map((m) => `${space}.${m}`))
  return `[${names.map(quote).join(', ')}]`
}

/** The namespaces that the program names, with their functions, as an object literal. */
function namespaces(foreign: readonly ForeignNamespace[], resolution: Resolution): string {
  const used = new Set([...resolution.outside].filter((b) => b.kind === 'predeclared').map((b) => b.name))
  const parts = foreign
    .filter((f) => used.has(f.name))
    .map(
      (f) =>
        `[${quote(f.name)}]: [${f.members.map((m) => `[${[m.name, ...(m.aliases ?? [])].map(quote).join(', ')}]`).join(', ')}]`,
    )
  return `{${parts.join(', ')}}`
}
