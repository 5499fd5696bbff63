// Parses XML into plain records, with expat's messages. Document type declarations are skipped.
// Invariant: names carry their namespace in braces, as in ElementTree.

/** A parsed element. */
export interface XmlNode {
  readonly tag: string
  readonly attributes: Map<string, string>
  text: string
  tail: string
  readonly children: XmlNode[]
}

export class XmlFault {
  readonly reason: string
  readonly line: number
  readonly column: number
  constructor(reason: string, line: number, column: number) {
    this.reason = reason
    this.line = line
    this.column = column
  }
}

const NAME = '[A-Za-z_:\\u0080-\\uffff][\\w:.\\-\\u0080-\\uffff]*'
const TAG = new RegExp(`<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, 'y')
/** Matches the well-formed beginning of a tag. */
const BEGUN = new RegExp(`<(?:${NAME}(?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*\\s*(?:${NAME}\\s*=?\\s*)?)?`, 'y')
const END = new RegExp(`</(${NAME})\\s*>`, 'y')
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'g')
const ENTITY = /&(?:#x([0-9a-fA-F]+)|#(\d+)|(\w+));|&/g
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

interface Open {
  readonly name: string
  readonly node: XmlNode
  readonly spaces: ReadonlyMap<string, string>
}

class XmlReader {
  readonly #source: string
  readonly #open: Open[] = []
  #at = 0
  #root: XmlNode | undefined

  constructor(source: string) {
    this.#source = source.replace(/\r\n?/g, '\n')
  }

  read(): XmlNode {
    while (this.#at < this.#source.length) this.#next()
    if (this.#open.length > 0 || this.#root === undefined) return this.#fail('no element found')
    return this.#root
  }

  #fail(reason: string, at = this.#at): never {
    const before = this.#source.slice(0, at).split('\n')
    throw new XmlFault(reason, before.length, before.at(-1)!.length)
  }

  #next(): void {
    const s = this.#source
    if (!s.startsWith('<', this.#at)) {
      const end = s.indexOf('<', this.#at)
      this.#text(s.slice(this.#at, end < 0 ? s.length : end), true)
      this.#at = end < 0 ? s.length : end
    } else if (s.startsWith('<!--', this.#at)) this.#skip('-->')
    else if (s.startsWith('<![CDATA[', this.#at)) {
      const from = this.#at + 9
      this.#skip(']]>')
      this.#text(s.slice(from, this.#at - 3), false)
    } else if (s.startsWith('<?', this.#at)) this.#skip('?>')
    else if (s.startsWith('<!', this.#at)) this.#documentType()
    else if (s.startsWith('</', this.#at)) this.#end()
    else this.#begin()
  }

  #skip(end: string): void {
    const found = this.#source.indexOf(end, this.#at)
    if (found < 0) this.#fail('unclosed token')
    this.#at = found + end.length
  }

  #documentType(): void {
    const found = /<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/y
    found.lastIndex = this.#at
    const m = found.exec(this.#source)
    if (m === null) this.#fail('not well-formed (invalid token)')
    this.#at += m[0].length
  }

  #text(raw: string, escaped: boolean): void {
    const open = this.#open.at(-1)
    if (open === undefined) {
      const visible = raw.search(/\S/)
      if (visible < 0) return
      this.#fail(this.#root === undefined ? 'syntax error' : 'junk after document element', this.#at + visible)
    }
    const text = escaped ? this.#unescaped(raw, this.#at) : raw
    const last = open.node.children.at(-1)
    if (last === undefined) open.node.text += text
    else last.tail += text
  }

  #unescaped(raw: string, at: number): string {
    return raw.replace(ENTITY, (_, hex?: string, decimal?: string, name?: string, offset?: number) => {
      if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
      if (decimal !== undefined) return String.fromCodePoint(Number(decimal))
      if (name === undefined) return this.#fail('not well-formed (invalid token)', at + offset! + 1)
      return entities[name] ?? this.#fail('undefined entity', at + offset!)
    })
  }

  #begin(): void {
    TAG.lastIndex = this.#at
    const m = TAG.exec(this.#source)
    if (m === null) return this.#badTag()
    if (this.#root !== undefined && this.#open.length === 0) this.#fail('junk after document element')
    const [whole, name, attributes, closed] = m as unknown as [string, string, string, string]
    const { given, spaces } = this.#attributes(attributes, this.#at + 1 + name.length)
    const node: XmlNode = {
      tag: this.#expanded(name, spaces, true),
      attributes: new Map(given.map(([key, value]) => [this.#expanded(key, spaces, false), value])),
      text: '',
      tail: '',
      children: [],
    }
    if (this.#root === undefined) this.#root = node
    else this.#open.at(-1)!.node.children.push(node)
    this.#at += whole.length
    if (closed === '') this.#open.push({ name, node, spaces })
  }

  #badTag(): never {
    if (!this.#source.includes('>', this.#at)) return this.#fail('unclosed token')
    BEGUN.lastIndex = this.#at
    return this.#fail('not well-formed (invalid token)', this.#at + (BEGUN.exec(this.#source)?.[0].length ?? 1))
  }

  #attributes(text: string, at: number): { given: [string, string][]; spaces: ReadonlyMap<string, string> } {
    let spaces = this.#open.at(-1)?.spaces ?? new Map([['xml', 'http://www.w3.org/XML/1998/namespace']])
    const given: [string, string][] = []
    const seen = new Set<string>()
    for (const m of text.matchAll(ATTRIBUTE)) {
      const name = m[1]!
      if (seen.has(name)) this.#fail('duplicate attribute', at + m.index)
      seen.add(name)
      const value = this.#unescaped((m[2] ?? m[3]!).replace(/[\n\t]/g, ' '), at + m.index)
      if (name === 'xmlns' || name.startsWith('xmlns:')) spaces = new Map(spaces).set(name.slice(6), value)
      else given.push([name, value])
    }
    return { given, spaces }
  }

  #expanded(name: string, spaces: ReadonlyMap<string, string>, isTag: boolean): string {
    const colon = name.indexOf(':')
    const space = colon < 0 ? (isTag ? spaces.get('') : undefined) : spaces.get(name.slice(0, colon))
    if (colon > 0 && space === undefined) this.#fail('unbound prefix')
    return space === undefined || space === '' ? name : `{${space}}${name.slice(colon + 1)}`
  }

  #end(): void {
    END.lastIndex = this.#at
    const m = END.exec(this.#source)
    if (m === null) return this.#fail('not well-formed (invalid token)', this.#at + 2)
    if (this.#open.pop()?.name !== m[1]) this.#fail('mismatched tag', this.#at + 2)
    this.#at += m[0].length
  }
}

/** The root element of a document. Throws an XmlFault. */
export function parseXml(source: string): XmlNode {
  return new XmlReader(source.replace(/^\ufeff/, '')).read()
}
