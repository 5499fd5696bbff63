// Sections and options of a parser as programs ask for them: with what all sections have, with what `%(name)s` stands
// for, as numbers and bools.
// Invariant: an option's name has been through the parser's own `optionxform`.

import { numberBuiltins } from '../../builtins/number-builtins.js'
import { call } from '../../calls/signature.js'
import { attributeOrAbsent } from '../../classes/attributes.js'
import { quoted, str } from '../../text/repr.js'
import { guestError, typeError, valueError } from '../../values/errors.js'
import { type Literal, type Said, said, spelled } from '../../values/said.js'
import { TUPLE, type Value } from '../../values/values.js'
import type { Section } from './ini.js'

export interface State {
  readonly sections: Map<string, Section>
  readonly defaults: Section
  readonly interpolates: boolean
  readonly allowsNoValue: boolean
  readonly delimiters: readonly string[]
  readonly comments: readonly string[]
  readonly inlineComments: readonly string[]
  readonly defaultSection: string
}
export const states = new WeakMap<object, State>()
export const stateOf = (self: Value): State => states.get(self as object)!

export const keyError = (k: Value): never => {
  throw guestError('KeyError', said`${quoted(k)}`, { args: [k] })
}

export function fail<M extends string>(
  kind: string,
  message: Said | Literal<M>,
  attributes: Record<string, Value> = {},
): never {
  const e = guestError(kind, message)
  e.attributes = attributes
  throw e
}

// ---- options ---------------------------------------------------------------------------------------------------

export const optionName = (self: Value, option: Value): string =>
  call(attributeOrAbsent(self, 'optionxform')!, [option]) as string

export function sectionOf(self: Value, name: string): Section {
  const s = stateOf(self)
  if (name === s.defaultSection) return s.defaults
  return s.sections.get(name) ?? fail('NoSectionError', said`No section: ${quoted(name)}`, { section: name })
}

export function rawOption(self: Value, section: string, option: string): string | null | undefined {
  const found = sectionOf(self, section).get(option)
  return found === undefined ? stateOf(self).defaults.get(option) : found
}

/** A value with what `%(name)s` in it stands for. */
function interpolated(self: Value, section: string, option: string, text: string, depth = 1): string {
  if (depth > 10)
    fail('InterpolationDepthError', said`Recursion limit exceeded in value substitution: option ${quoted(option)}`)
  const plain = text.replace(/%%|%\((.*?)\)s/g, '')
  if (plain.includes('%'))
    fail(
      'InterpolationSyntaxError',
      said`'%' must be followed by '%' or '(', found: ${quoted(plain.slice(plain.indexOf('%')))}`,
    )
  return text.replace(/%%|%\((.*?)\)s/g, (_, name: string | undefined) => {
    if (name === undefined) return '%'
    const value = rawOption(self, section, optionName(self, name))
    if (value === undefined)
      fail(
        'InterpolationMissingOptionError',
        said`Bad value substitution: option ${quoted(option)} in section ${quoted(section)} contains an interpolation key ${quoted(name)} which is not a valid option name. Raw value: ${quoted(text)}`,
      )
    return value === null ? '' : interpolated(self, section, option, value, depth + 1)
  })
}

interface Asked {
  readonly raw?: Value | undefined
  readonly fallback?: Value | undefined
}

export function getOption(self: Value, section0: Value, option0: Value, { raw, fallback }: Asked): Value {
  const section = section0 as string
  const s = stateOf(self)
  if (section !== s.defaultSection && !s.sections.has(section)) {
    if (fallback !== undefined) return fallback
    return fail('NoSectionError', said`No section: ${quoted(section)}`, { section })
  }
  const option = optionName(self, option0)
  const value = rawOption(self, section, option)
  if (value === undefined) {
    if (fallback !== undefined) return fallback
    return fail('NoOptionError', said`No option ${quoted(option)} in section: ${quoted(section)}`, { section, option })
  }
  return value === null || raw === true || !s.interpolates ? value : interpolated(self, section, option, value)
}

const booleans: Readonly<Record<string, boolean>> = {
  '1': true,
  yes: true,
  true: true,
  on: true,
  '0': false,
  no: false,
  false: false,
  off: false,
}

/** What `getint` and its like make of a text. */
export const conversions: Readonly<Record<string, (text: Value) => Value>> = {
  get: (text) => text,
  getint: (text) => call(numberBuiltins.int!, [text]),
  getfloat: (text) => call(numberBuiltins.float!, [text]),
  getboolean: (text) => booleans[str(text).toLowerCase()] ?? valueError(said`Not a boolean: ${spelled(str(text))}`),
}

export function converted(self: Value, how: string, section: Value, option: Value, asked: Asked): Value {
  const value = getOption(self, section, option, { ...asked, fallback: absent })
  if (value !== absent) return conversions[how]!(value)
  return asked.fallback === undefined ? getOption(self, section, option, {}) : asked.fallback
}
export const absent = TUPLE as unknown as Value

export function namesOf(self: Value, section: string): string[] {
  return [...new Set([...sectionOf(self, section).keys(), ...stateOf(self).defaults.keys()])]
}

export function pairsOf(self: Value, section: string, raw?: Value): Value[] {
  const nothing = raw !== true && stateOf(self).interpolates ? '' : null
  return namesOf(self, section).map((option) => [TUPLE, option, getOption(self, section, option, { raw }) ?? nothing])
}

export function setOption(self: Value, section: Value, option: Value, value: Value): null {
  if (typeof value !== 'string' && value !== null) return typeError('option values must be strings')
  sectionOf(self, section as string).set(optionName(self, option), value)
  return null
}

export function addSection(self: Value, name: Value): null {
  const s = stateOf(self)
  if (typeof name !== 'string') return typeError('section names must be strings')
  if (name === s.defaultSection) return valueError(said`Invalid section name: ${quoted(name)}`)
  if (s.sections.has(name))
    fail('DuplicateSectionError', said`Section ${quoted(name)} already exists`, { section: name })
  s.sections.set(name, new Map())
  return null
}
