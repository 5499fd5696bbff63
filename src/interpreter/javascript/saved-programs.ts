// Puts the saved programs that a program calls in front of it, each as a method of one object:
// `programs.report({month})` is then a call like any other, and every stage works on the whole.
// compile/saved-programs.ts does the same for Starlark.
// Invariant: a program that calls no saved program is unchanged, and no saved program calls itself.

import type { ObjectPattern, Program as ProgramNode } from 'acorn'
import { type Diagnostic, nearestNames } from '../../diagnostics/index.js'
import { messages } from '../messages.js'
import type { Program, SavedProgram } from '../program.js'
import type { Positions } from '../syntax/index.js'
import { fileOf, type Part, partsOf } from '../whole-text.js'
import type { Fault } from './faults.js'
import { type Parsed, parse } from './parse.js'
import { scopesOf } from './scopes.js'
import { type FunctionNode, isFunction, keyName, memberName, type Node, type Tree, treeOf } from './tree.js'

/** A saved program in the whole tree, and the names in it that the rewriting needs. */
export interface Linked {
  readonly name: string
  /** The function around it. It is not in any text. */
  readonly wrapper: Node
  /** The start of its text in the tree's text. */
  readonly start: number
  readonly end: number
  readonly body: readonly Node[]
  readonly main: Main | undefined
  /** Names that it assigns without declaring them. */
  readonly undeclared: readonly string[]
  readonly hasResult: boolean
}

/** The function `main` of a saved program. */
interface Main {
  readonly statement: Node
  /** Its first parameter, if it destructures an object. */
  readonly pattern: ObjectPattern | undefined
  /** The parameters that no caller can pass. */
  readonly others: readonly Node[]
}

export type ParsedWhole =
  | {
      readonly ok: true
      readonly tree: Tree
      readonly commentLike: readonly number[]
      readonly linked: readonly Linked[]
      /** The start of the program's own text in the tree's text. */
      readonly ownStart: number
      readonly diagnostics: readonly Diagnostic[]
    }
  | { readonly ok: false; readonly fault: Fault }

const NAMESPACE = 'programs'

/** Parses a program and the saved programs that it calls. `positions` are those of the whole text. */
export function parseWhole(program: Program, positions: Positions, known: (name: string) => boolean): ParsedWhole {
  const own = parse(program.text)
  const parts = partsOf(program)
  const { start: ownStart } = parts.at(-1)!
  if (!own.ok) return { ok: false, fault: moved(own.fault, ownStart) }
  const plain = { ...own, linked: [], ownStart: 0, diagnostics: [] }
  if (program.saved === undefined) return plain
  const linker = new Linker(program.saved, parts, { positions, known })
  linker.link(own.tree, ownStart, [])
  if (linker.fault !== undefined) return { ok: false, fault: linker.fault }
  return linker.whole(own, program)
}

function moved(fault: Fault, by: number): Fault {
  return { ...fault, start: fault.start + by, end: fault.end + by }
}

type Text = Extract<Parsed, { ok: true }>

interface World {
  readonly positions: Positions
  /** True for the names of servers and globals. */
  readonly known: (name: string) => boolean
}

class Linker {
  readonly diagnostics: Diagnostic[] = []
  fault: Fault | undefined
  /** Saved programs by name, after parsing. */
  readonly #read = new Map<string, Text>()
  readonly #saved: readonly SavedProgram[]
  readonly #parts: readonly Part[]
  readonly #world: World

  constructor(saved: readonly SavedProgram[], parts: readonly Part[], world: World) {
    this.#saved = saved
    this.#parts = parts
    this.#world = world
  }

