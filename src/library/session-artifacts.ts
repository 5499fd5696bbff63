// One caller's files in results/. Knows the caller's own file system; programs reach the same files through the module
// `artifacts`.

import type { Readable } from 'node:stream'
import { DiagnosticError, nearestNames } from '../diagnostics/index.js'
import { artifactNamed, artifactOverQuota, artifactsIn, unknownFile } from '../meta-tools/index.js'
import type { Artifact, Vfs } from '../vfs/index.js'
import { checkOf, checkValue, option, optionsOf } from './check-options.js'

/**
 * The files that a caller's tools returned, its programs saved, or `save` added. A file is named as in its record:
 * `chart.png` or `results/chart.png`. An unknown name rejects with a DiagnosticError.
 *
 * @example
 * import { writeFile } from 'node:fs/promises'
 * import { CodeMode, type SessionArtifacts } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const artifacts: SessionArtifacts = codeMode.artifacts
 * await artifacts.save('orders.csv', 'id,total\n1,4.50\n')
 * await codeMode.run('text = artifacts.open("orders.csv").read().decode()\nartifacts.save("count.txt", str(len(text)))')
 * for (const { name } of await artifacts.list()) await writeFile(name, await artifacts.read(name))
 */
export interface SessionArtifacts {
  /** All files, oldest first; with `since`, only files kept at or after that time, in milliseconds since 1970. */
  list(options?: { readonly since?: number }): Promise<readonly Artifact[]>
  /** The record of one file. */
  open(name: string): Promise<Artifact>
  /** The content. */
  read(name: string): Promise<Uint8Array>
  /** The content, in pieces. */
  stream(name: string): Promise<Readable>
  /**
   * Stores text or bytes under this name and replaces the file that has it. Characters other than letters, digits, `_`,
   * `-` and dots become `_`. `mimeType`: by default that of the name's ending.
   */
  save(name: string, content: string | Uint8Array, options?: { readonly mimeType?: string }): Promise<Artifact>
}

const checkList = checkOf('artifacts.list:', optionsOf({ since: option.moment }))
const checkSave = checkOf('artifacts.save:', optionsOf({ mimeType: option.string }))

export function sessionArtifacts(vfs: Vfs): SessionArtifacts {
  const open = async (name: string): Promise<Artifact> => {
    checkValue('artifacts:', 'name', name, option.string)
    await vfs.fresh()
    const artifact = artifactNamed(name, vfs)
    if (artifact !== undefined) return artifact
    const names = artifactsIn(vfs).map((one) => one.name)
    throw new DiagnosticError(unknownFile(name, nearestNames(name, names)))
  }
  const read = async (name: string): Promise<Uint8Array> => {
    const { path } = await open(name)
    await vfs.load(path)
    return Buffer.from(vfs.readBytes(path))
  }
  return {
    async list(options = {}) {
      checkList(options as { since: unknown })
      const { since = 0 } = options
      await vfs.fresh()
      return artifactsIn(vfs).filter(({ path }) => vfs.artifacts.keptAt(path) >= since)
    },
    open,
    read,
    async stream(name) {
      const { path, bytes } = await open(name)
      return vfs.artifacts.stream(path, { start: 0, end: bytes - 1 })
    },
    async save(name, content, options = {}) {
      checkValue('artifacts.save:', 'name', name, option.string)
      checkSave(options as { mimeType: unknown })
      const bytes = Buffer.byteLength(content)
      const { maxBytes } = vfs.artifacts
      if (bytes > maxBytes) throw new DiagnosticError(artifactOverQuota(name, bytes, maxBytes))
      await vfs.fresh()
      // A copy, because the caller may change its bytes later.
      const path = vfs.replace(name, typeof content === 'string' ? content : Buffer.from(content), options)
      await vfs.artifacts.settled()
      return vfs.artifact(path)!
    },
  }
}
