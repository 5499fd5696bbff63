// The block `serve`: what callers get and who may connect.

import path from 'node:path'
import { z } from 'zod'
import { type FilterEntry, filterEntry } from '../filter.js'
import { isLoopback } from '../loopback.js'
import { atLeastNone, atLeastOne, type Declared, listOf, oneOf, recordOf, someText, text, yesOrNo } from './declared.js'
import { defined } from './defined.js'

const texts = listOf(text, 'a list of strings')

export const codeModeUse = z.union([z.boolean(), z.literal('auto')], { error: 'true, false or "auto"' })

/**
 * Whether tools are reached through programs (true), directly (false), or directly while there are few (`auto`).
 *
 * @example
 * import { CodeMode, type CodeModeUse } from 'starbind'
 *
 * const use: CodeModeUse = 'auto'
 * await using codeMode = await CodeMode.open({ serve: { codeMode: use, autoTokens: 4000 } })
 */
export type CodeModeUse = z.output<typeof codeModeUse>

export const clockUse = oneOf('none', 'run')

/**
 * Whether programs may know when their run began.
 *
 * @example
 * import { type ClockUse, CodeMode } from 'starbind'
 *
 * const clock: ClockUse = 'run'
 * await using codeMode = await CodeMode.open({ clock })
 * console.log((await codeMode.run('from datetime import date\nresult = date.today()')).result)
 */
export type ClockUse = z.output<typeof clockUse>

export const chanceUse = oneOf('none', 'seeded')

/**
 * Whether programs may draw random numbers, which follow from a seed of their run.
 *
 * @example
 * import { type ChanceUse, CodeMode } from 'starbind'
 *
 * const random: ChanceUse = 'seeded'
 * await using codeMode = await CodeMode.open({ random })
 * const { seed } = await codeMode.run('import uuid\nresult = uuid.uuid4()')
 * console.log('the same again with', { seed })
 */
export type ChanceUse = z.output<typeof chanceUse>

export const memoryUse = oneOf('none', 'session')

/**
 * Whether programs keep values for later runs of the same caller.
 *
 * @example
 * import { CodeMode, type MemoryUse } from 'starbind'
 *
 * const memory: MemoryUse = 'session'
 * await using codeMode = await CodeMode.open({ memory })
 * await codeMode.run('memory.set("count", memory.get("count", 0) + 1)')
 */
export type MemoryUse = z.output<typeof memoryUse>

export const callerEntry = z.strictObject(
  {
    /** Whether they reach tools through programs. Default: the `serve` block's. */
    codeMode: codeModeUse.optional(),
    ...filterEntry.shape,
  },
  { error: 'an object that describes what some callers may do' },
)

/**
 * Settings of some callers. The lists can only restrict.
 *
 * @example
 * import { type CallerEntry, CodeMode } from 'starbind'
 *
 * const editors: CallerEntry = { codeMode: false, toolsToDeny: ['git/push'] }
 * await using codeMode = await CodeMode.open({ serve: { callers: { 'cursor*': editors } } })
 */
export interface CallerEntry extends FilterEntry, Declared<typeof callerEntry> {}

const rateLimitEntry = z.strictObject(
  {
    /** Names and globs of servers. */
    server: someText.optional(),
    /** Names and globs of tools. */
    tool: someText.optional(),
    /** The names of API keys; a caller without a key has the name of its session. */
    key: someText.optional(),
    /** How many calls may be made in `perMs`. */
    calls: atLeastOne.optional(),
    /** The period of `calls`, in milliseconds. Default one minute. */
    perMs: atLeastOne.optional(),
    /** The maximum number of concurrent calls. */
    concurrent: atLeastOne.optional(),
    /** True: all callers count together. Default: each caller counts separately. */
    shared: yesOrNo.optional(),
  },
  { error: 'an object that describes one rate limit' },
)

/**
 * A bound on calls per time and on concurrent calls. An absent name matches everything; all matching calls of a caller
 * count together.
 *
 * @example
 * import { CodeMode, type RateLimitEntry } from 'starbind'
 *
 * const searches: RateLimitEntry = { server: 'github', tool: 'search_*', calls: 30, perMs: 60_000, concurrent: 2 }
 * await using codeMode = await CodeMode.open({ serve: { rateLimits: [searches] } })
 */
