// docs/configuration.md and starbind.schema.json correspond to the schemas: nothing is missing and nothing is left
// over.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Validator } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import { configurationDocument, configurationSchema } from '../../scripts/configuration.mjs'

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))))
const dist = path.join(root, 'dist')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

describe('docs/configuration.md', () => {
  it('corresponds to the schemas (update it with node scripts/configuration.mjs)', async () => {
    const written = read('docs/configuration.md')
    expect(written).toBe(await configurationDocument(dist, written))
    expect([...written.matchAll(/<!-- keys: (\S+) -->/g)].map((match) => match[1])).toEqual([
      '.',
      'mcpServers.*',
      'mcpServers.*.oauth',
      'mcpServers.*.tools.*',
      'codeMode',
      'codeMode.limits',
      'codeMode.answer',
      'codeMode.stubs',
      'codeMode.results',
      'serve',
      'serve.callers.*',
      'serve.rateLimits.*',
      'serve.authorization',
      'serve.audit',
      'models.*',
      'agents.*',
    ])
  })
})

describe('starbind.schema.json', () => {
  it('corresponds to the schemas', async () => {
    expect(JSON.parse(read('starbind.schema.json'))).toEqual(await configurationSchema(dist))
  })

  it('accepts valid configurations and refuses invalid ones', () => {
    const validator = new Validator(JSON.parse(read('starbind.schema.json')), '2020-12')
    const isGood = (value: unknown) => validator.validate(value).valid
    expect(
      isGood({
        include: 'servers.d',
        mcpServers: { a: { command: 'x', lazy: true } },
        codeMode: { limits: { wallMs: 5 } },
      }),
    ).toBe(true)
    expect(isGood({ mcpServers: { a: { comand: 'x' } } })).toBe(false)
    expect(isGood({ codeMode: { language: 'python' } })).toBe(false)
  })
})
