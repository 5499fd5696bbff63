// Arguments that are repeated in headers (`x-mcp-header` in a tool's input schema), so that proxies can route by them.
// Invariant: over HTTP, a tool with a misplaced or malformed `x-mcp-header` is not used.

import type { Params } from '../params.js'
import { headerValue } from '../transports/modern-requests.js'

const KEY = 'x-mcp-header'
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])
/** Their members are schemas by names, or values. */
const NAMED: ReadonlySet<string> = new Set('properties patternProperties $defs definitions dependentSchemas'.split(' '))
const VALUES: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples'])

/** The path of an argument, and the header that repeats it. */
export interface Mirrored {
  readonly path: readonly string[]
  readonly header: string
}

/** The arguments to repeat, or the mistake in the schema, worded to follow "its". */
export function mirroredIn(schema: unknown): readonly Mirrored[] | string {
  const found: Mirrored[] = []
  const fault = look(schema, [], found)
  if (fault !== undefined) return fault
  const names = found.map(({ header }) => header.toLowerCase())
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  return twice === undefined ? found : `${KEY} ${twice.slice('mcp-param-'.length)} is there twice`
}

/** `path`: undefined where the schema describes no single argument. */
function look(schema: unknown, path: readonly string[] | undefined, found: Mirrored[]): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined
  for (const [key, inner] of Object.entries(schema)) {
    if (VALUES.has(key)) continue
    const fault =
      key === KEY && !Array.isArray(schema)
        ? note(schema as Params, path, found)
        : NAMED.has(key)
          ? lookAtEach(inner, key === 'properties' ? path : undefined, found)
          : look(inner, undefined, found)
    if (fault !== undefined) return fault
  }
  return undefined
}

function lookAtEach(named: unknown, path: readonly string[] | undefined, found: Mirrored[]): string | undefined {
  if (typeof named !== 'object' || named === null) return undefined
  for (const [name, schema] of Object.entries(named)) {
    const fault = look(schema, path === undefined ? undefined : [...path, name], found)
    if (fault !== undefined) return fault
  }
  return undefined
}

function note(schema: Params, path: readonly string[] | undefined, found: Mirrored[]): string | undefined {
  const name = schema[KEY]
  if (path === undefined || path.length === 0) return `${KEY} is not at an argument or a property of one`
  if (typeof name !== 'string' || !TOKEN.test(name)) return `${KEY} of ${path.join('.')} is not the name of a header`
  if (!TYPES.has(schema.type)) return `${KEY} of ${path.join('.')} is not at a string, an integer or a boolean`
  found.push({ path, header: `Mcp-Param-${name}` })
  return undefined
}

/** The headers for a call with these arguments. */
export function mirroring(mirrored: readonly Mirrored[], args: unknown): Record<string, string> {
  const given = mirrored.flatMap(({ path, header }): [string, string][] => {
    const value = path.reduce<unknown>((at, key) => (Object(at) === at ? (at as Params)[key] : undefined), args)
    return value === undefined || value === null ? [] : [[header, headerValue(String(value))]]
  })
  return Object.fromEntries(given)
}
