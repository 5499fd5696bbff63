// Tools as Python stub text.
// Invariant: every text is valid stub syntax that contains each tool once under its guest name, and the same tools give
// the same bytes.

import type { BoundServer, BoundTool } from './bound.js'
import { identifierFor } from './identifiers.js'
import type { Observations } from './observed.js'
import { atOnce, type Pieces } from './pieces.js'
import { commentText, cutAtWord, firstSentence, pythonLiteral, pythonString } from './quoting.js'
import { SchemaReader } from './read-schema.js'
import {
  type Declarations,
  declaring,
  type NamedType,
  renderDeclaration,
  renderType,
  resolveAlias,
  TYPING_WORDS,
  type TypeOwner,
  typeName,
} from './render-python.js'
import type { Parameter } from './signature.js'
import type { JsonSchema, Tool } from './tool.js'
import { ANY, eachInner, STR, type Type } from './type.js'
import { valueFits } from './value-fits.js'

export interface StubOptions {
  /** The longest description in a stub line, in code points. */
  readonly descriptionLength: number
  readonly observations?: Observations | undefined
  /** True if a call of this tool needs approval. Absent: never. */
  readonly asks?: ((tool: BoundTool) => boolean) | undefined
}

export const defaultDescriptionLength = 100

/** A whole server: its classes, then a line for each tool. */
export function serverStub(server: BoundServer, options: StubOptions): string {
  return atOnce(serverStubPieces(server, options))
}

export function* serverStubPieces(server: BoundServer, options: StubOptions): Pieces<string> {
  const view = yield* viewing(server, options.observations)
  const declarations: Piece[] = []
  for (const type of view.declarations.all) {
    declarations.push(declarationOf(type, view))
    yield
  }
  const lines: Piece[] = []
  for (const tool of server.tools) {
    lines.push(toolLine(tool, view, options))
    yield
  }
  const count = server.tools.length
  const head = `# ${server.name}: ${count} tool${count === 1 ? '' : 's'}, called as ${server.name}.name(...)`
  return stubFile(head, originOf(server), declarations, lines)
}

/** One tool and the classes it needs. */
export function toolStub(tool: BoundTool, options: StubOptions): string {
  return atOnce(toolStubPieces(tool, options))
}

export function* toolStubPieces(tool: BoundTool, options: StubOptions): Pieces<string> {
  const view = yield* viewing(tool.server, options.observations)
  const reached = reachedFrom(typesOf(tool, view), view.declarations)
  const declarations = reached.map((type) => declarationOf(type, view))
  const head = `# ${tool.server.name}.${tool.name}(...)`
  return stubFile(head, [], declarations, [toolLine(tool, view, options)])
}

/** A tool as one expression: `github.list_issues(owner: str, state: str = ...) -> Any`. Records are dicts here. */
export function signatureText(tool: BoundTool, observations?: Observations): string {
  const { type } = returnsOf(tool, observations)
  const parameters = parameterList(tool, (one) => typeName(one))
  return `${tool.server.name}.${tool.name}(${parameters}) -> ${typeName(type)}`
}

/**
 * A tool's return type, and whether it is known from earlier answers. `JSON text`: they were texts, and some of them
 * JSON.
 */
export interface Returns {
  readonly type: Type
  readonly observed: 'observed' | 'JSON text' | undefined
}

export function returnsOf(tool: BoundTool, observations?: Observations): Returns {
  if (tool.tool.outputSchema !== undefined) return { type: tool.signature.returns, observed: undefined }
  const { server, tool: own } = tool
  if (observations?.isJsonText(server.source.name, own.name) === true) return { type: STR, observed: 'JSON text' }
  const seen = observations?.schemaOf(server.source.name, own.name)
  if (seen === undefined) return { type: ANY, observed: undefined }
  return { type: observedType(seen, own.name), observed: 'observed' }
}

/** A tool in a few words: its annotations and its first sentence. `asks`: a call needs approval. */
export function toolWords({ tool }: BoundTool, length: number, asks = false): string {
  const description = firstSentence(tool.description ?? tool.title ?? '', length)
  return [annotationWords(tool, asks).join(', '), description].filter((part) => part !== '').join(': ')
}

