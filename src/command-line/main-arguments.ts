// Command-line options of a program's function `main`, from its annotated parameters.
// Invariant: a person's input becomes data in the call, never code.

import { Command, InvalidArgumentError, Option } from 'commander'
import type { MainFunction, MainParameter } from '../index.js'
import { tellMistake } from './command.js'

/** The statements that call `main`. Throws commander's errors for wrong options and after `--help`. */
export function callOfMain(main: MainFunction, file: string, typed: readonly string[]): string {
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
  const given = options.flatMap(({ parameter, option }) => {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) === 'cli') return [[parameter.name, literalOf(command.getOptionValue(name))]]
    if (!isNeeded(parameter)) return []
    if (rest.length === 0) return command.error(`error: ${option.long} is needed`)
    return [[parameter.name, literalOf(readWord(parameter, rest.shift()!, command, option))]]
  })
  if (rest.length > 0) command.error(`error: too many arguments: ${rest.join(' ')}`)
  const call = `main(${given.map(([name, value]) => `${name}=${value}`).join(', ')})`
  return `\nresult_of_main = ${call}\nif result_of_main != None:\n    result = result_of_main\n`
}

function isNeeded(parameter: MainParameter): boolean {
  return parameter.default === undefined
}

function wordsFor({ parameters }: MainFunction): string {
  return parameters
    .filter(isNeeded)
    .map(({ name }) => ` [${name}]`)
    .join('')
}

const WORDS = { str: 'text', int: 'number', float: 'number', bool: '' } as const

function optionFor(parameter: MainParameter): Option {
  const { name, type, isList, choices, default: usual } = parameter
  // A name that commander would take for the opposite of another keeps its underscore.
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

/** Distinguishes integers of any size, floats and texts. */
type Read = bigint | number | string

function readerOf(type: MainParameter['type']): (text: string) => Read {
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
    case 'str':
    case 'bool':
      return (text) => text
  }
}

/** A required parameter is positional. */
function readWord(parameter: MainParameter, text: string, command: Command, option: Option): unknown {
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
  return JSON.stringify(value)
}
