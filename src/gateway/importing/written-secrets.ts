// Moves plain credentials in entries into an env file. Credentials are values under names such as `token` or
// `password`, and passwords in addresses.
// Invariant: if the variables are set, an entry means the same as before its credentials were moved.

import { parse as parseVariables } from 'dotenv'
import { SECRET_NAME } from '../configuration/index.js'
import { type Entry, isRecord } from './host-files.js'

/**
 * A plain credential in a configuration.
 *
 * @example
 * import { importHosts, type WrittenSecret } from 'starbind'
 *
 * const { secrets } = await importHosts({ folder: process.cwd() })
 * const places = secrets.map(({ server, key }: WrittenSecret) => `${server} ${key}`)
 * console.log(places.join(', '))
 */
export interface WrittenSecret {
  readonly server: string
  /** The place in the entry, such as `env.API_TOKEN`. */
  readonly key: string
  readonly value: string
}

type Servers = Readonly<Record<string, Entry>>

export function secretsIn(servers: Servers): WrittenSecret[] {
  const found: WrittenSecret[] = []
  for (const [server, entry] of Object.entries(servers).filter(([, entry]) => isRecord(entry)))
    replaceSecrets(server, entry, ({ key, value }) => {
      found.push({ server, key, value })
      return value
    })
  return found
}

/**
 * The servers with references in place of credentials, and the variables for them. `taken` are variables that the file
 * has already: they keep their values.
 *
 * @example
 * import { importHosts, secretsApart, variablesText, writePrivateFile } from 'starbind'
 *
 * const { configuration } = await importHosts({ folder: process.cwd() })
 * const { mcpServers, variables } = secretsApart(configuration.mcpServers)
 * writePrivateFile('.env', variablesText(variables))
 * writePrivateFile('starbind.json', JSON.stringify({ envFile: '.env', mcpServers }, null, 2))
 */
export function secretsApart(
  servers: Readonly<Record<string, object>>,
  taken: Readonly<Record<string, string>> = {},
): { readonly mcpServers: Servers; readonly variables: Readonly<Record<string, string>> } {
  const variables: Record<string, string> = {}
  const nameFor = (wanted: string, server: string, value: string): string => {
    const all = { ...taken, ...variables }
    const own = wanted.startsWith(`${server}_`) ? wanted : `${server}_${wanted}`
    const names = [wanted, own, ...Array.from({ length: 100 }, (_, i) => `${own}_${i + 2}`)].map(asVariable)
    return names.find((name) => !Object.hasOwn(all, name) || all[name] === value)!
  }
  const mcpServers = Object.fromEntries(
    Object.entries(servers as Servers).map(([server, entry]) => [
      server,
      replaceSecrets(server, entry, ({ value, variable }) => {
        // A value that has no form on a line of an env file stays in place.
        if (lineFor('X', value) === undefined) return value
        const name = nameFor(variable, server, value)
        if (taken[name] === undefined) variables[name] = value
        return `\${${name}}`
      }),
    ]),
  )
  return { mcpServers, variables }
}

/**
 * The text of an `envFile`: lines of `NAME=value`.
 *
 * @example
 * import { variablesText } from 'starbind'
 *
 * console.log(variablesText({ HUB_TOKEN: 'x y' }))
 */
export function variablesText(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${lineFor(name, value)}\n`)
    .join('')
}

function lineFor(name: string, value: string): string | undefined {
  const quotes = /^[\w./:@+=-]+$/.test(value) ? [''] : ["'", '`', '"']
  return quotes.map((quote) => `${name}=${quote}${value}${quote}`).find((line) => parseVariables(line)[name] === value)
}

function asVariable(name: string): string {
  return name
    .replace(/\W/g, '_')
    .toUpperCase()
    .replace(/^(?=\d)/, '_')
}

interface Found {
  readonly key: string
  readonly value: string
  /** The name that is proposed for the variable. */
  readonly variable: string
}

type Put = (found: Found) => string

/** The entry with each credential replaced by the result of `put`. */
function replaceSecrets(server: string, entry: Entry, put: Put): Entry {
  const named = (name: string) => `${server}_${name}`
  const inText = (key: string, name: string, value: unknown, isSecret: boolean): unknown => {
    if (typeof value !== 'string' || value === '' || value.includes('${')) return value
    if (!isSecret) return withPassword(value, (password) => put({ key, value: password, variable: name }))
    const [, scheme = '', credentials = value] = /^((?:bearer|basic|token)\s+)(.+)$/i.exec(value) ?? []
    return `${scheme}${put({ key, value: credentials, variable: name })}`
  }
  const inEach = (key: string, values: unknown, nameOf: (name: string) => string): Entry =>
    isRecord(values)
      ? {
          [key]: Object.fromEntries(
            Object.entries(values).map(([name, value]) => [
              name,
              inText(`${key}.${name}`, nameOf(name), value, SECRET_NAME.test(name)),
            ]),
          ),
        }
      : {}
  return {
    ...entry,
    ...inEach('env', entry.env, (name) => name),
    ...inEach('headers', entry.headers, named),
    ...(isRecord(entry.oauth)
      ? oauthReplaced(entry.oauth, (key, value) => put({ key, value, variable: named(key.slice(6)) }))
      : {}),
    ...('bearerToken' in entry ? { bearerToken: inText('bearerToken', named('token'), entry.bearerToken, true) } : {}),
    ...(Array.isArray(entry.args) ? { args: argumentsReplaced(entry.args, named, inText) } : {}),
    ...(typeof entry.url === 'string' && !entry.url.includes('${')
      ? { url: urlReplaced(entry.url, (name, value) => put({ key: 'url', value, variable: named(name) })) }
      : {}),
  }
}

function oauthReplaced(oauth: Entry, put: (key: string, value: string) => string): Entry {
  const replaced = (['clientSecret', 'privateKey'] as const).flatMap((key) => {
    const value = oauth[key]
    return typeof value === 'string' && !value.includes('${') ? [[key, put(`oauth.${key}`, value)] as const] : []
  })
  return { oauth: { ...oauth, ...Object.fromEntries(replaced) } }
}

/** Replaces the value of `--token X` and of `--token=X`. */
function argumentsReplaced(
  args: readonly unknown[],
  named: (name: string) => string,
  inText: (key: string, name: string, value: unknown, isSecret: boolean) => unknown,
): unknown[] {
  const flagOf = (word: unknown): string | undefined => /^--?([\w-]+)$/.exec(String(word))?.[1]
  return args.map((arg, i) => {
    const [, start, flag, value] = /^(--?([\w-]+)=)(.*)$/s.exec(String(arg)) ?? []
    if (flag !== undefined && SECRET_NAME.test(flag)) return `${start}${inText(`args.${i}`, named(flag), value, true)}`
    const before = flagOf(args[i - 1]) ?? ''
    const isSecret = SECRET_NAME.test(before) && flagOf(arg) === undefined
    return inText(`args.${i}`, named(isSecret ? before : 'password'), arg, isSecret)
  })
}

/** Replaces the password of an address such as `postgres://me:secret@host`. */
function withPassword(text: string, put: (password: string) => string): string {
  return text.replace(/(:\/\/[^/\s:@]*:)([^/\s@]+)(?=@)/, (_, start, password) => `${start}${put(password)}`)
}

function urlReplaced(url: string, put: (name: string, value: string) => string): string {
  return withPassword(url, (password) => put('password', password)).replace(
    /([?&]([^=&#]+)=)([^&#]+)/g,
    (whole, start, name, value) => (SECRET_NAME.test(name) ? `${start}${put(name, value)}` : whole),
  )
}
