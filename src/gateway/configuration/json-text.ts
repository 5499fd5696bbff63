// JSON with comments and trailing commas, read with jsonc-parser, and the places of its keys, so that messages can name
// a line.
// Invariant: text that `JSON.parse` accepts gives the same value, except that a duplicate key is an error.

import jsonc, { type Node, type ParseError } from 'jsonc-parser'

/** 1-based, columns count UTF-16 units. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A file's value, and the places of its parts. */
export interface JsonText {
  readonly value: unknown
  /**
   * The place of the key at a path; of the value for the root and for array elements. Undefined when the path does not
   * exist.
   */
  placeOf(path: readonly PropertyKey[]): Place | undefined
}

export class JsonTextError extends Error {
  readonly place: Place

  constructor(message: string, place: Place) {
    super(message)
    this.name = 'JsonTextError'
    this.place = place
  }
}

const DEEPEST = 200

/** Throws a JsonTextError at the first mistake. The message is a fact without a full stop. */
export function parseJsonText(raw: string): JsonText {
  const text = raw.replace(/^\uFEFF/, ' ')
  refuseDepth(text)
  const errors: ParseError[] = []
  const root = jsonc.parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: false })
  const [first] = errors
  if (first !== undefined || root === undefined)
    throw new JsonTextError(complaintOf(first, text), placeAt(text, first?.offset ?? 0))
  refuseDoubles(root, text)
  return {
    value: dataOf(root),
    placeOf: (path) => {
      const node = jsonc.findNodeAtLocation(
        root,
        path.map((part, i) => segment(root, path, part, i)),
      )
      if (node === undefined) return undefined
      return placeAt(text, node.parent?.type === 'property' ? node.parent.offset : node.offset)
    },
  }
}

/** Numbers find elements of lists, and texts find keys. */
function segment(root: Node, path: readonly PropertyKey[], part: PropertyKey, i: number): string | number {
  const holder = jsonc.findNodeAtLocation(
    root,
    path.slice(0, i).map((p, j) => segment(root, path, p, j)),
  )
  return holder?.type === 'array' ? Number(part) : String(part)
}

function dataOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(dataOf)
  if (node.type !== 'object') return node.value
  // `__proto__` stays an ordinary key, as with JSON.parse.
  return Object.fromEntries((node.children ?? []).map(({ children }) => [children![0]!.value, dataOf(children![1]!)]))
}

function refuseDoubles(node: Node, text: string): void {
  const keys = new Set<unknown>()
  for (const child of node.children ?? []) {
    const key = child.type === 'property' ? child.children?.[0] : undefined
    if (key !== undefined && keys.has(key.value)) {
      const message = `the key ${JSON.stringify(key.value)} is written twice`
      throw new JsonTextError(message, placeAt(text, key.offset))
    }
    keys.add(key?.value)
    refuseDoubles(child, text)
  }
}

/** Refuses deep text, because readers of the data recurse. */
function refuseDepth(text: string): void {
  let depth = 0
  const scanner = jsonc.createScanner(text, true)
  const enter = () => {
    depth++
    if (depth > DEEPEST)
      throw new JsonTextError(`more than ${DEEPEST} levels of nesting`, placeAt(text, scanner.getTokenOffset()))
  }
  for (let kind = scanner.scan(); kind !== END; kind = scanner.scan()) {
    if (kind === OPEN_BRACE || kind === OPEN_BRACKET) enter()
    if (kind === CLOSE_BRACE || kind === CLOSE_BRACKET) depth--
  }
}

// The kinds of tokens of jsonc-parser, whose own names exist for the compiler only.
const OPEN_BRACE = 1
const CLOSE_BRACE = 2
const OPEN_BRACKET = 3
const CLOSE_BRACKET = 4
const END = 17

function complaintOf(error: ParseError | undefined, text: string): string {
  if (error === undefined) return 'expected a value, found the end of the file'
  const found = text.slice(error.offset, error.offset + Math.max(1, error.length))
  const seen = error.offset >= text.trimEnd().length ? 'the end of the file' : JSON.stringify(found.slice(0, 40))
  const isKey = /^\s*:/.test(text.slice(error.offset + error.length))
  const wants: Readonly<Record<string, string>> = {
    InvalidSymbol: isKey ? `expected a key in double quotes, found ${seen}` : `${seen} is not a JSON value`,
    InvalidNumberFormat: `${seen} is not a JSON number`,
    PropertyNameExpected: `expected a key in double quotes, found ${seen}`,
    ValueExpected: `expected a value, found ${seen}`,
    ColonExpected: `expected ":" after the key, found ${seen}`,
    CommaExpected: `expected ",", found ${seen}`,
    CloseBraceExpected: `expected "," or "}", found ${seen}`,
    CloseBracketExpected: `expected "," or "]", found ${seen}`,
    EndOfFileExpected: `unexpected ${seen} after the end of the value`,
    InvalidCommentToken: 'a comment starts with // or /*',
    UnexpectedEndOfComment: 'this comment has no end',
    UnexpectedEndOfString: 'this string has no closing quote',
    UnexpectedEndOfNumber: `${seen} is not a JSON number`,
    InvalidUnicode: 'this string has an escape that JSON does not allow',
    InvalidEscapeCharacter: 'this string has an escape that JSON does not allow',
    InvalidCharacter: 'this string has a character that JSON does not allow',
  }
  return wants[jsonc.printParseErrorCode(error.error)] ?? `unexpected ${seen}`
}

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
