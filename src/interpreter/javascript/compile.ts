// The stages of a JavaScript program: text → syntax tree → meanings of names → refusals and checks → the text that the
// guest runs. Reports all independent mistakes at once. Runs nothing.

import type { Identifier } from 'acorn'
import { type Diagnostic, nearestNames } from '../../diagnostics/index.js'
import { dialectOf } from '../dialect.js'
import type { ForeignNamespace } from '../foreign.js'
import { guestImage } from '../images.js'
import { foreignOf } from '../namespaces.js'
import type { Compilation, CompileOptions, Program } from '../program.js'
import { Positions } from '../syntax/index.js'
import { partsOf, wholeText } from '../whole-text.js'
import { checkCall } from './check-calls.js'
import { absentMembers, lackOf, type TypedWorld } from './check-results.js'
import type { Fault } from './faults.js'
import { globalNamesIn } from './globals.js'
import { meantTool } from './meant.js'
import { MOST_DIAGNOSTICS, messages } from './messages.js'
import { hasNamedArguments, namedArguments } from './named-arguments.js'
import { Places } from './places.js'
import { missingAwaits, usesPromises } from './promises.js'
import { reachOf } from './reach.js'
import { readings } from './readings.js'
import { isTested, refusals, type SpanOf } from './refusals.js'
import { rewrite } from './rewrite.js'
import { parseWhole } from './saved-programs.js'
import { type Scopes, scopesOf } from './scopes.js'
import { findByName, Tools } from './tools.js'
import { inherited, memberName, type Node, type Tree } from './tree.js'

export function compileJavaScript(program: Program, options: CompileOptions): Compilation {
  const positions = new Positions(wholeText(program), partsOf(program))
  const foreign = options.foreign ?? []
  const dialect = dialectOf(options.dialect)
  // A server may have this name.
  const memory = dialect.memory && foreign.every(({ name }) => name !== 'memory')
  const globals = globalNamesIn({ ...dialect, memory })
  const known = (name: string) => globals.has(name) || findByName(foreign, name) !== undefined
  const parsed = parseWhole(program, positions, known)
  if (!parsed.ok) return { ok: false, diagnostics: [diagnosticOf(parsed.fault, positions)] }
  const { tree, commentLike, linked, ownStart } = parsed
  const span: SpanOf = ({ start, end }) => positions.span(tree.origin(start), tree.origin(end))
  const scopes = scopesOf(tree)
  const tools = new Tools(tree, scopes, foreign, globals)
  const promises = usesPromises(tree, scopes)
  const undeclared = undeclaredNames(scopes, tools, globals)
  const { unavailable = {} } = options
  const world: World = { tree, scopes, tools, span, foreign, globals, undeclared, unavailable }
  const refused = refusals(tree, scopes, { span, dialect, taken: (name) => tools.named.has(name) })
  const named = namedArguments(tree, scopes, { tools, span })
  const early = [...refused, ...named, ...wrongNames(world, [...refused, ...named])]
  const typed: TypedWorld = { tree, scopes, tools, span, promises }
  const { mistakes, warnings } = options.unchecked ? { mistakes: [], warnings: [] } : checked(world, typed)
  const found = inOrder([...parsed.diagnostics, ...early, ...mistakes])
  if (found.length > 0) return { ok: false, diagnostics: inOrder([...found, ...warnings]).slice(0, MOST_DIAGNOSTICS) }
  const rewritten = rewrite({
    tree,
    scopes,
    tools,
    readings: readings(tree, scopes, tools),
    commentLike,
    linked,
    ownStart,
    promises,
    undeclared: [...undeclared],
  })
  return {
    ok: true,
    warnings,
    program: {
      source: program,
      code: rewritten.code,
      positions: new Places(tree, rewritten, (node) => lackOf(node, typed)),
      dialect,
      reach: reachOf(tree, { scopes, tools, foreign: foreignOf(foreign) }),
      image: guestImage('javascript'),
    },
  }
}

/** The mistakes in values and calls. */
function checked(world: World, typed: TypedWorld): ReturnType<typeof wrongCalls> {
  const { mistakes, warnings } = wrongCalls(world)
  const awaits = typed.promises ? missingAwaits(world) : []
  return { mistakes: [...mistakes, ...awaits, ...absentMembers(typed)], warnings }
}

export function diagnosticOf({ message, hint, start, end, isTooDeep }: Fault, positions: Positions): Diagnostic {
  const place = positions.span(start, end)
  return isTooDeep ? messages.nestedTooDeep(place) : messages.syntax(place, message, hint)
}

interface World {
  readonly tree: Tree
  readonly scopes: Scopes
  readonly tools: Tools
  readonly span: SpanOf
  readonly foreign: readonly ForeignNamespace[]
  readonly globals: ReadonlySet<string>
  readonly undeclared: ReadonlySet<string>
  readonly unavailable: Readonly<Record<string, string>>
}

/** Names that the program assigns without declaring them. They are variables of the whole program. */
function undeclaredNames(scopes: Scopes, tools: Tools, globals: ReadonlySet<string>): Set<string> {
  const written = scopes.free.filter(({ id, isWrite }) => isWrite && !tools.named.has(id.name) && !globals.has(id.name))
  return new Set(written.map(({ id }) => id.name))
}

