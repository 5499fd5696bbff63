// The full documentation of one tool, as a stub.
// Invariant: the text is valid Python stub syntax and includes everything that the schema says about a value.

import type { BoundTool } from './bound.js'
import { exampleCall } from './example.js'
import type { Observations } from './observed.js'
import { commentText, docstringText, manyLines, pythonLiteral, pythonString } from './quoting.js'
import { type Declarations, type NamedType, renderDeclaration, renderType, resolveAlias } from './render-python.js'
import { declarationsOf, type Returns, renamings, returnsOf } from './stub.js'
import type { Tool } from './tool.js'
import { eachInner, type Field, type Type } from './type.js'
import { valueFits } from './value-fits.js'

/** The tool's classes, its signature with a remark on every parameter, its full description and a correct call. */
export function toolDocs(tool: BoundTool, observations?: Observations): string {
  const declarations = declarationsOf(tool, observations)
  const { type, observed } = returnsOf(tool, observations)
  const { parameters, extra } = tool.signature
  const own = ownTypes([...parameters.map((one) => one.type), ...(extra ? [extra] : []), type], declarations)
  const blocks = own.map((named) => declarationDocs(named, declarations))
  const render = (one: Type): string => renderType(one, declarations)
  return [...blocks, functionDocs(tool, render, type), ...closing(tool, observed)].join('\n')
}

/** This tool's own version of each named type: shapes are shared between tools, descriptions are not. */
export function ownTypes(types: readonly Type[], declarations: Declarations): NamedType[] {
  const own = new Map<string, NamedType>()
  const seen = new Set<Type>()
  const visit = (type: Type): void => {
    const resolved = resolveAlias(type)
    if (seen.has(resolved)) return
    seen.add(resolved)
    if (resolved.kind === 'record' || resolved.kind === 'alias') {
      const name = declarations.nameOf(resolved)
      if (!own.has(name)) own.set(name, resolved)
    }
    eachInner(resolved, visit)
  }
  types.forEach(visit)
  return [...own.values()]
}

function declarationDocs(type: NamedType, declarations: Declarations): string {
  return renderDeclaration(type, declarations, (field) => fieldWords(field, pythonLiteral))
}

function functionDocs(tool: BoundTool, render: (type: Type) => string, returns: Type): string {
  const { parameters, extra } = tool.signature
  const lines = parameters.map((one) => {
    const text = `    ${one.name}: ${render(one.type)}${one.required ? '' : ` = ${defaultWords(one)}`},`
    const words = fieldWords(one, pythonLiteral)
    return words === '' ? text : `${text}  # ${words}`
  })
  if (extra !== undefined) lines.push(`    **extra: ${render(extra)},`)
  const head = lines.length === 0 ? `def ${tool.name}()` : `def ${tool.name}(\n${lines.join('\n')}\n)`
  const description = manyLines(tool.tool.description ?? tool.tool.title ?? '').map(docstringText)
  if (description.length === 0) return `${head} -> ${render(returns)}: ...`
  const indented = description.map((line) => (line === '' ? '' : `    ${line}`)).join('\n')
  return `${head} -> ${render(returns)}:\n    """\n${indented}\n    """`
}

function defaultWords(field: Field): string {
  return field.fallback !== undefined && valueFits(field.fallback, field.type) ? pythonLiteral(field.fallback) : '...'
}

/** Description, bounds, formats, patterns, examples, defaults that don't fit, remarks. */
export function fieldWords(field: Field, literal: (value: unknown) => string): string {
  const { description = '', constraints, deprecated } = field.facts
  const fitting = field.fallback !== undefined && valueFits(field.fallback, field.type)
  const facts = [
    ...(deprecated ? ['deprecated'] : []),
    ...constraints,
    ...(field.fallback !== undefined && !fitting ? [`default ${literal(field.fallback)}`] : []),
    ...(field.remark ? [field.remark] : []),
  ]
  return commentText(
    [description.trim(), facts.length > 0 ? `(${facts.join('; ')})` : ''].filter((part) => part !== '').join(' '),
  )
}

function closing(tool: BoundTool, observed: Returns['observed']): string[] {
  const example = exampleCall(tool)
  return [
    ...closingWords(tool, observed, pythonString).map((text) => `# ${text}`),
    ...(example === undefined ? [] : ['# example:', example]),
  ]
}

/** The lines below the signature. `string` quotes a name. */
export function closingWords(
  tool: BoundTool,
  observed: Returns['observed'],
  string: (text: string) => string,
): string[] {
  const { server } = tool
  const isRenamed = tool.name !== tool.tool.name || server.name !== server.source.name
  const hints = annotations(tool.tool)
  return [
    ...(isRenamed ? [commentText(`tool ${string(tool.tool.name)} of server ${string(server.source.name)}`)] : []),
    ...renamings(tool),
    ...(hints.length === 0 ? [] : [hints.join(', ')]),
    ...(observed ? [OBSERVED[observed]] : []),
  ]
}

const OBSERVED: Readonly<Record<NonNullable<Returns['observed']>, string>> = {
  observed: 'the return type was observed in earlier results, the server does not declare one',
  'JSON text': 'earlier results were texts, and some of them JSON: parse those for the data',
}

function annotations(tool: Tool): string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {}
  return [
    ...(readOnlyHint === undefined ? [] : [readOnlyHint ? 'read-only' : 'not read-only']),
    ...(destructiveHint === undefined || readOnlyHint ? [] : [destructiveHint ? 'destructive' : 'not destructive']),
    ...(idempotentHint === undefined || readOnlyHint ? [] : [idempotentHint ? 'idempotent' : 'not idempotent']),
    ...(openWorldHint === undefined ? [] : [openWorldHint ? 'open world' : 'closed world']),
  ]
}
