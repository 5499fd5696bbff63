// The names, descriptions and schemas of the four meta-tools. A model pays for this text in every turn, so it is short
// and refers to guide.md.
// Invariant: constant, whatever servers are connected, so that prompt caches hold.

import type { ToolAnnotations } from '../bindings/index.js'

/**
 * The definition of a meta-tool.
 *
 * @example
 * import { type MetaToolDefinition, metaTools } from 'starbind'
 *
 * const definition: MetaToolDefinition | undefined = metaTools.find(({ name }) => name === 'executeToolCode')
 * console.log(Object.keys(definition?.inputSchema.properties ?? {}))
 */
export interface MetaToolDefinition {
  readonly name: MetaToolName
  /** For people. */
  readonly title: string
  readonly description: string
  /** The possible effects of a call, in the protocol's terms. */
  readonly annotations: Readonly<ToolAnnotations>
  /** A JSON Schema of type object. */
  readonly inputSchema: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, object>>
    readonly required?: string[]
  }
}

/**
 * A tool that a model calls.
 *
 * @example
 * import { type MetaToolName, metaTools } from 'starbind'
 *
 * export const isMetaTool = (name: string): name is MetaToolName => metaTools.some((tool) => tool.name === name)
 */
export type MetaToolName = 'listToolFiles' | 'readToolFile' | 'getToolDocs' | 'executeToolCode'

const onlyReads: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }
/** A program has the effects of the tools that it calls. */
const mayDoAnything: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: true }

/**
 * The definitions of the four meta-tools. Constant.
 *
 * @example
 * import { metaTools } from 'starbind'
 *
 * for (const { name, description } of metaTools) console.log(`${name}: ${description}`)
 */
export const metaTools: readonly MetaToolDefinition[] = [
  {
    name: 'listToolFiles',
    title: 'List tool files',
    annotations: onlyReads,
    description:
      'Step 1. Lists the servers whose tools programs can call, as a tree of stub files. ' +
      'Look here before saying that something cannot be done.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'words; only matching tools, best first' },
        server: { type: 'string' },
      },
    },
  },
  {
    name: 'readToolFile',
    title: 'Read tool files',
    annotations: onlyReads,
    description:
      'Step 2. Reads stub files (one def per tool: parameters, types, result), a page of results/ or guide.md ' +
      '(what programs may use). Never guess a tool: read it here.',
    inputSchema: {
      type: 'object',
      properties: {
        fileName: { type: 'string', description: 'e.g. servers/github.pyi' },
        fileNames: { type: 'array', items: { type: 'string' }, description: 'several at once' },
        startLine: { type: 'integer', description: 'from 1' },
        endLine: { type: 'integer', description: 'inclusive' },
      },
    },
  },
  {
    name: 'getToolDocs',
    title: 'Get tool docs',
    annotations: onlyReads,
    description: 'Full documentation of tools, when a stub line is not enough.',
    inputSchema: {
      type: 'object',
      properties: {
        server: { type: 'string' },
        tool: { type: 'string' },
        tools: { type: 'array', items: { type: 'string' }, description: 'several at once' },
      },
      required: ['server'],
    },
  },
  {
    name: 'executeToolCode',
    title: 'Execute tool code',
    annotations: mayDoAnything,
    description:
      'Step 3. Runs one program that calls many tools; do loops, joins and filtering in it, not in further calls. ' +
      'Starlark, which reads like Python (f-strings, try/except, comprehensions, json, re, math work), or JavaScript; ' +
      'no imports, files, network or clock. Servers are global names and calls are synchronous: ' +
      'issues = github.list_issues(state="open"); in JavaScript await github.list_issues({state: "open"}). Results are data (dict, list) or text; a failing tool raises ToolError. ' +
      'You see only what you print() and the value of the global `result`: ' +
      'keep both small. Each run starts afresh. After a failure read what was already done before you repeat anything.',
    inputSchema: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        language: { enum: ['starlark', 'javascript'] },
        timeoutMs: { type: 'integer' },
        output: { enum: ['json', 'toon', 'csv'], description: 'of the result' },
        reuse: { type: 'string', description: 'id of a failed run: its identical leading calls are not repeated' },
        resume: { type: 'string', description: 'id of a paused run, instead of code' },
        background: { type: 'boolean', description: 'answers at once; read runs/ID' },
        readAhead: { type: 'boolean' },
      },
    },
  },
]
