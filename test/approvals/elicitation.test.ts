// The person behind an MCP caller is asked, in the form that the SDK's own client shows.

import { type ElicitRequest, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it } from 'vitest'
import { openGateway, textOf } from '../serving/callers.js'
import { tracker } from './tracker.js'

/** A caller whose person gives these answers, one after the other. */
async function caller(...answers: readonly ElicitResult[]) {
  const { servers, calls } = tracker()
  const gateway = await openGateway({ servers, approve: 'writes', callersAnswer: true, warm: false })
  const client = await gateway.caller(answers.length === 0 ? {} : { capabilities: { elicitation: {} } })
  const forms: ElicitRequest['params'][] = []
  const left = [...answers]
  if (answers.length > 0)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      forms.push(params)
      return left.shift()!
    })
  const execute = async (args: Record<string, unknown>) =>
    textOf(await client.callTool({ name: 'executeToolCode', arguments: args })).replace(/\d+ ms/g, 'N ms')
  return { ...gateway, calls, forms, execute }
}

const says = (content: Record<string, string>): ElicitResult => ({ action: 'accept', content })
const caught = (call: string) =>
  `try:\n    ${call}\n    print("made")\nexcept ApprovalDenied as e:\n    print(e)\nissues.get(number=9)`

describe('a caller that can elicit', () => {
  it('gets one form with an entry for each call underway', async () => {
    const { execute, forms, calls } = await caller(says({ call1: 'once', call2: 'deny', reason: 'still open' }))
    const code = [
      'print([r.ok for r in parallel(lambda n: issues.close(number=n), [1, 2], return_errors=True)])',
      'last = issues.get(number=9)',
    ].join('\n')
    expect(await execute({ code })).toBe(
      '[True, False]\ncalled issues.close ×1: N ms, 12 bytes\ncalled issues.get ×1: N ms, 12 bytes',
    )
    expect(calls).toEqual(['close 1', 'get 9'])
    const oneOf = [
      { const: 'once', title: 'Make this call' },
      { const: 'run', title: 'Make this and all further calls of this tool in this run' },
      { const: 'deny', title: 'Do not make it' },
      { const: 'pause', title: 'Decide later' },
    ]
    expect(forms).toEqual([
      {
        mode: 'form',
        message:
          'A program wants to make these calls:\n1. issues.close (line 1): {"number":1}\n2. issues.close (line 1): {"number":2}\n' +
          'It can also call issues.get.',
        requestedSchema: {
          type: 'object',
          properties: {
            call1: { type: 'string', title: '1. issues.close', oneOf, default: 'pause' },
            call2: { type: 'string', title: '2. issues.close', oneOf, default: 'pause' },
            reason: { type: 'string', title: 'Why not, for the program' },
          },
          required: ['call1', 'call2'],
        },
      },
    ])
  })

  it.each<[string, ElicitResult, string, string[]]>([
    ['once', says({ call1: 'once' }), 'made', ['close 1', 'get 9']],
    ['run', says({ call1: 'run' }), 'made', ['close 1', 'get 9']],
    ['deny', says({ call1: 'deny' }), 'issues.close was not called: a person denied it', ['get 9']],
    [
      'deny with a reason',
      says({ call1: 'deny', reason: 'not on a Friday' }),
      'issues.close was not called: a person denied it: "not on a Friday"',
      ['get 9'],
    ],
    ['decline', { action: 'decline' }, 'issues.close was not called: a person denied it', ['get 9']],
  ])('passes the answer on: %s', async (_, answer, printed, made) => {
    const { execute, calls, forms } = await caller(answer)
    expect((await execute({ code: caught('issues.close(number=1)') })).split('\n')[0]).toBe(printed)
    expect([calls, forms.length]).toEqual([made, 1])
  })

  it('is asked once about a tool that may be called for the rest of the run', async () => {
    const { execute, calls, forms } = await caller(says({ call1: 'run' }))
    await execute({ code: 'for n in [1, 2, 3]: issues.close(number=n)' })
    expect([calls, forms.length]).toEqual([['close 1', 'close 2', 'close 3'], 1])
  })

  it.each<[string, ElicitResult]>([
    ['decides later', says({ call1: 'pause' })],
    ['cancels', { action: 'cancel' }],
  ])('leaves the run waiting if its person %s, and is asked again when it is resumed', async (_, answer) => {
    const { execute, calls, forms } = await caller(answer, says({ call1: 'once' }))
    const waits = await execute({ code: 'result = issues.close(number=1)["number"]' })
    const [, resume] = /^paused \[needs-approval\].*resume="(run-\w+)"/s.exec(waits) ?? []
    expect(calls).toEqual([])
    expect(await execute({ resume })).toBe('result: 1\ncalled issues.close ×1: N ms, 12 bytes')
    expect([calls, forms[1]]).toEqual([['close 1'], forms[0]])
  })
})

it('a caller that can’t elicit finds its run waiting', async () => {
  const { execute, codeMode, calls } = await caller()
  const waits = await execute({ code: 'result = issues.close(number=1)["number"]' })
  const [, resume] = /resume="(run-\w+)"/.exec(waits) ?? []
  expect(waits).toBe(
    "paused [needs-approval] the program stopped before issues.close and waits for a person's answer\n" +
      '  program:1:10\n  1 | result = issues.close(number=1)["number"]\n    |          ^^^^^^^^^^^^^^^^^^^^^^\n' +
      `hint: tell the person; once they have answered, executeToolCode(resume="${resume}") continues from here and repeats no call`,
  )
  expect(await execute({ resume })).toBe(
    `paused [needs-approval] ${resume} waits for a person's answer\nhint: executeToolCode(resume="${resume}") continues once they have answered`,
  )
  await codeMode.runs.approve(resume!)
  expect([await execute({ resume }), calls]).toEqual(['result: 1\ncalled issues.close ×1: N ms, 12 bytes', ['close 1']])
})
