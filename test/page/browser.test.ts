// The page in Chromium. All of it in one file, because starting Chromium costs more than most of what is shown in it.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { attacks } from './attacks.js'
import { inChromium } from './chromium.js'
import { journey } from './journey.js'
import { besideAnswers } from './mcp-app.js'
import { views } from './views.js'

it('is small, and nothing of it is written into the document', () => {
  const folder = fileURLToPath(new URL('../../dist/page/', import.meta.url))
  const files = readdirSync(folder).filter((name) => name.endsWith('.br'))
  const bytes = files.reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0)
  expect(bytes).toBeLessThan(350_000)
  const document = brotliDecompressSync(readFileSync(path.join(folder, 'index.html.br'))).toString()
  expect(document).not.toMatch(/<style|<script(?![^>]* src="page-[\w-]+\.js")|\son\w+=|style=|https?:/)
})

inChromium('the page', (open) => {
  describe('with the answers of a script', () => views(open))
  describe('with the words of hostile servers and models', () => attacks(open))
  describe('in front of a real starbind', () => journey(open))
  describe('beside an answer', () => besideAnswers(open))
})
