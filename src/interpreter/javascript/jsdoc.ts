// Parses the comment of a function: JSDoc's `@param {type} name - words`, with the types whose values a caller can
// write as JSON.

type JsonSchema = Readonly<Record<string, unknown>>

interface DocumentedParameter {
  /** Undefined if the type has no JSON values. */
  readonly schema: JsonSchema | undefined
  /** True for `[name]` and `{type=}`. */
  readonly isOptional: boolean
}

interface JsDoc {
  readonly description: string
  /** The parameters by name. `args.month` has the name `month`. */
  readonly parameters: ReadonlyMap<string, DocumentedParameter>
}

/** The comment directly before a function. */
export function docBefore(text: string, start: number): JsDoc | undefined {
  const before = text.slice(0, start).trimEnd()
  const from = before.endsWith('*/') ? before.lastIndexOf('/**') : -1
  if (from < 0 || before.indexOf('*/', from) !== before.length - 2) return undefined
  const lines = before
    .slice(from + 3, -2)
    .split('\n')
    .map((line) => line.replace(/^[ \t]*\*?[ \t]?/, '').trimEnd())
  const firstTag = lines.findIndex((line) => line.startsWith('@'))
  const description = (firstTag < 0 ? lines : lines.slice(0, firstTag)).join('\n').trim()
  const tags = (firstTag < 0 ? [] : lines.slice(firstTag)).join('\n').split(/^@/m)
  return { description, parameters: new Map(tags.flatMap((tag) => parameterIn(tag) ?? [])) }
}

function parameterIn(tag: string): [string, DocumentedParameter][] | undefined {
  const word = /^param\s+/.exec(tag)
  if (word === null) return undefined
  const rest = tag.slice(word[0].length)
  const end = rest.startsWith('{') ? closing(rest) : -1
  const type = end < 0 ? '' : rest.slice(1, end)
  const [, open = '', path = '', words = ''] =
    /^(\[?)([\w$.]+)(?:=[^\]\n]*)?\]?[ \t]*(?:-[ \t]*)?([\s\S]*)$/.exec(rest.slice(end + 1).trimStart()) ?? []
  if (path === '') return undefined
  const schema = type === '' ? {} : schemaOf(type.replace(/=$/, ''))
  const description = words.trim().replace(/\s+/g, ' ')
  const described = schema && description !== '' ? { ...schema, description } : schema
  return [[path.slice(path.lastIndexOf('.') + 1), { schema: described, isOptional: open !== '' || type.endsWith('=') }]]
}

/** The position of the brace that closes the first one of a text. */
function closing(text: string): number {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '{') depth++
    if (text[i] === '}' && --depth === 0) return i
  }
  return -1
}

const SIMPLE: Readonly<Record<string, JsonSchema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  int: { type: 'integer' },
  boolean: { type: 'boolean' },
  null: { type: 'null' },
  object: { type: 'object' },
  array: { type: 'array' },
  '*': {},
  any: {},
  unknown: {},
}

/** The maximum depth of a type. A deeper one is not recognised. */
const DEEPEST = 20

/** The JSON Schema of a type; undefined for types that JSON lacks. */
function schemaOf(raw: string, depth = 0): JsonSchema | undefined {
  const type = raw.trim()
  if (depth > DEEPEST) return undefined
  const alternatives = apart(type, '|')
  if (alternatives.length > 1) return anyOf(alternatives, depth)
  if (type.startsWith('(') && type.endsWith(')')) return schemaOf(type.slice(1, -1), depth + 1)
  if (type.startsWith('?')) return anyOf([type.slice(1), 'null'], depth)
  if (type.endsWith('[]')) return listOf(type.slice(0, -2), depth)
  const [, name = '', inside] = /^([A-Za-z]+)\.?<(.*)>$/s.exec(type) ?? []
  if (inside !== undefined) {
    const [first = '', second, ...more] = apart(inside, ',')
    if (name === 'Array' && second === undefined) return listOf(first, depth)
    if (!['Object', 'Record'].includes(name) || second === undefined || more.length > 0 || first.trim() !== 'string')
      return undefined
    const values = schemaOf(second, depth + 1)
    return values && { type: 'object', additionalProperties: values }
  }
  const constant = constantIn(type)
  if (constant !== undefined) return { enum: [constant] }
  const word = type.toLowerCase()
  return Object.hasOwn(SIMPLE, word) ? SIMPLE[word] : undefined
}

function listOf(item: string, depth: number): JsonSchema | undefined {
  const items = schemaOf(item, depth + 1)
  return items && { type: 'array', items }
}

function anyOf(types: readonly string[], depth: number): JsonSchema | undefined {
  const constants = types.map((type) => constantIn(type.trim()))
  if (constants.every((one) => one !== undefined)) return { enum: constants }
  const all = types.map((type) => schemaOf(type, depth + 1))
  return all.every((one) => one !== undefined) ? { anyOf: all } : undefined
}

/** The value of a quoted text, a number or a bool. */
function constantIn(type: string): string | number | boolean | undefined {
  if (/^(?:"[^"\\]*"|'[^'\\]*')$/.test(type)) return type.slice(1, -1)
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(type)) return Number(type)
  return type === 'true' ? true : type === 'false' ? false : undefined
}

/** Splits at a sign that is outside brackets and quotes. */
function apart(text: string, sign: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const at = text[i]!
    if (quote !== '') {
      if (at === quote) quote = ''
    } else if (at === '"' || at === "'") quote = at
    else if ('(<{['.includes(at)) depth++
    else if (')>}]'.includes(at)) depth--
    else if (at === sign && depth === 0) {
      parts.push(text.slice(from, i))
      from = i + 1
    }
  }
  return [...parts, text.slice(from)]
}
