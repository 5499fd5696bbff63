// isolation: "process": programs are compiled and run in a child process. If it dies, only its own work is lost.

import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode, type RunEvent } from '../../dist/index.js'

const inputSchema = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] } as const

/** Other systems have no list of child processes without another program. */
const isLinux = process.platform === 'linux'

let onWait: () => void = () => {}

const codeMode = await CodeMode.open({
  isolation: 'process',
  servers: {
    sums: {
      inProcess: {
        next: { description: 'One more.', inputSchema, call: ({ number }: { number: number }) => number + 1 },
        wait: {
          description: 'Never answers.',
          inputSchema,
          call: () => {
            onWait()
            return new Promise(() => {})
          },
        },
      },
    },
  },
})
afterAll(() => codeMode.close())

/** The worker processes of this one. */
function children(): number[] {
  const pids = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker-process-main'))
}

describe('a program', () => {
  it('is checked, runs, calls tools and prints as in a thread', async () => {
    const events: RunEvent['type'][] = []
    const run = await codeMode.run('print("one")\nresult = sums.next(number=sums.next(number=1))', {
      onEvent: ({ type }) => events.push(type),
    })
    expect(run).toMatchObject({ ok: true, result: 3, logs: ['one'], calls: [{ tool: 'next' }, { tool: 'next' }] })
    expect(events).toEqual([
      'run.started',
      'print',
      'call.started',
      'call.finished',
      'call.started',
      'call.finished',
      'run.finished',
    ])
    expect(await codeMode.check('sums.next(number=1)')).toMatchObject({
      ok: true,
      reach: { tools: [{ namespace: 'sums', member: 'next' }], widened: [] },
    })
  })

  it('gets the same explanation of a failure as in a thread', async () => {
    const answer = await codeMode.executeToolCode({ code: 'x = sums.next(number=1)\nresult = [1][x]' })
    expect(answer.text.replace(/run-\d+/, 'run-N')).toBe(
      'program error [index-error] IndexError: list index out of range\n' +
        '  program:2:10\n' +
        '  2 | result = [1][x]\n' +
        '    |          ^^^^^^\n' +
        'done before this: sums.next\n' +
        'retry: reuse="run-N" takes the results of these calls instead of repeating them',
    )
  })

  it('is cancelled', async () => {
    const cancel = new AbortController()
    onWait = () => cancel.abort()
    const run = await codeMode.run('sums.wait(number=1)', { signal: cancel.signal })
    expect(run.error?.code).toBe('cancelled')
  })

  it.skipIf(!isLinux)('whose process is killed ends as lost with its calls, and the next one runs', async () => {
    onWait = () => {
      for (const pid of children()) process.kill(pid, 'SIGKILL')
    }
    const answer = await codeMode.executeToolCode({ code: 'x = sums.next(number=1)\nsums.wait(number=x)' })
    expect(answer.text.replace(/run-\d+/, 'run-N')).toBe(
      'host error [worker-lost] the process that worked on the program ended, and the program ended with it\n' +
        'done before this: sums.next, sums.wait (failed)\n' +
        'retry: reuse="run-N" takes the results of these calls instead of repeating them',
    )
    expect((await codeMode.run('result = sums.next(number=41)')).result).toBe(42)
    expect(children()).toHaveLength(1)
  })
})

it.skipIf(!isLinux)('closing ends the child process', async () => {
  const other = await CodeMode.open({ isolation: 'process' })
  expect((await other.run('result = 1')).result).toBe(1)
  const before = children().length
  await other.close()
  expect(children()).toHaveLength(before - 1)
})
