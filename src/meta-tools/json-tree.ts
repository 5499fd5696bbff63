// A JSON text as a tree whose scalars keep their spelling, so that cutting and formatting change no number.

export type JsonNode =
  | { readonly kind: 'scalar'; readonly text: string }
  /** `text` with its quotation marks and escapes. */
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly JsonNode[]; readonly size: number }
  | { readonly kind: 'dict'; readonly entries: readonly JsonEntry[]; readonly size: number }

/** A key as JSON text and its value. */
export type JsonEntry = readonly [string, JsonNode]

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:])\s*/y

/** Undefined if the text is not JSON. The writer of the text has bounded its depth. */
export function readJsonTree(text: string): JsonNode | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  let at = 0
  const next = (): string => {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.[1] ?? ''
    at = TOKEN.lastIndex
    return token
  }
  const value = (token: string): JsonNode => {
    if (token === '[') return list()
    if (token === '{') return dict()
    return token.startsWith('"') ? { kind: 'string', text: token } : { kind: 'scalar', text: token }
  }
  const list = (): JsonNode => {
    const items: JsonNode[] = []
    for (let token = next(); token !== ']'; token = next()) if (token !== ',') items.push(value(token))
    return listOf(items)
  }
  const dict = (): JsonNode => {
    const entries: JsonEntry[] = []
    for (let token = next(); token !== '}'; token = next()) {
      if (token === ',') continue
      next()
      entries.push([token, value(next())])
    }
    return dictOf(entries)
  }
  return value(next())
}

export function listOf(items: readonly JsonNode[]): JsonNode {
  return { kind: 'list', items, size: items.reduce((sum, item) => sum + sizeOf(item) + 1, items.length === 0 ? 2 : 1) }
}

export function dictOf(entries: readonly JsonEntry[]): JsonNode {
  const size = entries.reduce((sum, [key, one]) => sum + key.length + sizeOf(one) + 2, entries.length === 0 ? 2 : 1)
  return { kind: 'dict', entries, size }
}

/** The length of the compact text. */
export function sizeOf(node: JsonNode): number {
  return node.kind === 'list' || node.kind === 'dict' ? node.size : node.text.length
}

/** The compact text. */
export function compactText(node: JsonNode): string {
  if (node.kind === 'list') return `[${node.items.map(compactText).join(',')}]`
  if (node.kind === 'dict') return `{${node.entries.map(([key, one]) => `${key}:${compactText(one)}`).join(',')}}`
  return node.text
}

/** The text, split into lines for paging; short values stay on one line. */
export function pagedText(node: JsonNode, indent = ''): string {
  const inner = `${indent} `
  if (sizeOf(node) + indent.length <= LINE || (node.kind !== 'list' && node.kind !== 'dict')) return compactText(node)
  if (node.kind === 'list')
    return `[\n${node.items.map((item) => inner + pagedText(item, inner)).join(',\n')}\n${indent}]`
  const entries = node.entries.map(([key, one]) => `${inner}${key}: ${pagedText(one, inner)}`)
  return `{\n${entries.join(',\n')}\n${indent}}`
}

const LINE = 160

/** A short description without values: `list of 2000 dict`. */
export function shapeText(node: JsonNode): string {
  switch (node.kind) {
    case 'string':
      return `text of ${node.text.length - 2} characters`
    case 'scalar':
      return node.text === 'null' ? 'None' : /^[tf]/.test(node.text) ? 'bool' : 'number'
    case 'dict':
      return `dict of ${node.entries.length}`
    case 'list': {
      const kinds = new Set(node.items.map(kindText))
      return `list of ${node.items.length}${kinds.size === 1 ? ` ${[...kinds][0]}` : ''}`
    }
  }
}

function kindText(node: JsonNode): string {
  if (node.kind !== 'scalar') return node.kind === 'string' ? 'str' : node.kind
  return node.text === 'null' ? 'None' : /^[tf]/.test(node.text) ? 'bool' : 'number'
}
