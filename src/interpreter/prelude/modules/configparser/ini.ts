// The lines of INI files as sections of options. Knows the form and no values of programs. Invariant: a value that goes
// on in further lines is one text with line ends in it, and blank lines after it do not belong to it.

/** The options of a section by name; null for one without a value. */
export type Section = Map<string, string | null>

export interface IniForm {
  readonly allowsNoValue: boolean
  readonly delimiters: readonly string[]
  readonly comments: readonly string[]
  /** What begins a comment behind a value, after a blank. */
  readonly inlineComments: readonly string[]
  /** The options that all sections have. */
  readonly defaultSection: string
  readonly optionName: (raw: string) => string
}

export type IniFault =
  | { readonly kind: 'no-section'; readonly line: number; readonly text: string }
  | { readonly kind: 'unreadable'; readonly lines: readonly (readonly [line: number, text: string])[] }
  | { readonly kind: 'again'; readonly line: number; readonly section: string; readonly option?: string }

export class IniReader {
  readonly #form: IniForm
  readonly #sections: Map<string, Section>
  readonly #defaults: Section
  readonly #seen = new Set<string>()
  readonly #unreadable: [number, string][] = []
  #section: string | undefined
  #option: string | undefined
  #lines: string[] = []
  #indent = 0

  constructor(form: IniForm, sections: Map<string, Section>, defaults: Section) {
    this.#form = form
    this.#sections = sections
    this.#defaults = defaults
  }

  /** Adds what the lines say to the sections; the first fault, or all lines that could not be read. */
  read(lines: readonly string[]): IniFault | undefined {
    for (const [i, line] of lines.entries()) {
      const fault = this.#line(i + 1, line)
      if (fault !== undefined) return fault
    }
    this.#close()
    return this.#unreadable.length > 0 ? { kind: 'unreadable', lines: this.#unreadable } : undefined
  }

  #line(number: number, line: string): IniFault | undefined {
    const value = this.#withoutComment(line)
    if (value === '') {
      if (this.#option === undefined) return undefined
      if (line.trim() === '') this.#lines.push('')
      return undefined
    }
    const indent = line.length - line.trimStart().length
    if (this.#section !== undefined && this.#option !== undefined && indent > this.#indent) {
      this.#lines.push(value)
      return undefined
    }
    this.#indent = indent
    const header = /^\[(.+)\]/.exec(value)
    if (header !== null) return this.#header(number, header[1]!)
    if (this.#section === undefined) return { kind: 'no-section', line: number, text: line }
    return this.#optionLine(number, value, line)
  }

  #withoutComment(line: string): string {
    const text = line.trim()
    if (this.#form.comments.some((mark) => text.startsWith(mark))) return ''
    const starts = this.#form.inlineComments.flatMap((mark) =>
      [...line.matchAll(/(?<=\s)\S/g)].filter((m) => line.startsWith(mark, m.index)).map((m) => m.index),
    )
    return (starts.length === 0 ? line : line.slice(0, Math.min(...starts))).trim()
  }

  #header(number: number, name: string): IniFault | undefined {
    this.#close()
    this.#section = name
    if (name === this.#form.defaultSection) return undefined
    if (this.#seen.has(name)) return { kind: 'again', line: number, section: name }
    this.#seen.add(name)
    if (!this.#sections.has(name)) this.#sections.set(name, new Map())
    return undefined
  }

  #optionLine(number: number, text: string, line: string): IniFault | undefined {
    this.#close()
    const at = Math.min(...this.#form.delimiters.map((d) => text.indexOf(d)).filter((i) => i >= 0))
    if (!Number.isFinite(at) && !this.#form.allowsNoValue) {
      this.#unreadable.push([number, line])
      return undefined
    }
    const section = this.#section!
    const option = this.#form.optionName((Number.isFinite(at) ? text.slice(0, at) : text).trimEnd())
    const place = `${section}\n${option}`
    if (this.#seen.has(place)) return { kind: 'again', line: number, section, option }
    this.#seen.add(place)
    const delimiter = this.#form.delimiters.find((d) => text.startsWith(d, at))
    this.#option = option
    if (delimiter === undefined) this.#options().set(option, null)
    else this.#lines = [text.slice(at + delimiter.length).trim()]
    return undefined
  }

  #options(): Section {
    return this.#section === this.#form.defaultSection ? this.#defaults : this.#sections.get(this.#section!)!
  }

  /** Ends the option that is being read. */
  #close(): void {
    if (this.#option !== undefined && this.#lines.length > 0)
      this.#options().set(this.#option, this.#lines.join('\n').trimEnd())
    this.#option = undefined
    this.#lines = []
  }
}

/** The file again: a section after the other, each with a blank line behind it. */
export function iniText(sections: readonly (readonly [string, Section])[], delimiter: string): string {
  return sections
    .map(([name, options]) => {
      const lines = [...options].map(([option, value]) =>
        value === null ? option : `${option}${delimiter}${value.replaceAll('\n', '\n\t')}`,
      )
      return `[${name}]\n${lines.map((line) => `${line}\n`).join('')}\n`
    })
    .join('')
}
