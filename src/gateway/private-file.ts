// Invariant: the text goes to no place that somebody else who can write to the folder chose, and no reader sees half of
// it.

import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes a file that only its owner can read, in place of what was there. The folder has to exist. Throws where it
 * can't be written; then what was there still is.
 *
 * @example
 * import { importHosts, writePrivateFile } from 'starbind'
 *
 * const { configuration } = await importHosts({ folder: process.cwd() })
 * writePrivateFile('starbind.json', JSON.stringify(configuration, null, 2))
 */
export function writePrivateFile(file: string, text: string): void {
  const temporary = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`)
  try {
    // A name that exists, be it a link that somebody put there, is not written to.
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
