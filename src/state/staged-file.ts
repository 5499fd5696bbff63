// Contents on their way to a shelf, each in a file of its own until its record is stored.
// Invariant: only the user of this process can read them.

import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'

/** A content on its way to its place. */
export interface StagedFile {
  readonly place: string
}

/** A staged file that is older than this is a remains of a killed process. */
const ARRIVAL_MS = 3_600_000

/** Receives a content in pieces. Rejects like their source, and leaves nothing then. */
export async function stagedIn(
  folder: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<StagedFile> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const place = path.join(folder, `.${randomUUID()}`)
  try {
    await writeFile(place, pieces, { mode: 0o600, flag: 'wx' })
    return { place }
  } catch (error) {
    rmSync(place, { force: true })
    throw error
  }
}

/** Removes staged files of killed processes, and the files that `isStray` names. */
export function sweepFolder(folder: string, isStray: (name: string) => boolean = () => false): void {
  const arrived = Date.now() - ARRIVAL_MS
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const place = path.join(folder, name)
    const isOld = name.startsWith('.')
      ? (statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0) < arrived
      : isStray(name)
    if (isOld) rmSync(place, { force: true })
  }
}
