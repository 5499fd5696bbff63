// Binds a program's arguments to the object that a tool is called with. The rule, in order:
//
// 1. A single positional dict without keyword arguments holds the keyword arguments, unless the tool's first
//   parameter itself takes a dict; then it holds them only if it is not empty, every key is a known parameter, and the
//   tool accepts them so.
// 2. Positional arguments take parameter names in stub order.
// 3. A keyword is a parameter's name in the stub or its name in the schema.
// 4. `None` for an optional parameter that cannot be null omits it.
// 5. Data that remembers its text is passed as text to a parameter that takes only text.
// 6. The record of a kept file is passed as its content to a parameter that takes no such record.
//
// Invariant: the object's keys are names from the schema, and own properties only.

import { joined, marked, nearestNames, type Said, said } from '../diagnostics/index.js'
import type { ForeignCall, ForeignError } from '../interpreter/index.js'
import { type NamedFiles, settleArtifacts } from './artifact-arguments.js'
import { ExactInteger } from './exact-integers.js'
import { messages } from './messages.js'
import { dataOf, settleTexts } from './remembered-text.js'
import type { Parameter, Signature } from './signature.js'
import { ANY, takesNone, takesObject } from './type.js'
import { type Notation, quotedName } from './value-words.js'

type BoundArguments =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: ForeignError }

interface ArgumentRules {
  /** The tool's name in messages: `server.tool`. */
  readonly path: string
  readonly signature: Signature
  readonly notation: Notation
  /** The kept files that the call names; undefined if it names none. */
  readonly files: NamedFiles | undefined
  /** The mistakes in the arguments according to the tool's schema; undefined if there are none. */
  readonly check: (args: Readonly<Record<string, unknown>>) => ForeignError | undefined
}

/** Binds and checks the arguments of one call. */
export function bindArguments(call: Pick<ForeignCall, 'positional' | 'named'>, rules: ArgumentRules): BoundArguments {
  const dict = soleDict(call)
  if (dict === undefined) return bindAndCheck(call.positional, call.named, rules)
  const first = rules.signature.parameters[0]
  if (first === undefined || !takesObject(first.type)) return bindAndCheck([], dict, rules)
  const keys = Object.keys(dict)
  const keywords = keys.length > 0 && keys.every((key) => findParameter(rules.signature, key) !== undefined)
  const asValue = bindAndCheck(call.positional, {}, rules)
  if (!keywords) return asValue
  const asKeywords = bindAndCheck([], dict, rules)
  return asKeywords.ok || !asValue.ok ? asKeywords : asValue
}

function soleDict(call: Pick<ForeignCall, 'positional' | 'named'>): Readonly<Record<string, unknown>> | undefined {
  const [first, ...more] = call.positional
  if (more.length > 0 || Object.keys(call.named).length > 0) return undefined
  const only = dataOf(first)
  return typeof only === 'object' && only !== null && !Array.isArray(only) && !(only instanceof ExactInteger)
    ? (only as Record<string, unknown>)
    : undefined
}

/** The number of unknown parameters that a message names. */
const MOST_UNKNOWN = 10

function bindAndCheck(
  positional: readonly unknown[],
  named: Readonly<Record<string, unknown>>,
  rules: ArgumentRules,
): BoundArguments {
  const { path, signature, notation, files } = rules
  const { parameters } = signature
  const fail = (error: ForeignError): BoundArguments => ({ ok: false, error })
  if (positional.length === 0 && isBound(named, parameters)) {
    const error = rules.check(named)
    return error === undefined ? { ok: true, args: named } : fail(error)
  }
  if (positional.length > parameters.length)
    return fail(messages.tooManyArguments(path, parameters.length, positional.length))
  const args = new Map<string, unknown>()
  const problems: Said[] = []
  const settled = (value: unknown, field: Pick<Parameter, 'type'> & Partial<Parameter>): unknown => {
    const plain = settleTexts(value, field.type)
    return files === undefined ? plain : settleArtifacts(plain, field, { files, problems })
  }
  for (let i = 0; i < positional.length; i++) args.set(parameters[i]!.key, settled(positional[i], parameters[i]!))
  let unknown = 0
  for (const name of Object.keys(named)) {
    const value = named[name]
    const parameter = findParameter(signature, name)
    if (parameter === undefined && signature.extra === undefined) {
      if (++unknown <= MOST_UNKNOWN) problems.push(unknownParameter(name, parameters, notation))
      continue
    }
    const key = parameter?.key ?? name
    if (args.has(key)) return fail(messages.argumentTwice(path, marked(parameter?.name ?? name, '*', name)))
    args.set(key, settled(value, parameter ?? { type: signature.extra ?? ANY }))
  }
  if (unknown > MOST_UNKNOWN) problems.push(said`and ${unknown - MOST_UNKNOWN} more`)
  for (const parameter of parameters)
    if (args.get(parameter.key) === null && !parameter.required && !takesNone(parameter.type))
      args.delete(parameter.key)
  const missing = parameters.filter((parameter) => parameter.required && !args.has(parameter.key))
  if (missing.length > 0) problems.push(said`missing ${missing.map((parameter) => parameter.name).join(', ')}`)
  if (problems.length > 0) return fail(messages.wrongArguments(path, joined(problems, '; '), takes(parameters)))
  const bound = Object.fromEntries(args)
  const error = rules.check(bound)
  return error === undefined ? { ok: true, args: bound } : fail(error)
}

/** True if the arguments are already the object that the tool takes. Most are. */
function isBound(named: Readonly<Record<string, unknown>>, parameters: readonly Parameter[]): boolean {
  let required = 0
  for (const name of Object.keys(named)) {
    const parameter = parameters.find((one) => one.name === name)
    // Objects may be texts with data, or name kept files, and an optional null is left out.
    if (parameter?.key !== name || typeof named[name] === 'object') return false
    if (parameter.required) required++
  }
  return parameters.every((parameter) => !parameter.required || required-- > 0)
}

/** Finds a parameter by its name in the stub, else by its name in the schema. */
function findParameter(signature: Signature, name: string): Parameter | undefined {
  const { parameters } = signature
  return (
    parameters.find((parameter) => parameter.name === name) ?? parameters.find((parameter) => parameter.key === name)
  )
}

function unknownParameter(name: string, parameters: readonly Parameter[], notation: Notation): Said {
  const near = nearestNames(
    name,
    parameters.map((parameter) => parameter.name),
  )
  return said`no parameter ${quotedName(name, notation)}${near.length > 0 ? ` (nearest: ${near.join(', ')})` : ''}`
}

function takes(parameters: readonly Parameter[]): string | undefined {
  if (parameters.length === 0) return 'call it without arguments'
  const names = parameters.map((parameter) => (parameter.required ? parameter.name : `${parameter.name}?`))
  const shown = names.slice(0, 12).join(', ')
  return `it takes ${shown}${names.length > 12 ? ` and ${names.length - 12} more` : ''}`
}
