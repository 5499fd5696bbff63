// The library in a program, with a real server.

import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode, DiagnosticError, type ServerEntry } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

const memory = () => place.reference('memory') as ServerEntry

describe('CodeMode', () => {
  it('opens, answers, runs and closes', async () => {
    const codeMode = await CodeMode.open({ servers: { memory: memory(), off: { ...memory(), disabled: true } } })
    try {
      expect(codeMode.servers.status().map(({ name, state, tools }) => [name, state, tools.length])).toEqual([
        ['memory', 'ready', 11],
        ['off', 'disabled', 0],
      ])
      expect((await codeMode.listToolFiles()).text).toMatch(/^servers\/\n {2}memory\.pyi {2}# 11 tools/)
      expect((await codeMode.readToolFile({ fileName: 'memory' })).text).toContain('def read_graph()')
      expect((await codeMode.getToolDocs({ server: 'memory', tool: 'read_graph' })).text).toContain('read_graph')
      const answer = await codeMode.executeToolCode({ code: 'result = memory.read_graph()' })
      expect(answer).toMatchObject({
        isError: false,
        text: expect.stringMatching(/^result: {"entities":\[\],"relations":\[\]}\n/),
      })
      const result = await codeMode.run('print("a")\nresult = 1 + 1')
      expect(result).toMatchObject({ ok: true, result: 2, logs: ['a'], calls: [], error: null })
      expect(codeMode.tools('anthropic').map((tool) => tool.name)).toEqual([
        'listToolFiles',
        'readToolFile',
        'getToolDocs',
        'executeToolCode',
      ])
      expect(await codeMode.call('executeTool', {})).toEqual({
        text: 'program error [unknown-meta-tool] there is no tool executeTool here\nhint: call executeToolCode',
        isError: true,
      })
    } finally {
      await codeMode.close()
    }
    expect(place.alive()).toEqual([])
  })

  it('takes the level of stubs and the dialect from its options', async () => {
    await using codeMode = await CodeMode.open({
      servers: { memory: memory() },
      bindingLevel: 'tool',
      strict: true,
      limits: { wallMs: 200_000 },
    })
    expect((await codeMode.listToolFiles()).text).toContain('\n    read_graph.pyi\n')
    expect(await codeMode.run('print(f"{1}")')).toMatchObject({ ok: false })
    expect(await codeMode.run('print(f"{1}")', { strict: false })).toMatchObject({ ok: true, logs: ['1'] })
  })

  it('runs many programs at once, each with its own answer', async () => {
    await using codeMode = await CodeMode.open()
    const numbers = Array.from({ length: 20 }, (_, i) => i)
    const results = await Promise.all(numbers.map((n) => codeMode.run(`print(${n})\nresult = ${n} * 2`)))
    expect(results.map(({ result, logs }) => [result, logs])).toEqual(numbers.map((n) => [n * 2, [String(n)]]))
  })

  it('reports the mistakes in its options', async () => {
    const wrong = CodeMode.open({ servers: { a: { comand: 'x' } as ServerEntry } })
    await expect(wrong).rejects.toBeInstanceOf(DiagnosticError)
    await expect(wrong).rejects.toThrow(
      'host error [config-unknown-key] CodeMode.open: servers.a.comand is not a known key',
    )
    await expect(CodeMode.open({ limits: { wallMs: 0 } })).rejects.toThrow(
      'host error [wrong-limit] the configured limit wallMs: got 0 s, want at least 1 ms',
    )
  })
})
