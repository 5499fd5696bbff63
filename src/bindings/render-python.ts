// Renders types in Python's notation and names their records.
// Invariant: the text parses as Python and means the same type, `Any` where Python has no notation for it.

import { classNameFor, isKeyword } from './identifiers.js'
import { commentText, pythonLiteral, pythonNumber, pythonString } from './quoting.js'
import { type AliasType, eachInner, type Field, literalKind, type RecordType, type Type } from './type.js'
import { type Notation, wordIn } from './value-words.js'

export type NamedType = RecordType | AliasType

/** The notation of types in a file. */
export interface Names {
  /** The class name of a record or an alias. */
  nameOf(type: NamedType): string
  /** A word of Python's or of `typing`; with its module before it where the file has a tool of that name. */
  word(plain: string): string
  /** The notation of several literals, if it is not Python's. */
  literals?(texts: readonly string[]): string
}

/** Class names for the records and aliases of a file. */
export interface Declarations extends Names {
  /** Named types, each shape once, in the order of first use. */
  readonly all: readonly NamedType[]
}

/** Types that belong together, and the prefix for their names when a name is taken. */
export interface TypeOwner {
  readonly name: string
  readonly types: readonly Type[]
  /** The result type. A shape that several owners return is named after none of them. */
  readonly returns?: Type
}

/** The words a stub imports from `typing`; no class may take their names. */
export const TYPING_WORDS = ['Any', 'Literal', 'Never', 'NotRequired', 'TypeAlias', 'TypedDict']

/**
 * Names every record and alias that the owners' types reach. Equal shapes share the name of the first. If another shape
 * has a name already, the owner's name is prefixed, then a number is added. `reserved`: the tools of the file, whose
 * names always mean the tools. An owner in each piece.
 */
export function* declaring(
  owners: readonly TypeOwner[],
  reserved: readonly string[] = [],
): Generator<void, Declarations, void> {
  const taken = new Set([...TYPING_WORDS, ...reserved])
  const shapes = new Shapes()
  const shared = yield* sharedResults(owners, shapes)
  const byShape = new Map<string, string>()
  const names = new Map<NamedType, string>()
  const all: NamedType[] = []
  const choose = (owner: string, hint: string): string => {
    const plain = classNameFor(hint)
    const owned = classNameFor(`${owner} ${hint}`)
    let name = taken.has(plain) ? owned : plain
    for (let n = 2; taken.has(name); n++) name = `${owned}${n}`
    taken.add(name)
    return name
  }
  const visited = new Set<Type>()
  const visit = (owner: string, type: Type): void => {
    const resolved = resolveAlias(type)
    if (visited.has(resolved)) return
    visited.add(resolved)
    if (resolved.kind === 'record' || resolved.kind === 'alias') {
      const shape = shapes.of(resolved)
      const name = byShape.get(shape) ?? choose(owner, shared.has(shape) ? 'result' : resolved.hint)
      names.set(resolved, name)
      if (!byShape.has(shape)) all.push(resolved)
      byShape.set(shape, name)
    }
    eachInner(resolved, (inner) => visit(owner, inner))
  }
  for (const owner of owners) {
    for (const type of owner.types) visit(owner.name, type)
    yield
  }
  const tools = new Set(reserved)
  const word = (plain: string): string =>
    tools.has(plain) ? `${TYPING_WORDS.includes(plain) ? 'typing' : 'builtins'}.${plain}` : plain
  return { nameOf: (type) => names.get(resolveAlias(type) as NamedType) ?? word('Any'), word, all }
}

/** The shapes of records that several owners return. */
function* sharedResults(owners: readonly TypeOwner[], shapes: Shapes): Generator<void, Set<string>, void> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { returns } of owners) {
    const resolved = returns && resolveAlias(returns)
    if (resolved?.kind !== 'record') continue
    const shape = shapes.of(resolved)
    if (seen.has(shape)) shared.add(shape)
    seen.add(shape)
    yield
  }
  return shared
}

/** An alias of a record or another alias means its target. */
export function resolveAlias(type: Type): Type {
  let resolved = type
  for (let i = 0; resolved.kind === 'alias' && i < 100; i++) {
    if (resolved.target.kind !== 'record' && resolved.target.kind !== 'alias') return resolved
    resolved = resolved.target
  }
  return resolved
}

/** Texts that are equal exactly if the types have equal structure. */
class Shapes {
  readonly #known = new Map<Type, string>()
  /** Numbers for shapes without cycles, by text, so that a shape with many equal parts stays short. */
  readonly #numbers = new Map<string, string>()
  readonly #ids = new Map<Type, number>()
  readonly #seen = new Set<Type>()
  /** The number of repeated visits of a shape, which cycles cause. */
  #again = 0

  of(type: Type): string {
    return this.#shape(type, [])
  }

  #shape(type: Type, trail: readonly Type[]): string {
    const known = this.#known.get(type)
    if (known !== undefined) return known
    const open = trail.indexOf(type)
    if (open >= 0) return `^${trail.length - open}`
    if (trail.length > MAX_SHAPE_DEPTH) return this.#identity(type)
    if (this.#seen.has(type) && ++this.#again > MAX_SHAPES_AGAIN) return this.#identity(type)
    this.#seen.add(type)
    const shape = this.#structure(type, [...trail, type])
    if (shape.includes('^')) return shape
    const number = this.#numbers.get(shape) ?? `~${this.#numbers.size}`
    this.#numbers.set(shape, number)
    this.#known.set(type, number)
    return number
  }

