// docs/api is what the declarations say, and the declarations say something of every public name.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { apiDocument } from '../../scripts/api.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const pages = apiDocument(process.env.STARBIND_DIST ?? path.join(root, 'dist'))

it('docs/api is written from the declarations: node scripts/api.mjs writes it anew', () => {
  const folder = path.join(root, 'docs/api')
  const written = new Map(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]))
  expect(written).toEqual(pages)
})

it('every public name has words', () => {
  const mute = [...pages].flatMap(([page, text]) =>
    [...text.matchAll(/^### (\S+)\n\n```ts\n(?!import)/gm)].map((match) => `${page}: ${match[1]}`),
  )
  expect(mute).toEqual([])
})

it('classes and what people call first have an example', () => {
  const text = [...pages.values()].join('\n')
  for (const name of [
    'CodeMode',
    'Catalogues',
    'openaiChat',
    'openaiResponses',
    'anthropicMessages',
    'geminiFunctions',
    'aiSdkTools',
    'langchainTools',
  ])
    expect(text).toMatch(new RegExp(`^### ${name}\\n\\n[^\\n\`]+(\\n[^\\n\`]+)*\\n\\n\`\`\`ts\\nimport `, 'm'))
})
