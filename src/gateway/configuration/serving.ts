// The block `serve`: what callers get and who may connect.

import path from 'node:path'
import { z } from 'zod'
import type { FilterEntry } from '../filter.js'
import { isLoopback } from '../loopback.js'
import { defined } from './defined.js'

/**
 * Whether tools are reached through programs (true), directly (false), or directly while there are few (`auto`).
 *
 * @example
 * import { CodeMode, type CodeModeUse } from 'starbind'
 *
 * const use: CodeModeUse = 'auto'
 * await using codeMode = await CodeMode.open({ serve: { codeMode: use, autoTokens: 4000 } })
 */
export type CodeModeUse = boolean | 'auto'

/**
 * Settings of some callers. The lists can only restrict.
 *
 * @example
 * import { type CallerEntry, CodeMode } from 'starbind'
 *
 * const editors: CallerEntry = { codeMode: false, toolsToDeny: ['git/push'] }
 * await using codeMode = await CodeMode.open({ serve: { callers: { 'cursor*': editors } } })
 */
export interface CallerEntry extends FilterEntry {
  /** Whether they reach tools through programs. Default: the `serve` block's. */
  readonly codeMode?: CodeModeUse | undefined
}

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
export type ClockUse = 'none' | 'run'

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
export type ChanceUse = 'none' | 'seeded'

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
export type MemoryUse = 'none' | 'session'

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
export interface RateLimitEntry {
  /** Names and globs of servers. */
  readonly server?: string | undefined
  /** Names and globs of tools. */
  readonly tool?: string | undefined
  /** The names of API keys; a caller without a key has the name of its session. */
  readonly key?: string | undefined
  /** How many calls may be made in `perMs`. */
  readonly calls?: number | undefined
  /** The period of `calls`, in milliseconds. Default one minute. */
  readonly perMs?: number | undefined
  /** The maximum number of concurrent calls. */
  readonly concurrent?: number | undefined
  /** True: all callers count together. Default: each caller counts separately. */
  readonly shared?: boolean | undefined
}

/**
 * The audit log of calls.
 *
 * @example
 * import { type AuditSettings, CodeMode } from 'starbind'
 *
 * const audit: AuditSettings = { file: '/var/log/starbind/audit.jsonl', arguments: true, maxBytes: 50_000_000 }
 * await using codeMode = await CodeMode.open({ serve: { audit } })
 */
export interface AuditSettings {
  /** The absolute path of the file, which has JSON lines. */
  readonly file: string
  /** Whether arguments are written too, without known secrets. Default false. */
  readonly arguments?: boolean
  /** The size at which the file is rotated. Default 10 million bytes. */
  readonly maxBytes?: number
  /** The number of rotated files that are kept. Default 10. */
  readonly keepFiles?: number
  /** False: calls are made even if the file can't be written. Default true. */
  readonly required?: boolean
}

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
export interface AuthorizationSettings {
  /** The names (`iss`) of the authorization servers. Their keys are found through their metadata. */
  readonly issuers: readonly string[]
  /**
   * The URL by which callers know `/mcp`: tokens must be meant for it. Default on the loopback: the address itself;
   * elsewhere it is required.
   */
  readonly resource?: string
  /** Other audiences that a token may have, for authorization servers that do not know the resource. */
  readonly audiences?: readonly string[]
  /**
   * The tools that each scope allows, as in `toolsToExecute`; several scopes add up. Absent: a token allows everything.
   */
  readonly scopes?: Readonly<Record<string, readonly string[]>>
  /** The scopes that a caller without a token is told to ask for. Default: all of `scopes`. */
  readonly firstScopes?: readonly string[]
  /** The scope with which a caller sees the runs of all callers and may answer for them. Default: none. */
  readonly approveScope?: string
}

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
export interface ServeSettings {
  /** The default for servers without their own `codeMode`. Default true. */
  readonly codeMode?: CodeModeUse
  /** With `auto`, tools are called directly while their definitions have at most this many tokens. Default 6,000. */
  readonly autoTokens?: number
  /** Settings by client name; names may be globs. The first match counts. */
  readonly callers?: Readonly<Record<string, CallerEntry>>
  /** The saved programs that are tools of their own: all (true), or names and globs. Default: none. */
  readonly expose?: boolean | readonly string[]
  /** The address to listen on. Default: the loopback; any other requires keys. */
  readonly host?: string
  /** The port to listen on. */
  readonly port?: number
  /** Host names that callers may use for this machine, with or without a port, besides those of the loopback. */
  readonly allowedHosts?: readonly string[]
  /** Web pages that may connect, such as `https://app.example.com`. Default: none. */
  readonly allowedOrigins?: readonly string[]
  /** The absolute path of the key file. Without keys only this machine is served. */
  readonly keysFile?: string
  /** The authorization servers whose access tokens are accepted, beside keys. Default: none. */
  readonly authorization?: AuthorizationSettings
  /** Sessions that may be open at once. */
  readonly maxSessions?: number
  /** Sessions that one API key may have open at once. */
  readonly maxSessionsPerKey?: number
  /** Concurrent requests of one session. */
  readonly maxRequestsPerSession?: number
  /** Concurrent requests of one API key, or of all callers without one, in revisions without sessions. Default 500. */
  readonly maxRequestsPerKey?: number
  /** A program that takes longer than this answers with a task, where its caller knows tasks. Default 5,000. */
  readonly taskAfterMs?: number
  /** The longest request, in bytes. */
  readonly maxRequestBytes?: number
  /** Connections that may be open at once; further ones are closed. Default 2,000. */
  readonly maxConnections?: number
  /** The buffer for unfinished requests, in bytes, beyond the first 64 KiB of each. Default 128 MiB. */
  readonly maxUnreadBytes?: number
  /** The same for one API key; callers without a key count as one. Default 32 MiB. */
  readonly maxUnreadBytesPerKey?: number
  /** A request whose body stalls for this long is aborted. Milliseconds. Default 10,000. */
  readonly bodyIdleMs?: number
  /** A session without requests or listeners is closed after this time. Milliseconds. */
  readonly sessionIdleMs?: number
  /**
   * How long a request continues after its connection broke, so that its caller can resume it. Milliseconds. Default
   * 15,000; 0: not at all.
   */
  readonly resumeMs?: number
  /** Whether each session keeps its own observed result types. Default shared: keys of objects, no values. */
  readonly observations?: 'session' | 'shared'
  /** How often tools may be called. */
  readonly rateLimits?: readonly RateLimitEntry[]
  /** The audit log. Default: none. */
  readonly audit?: AuditSettings
}

