// Reads stub text back with starbind's own parser: functions, records and types as data. Tests compare stubs with
// schemas.

import { parse } from '../../dist/interpreter/syntax/index.js'
import type { Expression, Statement } from '../../dist/interpreter/syntax/nodes.js'

export interface StubField {
  readonly name: string
  readonly required: boolean
  readonly type: Expression
}

export interface StubFunction {
  readonly parameters: readonly StubField[]
  readonly open: boolean
  readonly returns: Expression
}

export interface Stub {
  readonly functions: ReadonlyMap<string, StubFunction>
  readonly records: ReadonlyMap<string, readonly StubField[]>
  readonly aliases: ReadonlyMap<string, Expression>
  /** Statements that are neither imports nor any of these. */
  readonly strangers: readonly string[]
}

/** Throws when the text is not a program to starbind's parser. */
export function readStub(text: string): Stub {
  const { file, diagnostics } = parse(text, { strict: false })
  if (diagnostics.length > 0)
    throw new Error(`${diagnostics[0]!.message} at line ${diagnostics[0]!.span?.line}:\n${text}`)
  const functions = new Map<string, StubFunction>()
  const records = new Map<string, readonly StubField[]>()
  const aliases = new Map<string, Expression>()
  const strangers: string[] = []
  for (const statement of file.body) {
    if (statement.kind === 'DefStmt') {
      if (functions.has(statement.name.name)) throw new Error(`two functions ${statement.name.name}`)
      functions.set(statement.name.name, {
        parameters: statement.parameters
          .filter((parameter) => parameter.form === 'plain')
          .map((parameter) => ({
            name: parameter.name!.name,
            required: parameter.default === undefined,
            type: parameter.annotation!,
          })),
        open: statement.parameters.some((parameter) => parameter.form === 'kwargs'),
        returns: statement.returns!,
      })
    } else if (statement.kind === 'ClassStmt') records.set(statement.name.name, classFields(statement))
    else if (statement.kind === 'AnnotatedAssignStmt' && statement.target.kind === 'Identifier')
      aliases.set(statement.target.name, statement.value!)
    else if (statement.kind === 'AssignStmt') {
      const [name, fields] = functionalRecord(statement)
      records.set(name, fields)
    } else if (statement.kind !== 'ImportFromStmt') strangers.push(text.slice(statement.start, statement.end))
  }
  return { functions, records, aliases, strangers }
}

function classFields(statement: Extract<Statement, { kind: 'ClassStmt' }>): StubField[] {
  const total = !statement.bases.some((base) => text(base.value) === 'False')
  return statement.body.map((line) => {
    if (line.kind !== 'AnnotatedAssignStmt') throw new Error(`a ${line.kind} in class ${statement.name.name}`)
    return field(text(line.target), line.annotation, total)
  })
}

function functionalRecord(statement: Extract<Statement, { kind: 'AssignStmt' }>): [string, StubField[]] {
  const call = statement.value
  const target = statement.targets[0]!
  if (call.kind !== 'CallExpr' || text(call.callee) !== 'TypedDict')
    throw new Error('an assignment that declares nothing')
  const dict = call.arguments[1]!.value
  const total = !call.arguments.slice(2).some((argument) => text(argument.value) === 'False')
  if (dict.kind !== 'DictExpr') throw new Error('a record without fields')
  const fields = dict.entries.map((entry) => {
    if (entry.key?.kind !== 'StringLiteral') throw new Error('a key that is not a string')
    return field(entry.key.value, entry.value, total)
  })
  return [text(target), fields]
}

function field(name: string, annotation: Expression, total: boolean): StubField {
  if (annotation.kind === 'IndexExpr' && text(annotation.object) === 'NotRequired')
    return { name, required: false, type: annotation.index }
  return { name, required: total, type: annotation }
}

/** A name without the module before it, a literal's value. */
export function text(expression: Expression): string {
  if (expression.kind === 'Identifier') return expression.name
  if (expression.kind === 'DotExpr') return expression.name.name
  if (expression.kind === 'StringLiteral') return JSON.stringify(expression.value)
  if (expression.kind === 'IntLiteral') return String(expression.value)
  if (expression.kind === 'UnaryExpr') return `-${text(expression.operand)}`
  throw new Error(`a ${expression.kind} where a name or literal was expected`)
}

/** The parts of `A | B`. */
export function members(type: Expression): Expression[] {
  if (type.kind === 'BinaryExpr') return [...members(type.left), ...members(type.right)]
  return [type]
}

/** `list[A]` as its name and arguments. */
export function generic(type: Expression): { readonly name: string; readonly of: readonly Expression[] } | undefined {
  if (type.kind !== 'IndexExpr') return undefined
  return { name: text(type.object), of: type.index.kind === 'TupleExpr' ? type.index.elements : [type.index] }
}
