// Turns the entry of a built-in server into its settings.

import path from 'node:path'
import { type BuiltinSettings, type DatabaseSettings, isHostPattern } from '../../builtin/index.js'
import { type References, SECRET_NAME } from './references.js'
import type { ServerEntry } from './shape.js'
import type { CheckOptions } from './surroundings.js'

/** The keys of some built-in servers only. */
const KEYS = {
  files: ['root', 'write', 'exclude'],
  sql: ['root', 'exclude', 'write', 'url'],
  shell: ['root', 'env', 'sandbox'],
  web: ['hosts'],
} as const satisfies Record<BuiltinSettings['builtin'], readonly (keyof ServerEntry)[]>

/** The keys of built-in servers. */
export const BUILTIN_KEYS = ['builtin', ...new Set(Object.values(KEYS).flat())] as const

const TIMEOUT_MS = 60_000
const WEB_BYTES = 8 * 1024 * 1024

interface BuiltinContext {
  readonly references: References
  readonly options: CheckOptions
  /** `key`: within the entry; empty for the whole entry. */
  readonly complain: (key: readonly PropertyKey[], got: string, want: string) => void
}

export function builtinSettings(
  entry: ServerEntry,
  { references, options, complain }: BuiltinContext,
): BuiltinSettings {
  const builtin = entry.builtin!
  const own: readonly string[] = KEYS[builtin]
  for (const key of BUILTIN_KEYS)
    if (key !== 'builtin' && entry[key] !== undefined && !own.includes(key))
      complain([key], 'a value', `no such key for the built-in server ${builtin}`)
  const { root, write = false, exclude = [], timeoutMs = TIMEOUT_MS } = entry
  const isDatabase = builtin === 'sql' && entry.url !== undefined
  if (own.includes('root') && root === undefined && !isDatabase)
    complain([], 'no root', `root: the folder that it works in${builtin === 'sql' ? ', or url: a database' : ''}`)
  for (const key of ['root', 'exclude'] as const)
    if (isDatabase && entry[key] !== undefined) complain([key], 'a value', 'either root, a folder, or url, a database')
  const place = path.resolve(options.folder, references.resolve(root ?? '', ['root']))
  const folder = { root: place, exclude, unwritable: options.ownFiles ?? [] }
  switch (builtin) {
    case 'files':
      return { builtin, write, ...folder }
    case 'sql':
      if (entry.url === undefined) return { builtin, write, timeoutMs, ...folder }
      return { builtin, write, timeoutMs, ...databaseAt(entry.url, { references, options, complain }) }
    case 'shell': {
      const { exclude: _, ...rest } = folder
      const env = references.resolveEach(entry.env ?? {}, 'env', SECRET_NAME)
      return { builtin, ...rest, env, timeoutMs, ...(entry.sandbox && { sandbox: entry.sandbox }) }
    }
    case 'web': {
      const { hosts = [], maxBytes } = entry
      if (hosts.length === 0) complain([], 'no hosts', 'hosts: a list of the hosts that it may reach')
      for (const [i, host] of hosts.entries())
        if (!isHostPattern(host))
          complain(
            ['hosts', i],
            'something else',
            'a host such as "example.com", "*.example.com", "h:8080" or "10.0.0.0/8"',
          )
      return { builtin, hosts, timeoutMs, maxBytes: maxBytes === undefined ? WEB_BYTES : Math.floor(maxBytes / 4) }
    }
  }
}

function databaseAt(
  raw: string,
  { references, options, complain }: BuiltinContext,
): Pick<DatabaseSettings, 'place' | 'shown'> {
  const url = references.resolve(raw, ['url'])
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(url)?.[1]
  if (file !== undefined) {
    const place = path.resolve(options.folder, file)
    return { place: { kind: 'sqlite', file: place }, shown: path.basename(place) }
  }
  const isResolved = !url.includes('${')
  if (isResolved && !(/^postgres(?:ql)?:\/\/[^/]/.test(url) && URL.canParse(url))) {
    complain(['url'], 'something else', 'a URL such as "sqlite:shop.db" or "postgres://user@host/shop"')
    return { place: { kind: 'postgres', url: '' }, shown: '' }
  }
  if (isResolved) references.hideSecretsOf(new URL(url))
  const { host = '', pathname = '' } = isResolved ? new URL(url) : {}
  return { place: { kind: 'postgres', url }, shown: `${pathname.slice(1)} at ${host}` }
}
