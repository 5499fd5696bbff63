// Threads that are killed while they work: their run ends and reports what it had done, and the next one gets another
// thread.

import type { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { endParkedWorkers } from '../sandbox/leaks.js'

const threads = new Set<Worker>()
const started = (worker: Worker): void => {
  threads.add(worker)
  worker.once('exit', () => threads.delete(worker))
}
process.on('worker', started)

let killed: Promise<unknown> = Promise.resolve()
/** Ends every thread there is. */
function killAll(): void {
  killed = Promise.all([...threads].map((thread) => thread.terminate()))
}

// The threads of other files are not known here.
await endParkedWorkers()
const codeMode = await CodeMode.open({
  servers: {
    sums: {
      inProcess: {
        one: { description: 'One.', call: () => 1 },
        wait: {
          description: 'Never answers.',
          call: () => {
            killAll()
            return new Promise(() => {})
          },
        },
      },
    },
  },
})
beforeAll(() => codeMode.run('1'))
afterAll(async () => {
  await codeMode.close()
  process.off('worker', started)
})

it('a killed thread ends its run while the program waits for a tool', async () => {
  const answer = await codeMode.executeToolCode({ code: 'x = sums.one()\nsums.wait()' })
  expect(answer.text.replace(/run-\d+/, 'run-N')).toMatchInlineSnapshot(`
    "host error [sandbox-fault] the sandbox failed while the program ran; the program is not to blame
    done before this: sums.one, sums.wait (failed)
    retry: reuse="run-N" takes the results of these calls instead of repeating them"
  `)
  await killed
  expect(await codeMode.run('result = sums.one()')).toMatchObject({ ok: true, result: 1 })
})

it('a killed thread ends its run while the program computes', async () => {
  const run = codeMode.run('print(sums.one())\nwhile True: pass', {
    onEvent: ({ type }) => {
      if (type === 'print') killAll()
    },
  })
  expect(await run).toMatchObject({ ok: false, logs: ['1'], calls: [{ tool: 'one', ok: true }] })
  expect((await run).error).toMatchObject({ class: 'host error', code: 'sandbox-fault' })
  await killed
  expect(await codeMode.run('result = sums.one()')).toMatchObject({ ok: true, result: 1 })
})

it('killed threads do not stop the compilation of many programs', async () => {
  const code = `result = 1\n${'x = [1, 2, 3]\n'.repeat(2_000)}`
  const runs = Promise.all(Array.from({ length: 8 }, () => codeMode.run(code)))
  killAll()
  const ended = await runs
  expect(ended.filter(({ ok }) => !ok).map(({ error }) => [error?.class, error?.code])).toEqual(
    Array.from({ length: ended.filter(({ ok }) => !ok).length }, () => ['host error', expect.any(String)]),
  )
  await killed
  expect(await codeMode.run('result = sums.one()')).toMatchObject({ ok: true, result: 1 })
})
