// `--save`: the files of a run, written into a folder.

import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SessionArtifacts } from '../index.js'
import { wrongUsage } from './failure.js'
import { show } from './print.js'

/** Writes the files since then into the folder, which is made if it is not there, and names them on stderr. */
export async function saveFiles(artifacts: SessionArtifacts, folder: string, since: number): Promise<void> {
  for (const { name, mimeType, bytes } of await artifacts.list({ since })) {
    const file = path.join(folder, name)
    try {
      await mkdir(folder, { recursive: true })
      await writeFile(file, await artifacts.read(name))
    } catch (error) {
      throw wrongUsage(`--save can't write ${file}: ${(error as NodeJS.ErrnoException).code}`)
    }
    show(process.stderr, `saved ${file}: ${mimeType}, ${bytes} bytes`)
  }
}
