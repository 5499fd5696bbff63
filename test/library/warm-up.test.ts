// The program that runs when a CodeMode is opened with `warm: "run"`: it goes through in every dialect, and leaves no trace.

import { expect, it, vi } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { guestImage } from '../../dist/interpreter/index.js'
import { warmUp } from '../../dist/library/warm-up.js'
import { Desk } from '../../dist/meta-tools/index.js'
import { type GuestImage, openSandbox } from '../../dist/sandbox/index.js'
import { endParkedWorkers } from '../sandbox/leaks.js'

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

it.each([
  ['starlark', false, 'starlark-bare'],
  ['starlark', true, 'starlark-strict'],
  ['javascript', false, 'javascript'],
] as const)('threads without work practise in %s (strict: %s)', async (language, strict, image) => {
  await endParkedWorkers()
  const [sandbox, desk] = [openSandbox(), new Desk()]
  try {
    const practise = vi.spyOn(sandbox, 'practise')
    await warmUp({ sandbox, desk, language, limits: {}, answerMaxChars: 1000 }, { strict }, { runs: false })
    expect(practise.mock.calls).toEqual([[expect.objectContaining({ name: image }), expect.any(String)]])
    const [[, code]] = practise.mock.calls as [[GuestImage, string]]
    const end = await sandbox.run({ image: guestImage(image), code, onCall: () => 'none' })
    expect(end).toMatchObject({
      kind: 'completed',
      payload: expect.stringMatching(/^\{"ok":true,"result":\{"json":"\[5394,/),
    })
    // Now they have worked.
    await warmUp({ sandbox, desk, language, limits: {}, answerMaxChars: 1000 }, { strict }, { runs: false })
    expect(practise).toHaveBeenCalledTimes(1)
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
