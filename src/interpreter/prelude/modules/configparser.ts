// The module `configparser`: INI files as texts and lines; `read` finds no file, as there are none. What a file says is
// in `configparser/ini.ts`.

import { builtin, call, type Native } from '../calls/signature.js'
import { callAttribute } from '../classes/attributes.js'
import { asMethod, attachClass, Class, setMember } from '../classes/classes.js'
import { classCallable } from '../classes/construct.js'
import { Property } from '../classes/descriptors.js'
import { settleClass } from '../classes/instances.js'
import { exceptionClass, objectClass } from '../classes/known-classes.js'
import { dictGet, dictOf } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { Iterator, stepper } from '../operators/iterators.js'
import { str } from '../text/repr.js'
import { TUPLE, type Value } from '../values/values.js'
import { iniText } from './configparser/ini.js'
import {
  absent,
  addSection,
  conversions,
  converted,
  getOption,
  keyError,
  namesOf,
  optionName,
  pairsOf,
  rawOption,
  sectionOf,
  setOption,
  stateOf,
  states,
} from './configparser/options.js'
import { linesOf, readDict, readLines } from './configparser/reading.js'
import { type Module, module } from './module.js'

function classNamed(name: string, base: Class): Class {
  const cls = new Class(name, 'builtin', [base])
  attachClass(classCallable(cls), cls)
  Object.assign(cls.$extras, { inheritable: true, module: 'configparser' })
  return cls
}

const define = (cls: Class, name: string, parameters: string, f: Native): void =>
  setMember(cls, name, asMethod(builtin(name, parameters, f)))

const texts = (x: Value | undefined, otherwise: readonly string[]): readonly string[] =>
  x === undefined ? otherwise : x === null ? [] : (items(x) as string[])

const walked = (all: readonly Value[]): Value => new Iterator('iterator', stepper([...all]))

function defineMaking(cls: Class, interpolates: boolean): void {
  const parameters =
    'self, defaults=, dict_type=, allow_no_value=, *, delimiters=, comment_prefixes=, inline_comment_prefixes=, strict=, empty_lines_in_values=, default_section=, interpolation=, converters='
  define(cls, '__init__', parameters, (self, defaults, _, noValue, delimiters, comments, inline, ...rest) => {
    const [, , defaultSection, interpolation] = rest
    states.set(self as object, {
      sections: new Map(),
      defaults: new Map(),
      interpolates: interpolates && interpolation !== null,
      allowsNoValue: noValue === true,
      delimiters: texts(delimiters, ['=', ':']),
      comments: texts(comments, ['#', ';']),
      inlineComments: texts(inline, []),
      defaultSection: typeof defaultSection === 'string' ? defaultSection : 'DEFAULT',
    })
    if (defaults !== undefined && defaults !== null) readDict(self!, dictOf([stateOf(self!).defaultSection, defaults]))
    return null
  })
}

const parser = classNamed('RawConfigParser', objectClass)
defineMaking(parser, false)
define(parser, 'optionxform', 'self, optionstr', (_, option) => str(option!).toLowerCase())
define(parser, 'read', 'self, filenames, encoding=', () => [])
define(parser, 'read_string', 'self, string, source=', (self, text, source) =>
  readLines(self!, linesOf(text as string), source === undefined ? '<string>' : str(source)),
)
define(parser, 'read_file', 'self, f, source=', (self, lines, source) =>
  readLines(self!, items(lines!) as string[], source === undefined ? '<???>' : str(source)),
)
define(parser, 'read_dict', 'self, dictionary, source=', (self, dict) => readDict(self!, dict!))
define(parser, 'sections', 'self', (self) => [...stateOf(self!).sections.keys()])
define(parser, 'defaults', 'self', (self) => dictOf([...stateOf(self!).defaults].flat()))
define(parser, 'add_section', 'self, section', (self, name) => addSection(self!, name!))
define(parser, 'has_section', 'self, section', (self, name) => stateOf(self!).sections.has(name as string))
define(parser, 'options', 'self, section', (self, name) => namesOf(self!, name as string))
define(parser, 'has_option', 'self, section, option', (self, section, option) => {
  const s = stateOf(self!)
  const known = s.sections.has(section as string) || section === s.defaultSection
  return known && rawOption(self!, section as string, optionName(self!, option!)) !== undefined
})
for (const how of Object.keys(conversions)) {
  define(
    parser,
    how,
    'self, section, option, *, raw=, vars=, fallback=',
    (self, section, option, raw, vars, fallback) => {
      const given = vars === undefined || vars === null ? undefined : dictGet(vars as object, option!)
      return given === undefined
        ? converted(self!, how, section!, option!, { raw, fallback })
        : conversions[how]!(given)
    },
  )
}
define(parser, 'items', 'self, section=, raw=, vars=', (self, section, raw) =>
  section === undefined
    ? allNames(self!).map((name) => [TUPLE, name, proxyOf(self!, name)])
    : pairsOf(self!, section as string, raw),
)
define(parser, 'set', 'self, section, option, value=', (self, section, option, value) =>
  setOption(self!, section!, option!, value ?? null),
)
define(parser, 'remove_option', 'self, section, option', (self, section, option) =>
  sectionOf(self!, section as string).delete(optionName(self!, option!)),
)
define(parser, 'remove_section', 'self, section', (self, name) => stateOf(self!).sections.delete(name as string))
define(parser, 'write', 'self, fp, space_around_delimiters=', (self, file, spaces) => {
  const s = stateOf(self!)
  const all = [...s.sections]
  if (s.defaults.size > 0) all.unshift([s.defaultSection, s.defaults])
  const delimiter = s.delimiters[0]!
  callAttribute(file!, 'write', [iniText(all, spaces === false ? delimiter : ` ${delimiter} `)])
  return null
})