/** The annotations, one word each. */
export function annotationWords(tool: Tool, asks = false): string[] {
  const { readOnlyHint, destructiveHint, idempotentHint } = tool.annotations ?? {}
  return [
    ...(readOnlyHint === true ? ['read-only'] : []),
    ...(readOnlyHint !== true && destructiveHint === true ? ['destructive'] : []),
    ...(readOnlyHint !== true && idempotentHint === true ? ['idempotent'] : []),
    ...(asks ? ['asks a person'] : []),
  ]
}

/** `name: type = default` for each parameter. */
function parameterList(tool: BoundTool, render: (type: Type) => string): string {
  const { parameters, extra } = tool.signature
  const texts = parameters.map((parameter) => {
    const text = `${parameter.name}: ${render(parameter.type)}`
    return parameter.required ? text : `${text} = ${defaultText(parameter)}`
  })
  if (extra !== undefined)
    texts.push(`**${parameters.some((one) => one.name === 'extra') ? 'extra_' : 'extra'}: ${render(extra)}`)
  return texts.join(', ')
}

/** The common parts of both levels of a server's stubs. */
interface View {
  readonly declarations: Declarations
  readonly returns: ReadonlyMap<BoundTool, Returns>
  /** The rendered parts. */
  readonly blocks: Map<NamedType, Piece>
}

/** Made once per server, and again when a return type was learnt. */
const views = new WeakMap<
  BoundServer,
  { readonly version: number; readonly observations: Observations | undefined; readonly view: View }
>()

function* viewing(server: BoundServer, observations: Observations | undefined): Pieces<View> {
  const version = observations?.version(server.source.name) ?? 0
  const made = views.get(server)
  if (made?.version === version && made.observations === observations) return made.view
  const returns = new Map<BoundTool, Returns>()
  const owners: TypeOwner[] = []
  for (const tool of server.tools) {
    const returned = returnsOf(tool, observations)
    returns.set(tool, returned)
    owners.push({ name: tool.name, types: signatureTypes(tool, returned.type), returns: returned.type })
    yield
  }
  const names = server.tools.map((tool) => tool.name)
  const declarations = yield* declaring(owners, names)
  const view = { declarations, returns, blocks: new Map() }
  views.set(server, { version, observations, view })
  return view
}

/** Prepares the documentation of a server's tools. It stays valid until a return type is learnt. */
export function* readyToDescribe(server: BoundServer, observations?: Observations): Pieces<void> {
  yield* viewing(server, observations)
}

function signatureTypes(tool: BoundTool, returns: Type): Type[] {
  const { parameters, extra } = tool.signature
  return [...parameters.map((parameter) => parameter.type), ...(extra ? [extra] : []), returns]
}

function typesOf(tool: BoundTool, view: View): Type[] {
  return signatureTypes(tool, view.returns.get(tool)?.type ?? ANY)
}

const observedTypes = new WeakMap<object, Type>()

function observedType(schema: JsonSchema, name: string): Type {
  const known = typeof schema === 'object' ? observedTypes.get(schema) : undefined
  if (known !== undefined) return known
  const type = new SchemaReader(schema).read(schema, `${name} result`)
  if (typeof schema === 'object') observedTypes.set(schema, type)
  return type
}

/** The named types that some types reach, in the order of the file. */
export function reachedFrom(types: readonly Type[], declarations: Declarations): NamedType[] {
  const seen = new Set<Type>()
  const names = new Set<string>()
  const visit = (type: Type): void => {
    const resolved = resolveAlias(type)
    if (seen.has(resolved)) return
    seen.add(resolved)
    if (resolved.kind === 'record' || resolved.kind === 'alias') names.add(declarations.nameOf(resolved))
    eachInner(resolved, visit)
  }
  types.forEach(visit)
  return declarations.all.filter((type) => names.has(declarations.nameOf(type)))
}

