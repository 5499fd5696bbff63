// Writes private files.
// Invariant: another user of the folder can't redirect the text to a place of their choice, and no reader sees a
// partial file.

import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * Writes a file that only its owner can read, replacing an existing one. The folder must exist. Throws if it can't be
 * written; the old file then stays.
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
    // An existing name, which may be a planted link, is not written to.
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
