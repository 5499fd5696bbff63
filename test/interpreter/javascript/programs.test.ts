// The behaviour of JavaScript programs. Each file in programs/ holds pieces: a title, a program, and after `>>>`
// everything that can be observed: `|` its output, `=` its result, `!` its failure, `?` its warnings, `→` the calls
// that reached tools. UPDATE_GOLDENS=1 writes the observations; read them before you keep them.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Seen, world } from './world.js'

const folder = path.join(import.meta.dirname, 'programs')
const run = world()

function written({ printed, result, failure, warnings, calls }: Seen): string {
  const marked = (mark: string, text: string) => text.split('\n').map((line) => `${mark} ${line}`.trimEnd())
  return [
    ...calls.map((call) => `→ ${call}`),
    ...printed.flatMap((line) => marked('|', line)),
    ...(result === undefined ? [] : marked('=', result)),
    ...(warnings === '' ? [] : marked('?', warnings)),
    ...(failure === undefined ? [] : marked('!', failure)),
  ].join('\n')
}

describe.each(readdirSync(folder).sort())('%s', (file) => {
  const name = path.join(folder, file)
  const pieces = readFileSync(name, 'utf8').split(/^### /m)
  const updated = [pieces[0]!]
  if (process.env.UPDATE_GOLDENS) afterAll(() => writeFileSync(name, updated.join('### ')))

  it.each(pieces.slice(1).map((piece) => [piece.slice(0, piece.indexOf('\n')), piece] as const))(
    '%s',
    async (title, piece) => {
      const [source, expected = ''] = piece.slice(title.length + 1).split(/^>>>\n?/m)
      const seen = written(await run(source!.trimEnd()))
      updated.push(`${title}\n${source!.trimEnd()}\n>>>\n${seen === '' ? '' : `${seen}\n`}\n`)
      if (!process.env.UPDATE_GOLDENS) expect(seen).toBe(expected.trimEnd())
    },
  )
})