export interface RateLimitEntry extends Declared<typeof rateLimitEntry> {}

const auditEntry = z.strictObject(
  {
    /** The absolute path of the file, which has JSON lines. */
    file: someText,
    /** Whether arguments are written too, without known secrets. Default false. */
    arguments: yesOrNo.optional(),
    /** The size at which the file is rotated. Default 10 million bytes. */
    maxBytes: atLeastOne.optional(),
    /** The number of rotated files that are kept. Default 10. */
    keepFiles: atLeastOne.optional(),
    /** False: calls are made even if the file can't be written. Default true. */
    required: yesOrNo.optional(),
  },
  { error: 'an object with the key file' },
)

/**
 * The audit log of calls.
 *
 * @example
 * import { type AuditSettings, CodeMode } from 'starbind'
 *
 * const audit: AuditSettings = { file: '/var/log/starbind/audit.jsonl', arguments: true, maxBytes: 50_000_000 }
 * await using codeMode = await CodeMode.open({ serve: { audit } })
 */
export interface AuditSettings extends Declared<typeof auditEntry> {}

const webAddress = z.string({ error: 'a URL' }).refine((url) => hasPlainAddress(url), {
  error: 'an http or https URL without a query, a fragment or a password',
})
const issuer = webAddress.refine((url) => url.startsWith('https:') || isLoopback(hostIn(url)), {
  error: 'an https URL; http is possible on the loopback only',
})
const scope = z.string({ error: 'a scope' }).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: 'a scope without spaces' })

const scopesEntry: z.ZodType<Readonly<Record<string, readonly string[]>>> = z.record(scope, texts, {
  error: 'an object with a list of tools for each scope',
})

const authorizationEntry = z
  .strictObject(
    {
      /** The names (`iss`) of the authorization servers. Their keys are found through their metadata. */
      issuers: z.array(issuer, { error: 'a list of URLs' }).min(1, { error: 'at least one URL' }) as z.ZodType<
        readonly string[]
      >,
      /**
       * The URL by which callers know `/mcp`: tokens must be meant for it. Default on the loopback: the address itself;
       * elsewhere it is required.
       */
      resource: webAddress.optional(),
      /** Other audiences that a token may have, for authorization servers that do not know the resource. */
      audiences: listOf(someText, 'a list of strings').optional(),
      /**
       * The tools that each scope allows, as in `toolsToExecute`; several scopes add up. Absent: a token allows everything.
       */
      scopes: scopesEntry.optional(),
      /** The scopes that a caller without a token is told to ask for. Default: all of `scopes`. */
      firstScopes: listOf(scope, 'a list of scopes').optional(),
      /** The scope with which a caller sees the runs of all callers and may answer for them. Default: none. */
      approveScope: scope.optional(),
    },
    { error: 'an object with the key issuers' },
  )
  .refine(({ scopes = {}, firstScopes = [] }) => firstScopes.every((name) => Object.hasOwn(scopes, name)), {
    error: 'names of scopes that are in scopes',
    path: ['firstScopes'],
  })

/**
 * The authorization servers whose access tokens open the gateway, and what their scopes allow.
 *
 * @example
 * import { type AuthorizationSettings, CodeMode } from 'starbind'
 *
 * const authorization: AuthorizationSettings = {
 *   issuers: ['https://login.example.com/'],
 *   resource: 'https://mcp.example.com/mcp',
 *   scopes: { 'tools:read': ['*\/read_*'], 'tools:all': ['*'] },
 * }
 * await using codeMode = await CodeMode.open({ serve: { authorization } })
 */
export interface AuthorizationSettings extends Declared<typeof authorizationEntry> {}

function hasPlainAddress(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, username, password, search, hash } = new URL(url)
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === '')
}

function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}

