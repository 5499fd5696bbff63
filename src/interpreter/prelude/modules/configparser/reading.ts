// Texts and dicts into the sections of a parser, and what is wrong with them in CPython's words.

import { dictFlat } from '../../containers/dict.js'
import { quoted, repr, str } from '../../text/repr.js'
import { joined, type Shown, said, type Word, word } from '../../values/said.js'
import type { Value } from '../../values/values.js'
import { type IniFault, IniReader } from './ini.js'
import { addSection, fail, optionName, sectionOf, stateOf } from './options.js'

export function readLines(self: Value, lines: readonly string[], source: string): null {
  const s = stateOf(self)
  const form = { ...s, optionName: (raw: string) => optionName(self, raw) }
  const fault = new IniReader(form, s.sections, s.defaults).read(lines)
  return fault === undefined ? null : refuse(fault, source)
}

const numbered = (line: number): Word => word(`[line ${String(line).padStart(2)}]`)

/** What a source is called that the program does not name. */
const OWN_SOURCES = ['<string>', '<???>']

const sourceName = (source: string): Word | Shown =>
  OWN_SOURCES.includes(source) ? word(repr(source)) : quoted(source)

function refuse(fault: IniFault, source: string): never {
  switch (fault.kind) {
    case 'no-section':
      return fail(
        'MissingSectionHeaderError',
        said`File contains no section headers.\nfile: ${sourceName(source)}, line: ${fault.line}\n${quoted(fault.text)}`,
      )
    case 'unreadable':
      return fail(
        'ParsingError',
        said`Source contains parsing errors: ${sourceName(source)}${joined(
          fault.lines.map(([line, text]) => said`\n\t${numbered(line)}: ${quoted(text)}`),
          '',
        )}`,
      )
    case 'again': {
      const place = said`While reading from ${sourceName(source)} ${numbered(fault.line)}: `
      return fault.option === undefined
        ? fail('DuplicateSectionError', said`${place}section ${quoted(fault.section)} already exists`)
        : fail(
            'DuplicateOptionError',
            said`${place}option ${quoted(fault.option)} in section ${quoted(fault.section)} already exists`,
          )
    }
  }
}

export const linesOf = (text: string): string[] => text.split(/(?<=\n)/)

export function readDict(self: Value, dict: Value): null {
  const s = stateOf(self)
  const flat = dictFlat(dict as object)
  for (let i = 0; i < flat.length; i += 2) {
    const name = str(flat[i]!)
    if (name !== s.defaultSection && !s.sections.has(name)) addSection(self, name)
    const options = dictFlat(flat[i + 1] as object)
    for (let k = 0; k < options.length; k += 2) {
      const value = options[k + 1]!
      sectionOf(self, name).set(optionName(self, str(options[k]!)), value === null ? null : str(value))
    }
  }
  return null
}