const text = z.string({ error: 'a string' })
const someText = text.min(1, { error: 'a string that is not empty' })
const texts = z.array(text, { error: 'a list of strings' })
const count = z.int({ error: 'a whole number' }).min(1, { error: 'at least 1' })
const yesOrNo = z.boolean({ error: 'true or false' })

export const codeModeUse = z.union([z.boolean(), z.literal('auto')], { error: 'true, false or "auto"' })

/** The world that programs may see. */
export const worldUse = {
  clock: z.enum(['none', 'run'], { error: '"none" or "run"' }).optional(),
  random: z.enum(['none', 'seeded'], { error: '"none" or "seeded"' }).optional(),
  memory: z.enum(['none', 'session'], { error: '"none" or "session"' }).optional(),
}

const filterKeys = {
  servers: texts.optional(),
  toolsToExecute: texts.optional(),
  toolsToAutoExecute: texts.optional(),
  toolsToDeny: texts.optional(),
}

export const callerEntry = z.strictObject(
  { codeMode: codeModeUse.optional(), ...filterKeys },
  { error: 'an object that describes what some callers may do' },
)

const rateLimitEntry = z.strictObject(
  {
    server: someText.optional(),
    tool: someText.optional(),
    key: someText.optional(),
    calls: count.optional(),
    perMs: count.optional(),
    concurrent: count.optional(),
    shared: yesOrNo.optional(),
  },
  { error: 'an object that describes one rate limit' },
)

const auditEntry = z.strictObject(
  {
    file: someText,
    arguments: yesOrNo.optional(),
    maxBytes: count.optional(),
    keepFiles: count.optional(),
    required: yesOrNo.optional(),
  },
  { error: 'an object with the key file' },
)

const webAddress = z.string({ error: 'a URL' }).refine((url) => hasPlainAddress(url), {
  error: 'an http or https URL without a query, a fragment or a password',
})
const issuer = webAddress.refine((url) => url.startsWith('https:') || isLoopback(hostIn(url)), {
  error: 'an https URL; http is possible on the loopback only',
})
const scope = z.string({ error: 'a scope' }).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: 'a scope without spaces' })

const authorizationEntry = z
  .strictObject(
    {
      issuers: z.array(issuer, { error: 'a list of URLs' }).min(1, { error: 'at least one URL' }),
      resource: webAddress.optional(),
      audiences: z.array(someText, { error: 'a list of strings' }).optional(),
      scopes: z.record(scope, texts, { error: 'an object with a list of tools for each scope' }).optional(),
      firstScopes: z.array(scope, { error: 'a list of scopes' }).optional(),
      approveScope: scope.optional(),
    },
    { error: 'an object with the key issuers' },
  )
  .refine(({ scopes = {}, firstScopes = [] }) => firstScopes.every((name) => Object.hasOwn(scopes, name)), {
    error: 'names of scopes that are in scopes',
    path: ['firstScopes'],
  })

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
    codeMode: codeModeUse.optional(),
    autoTokens: count.optional(),
    callers: z
      .record(z.string(), callerEntry, { error: 'an object with one entry for each name of a client' })
      .optional(),
    expose: z.union([z.boolean(), texts], { error: 'true, false or a list of names' }).optional(),
    host: someText.optional(),
    port: z
      .int({ error: 'a port number' })
      .min(0, { error: 'a port number' })
      .max(65_535, { error: 'a port number' })
      .optional(),
    allowedHosts: texts.optional(),
    allowedOrigins: texts.optional(),
    keysFile: someText.optional(),
    authorization: authorizationEntry.optional(),
    maxSessions: count.optional(),
    maxSessionsPerKey: count.optional(),
    maxRequestsPerSession: count.optional(),
    maxRequestsPerKey: count.optional(),
    taskAfterMs: count.optional(),
    maxRequestBytes: count.optional(),
    maxConnections: count.optional(),
    maxUnreadBytes: count.optional(),
    maxUnreadBytesPerKey: count.optional(),
    bodyIdleMs: count.optional(),
    sessionIdleMs: count.optional(),
    resumeMs: z.int({ error: 'a whole number' }).min(0, { error: 'at least 0' }).optional(),
    observations: z.enum(['session', 'shared'], { error: '"session" or "shared"' }).optional(),
    rateLimits: z.array(rateLimitEntry, { error: 'a list of rate limits' }).optional(),
    audit: auditEntry.optional(),
  },
  { error: 'an object' },
)

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