function allNames(self: Value): string[] {
  const s = stateOf(self)
  return [s.defaultSection, ...s.sections.keys()]
}
define(parser, '__iter__', 'self', (self) => walked(allNames(self!)))
define(parser, 'keys', 'self', (self) => allNames(self!))
define(parser, 'values', 'self', (self) => allNames(self!).map((name) => proxyOf(self!, name)))
define(parser, '__len__', 'self', (self) => allNames(self!).length)
define(parser, '__contains__', 'self, key', (self, name) => allNames(self!).includes(name as string))
define(parser, '__getitem__', 'self, key', (self, name) =>
  allNames(self!).includes(name as string) ? proxyOf(self!, name as string) : keyError(name!),
)
define(parser, '__setitem__', 'self, key, value', (self, name, value) => {
  sectionsWithout(self!, name as string)
  return readDict(self!, dictOf([name!, value!]))
})
define(parser, '__delitem__', 'self, key', (self, name) =>
  stateOf(self!).sections.delete(name as string) ? null : keyError(name!),
)
settleClass(parser)

function sectionsWithout(self: Value, name: string): void {
  const s = stateOf(self)
  if (name === s.defaultSection) s.defaults.clear()
  else s.sections.get(name)?.clear()
}

const interpolating = classNamed('ConfigParser', parser)
defineMaking(interpolating, true)
settleClass(interpolating)

// ---- sections of a parser --------------------------------------------------------------------------------------

const proxy = classNamed('SectionProxy', objectClass)
const proxied = new WeakMap<object, { readonly parser: Value; readonly name: string }>()

function proxyOf(self: Value, name: string): Value {
  const made = call(proxy.$value, [])
  proxied.set(made as object, { parser: self, name })
  return made
}

/** A method of sections, given the parser and the section's name. */
function defineProxy(
  name: string,
  parameters: string,
  f: (self: Value, section: string, ...args: Value[]) => Value,
): void {
  define(proxy, name, `self${parameters === '' ? '' : `, ${parameters}`}`, (self, ...args) => {
    const p = proxied.get(self as object)!
    return f(p.parser, p.name, ...(args as Value[]))
  })
}
defineProxy('__getitem__', 'key', (self, section, option) => {
  const value = getOption(self, section, option, { fallback: absent })
  return value === absent ? keyError(option) : value
})
defineProxy('__setitem__', 'key, value', (self, section, option, value) => setOption(self, section, option, value))
defineProxy('__delitem__', 'key', (self, section, option) =>
  sectionOf(self, section).delete(optionName(self, option)) ? null : keyError(option),
)
defineProxy(
  '__contains__',
  'key',
  (self, section, option) => rawOption(self, section, optionName(self, option)) !== undefined,
)
defineProxy('__iter__', '', (self, section) => walked(namesOf(self, section)))
defineProxy('__len__', '', (self, section) => namesOf(self, section).length)
defineProxy('__repr__', '', (_, section) => `<Section: ${section}>`)
defineProxy('keys', '', namesOf)
defineProxy('values', '', (self, section) =>
  namesOf(self, section).map((option) => getOption(self, section, option, {})),
)
defineProxy('items', '', (self, section) =>
  namesOf(self, section).map((option) => [TUPLE, option, getOption(self, section, option, {})]),
)
for (const how of Object.keys(conversions)) {
  defineProxy(how, 'option, fallback=, *, raw=', (self, section, option, fallback, raw) =>
    converted(self, how, section, option, { raw, fallback: fallback ?? null }),
  )
}
setMember(
  proxy,
  'name',
  new Property(
    builtin('name', 'self', (self) => proxied.get(self as object)!.name),
    null,
    null,
  ),
)
settleClass(proxy)

const errors = [
  'Error',
  'NoSectionError',
  'NoOptionError',
  'DuplicateSectionError',
  'DuplicateOptionError',
  'MissingSectionHeaderError',
  'ParsingError',
  'InterpolationError',
  'InterpolationMissingOptionError',
  'InterpolationSyntaxError',
  'InterpolationDepthError',
]

export const configparser: Module = module('configparser', {
  ConfigParser: interpolating.$value,
  RawConfigParser: parser.$value,
  SectionProxy: proxy.$value,
  DEFAULTSECT: 'DEFAULT',
  ...Object.fromEntries(errors.map((name) => [name, exceptionClass(name).$value])),
})
