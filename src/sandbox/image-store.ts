// Evaluated images on disk, written by the build or by the first process that needed them. Evaluating a large prelude
// dominates a cold start, and the result depends only on three texts. Each image is one file, named by a digest of
// these, which the build computes for the images of the languages. These files need the same protection as the code. If
// they cannot be written, nothing is stored; a file that does not match is ignored.
// Invariant: a state from the store equals the one that evaluation would give.

import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { GuestImage } from './contract.js'
import { compileEngine, engineBytes } from './engine-module.js'
import { buildImage, type ImageState } from './guest.js'
import { hardeningSource } from './hardening.js'
import { readState } from './protocol.js'

/** The first line of a file; the bytes of the snapshot follow. */
type Stored = Omit<ImageState, 'snapshot'> & { readonly snapshot: object }

const folder = new URL('./images/', import.meta.url)

/** The stored state of the image; undefined if there is none. */
export async function storedState(image: GuestImage): Promise<ImageState | undefined> {
  try {
    const file = await readFile(await fileOf(image))
    const headerEnd = file.indexOf('\n')
    const { snapshot, ...addresses } = JSON.parse(file.toString('utf8', 0, headerEnd)) as Stored
    const bytes = new SharedArrayBuffer(file.length - headerEnd - 1)
    new Uint8Array(bytes).set(file.subarray(headerEnd + 1))
    return readState({ ...addresses, snapshot: { ...snapshot, bytes } })
  } catch {
    // The file is missing or incomplete.
    return undefined
  }
}

/** Evaluates an image and stores its state. For the build. */
export async function storeImage(image: GuestImage): Promise<void> {
  await storeState(image, await buildImage(await compileEngine(), image))
}

/** Stores the state of an image. Readers find the whole file or none. Rejects if nothing can be written. */
export async function storeState(image: GuestImage, state: ImageState): Promise<void> {
  const { snapshot, ...addresses } = state
  const { bytes, ...layout } = snapshot
  const header = `${JSON.stringify({ ...addresses, snapshot: layout })}\n`
  await mkdir(folder, { recursive: true })
  const file = await fileOf(image)
  const unfinished = `${file}.${process.pid}`
  await writeFile(unfinished, Buffer.concat([Buffer.from(header), new Uint8Array(bytes)]))
  await rename(unfinished, file)
}

async function fileOf(image: GuestImage): Promise<string> {
  return fileURLToPath(new URL(`${image.digest ?? (await digestOf(image))}.bin`, folder))
}

/** A digest of all texts that an evaluated image depends on. */
export async function digestOf(image: GuestImage): Promise<string> {
  const hash = createHash('sha256')
  for (const text of [await engineBytes(), hardeningSource(image.date === true), image.source]) {
    hash.update(`${text.length}\n`).update(text)
  }
  return hash.digest('hex').slice(0, 32)
}
