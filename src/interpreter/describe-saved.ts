// What others see of saved programs: the parameters of `main` as a JSON Schema, its docstring, and the mistakes that
// show without knowing any tool.

import type { Diagnostic } from '../diagnostics/index.js'
import { annotationSchema, constantOf, docOf, mainOf, savedMessages as messages, parseWhole } from './compile/index.js'
import { parse as parseJavaScript } from './javascript/index.js'
import type { DescribedProgram, SavedProgram } from './program.js'
import { type Parameter, Positions, parse } from './syntax/index.js'
import { fileOf } from './whole-text.js'

type JsonSchema = DescribedProgram['inputSchema']

/** Describes each of them. */
export function describeSaved(saved: readonly SavedProgram[]): DescribedProgram[] {
  return saved.map((one) => (one.language === 'starlark' ? describe(one, saved) : describeScript(one)))
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

/** A text says what is wrong with it. */
function schemaOf({ form, annotation, default: usual }: Parameter): JsonSchema | string {
  if (form !== 'plain') return 'stands for any number of arguments'
  const schema = annotation === undefined ? {} : annotationSchema(annotation)
  if (schema === undefined) return 'has a type that no caller can give'
  if (usual === undefined) return schema
  const constant = constantOf(usual)
  return constant === undefined ? 'has a default that is no constant' : { ...schema, default: constant.value }
}

function describeScript(program: SavedProgram): DescribedProgram {
  const { name, text = '' } = program
  const parsed = parseJavaScript(text)
  const positions = new Positions(text, [{ file: fileOf(program), start: 0 }])
  const diagnostics: Diagnostic[] = parsed.ok
    ? []
    : [
        {
          class: 'program error',
          code: 'syntax-error',
          message: parsed.fault.message,
          span: positions.span(parsed.fault.start, parsed.fault.end),
        },
      ]
  return { name, doc: leadingComment(text), inputSchema: objectSchema({}, []), diagnostics }
}

/** The comment that a text begins with. */
function leadingComment(text: string): string {
  const block = /^\s*\/\*\*?(.*?)\*\//s.exec(text)?.[1]?.replace(/^[ \t]*\*[ \t]?/gm, '')
  const lines = /^\s*((?:\/\/[^\n]*\n?)+)/.exec(text)?.[1]?.replace(/^\/\/ ?/gm, '')
  return (block ?? lines ?? '').trim()
}
