// Stored images: what the build keeps is what evaluation gives, and a file that does not fit is as good as none.

import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { compileEngine } from '../../dist/sandbox/engine-module.js'
import { buildImage, type ImageState } from '../../dist/sandbox/guest.js'
import { storedState, storeImage } from '../../dist/sandbox/image-store.js'
import { openSandbox } from '../../dist/sandbox/index.js'

// Beside the module under test, wherever that was built.
const folder = `${process.env.TESTED_DIST ?? new URL('../../dist', import.meta.url).pathname}/sandbox/images/`
// The folder is everybody's: files of others come while this one looks. A snapshot holds the texts of its guest.
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
      // It has another name by now.
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

it('gives back what was stored, which is what evaluation gives', async () => {
  expect(await storedState(image)).toBeUndefined()
  await storeImage(image)
  expect(added()).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.bin$/)])
  const stored = await storedState(image)
  expect(comparable(stored!)).toEqual(comparable(await buildImage(await compileEngine(), image)))
})

it('knows an image by all that it was made from', async () => {
  await storeImage(image)
  expect(await storedState({ ...image, date: true })).toBeUndefined()
  expect(await storedState({ ...image, source: `${image.source} ` })).toBeUndefined()
  expect(await storedState({ ...image, name: 'the name does not matter' })).toBeDefined()
})

it('takes a damaged file for none', async () => {
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

it('keeps what the first run evaluated, of images that say so', async () => {
  for (const kept of [false, true]) {
    const sandbox = openSandbox({})
    const source = `globalThis.told = "${mark}"`
    await sandbox.warm({ name: 'kept', source, kept })
    await sandbox.close()
    if (kept) await expect.poll(added).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.bin$/)])
    else expect(added()).toEqual([])
  }
})
