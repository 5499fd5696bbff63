// The command-line parameters of a program: the parameters of its function `main`. Knows the annotations that a command
// line can express. Invariant: a program is unchanged if it calls `main` itself, or if its `main` has other parameters.

import type { MainFunction, MainParameter, Program } from '../program.js'
import { type Expression, type Parameter, parse } from '../syntax/index.js'
import { docOf, mainOf } from './main-definition.js'

export function mainFunctionOf({ text, language }: Program): MainFunction | undefined {
  if (language !== 'starlark') return undefined
  const { file, complete } = parse(text, { strict: false })
  if (!complete) return undefined
  const { body } = file
  const main = mainOf(body)
  if (main === undefined || main.parameters.length === 0) return undefined
  const parameters = main.parameters.filter(({ form }) => form !== 'star').map((one) => parameterOf(one, text))
  return parameters.every((one) => one !== undefined) ? { parameters, doc: docOf(main) } : undefined
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
