// The module `graphlib`: sorts the nodes of a graph so that each comes after the nodes on which it depends.

import { exceptionClass } from '../classes/known-classes.js'
import { moduleClass } from '../classes/module-class.js'
import { dictFlat } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { key } from '../containers/keys.js'
import { Iterator } from '../operators/iterators.js'
import { quoted } from '../text/repr.js'
import { guestError, valueError } from '../values/errors.js'
import { said } from '../values/said.js'
import { type Tuple, tuple, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

interface Node {
  readonly value: Value
  /** The number of nodes that it still waits for; -1 if it has been returned, -2 if it is done. */
  waits: number
  readonly successors: Node[]
}

interface Graph {
  readonly nodes: Map<Value, Node>
  ready: Node[] | undefined
  given: number
  done: number
}

const graphs = new WeakMap<object, Graph>()
const graphOf = (x: Value): Graph => graphs.get(x as object)!

function nodeOf(g: Graph, value: Value): Node {
  const k = key(value)
  let node = g.nodes.get(k)
  if (node === undefined) g.nodes.set(k, (node = { value, waits: 0, successors: [] }))
  return node
}

function add(g: Graph, value: Value, predecessors: readonly Value[]): void {
  if (g.ready !== undefined) valueError('Nodes cannot be added after a call to prepare()')
  const node = nodeOf(g, value)
  node.waits += predecessors.length
  for (const p of predecessors) nodeOf(g, p).successors.push(node)
}

/** A cycle as a list whose last node equals its first. Undefined if there is none. */
function cycle(g: Graph): Value[] | undefined {
  const stack: Node[] = []
  const place = new Map<Node, number>()
  const seen = new Set<Node>()
  const iterators: IterableIterator<Node>[] = []
  for (let node of g.nodes.values()) {
    if (seen.has(node)) continue
    for (;;) {
      if (seen.has(node)) {
        const at = place.get(node)
        if (at !== undefined) return [...stack.slice(at), node].map((n) => n.value)
      } else {
        seen.add(node)
        iterators.push(node.successors[Symbol.iterator]())
        place.set(node, stack.length)
        stack.push(node)
      }
      let next: Node | undefined
      while (stack.length > 0) {
        const step = iterators.at(-1)!.next()
        if (step.done !== true) {
          next = step.value
          break
        }
        place.delete(stack.pop()!)
        iterators.pop()
      }
      if (next === undefined) break
      node = next
    }
  }
  return undefined
}

function prepare(g: Graph): void {
  if (g.ready !== undefined) valueError('cannot prepare() more than once')
  g.ready = [...g.nodes.values()].filter((n) => n.waits === 0)
  const found = cycle(g)
  if (found !== undefined) {
    throw guestError('CycleError', said`('nodes are in a cycle', ${quoted(found)})`, {
      args: ['nodes are in a cycle', found],
    })
  }
}

function prepared(g: Graph): Node[] {
  return g.ready ?? valueError('prepare() must be called first')
}

function takeReady(g: Graph): Value[] {
  const now = prepared(g)
  g.ready = []
  g.given += now.length
  for (const n of now) n.waits = -1
  return now.map((n) => n.value)
}

function finish(g: Graph, values: readonly Value[]): void {
  prepared(g)
  for (const value of values) {
    const node = g.nodes.get(key(value))
    if (node === undefined) return valueError(said`node ${quoted(value)} was not added using add()`)
    if (node.waits >= 0) return valueError(said`node ${quoted(value)} was not passed out (still not ready)`)
    if (node.waits === -2) return valueError(said`node ${quoted(value)} was already marked done`)
    node.waits = -2
    g.done++
    for (const s of node.successors) if (--s.waits === 0) g.ready!.push(s)
  }
}

const { cls, define } = moduleClass('TopologicalSorter', 'graphlib')

define('__init__', 'self, graph=', (self, graph) => {
  const g: Graph = { nodes: new Map(), ready: undefined, given: 0, done: 0 }
  graphs.set(self as object, g)
  const flat = graph === undefined || graph === null ? [] : dictFlat(graph as object)
  for (let i = 0; i < flat.length; i += 2) add(g, flat[i]!, items(flat[i + 1]!))
  return null
})
define('add', 'self, node, *predecessors', (self, node, predecessors) => {
  add(graphOf(self!), node!, (predecessors as Tuple).slice(1))
  return null
})
define('prepare', 'self', (self) => {
  prepare(graphOf(self!))
  return null
})
define('get_ready', 'self', (self) => tuple(takeReady(graphOf(self!))))
define('done', 'self, *nodes', (self, nodes) => {
  finish(graphOf(self!), (nodes as Tuple).slice(1))
  return null
})
const isActive = (g: Graph): boolean => g.done < g.given || prepared(g).length > 0
define('is_active', 'self', (self) => isActive(graphOf(self!)))
define('__bool__', 'self', (self) => isActive(graphOf(self!)))
define('static_order', 'self', (self) => {
  const g = graphOf(self!)
  let group: Value[] | undefined
  let i = 0
  return new Iterator('generator', () => {
    if (group === undefined) prepare(g)
    while (group === undefined || i >= group.length) {
      if (group !== undefined) finish(g, group)
      if (!isActive(g)) return undefined
      group = takeReady(g)
      i = 0
    }
    return group[i++]
  })
})

const cycleError = exceptionClass('CycleError')
cycleError.$extras.module = 'graphlib'

export const graphlib: Module = module('graphlib', { TopologicalSorter: cls.$value, CycleError: cycleError.$value })
