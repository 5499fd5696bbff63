// The full documentation of one tool in TypeScript's notation; the counterpart of docs.ts.
// Invariant: the text is valid TypeScript and includes everything that the schema says about a value.

import type { BoundTool } from './bound.js'
import { closingWords, fieldWords, ownTypes } from './docs.js'
import { exampleArguments } from './example.js'
import type { Observations } from './observed.js'
import { manyLines } from './quoting.js'
import {
  type NameOf,
  renderInterface,
  renderScriptType,
  scriptComment,
  scriptKey,
  scriptString,
  scriptValue,
} from './render-typescript.js'
import { declarationsOf, returnsOf } from './stub.js'
import type { Field, Type } from './type.js'
import { valueFits } from './value-fits.js'

/** The tool's interfaces, its signature with a remark on every parameter, its full description and a correct call. */
export function toolScriptDocs(tool: BoundTool, observations?: Observations): string {
  const declarations = declarationsOf(tool, observations)
  const { nameOf } = declarations
  const { type, observed } = returnsOf(tool, observations)
  const { parameters, extra } = tool.signature
  const types = [...parameters.map((one) => one.type), ...(extra ? [extra] : []), type]
  const blocks = ownTypes(types, declarations).map((named) => renderInterface(named, nameOf, words))
  const closing = closingWords(tool, observed, scriptString).map((text) => `// ${scriptComment(text)}`)
  const example = exampleScriptCall(tool)
  const body = [...description(tool), ...signature(tool, nameOf, type)].map((line) => (line === '' ? '' : `  ${line}`))
  return [
    ...blocks,
    `declare const ${tool.server.name}: {`,
    ...body,
    '}',
    ...closing,
    ...(example === undefined ? [] : ['// example:', example]),
  ].join('\n')
}

/** `await github.create_issue({ owner: "octo", title: "title" })`; undefined if no correct call was found. */
function exampleScriptCall(tool: BoundTool): string | undefined {
  const args = exampleArguments(tool)
  if (args === undefined) return undefined
  const keys = tool.signature.parameters.map(({ key }) => key).filter((key) => Object.hasOwn(args, key))
  const given = keys.length === 0 ? '' : scriptValue(Object.fromEntries(keys.map((key) => [key, args[key]])))
  return `await ${tool.server.name}.${tool.name}(${given})`
}

function description({ tool }: BoundTool): string[] {
  const lines = manyLines(tool.description ?? tool.title ?? '').map((line) => (line === '' ? '' : scriptComment(line)))
  if (lines.length === 0) return []
  return lines.length === 1 ? [`/** ${lines[0]} */`] : ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */']
}

function signature(tool: BoundTool, nameOf: NameOf, returns: Type): string[] {
  const { parameters, extra } = tool.signature
  const name = scriptKey(tool.name)
  const result = `Promise<${renderScriptType(returns, nameOf)}>`
  if (parameters.length === 0 && extra === undefined) return [`${name}(): ${result}`]
  const fields = parameters.map((one) => {
    const text = words(one)
    return `  ${scriptKey(one.key)}${one.required ? '' : '?'}: ${renderScriptType(one.type, nameOf)}${text === '' ? '' : `  // ${text}`}`
  })
  if (extra !== undefined)
    fields.push(`  [key: string]: ${parameters.length > 0 ? 'any' : renderScriptType(extra, nameOf)}`)
  return [`${name}(args${parameters.some((one) => one.required) ? '' : '?'}: {`, ...fields, `}): ${result}`]
}

/** Description, bounds, formats, patterns, examples, defaults, remarks. */
function words(field: Field): string {
  const { fallback, type } = field
  const usual = fallback !== undefined && valueFits(fallback, type) ? `= ${scriptValue(fallback)}` : ''
  return scriptComment([usual, fieldWords(field, scriptValue)].filter((part) => part !== '').join('; '))
}
