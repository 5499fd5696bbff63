// The program that runs when a CodeMode is opened with `warm: "run"`: it goes through in every dialect, and leaves no trace.

import { expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { warmUp } from '../../dist/library/warm-up.js'
import { Desk } from '../../dist/meta-tools/index.js'
import { openSandbox } from '../../dist/sandbox/index.js'

it.each([
  ['starlark', false],
  ['starlark', true],
  ['javascript', false],
] as const)('a small program of starbind runs in %s (strict: %s)', async (language, strict) => {
  const [sandbox, desk] = [openSandbox(), new Desk()]
  try {
    const context = { sandbox, desk, language, limits: {}, answerMaxChars: 1000 }
    const result = await warmUp(context, { strict }, { runs: true })
    expect(result).toMatchObject({ ok: true, error: null, logs: [] })
    expect(result!.calls).toMatchObject({ length: 100 })
    expect(await warmUp(context, { strict }, { runs: false })).toBeUndefined()
  } finally {
    await Promise.all([sandbox.close(), desk.close()])
  }
})

it('nothing shows it', async () => {
  const seen: string[] = []
  const log = ({ message }: { readonly message: string }) => void seen.push(message)
  await using codeMode = await CodeMode.open({ warm: 'run', log })
  codeMode.runs.watch((news) => seen.push(news.type))
  expect(await codeMode.run('result = 1')).toMatchObject({ ok: true, result: 1, calls: [] })
  await codeMode.close()
  expect(codeMode.metrics()).toMatch(/^starbind_runs_total\{outcome="ok"\} 1$/m)
  expect(codeMode.metrics()).not.toContain('practice')
  expect(seen).toEqual(['event', 'event', 'state'])
})

it('closing ends it', async () => {
  const codeMode = await CodeMode.open({ warm: 'run' })
  await codeMode.close()
})

it('another value is refused', async () => {
  await expect(CodeMode.open({ warm: 'often' as never })).rejects.toThrow(
    'host error [config-wrong-value] CodeMode.open: warm: got a string, want true, false or "run"',
  )
})