/** The mistakes in names: unknown names, names that can't be assigned, and members that no server has. */
function wrongNames(world: World, refused: readonly Diagnostic[]): Diagnostic[] {
  const { tree, scopes, tools, span, foreign, globals, undeclared, unavailable } = world
  const found: Diagnostic[] = []
  const candidates = [...foreign.map(({ name }) => name), ...Object.keys(unavailable), ...globals, ...scopes.names]
  const places = new Set(refused.map((d) => `${d.span?.line}:${d.span?.column}`))
  for (const { id, isWrite } of scopes.free) {
    if (found.length >= MOST_DIAGNOSTICS) break
    const place = span(id)
    if (places.has(`${place.line}:${place.column}`)) continue
    if (tools.named.has(id.name)) {
      if (isWrite) found.push(messages.serverAssigned(place, id.name))
      continue
    }
    if (globals.has(id.name) || undeclared.has(id.name) || isTested(tree, id)) continue
    if (id.name === 'arguments' && hasArguments(tree, id)) continue
    const gone = Object.hasOwn(unavailable, id.name) ? unavailable[id.name] : undefined
    if (gone !== undefined) found.push(messages.unavailable(place, id.name, gone))
    else found.push(undefinedName(world, id, candidates))
  }
  for (const binding of new Set(scopes.bindingOf.values())) {
    const [write] = binding.kind === 'const' ? binding.writes : []
    if (write !== undefined && isReached(tree, write)) found.push(messages.constantAssigned(span(write), binding.name))
  }
  const known = found.length
  for (const node of tree.nodes) {
    if (found.length >= known + MOST_DIAGNOSTICS) break
    if (node.type !== 'MemberExpression') continue
    const namespace = tools.namespaceOf(node.object)
    const name = memberName(node)
    if (name === undefined || name in Object.prototype) continue
    if (namespace === undefined) {
      const server = serverBehind(world, node.object, name)
      if (server !== undefined) found.push(messages.toolOfServer(span(node), server.called, name, server.name))
      continue
    }
    if (findByName(namespace.members, name) !== undefined) continue
    const near = nearestNames(
      name,
      namespace.members.map((m) => m.name),
    )
    found.push(messages.unknownMember(span(node), namespace.name, name, near))
  }
  return found
}

/** The server that has the requested tool and whose original name is that of a global. */
function serverBehind(
  { scopes, globals, foreign }: World,
  object: Node,
  member: string,
): { readonly called: string; readonly name: string } | undefined {
  if (object.type !== 'Identifier' || !globals.has(object.name) || scopes.bindingOf.has(object)) return undefined
  const server = findByName(foreign, object.name)
  const value = Object((globalThis as Record<string, unknown>)[object.name])
  if (server === undefined || member in value || findByName(server.members, member) === undefined) return undefined
  return { called: object.name, name: server.name }
}

function undefinedName({ tree, span, foreign }: World, id: Identifier, candidates: readonly string[]): Diagnostic {
  const tool = meantTool(id, tree, foreign)
  if (tool !== undefined) return messages.toolElsewhere(span(id), id.name, tool)
  const near = candidates.filter((name) => name !== id.name && name !== 'undefined')
  return messages.undefinedName(span(id), id.name, nearestNames(id.name, near))
}

/** True inside a function that has `arguments`: any except an arrow function. */
function hasArguments(tree: Tree, id: Node): boolean {
  let fn = tree.functionOf(id)
  while (fn?.type === 'ArrowFunctionExpression') fn = tree.functionOf(fn)
  return fn !== undefined
}

/** True if a run surely reaches the node: it is at the top level and not behind a condition. */
function isReached(tree: Tree, node: Node): boolean {
  for (let at = tree.parentOf(node); at !== undefined && at.type !== 'Program'; at = tree.parentOf(at))
    if (!/^(?:ExpressionStatement|AssignmentExpression|UpdateExpression|BlockStatement)$/.test(at.type)) return false
  return true
}

/**
 * Calls of tools that are wrong in themselves. They can never succeed, so they are mistakes wherever they stand, unless
 * their failure might be caught: in a `try` with a handler, and in the functions of a program that has a handler
 * anywhere.
 */
function wrongCalls({ tree, tools, span }: World): { mistakes: Diagnostic[]; warnings: Diagnostic[] } {
  const mistakes: Diagnostic[] = []
  const warnings: Diagnostic[] = []
  const catches = tree.nodes.some(
    (node) =>
      (node.type === 'TryStatement' && node.handler) ||
      (node.type === 'MemberExpression' &&
        ['catch', 'then', 'allSettled', 'any', 'safe'].includes(memberName(node) ?? '')),
  )
  const caught = inherited(tree, false, isCaught)
  for (const node of tree.nodes) {
    if (node.type !== 'CallExpression') continue
    if (mistakes.length >= MOST_DIAGNOSTICS) break
    if (tools.namespaceOf(node.callee) !== undefined) {
      mistakes.push(messages.serverCalled(span(node), tools.namespaceOf(node.callee)!.name))
      continue
    }
    const tool = tools.toolOf(node.callee)
    if (tool === undefined || hasNamedArguments(node)) continue
    const found = checkCall(node, tool, { tools, span })
    const target = catches && (tree.functionOf(node) !== undefined || caught(node)) ? warnings : mistakes
    target.push(...found)
  }
  return { mistakes, warnings }
}

/** True if an outer node catches failures in this one. */
function isCaught(node: Node, parent: Node, outer: boolean): boolean {
  if (outer) return true
  if (parent.type === 'TryStatement') return parent.block === node && Boolean(parent.handler)
  if (parent.type === 'MemberExpression')
    return parent.object === node && ['catch', 'then'].includes(memberName(parent) ?? '')
  return parent.type === 'CallExpression' && ['allSettled', 'any'].includes(memberName(parent.callee) ?? '')
}

function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const place = ({ span }: Diagnostic): number => (span?.line ?? 0) * 1e6 + (span?.column ?? 0)
  return diagnostics.toSorted((a, b) => place(a) - place(b))
}
