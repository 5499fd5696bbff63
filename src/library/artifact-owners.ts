// The artifacts of every named owner, which all sessions of that name share. They are in the store's folder, if there
// is one, for later processes.

import { type Configuration, defined, isStoreUrl, type Log } from '../gateway/index.js'
import { FileShelf } from '../state/index.js'
import { defaultQuota, KeptFiles, type ResultsQuota, type Room } from '../vfs/index.js'

const DAY_MS = 86_400_000
/** All owners together may keep this multiple of one owner's maximum. */
export const ALL_OWNERS = 8
/** Beyond this number, owners without files are forgotten. */
const MOST_OWNERS = 1_000

export function quotaOf({ results = {} }: Configuration): ResultsQuota {
  const { maxDays, ...bounds } = results
  return { ...defaultQuota, ...defined(bounds), ...(maxDays === undefined ? {} : { maxAgeMs: maxDays * DAY_MS }) }
}

export class ArtifactOwners {
  readonly #quota: ResultsQuota
  readonly #room: Room
  readonly #shelf: FileShelf | undefined
  readonly #owners = new Map<string, KeptFiles>()

  constructor(
    { state }: Pick<Configuration, 'state'>,
    { quota, room, log }: { quota: ResultsQuota; room: Room; log: Log },
  ) {
    const { maxBytes, maxAgeMs } = quota
    const complain = (message: string) => log({ level: 'warn', message })
    this.#quota = quota
    this.#room = room
    this.#shelf =
      typeof state === 'string' && !isStoreUrl(state)
        ? new FileShelf(state, { maxBytes: ALL_OWNERS * maxBytes, maxAgeMs, complain })
        : undefined
  }

  /** The same object for the same name. */
  of(owner: string): KeptFiles {
    const files =
      this.#owners.get(owner) ?? new KeptFiles({ quota: this.#quota, room: this.#room, shelf: this.#shelf?.of(owner) })
    for (const [name, { paths }] of this.#owners) {
      if (this.#owners.size < MOST_OWNERS) break
      if (paths.length === 0) this.#owners.delete(name)
    }
    this.#owners.set(owner, files)
    return files
  }

  /** Resolves when all files are stored. */
  async close(): Promise<void> {
    await Promise.all([...this.#owners.values()].map((files) => files.settled()))
    await this.#shelf?.close()
  }
}