  /** Parses the saved programs that a text calls. `path`: the saved programs that contain this one. */
  link(tree: Tree, start: number, path: readonly string[]): void {
    for (const id of scopesOf(tree).free.flatMap(({ id }) => (id.name === NAMESPACE ? [id] : []))) {
      const parent = tree.parentOf(id)
      const name = parent?.type === 'MemberExpression' && parent.object === id ? memberName(parent) : undefined
      const { start: from, end } = name === undefined ? id : parent!
      const span = this.#world.positions.span(start + tree.origin(from), start + tree.origin(end))
      if (name === undefined) this.diagnostics.push(messages.programsAsValue(span))
      else {
        const mistake = this.#mistake(name, span, path)
        if (mistake !== undefined) this.diagnostics.push(mistake)
        else if (!this.#read.has(name)) this.#define(name, path)
      }
    }
  }

  #mistake(name: string, span: Parameters<typeof messages.cycle>[0], path: readonly string[]): Diagnostic | undefined {
    const saved = this.#saved.find((one) => one.name === name)
    const names = this.#saved.map((one) => one.name)
    if (saved === undefined) return messages.unknownProgram(span, name, nearestNames(name, names, 2), names)
    if (saved.language !== 'javascript') return messages.otherLanguage(span, fileOf(saved))
    return path.includes(name) ? messages.cycle(span, [...path.slice(path.indexOf(name)), name]) : undefined
  }

