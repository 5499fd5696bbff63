// The block `models` of a configuration.

import { describe, expect, it } from 'vitest'
import { DiagnosticError, renderDiagnostics } from '../../dist/diagnostics/index.js'
import { checkConfiguration } from '../../dist/gateway/index.js'

function models(entries: object, environment: Readonly<Record<string, string>> = {}) {
  const placeOf = () => 'FILE'
  return checkConfiguration({ models: entries }, { folder: '/', placeOf, environment }).models ?? []
}

function complaint(entries: object): string {
  try {
    models(entries)
  } catch (error) {
    if (error instanceof DiagnosticError) return renderDiagnostics(error.diagnostics)
    throw error
  }
  throw new Error('nothing was wrong')
}

describe('the block models', () => {
  it('is read with defaults and references', () => {
    const entries = {
      gpt: {
        baseUrl: 'https://${HOST}/v1',
        apiKey: '${KEY}',
        name: 'gpt-5.4',
        headers: { 'X-Team': 'a' },
        maxTurns: 3,
      },
      local: { baseUrl: 'http://127.0.0.1:11434/v1', apiKey: '', mode: 'code', tools: 'none', events: true },
    }
    expect(models(entries, { HOST: 'api.example.com', KEY: 'sk-1' })).toEqual([
      {
        name: 'gpt',
        baseUrl: 'https://api.example.com/v1',
        apiKey: 'sk-1',
        model: 'gpt-5.4',
        headers: { 'X-Team': 'a' },
        maxTurns: 3,
        credentials: ['sk-1'],
        faults: [],
      },
      {
        name: 'local',
        baseUrl: 'http://127.0.0.1:11434/v1',
        model: 'local',
        headers: {},
        mode: 'code',
        tools: 'none',
        events: true,
        credentials: [],
        faults: [],
      },
    ])
  })

  it('has a model that can not be used where a variable is not set', () => {
    const found = models({
      gpt: { baseUrl: 'https://a.example/v1', apiKey: '${KEY}' },
      b: { baseUrl: 'http://b.example' },
    })
    expect(found.map(({ name, faults }) => [name, renderDiagnostics(faults)])).toEqual([
      [
        'gpt',
        'host error [config-variable-missing] FILE models.gpt.apiKey refers to the environment variable KEY, which is not set\nhint: set KEY, or give a default: ${KEY:-default}',
      ],
      ['b', ''],
    ])
  })

  it.each([
    [[], 'FILE models: got a list, want an object with one entry for each model'],
    [{ a: 'x' }, 'FILE models.a: got a string, want an object that describes one model'],
    [{ a: {} }, 'FILE models.a.baseUrl: got nothing, want a string'],
    [{ a: { baseUrl: 'api.example.com' } }, 'FILE models.a.baseUrl: got something else, want an http or https URL'],
    [{ 'a|b': { baseUrl: 'http://a.b' } }, 'FILE models["a|b"]: got a name with |, want a name without it'],
    [
      { a: { baseUrl: 'http://a.b', mode: 'fast' } },
      'FILE models.a.mode: got "fast", want "code", "direct", "both" or "auto"',
    ],
    [{ a: { baseUrl: 'http://a.b', tools: [] } }, 'FILE models.a.tools: got [], want "all" or "none"'],
    [{ a: { baseUrl: 'http://a.b', maxTurns: 0 } }, 'FILE models.a.maxTurns: got 0, want at least 1'],
  ])('refuses %j', (entries, words) => {
    expect(complaint(entries)).toBe(`host error [config-wrong-value] ${words}`)
  })

  it('suggests the key that was meant', () => {
    expect(complaint({ a: { baseUrl: 'http://a.b', apikey: 'x' } })).toBe(
      'host error [config-unknown-key] FILE models.a.apikey is not a known key\nhint: write "apiKey"',
    )
  })
})
