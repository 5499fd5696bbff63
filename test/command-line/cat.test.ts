// `starbind cat` of kept files: as they are to a pipe or a file, and nothing but text to a terminal.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { main, starbindHere, Workplace } from '../fixtures/command.js'
import { pixel } from '../fixtures/pixel.js'
import { atTerminal, hasTerminal } from '../fixtures/terminal.js'

const place = new Workplace()
const cat = (...args: string[]) => starbindHere(['cat', ...args], { cwd: place.folder })

beforeAll(async () => {
  place.write('starbind.json', {})
  await using codeMode = await CodeMode.open({ state: path.join(place.folder, '.starbind'), warm: false })
  await codeMode.artifacts.save('pixel.png', pixel)
  await codeMode.artifacts.save('notes.txt', 'tea\n\x1b[31mcup')
  await codeMode.session({ name: 'stdio', results: 'named' }).artifacts.save('of-a-host.csv', 'a,b\n')
  await codeMode.session({ name: 'ann', results: 'named' }).artifacts.save('of-a-key.csv', 'a,b\n')
})
afterAll(() => place.remove())

describe('starbind cat of kept files', () => {
  it('writes every byte', () => {
    const line = `"${process.execPath}" "${main}" cat results/pixel.png results/notes.txt > both`
    const { status, stderr } = spawnSync(line, { shell: true, cwd: place.folder, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    expect(
      readFileSync(path.join(place.folder, 'both')).equals(Buffer.concat([pixel, Buffer.from('tea\n\x1b[31mcup')])),
    ).toBe(true)
  })

  it('has the files of programs and of a host at this machine, under every spelling of their path', async () => {
    const printed = { status: 0, stdout: 'a,b\n', stderr: '' }
    for (const name of ['results/of-a-host.csv', './results/of-a-host.csv', 'starbind://results/of-a-host.csv'])
      expect(await cat(name)).toEqual(printed)
  })

  it.each([
    ['results/of-a-key.csv', 'there is no file "results/of-a-key.csv"'],
    ['results/../starbind.json', 'there is no file "results/../starbind.json"'],
  ])('knows no %s', async (name, message) => {
    const { status, stdout, stderr } = await cat(name)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(message)
  })

  it('prints them apart from others', async () => {
    expect(await cat('guide.md', 'results/notes.txt')).toEqual({
      status: 2,
      stdout: '',
      stderr:
        'starbind: files of results/ are printed byte for byte, others with their names\nhint: print them apart\n',
    })
  })

  it.skipIf(!hasTerminal)('shows text at a terminal, and no bytes', async () => {
    const { screen, status } = await atTerminal(['cat', 'results/notes.txt', 'results/pixel.png'], {
      cwd: place.folder,
      typed: [],
    })
    expect({ screen, status }).toEqual({
      screen:
        "tea\n\ufffd[31mcup\nstarbind: results/pixel.png is image/png (1 × 1 pixels, 70 bytes), which a terminal can't show\nhint: write it to a file: starbind cat results/pixel.png > pixel.png\n",
      status: 2,
    })
  })
})
