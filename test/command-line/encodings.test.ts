// Programs as editors of other systems write them.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(() => place.remove())

async function run(bytes: string | Buffer) {
  const file = path.join(place.folder, 'program.star')
  writeFileSync(file, bytes)
  return starbindHere(['run', 'program.star'], { cwd: place.folder })
}

it('a byte order mark and line ends of Windows are not part of a program', async () => {
  expect(await run('\ufeffif True:\r\n    x = """a\r\nb"""\r\n\r\nprint(len(x))\r\n')).toEqual({
    status: 0,
    stdout: '3\n',
    stderr: '',
  })
})

it('an empty file is a program that does nothing', async () => {
  expect(await run('')).toMatchObject({ status: 0, stdout: '' })
})

it('another encoding gets a message with its name', async () => {
  expect(await run(Buffer.from('\ufeffprint(1)\n', 'utf16le'))).toEqual({
    status: 2,
    stdout: '',
    stderr: "starbind: the program program.star can't be read: it is not UTF-8 text\n",
  })
})
