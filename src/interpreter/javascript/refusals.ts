// What JavaScript programs may not have, and what to use instead: names, members of what is there, and syntax. Refused
// before anything runs.
// Knows nothing of tools.

import type { Diagnostic, Span } from '../../diagnostics/index.js'
import type { Dialect } from '../dialect.js'
import { noClock, noFiles, noNetwork, noProcess, noRandom, type Refusal } from '../refusals.js'
import { messages } from './messages.js'
import type { Scopes } from './scopes.js'
import { isFunction, keyName, memberName, type Node, type Tree } from './tree.js'

const noModules: Refusal = {
  reason: 'programs import nothing',
  instead: 'what is there is already bound: servers by their names, and the JavaScript library',
}
const noPage: Refusal = { reason: 'programs run in no page', instead: 'take the data from a tool' }
const noEval: Refusal = {
  reason: 'programs can not run text as code',
  instead: 'write the code itself, or parse data with JSON.parse',
}
const noThreads: Refusal = {
  reason: 'programs run in one thread',
  instead: 'let calls overlap: await Promise.all([…])',
}
const noMemory: Refusal = { reason: 'programs can not look at their memory', instead: 'keep the objects themselves' }
const nobody: Refusal = { reason: 'nobody is there to answer', instead: 'put the value into the program' }
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
  WebAssembly: noEval,
  SharedArrayBuffer: noThreads,
  Atomics: noThreads,
  Worker: noThreads,
  WeakRef: noMemory,
  FinalizationRegistry: noMemory,
}

const noMeasure: Refusal = { reason: noClock.reason, instead: 'leave it out' }

/** Members of what is there, and of what is not where the member tells more. */
const refusedMembers: Readonly<Record<string, Refusal>> = {
  'Date.now': noClock,
  'performance.timeOrigin': noClock,
  'Math.random': noChance,
  'console.time': noMeasure,
  'console.timeEnd': noMeasure,
  'console.timeLog': noMeasure,
  'process.env': { reason: 'programs have no environment', instead: 'put the value into the program' },
  'process.exit': { ...noProcess, instead: 'end the program with return' },
  'process.argv': { ...noProcess, instead: 'put the value into the program' },
}

const nowDate: Refusal = {
  ...noClock,
  instead: 'give it an explicit time: new Date("2026-01-31T12:00:00Z") (a person may set codeMode.clock to "run")',
}

export type SpanOf = (node: { readonly start: number; readonly end: number }) => Span

/**
 * Everything refused, in the order of the text. `taken` names mean something else: a server, or what the program itself
 * declares.
 */
export function refusals(
  tree: Tree,
  scopes: Scopes,
  options: { readonly span: SpanOf; readonly dialect: Dialect; readonly taken: (name: string) => boolean },
): Diagnostic[] {
  const { span, dialect, taken } = options
  const free = new Set<Node>(scopes.free.filter(({ id }) => !taken(id.name)).map(({ id }) => id))
  const isFree = (node: Node, name: string): boolean =>
    node.type === 'Identifier' && node.name === name && free.has(node)
  const found: Diagnostic[] = []
  const refuse = (node: Node, name: string, { reason, instead, unless }: Refusal): void => {
    if (unless !== undefined && dialect[unless]) return
    found.push(messages.refusedName(span(node), name, reason, instead))
  }
  for (const node of tree.nodes) {
    switch (node.type) {
      case 'ImportDeclaration':
        found.push(messages.importRefused(span(node), 'import'))
        break
      case 'ImportExpression':
        found.push(messages.importRefused(span(node), 'import()'))
        break
      case 'MetaProperty':
        if (node.meta.name === 'import') found.push(messages.importRefused(span(node), 'import.meta'))
        break
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
      case 'ExportAllDeclaration': {
        const declared = node.type === 'ExportAllDeclaration' ? undefined : node.declaration
        const what = declared && isFunction(declared as Node) ? 'function' : 'value'
        found.push(messages.exportRefused(span({ start: node.start, end: node.start + 'export'.length }), what))
        break
      }
      case 'Identifier': {
        const refusal = free.has(node) && isTested(tree, node) === false ? own(refusedNames, node.name) : undefined
        if (refusal !== undefined && !hasOwnRefusal(tree, node)) refuse(node, node.name, refusal)
        break
      }
      case 'MemberExpression': {
        const name = memberName(node)
        if (name === undefined || node.object.type !== 'Identifier' || isTested(tree, node)) break
        const object = node.object.name
        if (!isFree(node.object, object)) break
        const refusal = object === 'globalThis' ? own(refusedNames, name) : own(refusedMembers, `${object}.${name}`)
        if (refusal !== undefined) refuse(node, `${object}.${name}`, refusal)
        break
      }
      case 'VariableDeclarator': {
        const { id, init } = node
        if (id.type !== 'ObjectPattern' || init?.type !== 'Identifier' || !isFree(init, init.name)) break
        for (const part of id.properties) {
          const name = part.type === 'Property' ? keyName(part) : undefined
          const refusal = own(refusedMembers, `${init.name}.${name}`)
          if (refusal !== undefined) refuse(part, `${init.name}.${name}`, refusal)
        }
        break
      }
      case 'NewExpression':
        if (isFree(node.callee, 'Date') && node.arguments.length === 0) refuse(node, 'new Date()', nowDate)
        break
      case 'CallExpression':
        if (isFree(node.callee, 'Date')) refuse(node, 'Date()', nowDate)
        break
      default:
    }
  }
  return found
}

/** Is it refused with the member that is asked of it? */
function hasOwnRefusal(tree: Tree, node: Extract<Node, { type: 'Identifier' }>): boolean {
  const parent = tree.parentOf(node)
  if (parent?.type !== 'MemberExpression' || parent.object !== node || isTested(tree, parent)) return false
  return own(refusedMembers, `${node.name}.${memberName(parent)}`) !== undefined
}

/** `typeof x` is how programs ask whether a name is there. */
export function isTested(tree: Tree, node: Node): boolean {
  const parent = tree.parentOf(node)
  return parent?.type === 'UnaryExpression' && parent.operator === 'typeof'
}

function own(table: Readonly<Record<string, Refusal>>, name: string): Refusal | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
