// The files of every named owner, which all sessions of that name share. They are in the store, if there is one, for
// other processes and later ones.

import { type Configuration, defined, isBucketUrl } from '../gateway/index.js'
import { type AllFiles, type Bucket, type Deployment, type FileBounds, FileShelf } from '../state/index.js'
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

/** What keeps files for other processes and later ones. Undefined: nothing does. */
export async function openShelf(
  { state, stateFiles, stateBucket }: Configuration,
  bounds: FileBounds,
  deployment: Deployment | undefined,
): Promise<AllFiles | undefined> {
  if (deployment !== undefined) {
    // Checked: a bucket has all of its settings.
    const place = isBucketUrl(stateFiles) ? ({ url: stateFiles, ...stateBucket } as Bucket) : stateFiles
    return deployment.openFiles(place, bounds)
  }
  const { maxAgeMs } = bounds.quota
  return typeof state === 'string' ? new FileShelf(state, { ...bounds, maxAgeMs }) : undefined
}

/** Long answers are files as well where several processes share them. */
type FileUse = 'artifact' | 'answer'

interface OwnersOptions {
  readonly quota: ResultsQuota
  readonly room: Room
  /** Absent: the files are in memory. */
  readonly shelf: AllFiles | undefined
  /** True: several processes share all files of an owner, and not only artifacts. */
  readonly isShared: boolean
}

export class ArtifactOwners {
  readonly #options: OwnersOptions
  readonly #owners = new Map<string, KeptFiles>()

  constructor(options: OwnersOptions) {
    this.#options = options
  }

  /** The same object for the same name. Undefined: such files are not shared. */
  shared(owner: string, use: FileUse): KeptFiles | undefined {
    return this.#options.isShared ? this.#of(`${use} ${owner}`) : undefined
  }

  /** The same object for the same name. */
  artifacts(owner: string): KeptFiles {
    return this.shared(owner, 'artifact') ?? this.#of(owner)
  }

  #of(name: string): KeptFiles {
    const { quota, room, shelf } = this.#options
    const files = this.#owners.get(name) ?? new KeptFiles({ quota, room, shelf: shelf?.of(name) })
    for (const [name, { paths }] of this.#owners) {
      if (this.#owners.size < MOST_OWNERS) break
      if (paths.length === 0) this.#owners.delete(name)
    }
    this.#owners.set(name, files)
    return files
  }

  /** Resolves when all files are stored. */
  async close(): Promise<void> {
    await Promise.all([...this.#owners.values()].map((files) => files.settled()))
    await this.#options.shelf?.close()
  }
}
