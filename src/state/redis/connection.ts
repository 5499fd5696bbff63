// The connection to Redis or Valkey. Knows addresses, keys, the clock of the store, and that this process is alive.
//
// A command waits a few seconds for a store that is being restarted, and is then refused; later ones are refused at once. Redis may have carried out a
// command whose reply was lost, and the command is then sent again, so every command must have the same effect when it
// is repeated.
// Invariant: no message shows a credential of the address.

import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import type { ChainableCommander, Redis, RedisOptions } from 'ioredis'
import { DiagnosticError } from '../../diagnostics/index.js'
import { reasonOf } from '../database.js'
import { clientUnavailable, stateNewer, storeUnusable } from '../messages.js'
import type { Channels, RedisAddress } from '../shared-state.js'
import { timing } from './timing.js'

/** The version of the keys and of what is in them. */
const FORM = 1
/** The longest wait for a store that does not answer. */
const PATIENCE_MS = 5_000
const RETRY_MS = 250

const OPTIONS = {
  connectionName: 'starbind',
  connectTimeout: PATIENCE_MS,
  commandTimeout: PATIENCE_MS,
  maxRetriesPerRequest: PATIENCE_MS / RETRY_MS,
  retryStrategy: () => RETRY_MS,
} satisfies RedisOptions

/** A Lua script, which Redis carries out in one step. */
export interface Script {
  readonly name: string
  readonly keys: number
  readonly lua: string
}

export class RedisConnection implements Channels {
  readonly client: Redis
  /** Names this process, and no other. */
  readonly processId = `${hostname()}.${process.pid}.${randomUUID()}`
  readonly prefix: string
  readonly #shown: string
  readonly #listeners = new Map<string, Set<(text: string) => void>>()
  #subscriber: Redis | undefined
  /** Why the store could not be reached the last time. */
  #fault: Error | undefined
  /** Since when there is no connection. */
  #goneAt: number | undefined
  /** How far the clock of the store is ahead of that of this process. */
  #aheadMs = 0
  #heartbeat: NodeJS.Timeout | undefined
  /** When the store took the last sign of life. Undefined: it did not. */
  #heardAt: number | undefined

  /** Rejects with a DiagnosticError if the store can't be reached, or a newer starbind wrote it. */
  static async open(address: RedisAddress): Promise<RedisConnection> {
    const connection = new RedisConnection(address)
    try {
      await connection.#open()
      return connection
    } catch (error) {
      connection.client.disconnect()
      throw error
    }
  }

