// The README's picture of a terminal shows the real output of the commands.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { drawing, linesOf, recording, steadyText, textOf } from '../../scripts/terminal-recording.mjs'
import { hasTerminal } from '../fixtures/terminal.js'

const picture = readFileSync(path.resolve(import.meta.dirname, '../../docs/images/terminal.svg'), 'utf8')

it.skipIf(!hasTerminal)('is the drawing of npm run recording', () => {
  const recorded = recording()
  expect(steadyText(linesOf(picture))).toEqual(steadyText(recorded.flatMap(textOf)))
  expect(linesOf(drawing(recorded))).toEqual(recorded.flatMap(textOf))
})

it('shows as many commands as lines that begin with a prompt', () => {
  expect(linesOf(picture).filter((line: string) => line.startsWith('$ starbind ')).length).toBeGreaterThan(2)
})
