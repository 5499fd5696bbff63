// The command-line parameters of a program: the parameters of its function `main`. Knows the annotations that a command
// line can express. Invariant: a program that calls `main` itself, or whose `main` has other parameters, is unchanged.

import type { MainFunction, MainParameter, Program } from '../program.js'
import { type DefStmt, type Expression, type Parameter, parse, type Statement } from '../syntax/index.js'
import { forEachExpression } from '../syntax/walk.js'

export function mainFunctionOf({ text, language }: Program): MainFunction | undefined {
  if (language !== 'starlark') return undefined
  const { file, complete } = parse(text, { strict: false })
  if (!complete) return undefined
  const { body } = file
  const mains = body.filter((one): one is DefStmt => one.kind === 'DefStmt' && one.name.name === 'main')
  const [main] = mains
  if (main === undefined || mains.length > 1 || main.parameters.length === 0 || isNamed(body)) return undefined
  const parameters = main.parameters.filter(({ form }) => form !== 'star').map((one) => parameterOf(one, text))
  return parameters.every((one) => one !== undefined) ? { parameters, doc: docOf(main) } : undefined
}

/** True if the program itself uses the function. */
function isNamed(body: readonly Statement[]): boolean {
  let isFound = false
  forEachExpression(body, (e) => {
    if (e.kind === 'Identifier' && e.name === 'main') isFound = true
  })
  return isFound
}

function parameterOf({ form, name, annotation, default: usual }: Parameter, text: string): MainParameter | undefined {
  if (form !== 'plain' || name === undefined || annotation === undefined) return undefined
  const written = ({ start, end }: Expression): string => text.slice(start, end)
  const type = typeOf(written(annotation))
  return type && { name: name.name, ...type, ...(usual === undefined ? {} : { default: written(usual) }) }
}

const LITERALS = /^Literal\[((?:(["'])[^"'\\\n]*\2,?)+)\]$/

function typeOf(annotation: string): Omit<MainParameter, 'name' | 'default'> | undefined {
  const [, optional] = /^(?:typing\.)?Optional\[(.*)\]$/s.exec(annotation) ?? []
  const plain = (optional ?? annotation).replace(/\s*\|\s*None$/, '').trim()
  const [, listed] = /^[lL]ist\[(\w+)\]$/.exec(plain) ?? []
  const type = listed ?? plain
  if (type === 'str' || type === 'int' || type === 'float' || (type === 'bool' && listed === undefined))
    return { type, isList: listed !== undefined }
  const [, texts] = LITERALS.exec(plain.replace(/,\s+/g, ',')) ?? []
  const choices = texts?.match(/(["'])[^"']*\1/g)?.map((text) => text.slice(1, -1))
  return choices && { type: 'str', isList: false, choices }
}

function docOf({ body }: DefStmt): string {
  const [first] = body
  const isText = first?.kind === 'ExprStmt' && first.expression.kind === 'StringLiteral'
  return isText ? first.expression.value : ''
}
