// Command-line options of a program's function `main`, from its annotated parameters.
// Invariant: a person's input becomes data in the call, never code.

import { Command, InvalidArgumentError, Option } from 'commander'
import type { MainFunction, MainParameter, SavedCall, SavedProgramStatus } from '../index.js'
import { tellMistake } from './command.js'
import { wrongUsage } from './failure.js'

/** A parameter that may also take any JSON. */
type Parameter = Omit<MainParameter, 'type'> & { readonly type: MainParameter['type'] | 'json' }

interface Parameters extends Pick<MainFunction, 'doc'> {
  readonly parameters: readonly Parameter[]
}

/** The statements that call `main`. Throws commander's errors for wrong options and after `--help`. */
export function callOfMain(main: MainFunction, file: string, typed: readonly string[]): string {
  const given = argumentsOf(main, file, typed).map(([name, value]) => `${name}=${literalOf(value)}`)
  const call = `main(${given.join(', ')})`
  return `\nresult_of_main = ${call}\nif result_of_main != None:\n    result = result_of_main\n`
}

/** The call of a saved program; the same errors. */
export function callOfSaved(
  { name, description, inputSchema }: SavedProgramStatus,
  typed: readonly string[],
): SavedCall {
  const { properties = {}, required = [] } = inputSchema as ObjectSchema
  const parameters = Object.entries(properties).map(([key, schema]) => parameterOf(key, schema, required.includes(key)))
  const given = argumentsOf({ parameters, doc: description }, `:${name}`, typed)
  return { program: name, arguments: Object.fromEntries(given.map(([key, value]) => [key, plain(key, value)])) }
}

/** As JSON has it. */
function plain(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => plain(key, one))
  if (typeof value !== 'bigint') return value
  if (Number.isSafeInteger(Number(value))) return Number(value)
  throw wrongUsage(`${key} is ${value}, and JSON keeps whole numbers up to ${Number.MAX_SAFE_INTEGER} exactly`)
}

interface PropertySchema {
  readonly type?: string
  readonly items?: PropertySchema
  readonly anyOf?: readonly PropertySchema[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, PropertySchema>>
  readonly required?: readonly string[]
}

const TYPES: Readonly<Record<string, MainParameter['type']>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
}

function parameterOf(name: string, schema: PropertySchema, isNeeded: boolean): Parameter {
  const [first, ...others] = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null')
  const single = others.length === 0 ? first : undefined
  const choices = single?.enum?.every((one) => typeof one === 'string') ? single.enum : undefined
  const type = choices === undefined ? TYPES[single?.type ?? ''] : 'str'
  const item = single?.type === 'array' ? TYPES[single.items?.type ?? ''] : undefined
  return {
    name,
    type: type ?? (item === 'bool' ? 'json' : (item ?? 'json')),
    isList: item !== undefined && item !== 'bool',
    ...(choices === undefined ? {} : { choices: choices as string[] }),
    ...(isNeeded
      ? {}
      : { default: type === 'bool' ? literalOf(schema.default) : (JSON.stringify(schema.default) ?? 'None') }),
  }
}

/** What was typed, as the arguments of a call. */
function argumentsOf(main: Parameters, file: string, typed: readonly string[]): [name: string, value: unknown][] {
  const options = main.parameters.map((parameter) => ({ parameter, option: optionFor(parameter) }))
  const command = new Command(`starbind run ${file}`)
    .description(main.doc.trim())
    .usage(`[options]${wordsFor(main)}`)
    .helpOption('-h, --help', 'print this help')
    .allowExcessArguments()
    .configureOutput({ outputError: tellMistake })
    .showHelpAfterError(`hint: starbind run ${file} --help shows its options`)
    .exitOverride()
  for (const { option } of options) command.addOption(option)
  command.parse([...typed], { from: 'user' })
  const rest = [...command.args]
  const given = options.flatMap(({ parameter, option }): [string, unknown][] => {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) === 'cli') return [[parameter.name, command.getOptionValue(name)]]
    if (!isNeeded(parameter)) return []
    if (rest.length === 0) return command.error(`error: ${option.long} is needed`)
    return [[parameter.name, readWord(parameter, rest.shift()!, command, option)]]
  })
  if (rest.length > 0) command.error(`error: too many arguments: ${rest.join(' ')}`)
  return given
}

function isNeeded(parameter: Parameter): boolean {
  return parameter.default === undefined
}

function wordsFor({ parameters }: Parameters): string {
  return parameters
    .filter(isNeeded)
    .map(({ name }) => ` [${name}]`)
    .join('')
}

const WORDS = { str: 'text', int: 'number', float: 'number', bool: '', json: 'JSON' } as const

function optionFor(parameter: Parameter): Option {
  const { name, type, isList, choices, default: usual } = parameter
  // Commander reads `--no-x` as the negation of `--x`, so such a name keeps its underscore.
  const long = name.replace(/(?<!^no)_/g, '-').replace(/^-+/, '')
  const remark = usual === undefined ? 'needed' : `default: ${usual}`
  if (type === 'bool') {
    const flag = usual === 'True' ? `--no-${long}` : `--${long}`
    return new Option(flag, `(${remark})`)
  }
  const value = choices?.join('|') ?? WORDS[type]
  const option = new Option(`--${long} <${value}${isList ? '...' : ''}>`, `(${remark})`)
  if (choices !== undefined) return option.choices(choices)
  const read = readerOf(type)
  return option.argParser((text: string, before: unknown) =>
    isList ? [...(Array.isArray(before) ? before : []), read(text)] : read(text),
  )
}

function readerOf(type: Parameter['type']): (text: string) => unknown {
  switch (type) {
    case 'int':
      return (text) => {
        if (!/^-?\d{1,1000}$/.test(text)) throw new InvalidArgumentError('Write a whole number.')
        return BigInt(text)
      }
    case 'float':
      return (text) => {
        const number = text.trim() === '' ? Number.NaN : Number(text)
        if (!Number.isFinite(number)) throw new InvalidArgumentError('Write a number.')
        return number
      }
    case 'json':
      return (text) => {
        try {
          return JSON.parse(text)
        } catch {
          throw new InvalidArgumentError('Write JSON.')
        }
      }
    case 'str':
    case 'bool':
      return (text) => text
  }
}

/** A required parameter is positional. */
function readWord(parameter: Parameter, text: string, command: Command, option: Option): unknown {
  const { type, isList, choices } = parameter
  try {
    if (choices?.includes(text) === false) throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`)
    if (type === 'bool') return /^(true|yes|1)$/i.test(text)
    return isList ? [readerOf(type)(text)] : readerOf(type)(text)
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    return command.error(`error: '${text}' is not a value for ${option.long}. ${error.message}`)
  }
}

function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literalOf).join(', ')}]`
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value)
  if (typeof value !== 'object' || value === null) return value == null ? 'None' : JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${literalOf(inner)}`)
    .join(', ')}}`
}
