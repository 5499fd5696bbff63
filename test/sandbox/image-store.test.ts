// Stored images: those of the build equal evaluated ones, and invalid files are ignored.

import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { compileEngine } from '../../dist/sandbox/engine-module.js'
import { buildImage, type ImageState } from '../../dist/sandbox/guest.js'
import { storedState, storeImage } from '../../dist/sandbox/image-store.js'
import { openSandbox } from '../../dist/sandbox/index.js'

// Beside the module under test, wherever that was built.
const folder = `${process.env.TESTED_DIST ?? new URL('../../dist', import.meta.url).pathname}/sandbox/images/`
// Other tests write into the same folder meanwhile. A snapshot holds the texts of its guest.
const mark = randomUUID()
const image = { name: 'stored', source: `globalThis.answer = "${mark}"` }
const found = new Set<string>()
afterEach(() => {
  for (const file of found) rmSync(folder + file, { force: true })
})

/** The files of this test. */
function added(): string[] {
  const files = readdirSync(folder).filter((file) => {
    try {
      return readFileSync(folder + file).includes(mark)
    } catch {
      // It may have been renamed since.
      return false
    }
  })
  for (const file of files) found.add(file)
  return files
}

const comparable = ({ snapshot, ...addresses }: ImageState) => ({
  ...addresses,
  snapshot: { ...snapshot, bytes: Buffer.from(new Uint8Array(snapshot.bytes)).toString('base64') },
})

it('returns a stored image, which equals an evaluated one', async () => {
  expect(await storedState(image)).toBeUndefined()
  await storeImage(image)
  expect(added()).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.bin$/)])
  const stored = await storedState(image)
  expect(comparable(stored!)).toEqual(comparable(await buildImage(await compileEngine(), image)))
})

it('identifies an image by all its inputs', async () => {
  await storeImage(image)
  expect(await storedState({ ...image, date: true })).toBeUndefined()
  expect(await storedState({ ...image, source: `${image.source} ` })).toBeUndefined()
  expect(await storedState({ ...image, name: 'the name does not matter' })).toBeDefined()
})

it('ignores a damaged file', async () => {
  await storeImage(image)
  const file = folder + added()[0]!
  const whole = readFileSync(file)
  for (const damaged of [
    whole.subarray(0, whole.length - 1),
    whole.subarray(0, 30),
    Buffer.alloc(0),
    Buffer.from('{}\n'),
  ]) {
    writeFileSync(file, damaged)
    expect(await storedState(image)).toBeUndefined()
  }
})

it('keeps images from the first run that request it', async () => {
  for (const kept of [false, true]) {
    const sandbox = openSandbox({})
    const source = `globalThis.told = "${mark}"`
    await sandbox.warm({ name: 'kept', source, kept })
    await sandbox.close()
    if (kept) await expect.poll(added).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.bin$/)])
    else expect(added()).toEqual([])
  }
})
