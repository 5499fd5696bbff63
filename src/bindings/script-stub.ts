// Tools as TypeScript declarations, from the same types and names as the Python stubs.
// Invariant: every text is a valid declaration file that contains each tool once, and the same tools give the same
// bytes.

import type { BoundServer, BoundTool } from './bound.js'
import type { Observations } from './observed.js'
import { atOnce, type Pieces } from './pieces.js'
import { firstSentence } from './quoting.js'
import { type NamedType, resolveAlias } from './render-python.js'
import {
  type NameOf,
  renderInterface,
  renderScriptType,
  scriptComment,
  scriptKey,
  scriptString,
} from './render-typescript.js'
import type { Parameter } from './signature.js'
import {
  annotationWords,
  declarationsOf,
  type Returns,
  reachedFrom,
  readyToDescribe,
  returnsOf,
  type StubOptions,
} from './stub.js'
import { valueFits } from './value-fits.js'

/** A whole server: its interfaces, then a line for each tool. */
export function serverScriptStub(server: BoundServer, options: StubOptions): string {
  return atOnce(serverScriptStubPieces(server, options))
}

export function* serverScriptStubPieces(server: BoundServer, options: StubOptions): Pieces<string> {
  yield* readyToDescribe(server, options.observations)
  const [first] = server.tools
  const types = first === undefined ? [] : declarationsOf(first, options.observations).all
  const count = server.tools.length
  const head = `// ${server.name}: ${count} tool${count === 1 ? '' : 's'}, called as await ${server.name}.name({ … })`
  return yield* filePieces(server, { heads: [head, ...originOf(server)], types, tools: server.tools, options })
}

/** One tool and the interfaces it needs. */
export function toolScriptStub(tool: BoundTool, options: StubOptions): string {
  return atOnce(toolScriptStubPieces(tool, options))
}

export function* toolScriptStubPieces(tool: BoundTool, options: StubOptions): Pieces<string> {
  yield* readyToDescribe(tool.server, options.observations)
  const { parameters, extra } = tool.signature
  const { type } = returnsOf(tool, options.observations)
  const own = [...parameters.map((one) => one.type), ...(extra ? [extra] : []), type]
  const types = reachedFrom(own, declarationsOf(tool, options.observations))
  const head = `// await ${tool.server.name}.${tool.name}({ … })`
  return yield* filePieces(tool.server, { heads: [head], types, tools: [tool], options })
}

/**
 * A tool as one expression: `github.list_issues({ owner: string; state?: string }): Promise<any>`. Records are plain
 * objects here.
 */
export function scriptSignatureText(tool: BoundTool, observations?: Observations): string {
  const nameOf: NameOf = (type) => {
    const named = resolveAlias(type)
    return named.kind === 'record' ? 'object' : named.kind === 'alias' ? 'any' : renderScriptType(named, nameOf)
  }
  const { type } = returnsOf(tool, observations)
  const args = argumentList(tool, nameOf).replace(/^args\??: /, '')
  return `${tool.server.name}.${tool.name}(${args}): Promise<${renderScriptType(type, nameOf)}>`
}

interface FileParts {
  readonly heads: readonly string[]
  readonly types: readonly NamedType[]
  readonly tools: readonly BoundTool[]
  readonly options: StubOptions
}

function* filePieces(server: BoundServer, { heads, types, tools, options }: FileParts): Pieces<string> {
  const [first] = tools
  const names = first === undefined ? undefined : declarationsOf(first, options.observations)
  const nameOf: NameOf = (type) => names?.nameOf(type) ?? 'any'
  let interfaces = ''
  for (const type of types) {
    interfaces += `${renderInterface(type, nameOf)}\n`
    yield
  }
  let lines = ''
  for (const tool of tools) {
    lines += `  ${toolLine(tool, nameOf, options)}\n`
    yield
  }
  const before = interfaces === '' ? '' : `${interfaces}\n`
  return `${heads.join('\n')}\n\n${before}declare const ${server.name}: {\n${lines}}\n`
}

function originOf({ name, source }: BoundServer): string[] {
  const words = source.description === undefined ? '' : firstSentence(source.description, 200)
  const renamed = source.name === name ? '' : `the server ${scriptString(source.name).slice(0, 140)}`
  const text = [renamed, words].filter((part) => part !== '').join(': ')
  return text === '' ? [] : [`// ${scriptComment(text)}`]
}

function toolLine(tool: BoundTool, nameOf: NameOf, options: StubOptions): string {
  const { type, observed } = returnsOf(tool, options.observations)
  const signature = `${scriptKey(tool.name)}(${argumentList(tool, nameOf)}): Promise<${renderScriptType(type, nameOf)}>`
  const comment = toolComment(tool, observed, options)
  return comment === '' ? signature : `${signature}  // ${comment}`
}

/** The one object that holds the arguments, by the names of the schema. */
function argumentList({ signature }: BoundTool, nameOf: NameOf): string {
  const { parameters, extra } = signature
  if (parameters.length === 0 && extra === undefined) return ''
  const texts = parameters.map((one) => parameterText(one, nameOf))
  if (extra !== undefined)
    texts.push(`[key: string]: ${parameters.length > 0 ? 'any' : renderScriptType(extra, nameOf)}`)
  return `args${parameters.some((one) => one.required) ? '' : '?'}: { ${texts.join('; ')} }`
}

function parameterText({ key, type, required, fallback }: Parameter, nameOf: NameOf): string {
  const usual = fallback === undefined || !valueFits(fallback, type) ? '' : defaultText(fallback)
  return `${scriptKey(key)}${required ? '' : '?'}: ${renderScriptType(type, nameOf)}${usual === '' ? '' : ` /* = ${usual} */`}`
}

function defaultText(fallback: unknown): string {
  const text = typeof fallback === 'string' ? scriptString(fallback) : (JSON.stringify(fallback) ?? '')
  return text.length > 60 || text.includes('*/') || /[^\x20-\x7e]/.test(text) ? '' : text
}

function toolComment(tool: BoundTool, observed: Returns['observed'], options: StubOptions): string {
  const words = [...(observed ? [observed] : []), ...annotationWords(tool.tool, options.asks?.(tool))].join(', ')
  const description = firstSentence(tool.tool.description ?? tool.tool.title ?? '', options.descriptionLength)
  const original = tool.name === tool.tool.name ? '' : `${tool.name} is ${scriptString(tool.tool.name).slice(0, 140)}`
  const remarks = tool.signature.parameters.flatMap(({ key, remark }) => (remark ? [`${key}: ${remark}`] : []))
  const parts = [[words, description].filter((part) => part !== '').join(': '), original, ...remarks]
  return scriptComment(parts.filter((part) => part !== '').join('; '))
}
