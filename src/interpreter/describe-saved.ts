// Describes saved programs: the parameters of `main` as a JSON Schema, the docstring, and the mistakes that can be
// found without knowing any tool.

import type { Diagnostic } from '../diagnostics/index.js'
import { annotationSchema, constantOf, docOf, mainOf, parseWhole } from './compile/index.js'
import {
  diagnosticOf,
  docBefore,
  type Fault,
  mainOfScript,
  parametersOf,
  parse as parseScript,
  parseWholeScript,
  type ScriptNode,
  scriptConstant,
} from './javascript/index.js'
import { messages } from './messages.js'
import type { DescribedProgram, Program, SavedProgram } from './program.js'
import { type Parameter, Positions, parse } from './syntax/index.js'
import { fileOf, partsOf, wholeText } from './whole-text.js'

type JsonSchema = DescribedProgram['inputSchema']

/** The descriptions of these programs, in their order. */
export function describeSaved(saved: readonly SavedProgram[]): DescribedProgram[] {
  return saved.map((one) => (one.language === 'starlark' ? describe(one, saved) : describeScript(one, saved)))
}

function describe(program: SavedProgram, saved: readonly SavedProgram[]): DescribedProgram {
  const { name, text = '' } = program
  const whole = parseWhole({ text: `programs.${name}`, language: 'starlark', saved }, false)
  const positions = new Positions(text, [{ file: fileOf(program), start: 0 }])
  const { body } = parse(text, { strict: false, positions }).file
  const main = mainOf(body)
  const own: Diagnostic[] = []
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const parameter of main?.parameters ?? []) {
    if (parameter.form === 'star') continue
    const { start, end } = parameter
    const read = schemaOf(parameter)
    if (typeof read === 'string')
      own.push(messages.unreadableParameter(positions.span(start, end), text.slice(start, end), read))
    else {
      properties[parameter.name!.name] = read
      if (parameter.default === undefined) required.push(parameter.name!.name)
    }
  }
  return {
    name,
    doc: docOf(main ?? { body }),
    inputSchema: objectSchema(properties, required),
    diagnostics: [...whole.diagnostics, ...own],
  }
}

function objectSchema(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

/** The schema of a parameter, or a text that describes the mistake in it. */
function schemaOf({ form, annotation, default: usual }: Parameter): JsonSchema | string {
  if (form !== 'plain') return 'stands for any number of arguments'
  const schema = annotation === undefined ? {} : annotationSchema(annotation)
  if (schema === undefined) return "has a type that JSON can't express"
  if (usual === undefined) return schema
  const constant = constantOf(usual)
  return constant === undefined ? 'has a default that is not a constant' : { ...schema, default: constant.value }
}

function describeScript(program: SavedProgram, saved: readonly SavedProgram[]): DescribedProgram {
  const { name, text = '' } = program
  const calling: Program = { text: `programs.${name}`, language: 'javascript', saved }
  const wholePositions = new Positions(wholeText(calling), partsOf(calling))
  const whole = parseWholeScript(calling, wholePositions, () => false)
  const described = { name, doc: leadingComment(text), inputSchema: objectSchema({}, []) }
  const parsed = parseScript(text)
  if (!whole.ok || !parsed.ok) {
    return { ...described, diagnostics: [diagnosticOf((whole as { readonly fault: Fault }).fault, wholePositions)] }
  }
  const { tree } = parsed
  const main = mainOfScript(tree)
  if (main === undefined) return { ...described, diagnostics: whole.diagnostics }
  const positions = new Positions(text, [{ file: fileOf(program), start: 0 }])
  const doc = docBefore(tree.text, main.statement.start)
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  const own: Diagnostic[] = []
  const unreadable = ({ start, end }: ScriptNode, reason: string) => {
    const [from, to] = [tree.origin(start), tree.origin(end)]
    own.push(messages.unreadableScriptParameter(positions.span(from, to), text.slice(from, to), reason))
  }
  for (const node of main.others) unreadable(node, 'is not a destructured object')
  for (const { name, node, usual } of main.pattern === undefined ? [] : parametersOf(main.pattern)) {
    const { schema, isOptional } = doc?.parameters.get(name) ?? { schema: typeOfDefault(usual), isOptional: false }
    const constant = usual === undefined ? undefined : scriptConstant(usual)
    if (schema === undefined) unreadable(node, "has a type that JSON can't express")
    else if (usual !== undefined && constant === undefined) unreadable(node, 'has a default that is not a constant')
    else properties[name] = constant === undefined ? schema : { ...schema, default: constant.value }
    if (usual === undefined && !isOptional) required.push(name)
  }
  return {
    name,
    doc: doc?.description || described.doc,
    inputSchema: objectSchema(properties, required),
    diagnostics: [...whole.diagnostics, ...own],
  }
}

/** The schema of a parameter that no comment describes, from its default. */
function typeOfDefault(usual: ScriptNode | undefined): JsonSchema {
  const { value } = (usual && scriptConstant(usual)) ?? {}
  return ['string', 'number', 'boolean'].includes(typeof value) ? { type: typeof value } : {}
}

/** The comment at the beginning of a text. */
function leadingComment(text: string): string {
  const block = /^\s*\/\*\*?(.*?)\*\//s.exec(text)?.[1]?.replace(/^[ \t]*\*[ \t]?/gm, '')
  const lines = /^\s*((?:\/\/[^\n]*\n?)+)/.exec(text)?.[1]?.replace(/^\/\/ ?/gm, '')
  return (block ?? lines ?? '').trim()
}