  #define(name: string, path: readonly string[]): void {
    const part = this.#parts.find(({ saved }) => saved?.name === name)!
    const parsed = parse(part.saved!.text!)
    if (!parsed.ok) {
      this.fault ??= moved(parsed.fault, part.start)
      return
    }
    this.#read.set(name, parsed)
    this.link(parsed.tree, part.start, [...path, name])
  }

  /** One tree for all texts. A text whose types were removed is shorter than its part of the whole text. */
  whole(own: Text, program: Program): ParsedWhole {
    const pieces: { readonly at: number; readonly part: Part; readonly origin: Tree['origin'] }[] = []
    const comments: number[] = []
    const linked: Linked[] = []
    let text = ''
    for (const part of this.#parts) {
      const read = part.saved === undefined ? own : this.#read.get(part.saved.name)
      const at = text.length
      pieces.push({ at, part, origin: read?.tree.origin ?? ((offset) => offset) })
      if (read !== undefined) {
        for (const node of read.tree.nodes) shift(node, at)
        comments.push(...read.commentLike.map((offset) => offset + at))
      }
      text += `${read?.tree.text ?? part.saved!.text!}${part.saved === undefined ? '' : '\n'}`
      if (read !== undefined && part.saved !== undefined)
        linked.push(linkedOf(part.saved.name, read.tree, { start: at, end: text.length - 1 }, this.#world.known))
    }
    const { at: ownStart } = pieces.at(-1)!
    const body = [...(linked.length === 0 ? [] : [declarationOf(linked, ownStart)]), ...own.tree.program.body]
    const tree = treeOf(text, { ...own.tree.program, start: 0, body } as ProgramNode)
    const origin = (offset: number): number => {
      const { at, part, origin: inPart } = pieces.findLast((piece) => piece.at <= offset)!
      return part.start + Math.min(inPart(offset - at), (part.saved?.text ?? program.text).length)
    }
    const { diagnostics } = this
    return { ok: true, tree: { ...tree, origin }, commentLike: comments, linked, ownStart, diagnostics }
  }
}

function shift(node: Node, by: number): void {
  node.start += by
  node.end += by
}

function linkedOf(
  name: string,
  { program, ...tree }: Tree,
  place: { readonly start: number; readonly end: number },
  known: (name: string) => boolean,
): Linked {
  const body = program.body as readonly Node[]
  const scopes = scopesOf({ program, ...tree })
  const free = scopes.free.filter(({ id, isWrite }) => isWrite && !known(id.name))
  const undeclared = [...new Set(free.map(({ id }) => id.name))]
  const hasResult = scopes.topLevel.has('result') || undeclared.includes('result')
  const wrapper = wrapperOf(body, undeclared, place)
  return { name, wrapper, ...place, body, main: mainOf({ program, ...tree }), undeclared, hasResult }
}

// ---- nodes that stand in no text -----------------------------------------------------------------------------------

function made(type: string, at: { readonly start: number; readonly end: number }, fields: object): Node {
  return { type, start: at.start, end: at.end, ...fields } as unknown as Node
}

function named(name: string, { start }: { readonly start: number }): Node {
  return made('Identifier', { start, end: start }, { name })
}

function wrapperOf(
  body: readonly Node[],
  undeclared: readonly string[],
  place: { readonly start: number; readonly end: number },
): Node {
  const at = { start: place.start, end: place.start }
  const declarations = undeclared.map((name) => made('VariableDeclarator', at, { id: named(name, at), init: null }))
  const first = declarations.length === 0 ? [] : [made('VariableDeclaration', at, { kind: 'let', declarations })]
  const block = made('BlockStatement', place, { body: [...first, ...body] })
  const flags = { id: null, params: [], async: false, generator: false, expression: false }
  return made('ArrowFunctionExpression', place, { ...flags, body: block })
}

function declarationOf(linked: readonly Linked[], end: number): Node {
  const place = { start: 0, end }
  const flags = { kind: 'init', method: false, shorthand: false, computed: false }
  const properties = linked.map(({ name, wrapper }) =>
    made('Property', wrapper, { ...flags, key: named(name, wrapper), value: wrapper }),
  )
  const init = made('ObjectExpression', place, { properties })
  const declarator = made('VariableDeclarator', place, { id: named(NAMESPACE, place), init })
  return made('VariableDeclaration', place, { kind: 'const', declarations: [declarator] })
}

// ---- main ----------------------------------------------------------------------------------------------------------

/** The function `main` of a program; undefined if there is none or several, or if the program itself uses it. */
export function mainOf({ program, nodes }: Pick<Tree, 'program' | 'nodes'>): Main | undefined {
  const mains = (program.body as readonly Node[]).flatMap((statement) =>
    functionsIn(statement).map((params) => ({ statement, params })),
  )
  const [main] = mains
  const mentions = nodes.filter((node) => node.type === 'Identifier' && node.name === 'main')
  if (main === undefined || mentions.length > 1) return undefined
  const { statement, params } = main
  const [first] = params
  const inner = first?.type === 'AssignmentPattern' ? (first.left as Node) : first
  const pattern = inner?.type === 'ObjectPattern' ? inner : undefined
  return { statement, pattern, others: pattern === undefined ? params : params.slice(1) }
}

/** The parameters of each function named `main` that a statement declares. */
function functionsIn(statement: Node): (readonly Node[])[] {
  if (statement.type === 'FunctionDeclaration') return statement.id?.name === 'main' ? [statement.params] : []
  if (statement.type !== 'VariableDeclaration') return []
  return statement.declarations.flatMap(({ id, init }) =>
    id.type === 'Identifier' && id.name === 'main' && init && isFunction(init as Node)
      ? [(init as FunctionNode).params]
      : [],
  )
}

/** The names into which an object is destructured, each with its default. */
export function parametersOf({ properties }: ObjectPattern) {
  return properties.flatMap((p): { readonly name: string; readonly node: Node; readonly usual?: Node }[] => {
    const name = p.type === 'Property' ? keyName(p) : undefined
    if (p.type !== 'Property' || name === undefined) return []
    return [{ name, node: p.value, ...(p.value.type === 'AssignmentPattern' ? { usual: p.value.right } : {}) }]
  })
}

/** The value of a constant that JSON can hold; undefined for every other expression. */
export function constantOf(node: Node): { readonly value: unknown } | undefined {
  switch (node.type) {
    case 'Literal':
      return node.value === null || ['string', 'number', 'boolean'].includes(typeof node.value)
        ? { value: node.value }
        : undefined
    case 'UnaryExpression': {
      const { value } = (node.operator === '-' ? constantOf(node.argument) : undefined) ?? {}
      return typeof value === 'number' ? { value: -value } : undefined
    }
    case 'ArrayExpression': {
      const all = node.elements.map((one) => (one === null ? undefined : constantOf(one as Node)))
      return all.every((one) => one !== undefined) ? { value: all.map(({ value }) => value) } : undefined
    }
    case 'ObjectExpression': {
      const all = node.properties.map((p) => {
        const key = p.type === 'Property' ? keyName(p) : undefined
        const constant = p.type === 'Property' ? constantOf(p.value as Node) : undefined
        return key === undefined || constant === undefined ? undefined : ([key, constant.value] as const)
      })
      return all.every((one) => one !== undefined) ? { value: Object.fromEntries(all) } : undefined
    }
    default:
      return undefined
  }
}
