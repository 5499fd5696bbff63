// Names, members and syntax that JavaScript programs may not use, with reasons and replacements. They are refused
// before anything runs. Knows nothing of tools.

import type { Diagnostic, Span } from '../../diagnostics/index.js'
import type { Dialect } from '../dialect.js'
import { noClock, noFiles, noKeptValues, noNetwork, noProcess, noRandom, type Refusal } from '../refusals.js'
import { messages } from './messages.js'
import type { Scopes } from './scopes.js'
import { isFunction, keyName, memberName, type Node, type Tree } from './tree.js'

const noModules: Refusal = {
  reason: 'programs import nothing',
  instead: 'servers and the JavaScript library are already bound',
}
const noPage: Refusal = { reason: 'programs do not run in a page', instead: 'take the data from a tool' }
const noEval: Refusal = {
  reason: 'programs cannot run text as code',
  instead: 'write the code itself, or parse data with JSON.parse',
}
const noThreads: Refusal = {
  reason: 'programs run in one thread',
  instead: 'let calls overlap: await Promise.all([…])',
}
const noMemory: Refusal = { reason: 'programs cannot look at their memory', instead: 'keep the objects themselves' }
const nobody: Refusal = { reason: 'programs have no input', instead: 'put the value into the program' }
const noBuffer: Refusal = {
  reason: 'it belongs to Node',
  instead: 'use Uint8Array, TextEncoder and TextDecoder, atob and btoa',
}

const noChance: Refusal = {
  ...noRandom,
  instead: 'choose by position, and number what needs an id (a person may set codeMode.random to "seeded")',
}

const refusedNames: Readonly<Record<string, Refusal>> = {
  eval: noEval,
  Function: noEval,
  requestAnimationFrame: noPage,
  Temporal: { reason: 'it is not part of this engine', instead: 'use Date with explicit values' },
  fetch: noNetwork,
  XMLHttpRequest: noNetwork,
  WebSocket: noNetwork,
  EventSource: noNetwork,
  navigator: noNetwork,
  axios: noNetwork,
  require: noModules,
  module: noModules,
  exports: noModules,
  importScripts: noModules,
  process: noProcess,
  Deno: noProcess,
  Bun: noProcess,
  std: noProcess,
  os: noProcess,
  __dirname: noFiles,
  __filename: noFiles,
  fs: noFiles,
  Buffer: noBuffer,
  window: noPage,
  document: noPage,
  localStorage: noPage,
  sessionStorage: noPage,
  alert: nobody,
  prompt: nobody,
  confirm: nobody,
  crypto: noChance,
  memory: noKeptValues,
  WebAssembly: noEval,
  SharedArrayBuffer: noThreads,
  Atomics: noThreads,
  Worker: noThreads,
  WeakRef: noMemory,
  FinalizationRegistry: noMemory,
}

const noMeasure: Refusal = { reason: noClock.reason, instead: 'leave it out' }

/** Refused members. Some belong to refused objects, if the message about the member says more. */
const refusedMembers: Readonly<Record<string, Refusal>> = {
  'Date.now': noClock,
  'performance.timeOrigin': noClock,
  'Math.random': noChance,
  'console.time': noMeasure,
  'console.timeEnd': noMeasure,
  'console.timeLog': noMeasure,
  'process.env': { reason: 'programs have no environment', instead: 'put the value into the program' },
  'process.exit': { ...noProcess, instead: 'end the program with return' },
  'process.argv': { ...noProcess, instead: 'put the value into the program', unless: 'input' },
  'process.stdin': { ...nobody, unless: 'input' },
}

const nowDate: Refusal = {
  ...noClock,
  instead: 'give it an explicit time: new Date("2026-01-31T12:00:00Z") (a person may set codeMode.clock to "run")',
}

export type SpanOf = (node: { readonly start: number; readonly end: number }) => Span

interface RefusalOptions {
  readonly span: SpanOf
  readonly dialect: Dialect
  readonly taken: (name: string) => boolean
}

/**
 * All refusals, in the order of the text. `taken` names mean something else: a server, or a declaration of the program.
 */
