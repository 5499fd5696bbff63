// The loop's own clock: who holds the loop is told of, in the log and in the numbers.

import { expect, it } from 'vitest'
import { CodeMode, type LogLine } from '../../dist/index.js'

function hold(ms: number): void {
  for (const start = performance.now(); performance.now() - start < ms; );
}

const held = (metrics: string) => Number(/^starbind_loop_held_total (\d+)$/m.exec(metrics)?.[1])
const longer = (metrics: string) => {
  const all = Number(/^starbind_loop_delay_seconds_count (\d+)$/m.exec(metrics)?.[1] ?? 0)
  return all - Number(/^starbind_loop_delay_seconds_bucket\{le="0.1"\} (\d+)$/m.exec(metrics)?.[1] ?? 0)
}

it('the log reports a blocked event loop once for many times, and a metric counts each', async () => {
  const lines: LogLine[] = []
  await using codeMode = await CodeMode.open({ warm: false, log: (line) => lines.push(line) })
  codeMode.accept({ clientName: 'test', headers: {}, name: 'test' })
  const before = codeMode.metrics()
  const said = () => lines.filter(({ message }) => message.startsWith('the event loop was held'))
  // Of a process that has just been started nothing is said.
  for (let i = 0; i < 3 || said().length === 0; i++) {
    hold(200)
    // Shorter times are the machine's.
    await expect.poll(() => longer(codeMode.metrics())).toBeGreaterThan(longer(before) + i)
  }
  expect(held(codeMode.metrics())).toBeGreaterThanOrEqual(held(before) + 3)
  expect(said()).toEqual([
    { level: 'warn', message: expect.stringMatching(/^the event loop was held for \d{2,} ms; all callers waited$/) },
  ])
  const ms = Number(/for (\d+) ms/.exec(said()[0]!.message)?.[1])
  expect(ms).toBeGreaterThanOrEqual(50)
})