  private constructor({ url, prefix }: RedisAddress) {
    this.prefix = prefix
    this.#shown = shownUrl(url)
    this.client = new (loadClient(this.#shown))(url, OPTIONS)
    // A failed command says so; between commands nobody waits.
    this.client.on('error', (error) => {
      this.#fault = error
    })
    this.client.on('close', () => {
      this.#goneAt ??= performance.now()
    })
    this.client.on('ready', () => {
      this.#goneAt = undefined
    })
  }

  /** The moment in milliseconds since 1970, by the clock of the store, which all processes have in common. */
  now(): number {
    return Math.round(Date.now() + this.#aheadMs)
  }

  /** True while the connection is open and the store takes signs of life. Asking sends nothing. */
  get isReachable(): boolean {
    const isHeard = this.#heardAt !== undefined && performance.now() - this.#heardAt < timing.leaseMs
    return isHeard && this.client.status === 'ready'
  }

  /** The address without credentials. */
  get shown(): string {
    return this.#shown
  }

  key(...parts: readonly string[]): string {
    return `${this.prefix}:${parts.join(':')}`
  }

  /** Carries out commands. Rejects with a DiagnosticError. */
  async do<Result>(act: (client: Redis) => Promise<Result>): Promise<Result> {
    try {
      if (performance.now() - (this.#goneAt ?? Number.POSITIVE_INFINITY) > PATIENCE_MS) throw this.#fault
      return await act(this.client)
    } catch (error) {
      if (error instanceof DiagnosticError) throw error
      const reason = this.client.status === 'ready' ? error : (this.#fault ?? error)
      throw new DiagnosticError(storeUnusable(this.#shown, reasonOf(reason)))
    }
  }

  /** Carries out several commands in one step. Rejects with a DiagnosticError. */
  async transaction(add: (commands: ChainableCommander) => void): Promise<readonly unknown[]> {
    return this.do(async (client) => {
      const commands = client.multi()
      add(commands)
      const replies = await commands.exec()
      const [failed] = (replies ?? []).flatMap(([error]) => error ?? [])
      if (replies === null || failed !== undefined) throw failed ?? new Error('the commands were not carried out')
      return replies.map(([, reply]) => reply)
    })
  }

  /** A function that carries out a script. */
  script({ name, keys, lua }: Script): (keysAndArguments: readonly (string | number)[]) => Promise<unknown> {
    this.client.defineCommand(name, { numberOfKeys: keys, lua })
    return (given) =>
      this.do((client) =>
        (client as unknown as Record<string, (...all: unknown[]) => Promise<unknown>>)[name]!(...given),
      )
  }

  /** A further connection, which its user closes. */
  duplicate(options: RedisOptions = {}): Redis {
    const further = this.client.duplicate({ ...options })
    further.on('error', () => {})
    return further
  }

  async publish(channel: string, text: string): Promise<void> {
    await this.do((client) => client.publish(this.key('channel', channel), text))
  }

  async listen(channel: string, listener: (text: string) => void): Promise<() => void> {
    const key = this.key('channel', channel)
    this.#subscriber ??= this.#newSubscriber()
    const subscriber = this.#subscriber
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners)
    listeners.add(listener)
    await this.do(() => subscriber.subscribe(key))
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.#listeners.get(key) !== listeners) return
      this.#listeners.delete(key)
      subscriber.unsubscribe(key).catch(() => {})
    }
  }

  /** True if the process of that name has given a sign of life a short while ago. */
  async isAlive(processId: string): Promise<boolean> {
    return (await this.do((client) => client.exists(this.key('process', processId)))) === 1
  }

  async close(): Promise<void> {
    clearTimeout(this.#heartbeat)
    await this.client.del(this.key('process', this.processId)).catch(() => {})
    this.client.disconnect()
    this.#subscriber?.disconnect()
  }

  async #open(): Promise<void> {
    const form = this.key('form')
    await this.do((client) => client.set(form, FORM, 'NX'))
    const found = Number(await this.do((client) => client.get(form)))
    if (found > FORM) throw new DiagnosticError(stateNewer(this.#shown, found, FORM))
    await this.#beat()
  }

  /** Gives a sign of life, and reads the clock of the store. */
  async #beat(): Promise<void> {
    this.#heartbeat = setTimeout(
      () => void this.#beat().catch(() => (this.#heardAt = undefined)),
      timing.leaseMs / 5,
    ).unref()
    const sent = Date.now()
    const [, time] = await this.transaction((commands) =>
      commands.set(this.key('process', this.processId), '', 'PX', timing.leaseMs).time(),
    )
    this.#heardAt = performance.now()
    const [seconds, micros] = (time as readonly (string | number)[]).map(Number)
    this.#aheadMs = seconds! * 1000 + micros! / 1000 - (sent + Date.now()) / 2
  }

  #newSubscriber(): Redis {
    // The client's own way of subscribing again leaves a failure unhandled, which would end the process.
    const subscriber = this.duplicate({ maxRetriesPerRequest: null, autoResubscribe: false })
    subscriber.on('ready', () => {
      if (this.#listeners.size === 0) return
      subscriber.subscribe(...this.#listeners.keys()).catch(() => {
        if (subscriber.status === 'ready') subscriber.disconnect(true)
      })
    })
    subscriber.on('message', (key: string, text: string) => {
      for (const listener of [...(this.#listeners.get(key) ?? [])]) {
        try {
          listener(text)
        } catch {
          // A message of another version concerns no one here.
        }
      }
    })
    return subscriber
  }
}

function loadClient(shown: string): typeof Redis {
  try {
    return (createRequire(import.meta.url)('ioredis') as { readonly Redis: typeof Redis }).Redis
  } catch {
    throw new DiagnosticError(clientUnavailable(shown, 'ioredis'))
  }
}

/** The address without its user, password and parameters. */
function shownUrl(url: string): string {
  if (!URL.canParse(url)) return 'redis://…'
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}