export const serveEntry = z.strictObject(
  {
    /** The default for servers without their own `codeMode`. Default true. */
    codeMode: codeModeUse.optional(),
    /** With `auto`, tools are called directly while their definitions have at most this many tokens. Default 6,000. */
    autoTokens: atLeastOne.optional(),
    /** Settings by client name; names may be globs. The first match counts. */
    callers: recordOf<CallerEntry>(callerEntry, 'an object with one entry for each name of a client').optional(),
    /** The saved programs that are tools of their own: all (true), or names and globs. Default: none. */
    expose: z.union([z.boolean(), texts], { error: 'true, false or a list of names' }).optional(),
    /** The address to listen on. Default: the loopback; any other requires keys. */
    host: someText.optional(),
    /** The port to listen on. */
    port: z
      .int({ error: 'a port number' })
      .min(0, { error: 'a port number' })
      .max(65_535, { error: 'a port number' })
      .optional(),
    /** Host names that callers may use for this machine, with or without a port, besides those of the loopback. */
    allowedHosts: texts.optional(),
    /** Web pages that may connect, such as `https://app.example.com`. Default: none. */
    allowedOrigins: texts.optional(),
    /** The absolute path of the key file. Without keys only this machine is served. */
    keysFile: someText.optional(),
    /** The authorization servers whose access tokens are accepted, beside keys. Default: none. */
    authorization: (authorizationEntry as z.ZodType<AuthorizationSettings>).optional(),
    /** Sessions that may be open at once. */
    maxSessions: atLeastOne.optional(),
    /** Sessions that one API key may have open at once. */
    maxSessionsPerKey: atLeastOne.optional(),
    /** Concurrent requests of one session. */
    maxRequestsPerSession: atLeastOne.optional(),
    /** Concurrent requests of one API key, or of all callers without one, in revisions without sessions. Default 500. */
    maxRequestsPerKey: atLeastOne.optional(),
    /** A program that takes longer than this answers with a task, where its caller knows tasks. Default 5,000. */
    taskAfterMs: atLeastOne.optional(),
    /** The longest request, in bytes. */
    maxRequestBytes: atLeastOne.optional(),
    /** Connections that may be open at once; further ones are closed. Default 2,000. */
    maxConnections: atLeastOne.optional(),
    /** The buffer for unfinished requests, in bytes, beyond the first 64 KiB of each. Default 128 MiB. */
    maxUnreadBytes: atLeastOne.optional(),
    /** The same for one API key; callers without a key count as one. Default 32 MiB. */
    maxUnreadBytesPerKey: atLeastOne.optional(),
    /** A request whose body stalls for this long is aborted. Milliseconds. Default 10,000. */
    bodyIdleMs: atLeastOne.optional(),
    /** A session without requests or listeners is closed after this time. Milliseconds. */
    sessionIdleMs: atLeastOne.optional(),
    /**
     * How long a request continues after its connection broke, so that its caller can resume it. Milliseconds. Default
     * 15,000; 0: not at all.
     */
    resumeMs: atLeastNone.optional(),
    /** Whether each session keeps its own observed result types. Default shared: keys of objects, no values. */
    observations: oneOf('session', 'shared').optional(),
    /** How often tools may be called. */
    rateLimits: listOf<RateLimitEntry>(rateLimitEntry, 'a list of rate limits').optional(),
    /** The audit log. Default: none. */
    audit: (auditEntry as z.ZodType<AuditSettings>).optional(),
  },
  { error: 'an object' },
)

/**
 * What callers get, and who may connect.
 *
 * @example
 * import { CodeMode, type ServeSettings } from 'starbind'
 *
 * const serve: ServeSettings = { port: 8080, maxSessions: 20, sessionIdleMs: 600_000, rateLimits: [{ calls: 100 }] }
 * await using codeMode = await CodeMode.open({ serve })
 * console.log((await codeMode.serveHttp()).url)
 */
export interface ServeSettings extends Declared<typeof serveEntry> {}

/** `folder`: the base of relative paths. */
export function serveSettings(entry: z.infer<typeof serveEntry>, folder: string): ServeSettings {
  const { keysFile, audit, authorization, ...rest } = entry
  return {
    ...defined(rest),
    ...(authorization === undefined
      ? {}
      : { authorization: { ...defined(authorization), issuers: authorization.issuers } }),
    ...(keysFile === undefined ? {} : { keysFile: path.resolve(folder, keysFile) }),
    ...(audit === undefined ? {} : { audit: { ...defined(audit), file: path.resolve(folder, audit.file) } }),
  }
}
