import { expect, it } from 'vitest'
import { RunsUnderway } from '../../dist/library/runs-underway.js'

const aborted = (signal: AbortSignal) =>
  new Promise<string>((resolve) => {
    if (signal.aborted) resolve('ended')
    signal.addEventListener('abort', () => resolve('ended'))
  })

it('ends runs with and without a signal of their own, and no later ones', async () => {
  const runs = new RunsUnderway()
  const outer = new AbortController()
  const both = Promise.all([runs.during(undefined, aborted), runs.during(outer.signal, aborted)])
  runs.end()
  expect(await both).toEqual(['ended', 'ended'])
  expect(outer.signal.aborted).toBe(false)
  expect(await runs.during(undefined, async ({ aborted }) => aborted)).toBe(false)
})

it('ends a run whose own signal aborts, and no other', async () => {
  const runs = new RunsUnderway()
  const outer = new AbortController()
  let isOver = false
  const other = runs.during(undefined, aborted).then(() => {
    isOver = true
  })
  const one = runs.during(outer.signal, aborted)
  outer.abort()
  expect(await one).toBe('ended')
  expect(await runs.during(outer.signal, async ({ aborted }) => aborted)).toBe(true)
  expect(isOver).toBe(false)
  runs.end()
  await other
})