  #structure(type: Type, trail: readonly Type[]): string {
    const inner = (part: Type): string => this.#shape(resolveAlias(part), trail)
    switch (type.kind) {
      case 'literal':
        return `(${type.values.map((value) => JSON.stringify(value).replaceAll('^', '\\u005e')).join('|')})`
      case 'list':
        return `[${inner(type.item)}]`
      case 'tuple':
        return `<${type.items.map(inner).join(',')}>`
      case 'dict':
        return `{${inner(type.key)}=${inner(type.value)}}`
      case 'union':
        return `(${type.members.map(inner).join('|')})`
      case 'alias':
        return `@${inner(type.target)}`
      case 'record': {
        const fields = type.fields.map(
          (field) =>
            `${JSON.stringify(field.key).replaceAll('^', '\\u005e')}${field.required ? ':' : '?'}${inner(field.type)}`,
        )
        return `{${fields.join(',')}${type.extra ? `;${inner(type.extra)}` : ''}}`
      }
      default:
        return type.kind
    }
  }

  #identity(type: Type): string {
    const id = this.#ids.get(type) ?? this.#ids.size
    this.#ids.set(type, id)
    return `^#${id}`
  }
}

const MAX_SHAPES_AGAIN = 2_000
const MAX_SHAPE_DEPTH = 50

const MOST_PARTS = 5_000

/** A type as an expression; the rest after too many parts is `Any`. */
export function renderType(type: Type, names: Names, parts = { left: MOST_PARTS }): string {
  if (--parts.left < 0) return names.word('Any')
  const inner = (part: Type): string => renderType(part, names, parts)
  switch (type.kind) {
    case 'any':
      return names.word('Any')
    case 'never':
      return names.word('Never')
    case 'none':
      return names.word('None')
    case 'literal':
      return renderLiteral(type.values, names)
    case 'list':
      return `${names.word('list')}[${inner(type.item)}]`
    case 'tuple':
      return `${names.word('tuple')}[${type.items.map(inner).join(', ')}]`
    case 'dict':
      return `${names.word('dict')}[${inner(type.key)}, ${inner(type.value)}]`
    case 'record':
      return names.nameOf(type)
    case 'alias': {
      const named = resolveAlias(type)
      return named.kind === 'record' || named.kind === 'alias' ? names.nameOf(named) : inner(named)
    }
    case 'union': {
      const members = [...new Set(type.members.map(inner))]
      return members.includes(names.word('Any')) ? names.word('Any') : members.join(' | ')
    }
    default:
      return names.word(type.kind)
  }
}

/** A type in few words, for messages: records are dicts. */
export function typeName(type: Type, notation: Notation = 'python'): string {
  const word = (plain: string): string => wordIn(notation, plain)
  const [dict, list] = [word('dict'), word('list')]
  const names: Names = {
    nameOf: ({ kind }) => (kind === 'record' ? dict : 'value'),
    word,
    ...(notation === 'python' ? {} : { literals: (texts) => texts.join(' or ') }),
  }
  return renderType(type, names)
    .replaceAll(`${dict}[${word('str')}, Any]`, dict)
    .replaceAll(`${list}[Any]`, list)
}

/** `Literal` can't contain fractions, so they become `float`. */
function renderLiteral(values: readonly (string | number | boolean)[], { word, literals }: Names): string {
  const exact = values.filter((value) => literalKind(value) !== 'float')
  const texts = exact.map((value) =>
    typeof value === 'string'
      ? pythonString(value)
      : typeof value === 'number'
        ? pythonNumber(value)
        : word(pythonLiteral(value)),
  )
  const parts = [
    ...(texts.length > 0 ? [literals?.(texts) ?? `${word('Literal')}[${texts.join(', ')}]`] : []),
    ...(exact.length < values.length ? [word('float')] : []),
  ]
  return parts.join(' | ')
}

/**
 * The block that declares a record or an alias. `wordsFor` gives the comment of a field; it is put on the field's line.
 */
export function renderDeclaration(
  type: NamedType,
  names: Names,
  wordsFor: (field: Field) => string = (field) => commentText(field.remark ?? ''),
): string {
  const name = names.nameOf(type)
  if (type.kind === 'alias') return `${name}: ${names.word('TypeAlias')} = ${renderType(type.target, names)}`
  const total = type.fields.some((field) => field.required)
  const plain = type.fields.every((field) => isFieldName(field.key))
  const lines = type.fields.map((field) => {
    const words = wordsFor(field)
    const key = plain ? field.key : pythonString(field.key)
    return { text: `${key}: ${fieldType(field, total, names)}`, words: words === '' ? '' : `  # ${words}` }
  })
  const extra = type.extra ? `# any other key: ${renderType(type.extra, names)}` : ''
  const partial = total ? '' : ', total=False'
  if (plain) {
    const body = [...lines.map(({ text, words }) => `    ${text}${words}`), ...(extra ? [`    ${extra}`] : [])]
    return `class ${name}(${names.word('TypedDict')}${partial}):\n${body.join('\n')}`
  }
  if (lines.some(({ words }) => words !== '')) {
    const body = [...lines.map(({ text, words }) => `    ${text},${words}`), ...(extra ? [`    ${extra}`] : [])]
    return `${name} = ${names.word('TypedDict')}("${name}", {\n${body.join('\n')}\n}${partial})`
  }
  return `${name} = ${names.word('TypedDict')}("${name}", {${lines.map(({ text }) => text).join(', ')}}${partial})${extra ? `  ${extra}` : ''}`
}

function fieldType(field: Field, total: boolean, names: Names): string {
  const type = renderType(field.type, names)
  return field.required || !total ? type : `${names.word('NotRequired')}[${type}]`
}

/** True if a class body can declare the key. Python mangles names that begin with two underscores there. */
function isFieldName(key: string): boolean {
  return /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/.test(key) && !isKeyword(key)
}
