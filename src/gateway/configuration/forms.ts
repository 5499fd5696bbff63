// The forms of configuration files: our own, which Claude and Cursor share, VS Code's (`servers`, `inputs`) and
// Bifrost's.
// Invariant: a message names the key that the person wrote.

import { fromBifrost, type OwnForm } from './bifrost.js'
import { ownEntry } from './entry-forms.js'

export interface Document extends OwnForm {
  /** The values of `${input:id}` that the file defines. */
  readonly inputs: Readonly<Record<string, string>>
}

type Entry = Readonly<Record<string, unknown>>

/** A value that is not an object is returned unchanged, for the validation to report. */
export function ownForm(raw: unknown): Document {
  if (!isRecord(raw)) return { value: raw, original: (key) => key, inputs: {} }
  const bifrost = fromBifrost(raw)
  if (bifrost !== undefined) return { ...bifrost, inputs: {} }
  const { block, inputs, rest } = blockOf(raw)
  const [blockKey = 'mcpServers'] = block.slice(-1)
  const servers = isRecord(block.length === 2 ? (raw.mcp as Entry)[blockKey] : raw[blockKey])
    ? ((block.length === 2 ? (raw.mcp as Entry)[blockKey] : raw[blockKey]) as Entry)
    : undefined
  if (servers === undefined) return { value: raw, original: (key) => key, inputs }
  const own = new Map(Object.entries(servers).map(([name, entry]) => [name, ownEntry(entry)]))
  return {
    value: { ...rest, mcpServers: Object.fromEntries([...own].map(([name, { value }]) => [name, value])) },
    original: (key) => {
      const [first, name, inner, ...more] = key
      if (first !== 'mcpServers') return key
      if (name === undefined) return block
      if (inner === undefined) return [...block, name]
      return [...block, name, own.get(String(name))?.original.get(String(inner)) ?? inner, ...more]
    },
    inputs,
  }
}

/** The place of the servers, and their sibling keys. */
function blockOf(raw: Entry): {
  readonly block: readonly string[]
  readonly inputs: Readonly<Record<string, string>>
  readonly rest: Entry
} {
  if (isRecord(raw.mcp) && isRecord(raw.mcp.servers))
    return { block: ['mcp', 'servers'], inputs: defaultsOf(raw.mcp.inputs), rest: {} }
  if ('servers' in raw && !('mcpServers' in raw)) {
    const { servers, inputs, ...rest } = raw
    return { block: ['servers'], inputs: defaultsOf(inputs), rest }
  }
  const { mcpServers, inputs, ...rest } = raw
  return { block: ['mcpServers'], inputs: defaultsOf(inputs), rest }
}

/** The defaults of VS Code's inputs. */
function defaultsOf(raw: unknown): Record<string, string> {
  const inputs = Array.isArray(raw) ? raw.filter(isRecord) : []
  return Object.fromEntries(
    inputs.flatMap(({ id, default: value }) =>
      typeof id === 'string' && typeof value === 'string' ? [[id, value]] : [],
    ),
  )
}

function isRecord(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
