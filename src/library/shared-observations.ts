// Observed result types that the processes of one deployment have in common: a document for each server, and one for the
// tools that have violated their output schema. Each process merges what the others have seen into its own, and writes
// what is then known, so none overwrites another.

import type { Observations } from '../bindings/index.js'
import type { Log, ServerConfig } from '../gateway/index.js'
import type { Deployment } from '../state/index.js'

const CHANNEL = 'observations'
const WRITE_MS = 5_000
/** A longer document is not shared, because reading it would block the event loop. */
const MOST_CHARACTERS = 2_000_000
/** The document without a server. */
const NO_SERVER = ''

export class SharedObservations {
  readonly #observations: Observations
  readonly #deployment: Deployment
  readonly #log: Log
  /** What was known of each server when its document was last compared. */
  readonly #compared = new Map<string, number>()
  readonly #timer: NodeJS.Timeout
  #underway: Promise<void> = Promise.resolve()
  #stop: (() => void) | undefined

  /** Reads what is known of the servers. */
  static async open(
    observations: Observations,
    deployment: Deployment,
    { servers, log }: { readonly servers: readonly ServerConfig[]; readonly log: Log },
  ): Promise<SharedObservations> {
    const shared = new SharedObservations(observations, deployment, log)
    shared.#stop = await deployment.channels.listen(CHANNEL, (server) => shared.#next(() => shared.#read(server)))
    for (const server of [NO_SERVER, ...servers.map(({ name }) => name)]) shared.#next(() => shared.#read(server))
    await shared.#underway
    return shared
  }

  private constructor(observations: Observations, deployment: Deployment, log: Log) {
    this.#observations = observations
    this.#deployment = deployment
    this.#log = log
    this.#timer = setInterval(() => this.#write(), WRITE_MS).unref()
  }

  /** Resolves when the others can read what this process has seen. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#stop?.()
    this.#write()
    await this.#underway
  }

  #write(): void {
    if (!this.#deployment.isReachable()) return
    for (const server of [NO_SERVER, ...this.#observations.servers])
      if (this.#revisionOf(server) !== (this.#compared.get(server) ?? 0)) this.#next(() => this.#share(server))
  }

  async #read(server: string): Promise<string | undefined> {
    const text = await this.#deployment.documents.read(documentOf(server))
    if (text !== undefined) this.#observations.merge(JSON.parse(text))
    return text
  }

  async #share(server: string): Promise<void> {
    await this.#deployment.locks.alone(documentOf(server), async () => {
      const before = await this.#read(server)
      const text = JSON.stringify(this.#observations.partOf(server === NO_SERVER ? undefined : server))
      this.#compared.set(server, this.#revisionOf(server))
      if (text === before || text.length > MOST_CHARACTERS) return
      await this.#deployment.documents.write(documentOf(server), text)
      await this.#deployment.channels.publish(CHANNEL, server)
    })
  }

  #revisionOf(server: string): number {
    return server === NO_SERVER ? this.#observations.distrustedCount : this.#observations.version(server)
  }

  #next(work: () => Promise<unknown>): void {
    this.#underway = this.#underway
      .then(work)
      .then(() => {})
      .catch((error: unknown) => this.#log({ level: 'warn', message: `observations are not shared: ${String(error)}` }))
  }
}

function documentOf(server: string): string {
  return `observations:${server}`
}