export function refusals(tree: Tree, scopes: Scopes, { span, dialect, taken }: RefusalOptions): Diagnostic[] {
  const free = new Set<Node>(scopes.free.filter(({ id }) => !taken(id.name)).map(({ id }) => id))
  const found: Diagnostic[] = []
  for (const node of tree.nodes) {
    const module = refusedModule(node, span)
    if (module !== undefined) found.push(module)
    for (const { at, name, refusal } of refusedIn(node, tree, free)) {
      const { reason, instead, unless } = refusal
      if (unless === undefined || !dialect[unless]) found.push(messages.refusedName(span(at), name, reason, instead))
    }
  }
  return found
}

function refusedModule(node: Node, span: SpanOf): Diagnostic | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
      return messages.importRefused(span(node), 'import')
    case 'ImportExpression':
      return messages.importRefused(span(node), 'import()')
    case 'MetaProperty':
      return node.meta.name === 'import' ? messages.importRefused(span(node), 'import.meta') : undefined
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
    case 'ExportAllDeclaration': {
      const declared = node.type === 'ExportAllDeclaration' ? undefined : node.declaration
      const what = declared && isFunction(declared as Node) ? 'function' : 'value'
      return messages.exportRefused(span({ start: node.start, end: node.start + 'export'.length }), what)
    }
    default:
      return undefined
  }
}

interface Refused {
  readonly at: Node
  readonly name: string
  readonly refusal: Refusal
}

/** The refused names in a node itself. `free` names are the engine's. */
function refusedIn(node: Node, tree: Tree, free: ReadonlySet<Node>): Refused[] {
  const refused = (name: string, refusal: Refusal | undefined, at = node): Refused[] =>
    refusal === undefined ? [] : [{ at, name, refusal }]
  const isDate = (callee: Node): boolean => callee.type === 'Identifier' && callee.name === 'Date' && free.has(callee)
  switch (node.type) {
    case 'Identifier': {
      const isRead = free.has(node) && !isTested(tree, node) && !hasOwnRefusal(tree, node)
      return isRead ? refused(node.name, own(refusedNames, node.name)) : []
    }
    case 'MemberExpression': {
      const name = memberName(node)
      const { object } = node
      if (name === undefined || object.type !== 'Identifier' || !free.has(object) || isTested(tree, node)) return []
      const path = `${object.name}.${name}`
      return refused(path, object.name === 'globalThis' ? own(refusedNames, name) : own(refusedMembers, path))
    }
    case 'VariableDeclarator': {
      const { id, init } = node
      if (id.type !== 'ObjectPattern' || init?.type !== 'Identifier' || !free.has(init)) return []
      return id.properties.flatMap((part) => {
        const path = `${init.name}.${part.type === 'Property' ? keyName(part) : undefined}`
        return refused(path, own(refusedMembers, path), part)
      })
    }
    case 'NewExpression':
      return isDate(node.callee) && node.arguments.length === 0 ? refused('new Date()', nowDate) : []
    case 'CallExpression':
      return isDate(node.callee) ? refused('Date()', nowDate) : []
    default:
      return []
  }
}

/** True if the refusal of a member of this name replaces that of the name. */
function hasOwnRefusal(tree: Tree, node: Extract<Node, { type: 'Identifier' }>): boolean {
  const parent = tree.parentOf(node)
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'ObjectPattern')
    return parent.id.properties.every(
      (part) => part.type === 'Property' && own(refusedMembers, `${node.name}.${keyName(part)}`) !== undefined,
    )
  if (parent?.type !== 'MemberExpression' || parent.object !== node || isTested(tree, parent)) return false
  return own(refusedMembers, `${node.name}.${memberName(parent)}`) !== undefined
}

/** True for `typeof x`, by which programs test whether a name exists. */
export function isTested(tree: Tree, node: Node): boolean {
  const parent = tree.parentOf(node)
  return parent?.type === 'UnaryExpression' && parent.operator === 'typeof'
}

function own(table: Readonly<Record<string, Refusal>>, name: string): Refusal | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