/** The class names that a tool's types have in its server's file. */
export function declarationsOf(tool: BoundTool, observations?: Observations): Declarations {
  return atOnce(viewing(tool.server, observations)).declarations
}

/** A part of a stub file, and the words of Python's that the file imports for it. */
interface Piece {
  readonly text: string
  readonly imports: readonly string[]
}

const IMPORTED = new RegExp(`(?<![.\\w]|def )(?:${TYPING_WORDS.join('|')})\\b|\\b(?:builtins|typing)\\.`, 'g')

function pieceOf(text: string): Piece {
  const code = text.replace(/"(?:[^"\\]|\\.)*"|#.*$/gm, '')
  return { text, imports: code.match(IMPORTED) ?? [] }
}

function stubFile(
  head: string,
  remarks: readonly string[],
  declarations: readonly Piece[],
  lines: readonly Piece[],
): string {
  const imported = new Set<string>()
  for (const { imports } of [...declarations, ...lines]) for (const name of imports) imported.add(name)
  const words = TYPING_WORDS.filter((word) => imported.has(word))
  const modules = ['builtins', 'typing'].filter((name) => imported.has(`${name}.`))
  const imports = [
    ...modules.map((name) => `import ${name}`),
    ...(words.length > 0 ? [`from typing import ${words.join(', ')}`] : []),
  ]
  const top = [head, ...imports, ...remarks.map((remark) => `# ${remark}`)].join('\n')
  const bodies = [declarations, lines].filter((pieces) => pieces.length > 0)
  return `${[top, ...bodies.map((pieces) => pieces.map(({ text }) => text).join('\n'))].join('\n\n')}\n`
}

function originOf(server: BoundServer): string[] {
  const { name, description } = server.source
  const words = description === undefined ? '' : firstSentence(description, 200)
  const renamed = name === server.name ? '' : `the server ${cutAtWord(commentText(pythonString(name)), 140)}`
  const text = [renamed, words].filter((part) => part !== '').join(': ')
  return text === '' ? [] : [text]
}

function declarationOf(type: NamedType, { blocks, declarations }: View): Piece {
  const made = blocks.get(type) ?? pieceOf(renderDeclaration(type, declarations))
  blocks.set(type, made)
  return made
}

function toolLine(tool: BoundTool, { returns, declarations }: View, options: StubOptions): Piece {
  const render = (one: Type): string => renderType(one, declarations)
  const { type, observed } = returns.get(tool)!
  const { text, imports } = pieceOf(`def ${tool.name}(${parameterList(tool, render)}) -> ${render(type)}: ...`)
  const comment = toolComment(tool, observed, options)
  return { text: comment === '' ? text : `${text}  # ${comment}`, imports }
}

function toolComment(tool: BoundTool, observed: Returns['observed'], options: StubOptions): string {
  const words = [...(observed ? [observed] : []), ...annotationWords(tool.tool, options.asks?.(tool))].join(', ')
  const description = firstSentence(tool.tool.description ?? tool.tool.title ?? '', options.descriptionLength)
  const names = renamings(tool)
  const remarks = tool.signature.parameters.flatMap(({ name, remark }) => (remark ? [`${name}: ${remark}`] : []))
  return [[words, description].filter((part) => part !== '').join(': '), ...names, ...remarks]
    .filter((part) => part !== '')
    .join('; ')
}

/** The names that differ from the plain rule: keywords and collisions. */
export function renamings(tool: BoundTool): string[] {
  const own = renaming(tool.name, tool.tool.name)
  return [...(own ? [own] : []), ...tool.signature.parameters.flatMap(({ name, key }) => renaming(name, key) ?? [])]
}

function renaming(name: string, original: string): string | undefined {
  if (name === original || (name === identifierFor(original) && name !== `${original}_`)) return undefined
  return `${name} is ${commentText(cutAtWord(pythonString(original), 140))}`
}

function defaultText({ type, fallback }: Parameter): string {
  if (fallback === undefined || !valueFits(fallback, type)) return '...'
  const text = pythonLiteral(fallback)
  return text.length <= 60 ? text : '...'
}
