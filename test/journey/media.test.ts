// Pictures, audio and files of real servers: read by one, written by another, seen by a model.

import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CodeMode, type ServerEntry } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'
import { pixel as png } from '../fixtures/pixel.js'

const place = new Workplace()
let codeMode: CodeMode
beforeAll(async () => {
  const files = { 'pixel.png': png, 'sound.wav': 'RIFF', 'report.pdf': '%PDF-1.4', 'fake.png': 'no picture' }
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(place.folder, name), content)
  const servers = {
    files: place.reference('filesystem', place.folder) as ServerEntry,
    everything: place.reference('everything') as ServerEntry,
  }
  codeMode = await CodeMode.open({ servers, results: { maxBytes: 3_000 } })
})
afterAll(async () => {
  await codeMode.close()
  await place.allGone()
  place.remove()
})

const folder = JSON.stringify(place.folder)

describe('files of server-filesystem', () => {
  it('are records, also where the server repeats them in its structured content', async () => {
    const code = `
def media(name):
    return files.read_media_file(path=${folder} + "/" + name)["content"][0]
found = [media(name) for name in ["pixel.png", "sound.wav", "report.pdf", "fake.png"]]
result = [{k: r[k] for k in r if k in ("type", "mimeType", "bytes", "width", "path")} for r in found]
print(found[0].read()[:4], [len(r.read()) for r in found], "data" in found[0])`
    const { result, logs, error } = await codeMode.run(code)
    expect(error).toBeNull()
    const path = (type: string, ending: string) => `results/files.read_media_file-${type}.${ending}`
    expect(result).toEqual([
      { type: 'image', mimeType: 'image/png', bytes: 70, width: 1, path: path('image', 'png') },
      { type: 'audio', mimeType: 'audio/wav', bytes: 4, path: path('audio', 'wav') },
      { type: 'resource', mimeType: 'application/octet-stream', bytes: 8, path: path('resource', 'bin') },
      { type: 'image', mimeType: 'image/png', bytes: 10, path: expect.stringMatching(/-image-2\.png$/) },
    ])
    expect(logs).toEqual([`b'\\x89PNG' [70, 4, 8, 10] False`])
  })

  it('can be passed to another server and read by a model', async () => {
    const code = `
picture = files.read_media_file(path=${folder} + "/pixel.png")["content"][0]
files.write_file(path=${folder} + "/copy.txt", content=picture)
print(everything.echo(message=picture)[:20])`
    const { logs, error } = await codeMode.run(code)
    expect(error).toBeNull()
    expect(logs).toEqual([`Echo: ${png.toString('base64')}`.slice(0, 20)])
    expect(readFileSync(path.join(place.folder, 'copy.txt'), 'utf8')).toBe(png.toString('base64'))
    const shown = await codeMode.readToolFile({ fileName: 'results/files.read_media_file-image.png' })
    expect(shown.files).toEqual([{ type: 'image', data: png.toString('base64'), mimeType: 'image/png' }])
    const fake = await codeMode.readToolFile({ fileName: 'results/files.read_media_file-image-2.png' })
    expect([fake.files, fake.text.includes('it is no picture of that type')]).toEqual([undefined, true])
  })
})

it('a picture over the quota is named and not stored in part', async () => {
  const { result, error } = await codeMode.run('result = everything.get_tiny_image()[1]')
  expect(error).toBeNull()
  expect(result).toEqual({
    type: 'image',
    mimeType: 'image/png',
    bytes: 4033,
    error: 'it is larger than what is kept (results.maxBytes)',
  })
})

it('a file over the quota is refused', async () => {
  await expect(codeMode.artifacts.save('long.txt', 'x'.repeat(3_001))).rejects.toThrow(
    'limit [artifact-bytes] long.txt has 3001 bytes; the limit is 3000',
  )
  expect((await codeMode.artifacts.list()).map(({ name }) => name)).not.toContain('long.txt')
})
