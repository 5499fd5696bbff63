// A program asks a person before it acts: who is asked, when, and the outcome of the calls.

import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type ApprovalRequest,
  type ApprovalRule,
  CodeMode,
  DiagnosticError,
  type OnApproval,
  type OpenOptions,
  type RunResult,
  type ServerEntry,
} from '../../dist/index.js'
import { withEnoughTime } from '../sandbox/enough-time.js'
import { tracker } from './tracker.js'

const open = (options: OpenOptions) => CodeMode.open({ warm: false, ...options })
// A test that opens nothing of its own asks here.
const { servers, calls } = tracker()
const codeMode = await open({ servers, approve: 'writes' })
afterAll(() => codeMode.close())
beforeEach(() => {
  calls.length = 0
})
/** What the promise rejects with. */
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof DiagnosticError)) throw new Error('nothing was refused')
  return error.message
}
const shown = ({ calls }: ApprovalRequest) => calls.map(({ tool, arguments: given, line }) => [tool, given, line])

it('calls by names that a program makes while it runs are asked about and filtered like written ones', async () => {
  // Others see in their stubs what was observed, so these calls are somebody else's.
  const { servers, calls } = tracker()
  await using codeMode = await open({ servers, approve: 'writes' })
  const code = 'name = "clo" + "se"\nresult = runtime.call("issues", name, {"number": 4})'
  const asked: unknown[] = []
  const deny: OnApproval = (request) => {
    asked.push(...shown(request))
    return { deny: 'not this one' }
  }
  expect((await codeMode.run(code, { onApproval: deny })).error?.message).toContain('not this one')
  expect(asked).toEqual([['close', { number: 4 }, 2]])
  expect(calls).toEqual([])
  expect(await codeMode.run(code, { onApproval: () => 'once' })).toMatchObject({ ok: true, result: { number: 4 } })
  expect(calls).toEqual(['close 4'])
  const readers = await codeMode.session({ filters: { toolsToExecute: ['issues/list', 'issues/get'] } })
  const refused = await readers.run(code, { onApproval: () => 'once' })
  expect(refused.error?.message).toBe('TypeError: server issues has no tool "close"')
  expect(calls).toEqual(['close 4'])
})

describe('the policy', () => {
  const everything = 'issues.list()\nissues.get(number=1)\nissues.close(number=1)\nissues.label(number=1)'
  const { servers } = tracker()
  const plain = open({ servers })
  afterAll(async () => (await plain).close())
  const asked = async (codeMode: CodeMode, rule?: ApprovalRule) => {
    const names: string[] = []
    const { ok } = await codeMode.run(everything, {
      ...(rule === undefined ? {} : { approve: rule }),
      onApproval: ({ calls }) => {
        names.push(...calls.map(({ tool }) => tool))
        return 'once'
      },
    })
    expect(ok).toBe(true)
    return names
  }
  const askedWhere = async (options: OpenOptions, rule?: ApprovalRule) => {
    await using codeMode = await open({ servers, ...options })
    return await asked(codeMode, rule)
  }
  const askedOf = async (more: ServerEntry, rule?: ApprovalRule) => {
    const codeMode = await plain
    await codeMode.servers.update('issues', { ...servers.issues!, ...more })
    return asked(codeMode, rule)
  }

  it.each<[ApprovalRule | undefined, string[]]>([
    [undefined, []],
    ['never', []],
    ['always', ['list', 'get', 'close', 'label']],
    ['writes', ['close', 'label']],
    ['destructive', ['close']],
    [
      ['issues/get', '*/cl*'],
      ['get', 'close'],
    ],
    [[], []],
  ])('%s asks for %s', async (approve, names) => {
    expect(await askedWhere({ approve })).toEqual(names)
    expect(await askedOf({}, approve)).toEqual(names)
    const own = Array.isArray(approve) ? approve.map((name: string) => name.replace(/^.*\//, '')) : approve
    expect(await askedOf({ approve: own })).toEqual(names)
  })

  it('is the strictest of those that apply', async () => {
    expect(await askedWhere({ approve: 'destructive' }, ['issues/list'])).toEqual(['list', 'close'])
    const issues = { ...servers.issues!, approve: ['get'], toolsToAutoExecute: ['list', 'get', 'label'] }
    expect(await askedWhere({ servers: { issues }, approve: 'never' })).toEqual(['get', 'close'])
  })

  it('uses `reads` and `writes` of the configuration', async () => {
    expect(await askedOf({ reads: ['label'], writes: ['get'] }, 'writes')).toEqual(['get', 'close'])
  })

  it('is inherited by sessions, which can only make it stricter', async () => {
    const { servers, calls } = tracker()
    await using codeMode = await open({ servers, approve: 'destructive' })
    const session = codeMode.session({ approve: ['issues/label'] }).session({ approve: 'never' })
    expect((await session.run('issues.label(number=1)')).paused?.calls[0]?.tool).toBe('label')
    expect((await session.run('issues.close(number=1)')).paused?.calls[0]?.tool).toBe('close')
    expect((await codeMode.run('issues.label(number=1)')).ok).toBe(true)
    expect(calls).toEqual(['label 1'])
  })

  it('is visible in listings, stubs, documentation and the check', async () => {
    const { text } = await codeMode.listToolFiles({ server: 'issues' })
    expect(text).toContain('close  # asks a person')
    expect(text).not.toContain('list  # read-only, asks a person')
    expect((await codeMode.readToolFile({ fileName: 'servers/issues.pyi' })).text).toMatch(
      /def close\(.*# asks a person$/m,
    )
    expect((await codeMode.getToolDocs({ server: 'issues', tool: 'close' })).text).toMatch(
      /# a person is asked before each call$/,
    )
    expect((await codeMode.getToolDocs({ server: 'issues', tool: 'get' })).text).not.toContain('asked')
    expect(await codeMode.check('issues.list()\nissues.close(number=1)')).toMatchObject({
      ok: true,
      asks: ['issues.close'],
    })
  })
})

describe('a program that waits', () => {
  const closing = 'for n in issues.list():\n    print("closing", n)\n    issues.close(number=n)\nresult = "done"'

  it('reports its calls, the waiting calls, the reachable tools, and how to continue', async () => {
    const { ok, error, report, paused, logs } = await codeMode.run(`${closing}\nissues.get(number=9)`)
    const { runId } = paused!
    expect({ ok, error, report, paused, logs, calls }).toEqual({
      ok: false,
      error: {
        class: 'paused',
        code: 'needs-approval',
        message: "the program stopped before issues.close and waits for a person's answer",
        line: 3,
        column: 5,
        hint: `tell the person; once they have answered, executeToolCode(resume="${runId}") continues from here and repeats no call`,
      },
      report: [
        "paused [needs-approval] the program stopped before issues.close and waits for a person's answer",
        '  program:3:5',
        '  3 |     issues.close(number=n)',
        '    |     ^^^^^^^^^^^^^^^^^^^^^^',
        `hint: tell the person; once they have answered, executeToolCode(resume="${runId}") continues from here and repeats no call`,
        'done before this: issues.list (safe to repeat)',
        'the program can also call issues.get, issues.list',
      ].join('\n'),
      paused: {
        runId: expect.stringMatching(/^run-[0-9a-f]{10}$/),
        calls: [
          {
            server: 'issues',
            tool: 'close',
            arguments: { number: 1 },
            argumentDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
            line: 3,
            reason: 'approval',
          },
        ],
      },
      logs: ['closing 1'],
      calls: ['list'],
    })
  })

  it('continues after each answer and repeats no call', async () => {
    let run = await codeMode.run(closing)
    const seen: unknown[] = []
    while (run.paused !== undefined) {
      seen.push([run.paused.calls[0]?.arguments, [...calls]])
      await codeMode.runs.approve(run.paused.runId)
      run = await codeMode.resume(run.paused.runId)
    }
    expect({ ok: run.ok, result: run.result, logs: run.logs, seen, calls }).toEqual({
      ok: true,
      result: 'done',
      logs: ['closing 1', 'closing 2', 'closing 3'],
      seen: [
        [{ number: 1 }, ['list']],
        [{ number: 2 }, ['list', 'close 1']],
        [{ number: 3 }, ['list', 'close 1', 'close 2']],
      ],
      calls: ['list', 'close 1', 'close 2', 'close 3'],
    })
    expect(run.calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['list', 'answered'],
      ['close', 'answered'],
      ['close', 'answered'],
      ['close', 'answered'],
    ])
  })

  it('does not ask again about a tool that was approved for the run', async () => {
    const { paused } = await codeMode.run(`${closing}\nissues.label(number=7)`)
    await codeMode.runs.approve(paused!.runId, { allOfThisTool: true })
    const then = await codeMode.resume(paused!.runId)
    expect([then.paused?.calls.map(({ tool }) => tool), calls]).toEqual([
      ['label'],
      ['list', 'close 1', 'close 2', 'close 3'],
    ])
  })

  it('raises ApprovalDenied for a denied call and can catch it', async () => {
    const { paused } = await codeMode.run(
      [
        'try:',
        '    issues.close(number=1)',
        'except ToolError:',
        '    result = "a tool"',
        'except PermissionError as e:',
        '    result = [type(e).__name__, str(e), e.server, e.tool, isinstance(e, ApprovalDenied)]',
        'issues.get(number=2)',
      ].join('\n'),
    )
    await codeMode.runs.deny(paused!.runId, { reason: 'not on a Friday' })
    const { result } = await codeMode.resume(paused!.runId)
    expect([result, calls]).toEqual([
      ['ApprovalDenied', 'issues.close was not called: a person denied it: "not on a Friday"', 'issues', 'close', true],
      ['get 2'],
    ])
    const uncaught = await codeMode.run('issues.close(number=1)')
    await codeMode.runs.deny(uncaught.paused!.runId)
    expect((await codeMode.resume(uncaught.paused!.runId)).report).toBe(
      'tool error [approval-denied] issues.close was not called: a person denied it\n' +
        '  program:1:1\n  1 | issues.close(number=1)\n    | ^^^^^^^^^^^^^^^^^^^^^^',
    )
  })

  it('raises ApprovalDenied in JavaScript, too', async () => {
    const code = [
      'try {',
      '  await issues.close({ number: 1 })',
      '} catch (e) {',
      '  result = [e.name, e.message, e instanceof ApprovalDenied, e instanceof ToolError, e.tool]',
      '}',
      'await issues.label({ number: 2 })',
    ].join('\n')
    const { paused } = await codeMode.run(`let result\n${code}`, { language: 'javascript' })
    expect(paused?.calls.map(({ line }) => line)).toEqual([3])
    await codeMode.runs.deny(paused!.runId)
    const again = await codeMode.resume(paused!.runId)
    expect(again.paused?.calls.map(({ tool, line }) => [tool, line])).toEqual([['label', 7]])
    await codeMode.runs.approve(paused!.runId)
    const { result } = await codeMode.resume(paused!.runId)
    expect([result, calls]).toEqual([
      ['ApprovalDenied', 'issues.close was not called: a person denied it', true, false, 'close'],
      ['label 2'],
    ])
  })

  it('can be answered in text and resumed by its name', async () => {
    const answer = await codeMode.executeToolCode({ code: 'print("so far")\nresult = issues.close(number=4)' })
    const [, runId] = /resume="(run-\w+)"/.exec(answer.text) ?? []
    expect([answer.isError, answer.text.split('\n').slice(0, 2)]).toEqual([
      false,
      ['so far', "paused [needs-approval] the program stopped before issues.close and waits for a person's answer"],
    ])
    expect(answer.text).not.toContain('approve')
    const asked = performance.now()
    const waits = await codeMode.executeToolCode({ resume: runId! })
    const { stats } = waits.structured as RunResult
    expect(stats.wallMs).toBeLessThanOrEqual(performance.now() - asked)
    expect(waits).toMatchObject({
      isError: false,
      text: `paused [needs-approval] ${runId} waits for a person's answer\nhint: executeToolCode(resume="${runId}") continues once they have answered`,
    })
    await codeMode.runs.approve(runId!)
    const done = await codeMode.executeToolCode({ resume: runId! })
    expect([done.isError, done.text.replace(/\d+ ms/, 'N ms'), calls]).toEqual([
      false,
      'so far\nresult: {"number": 4}\ncalled issues.close ×1: N ms, 12 bytes'.replace('": 4', '":4'),
      ['close 4'],
    ])
  })
})

describe('a person', () => {
  it('is asked about all calls underway together, before any call that may write is made', async () => {
    const { servers, calls } = tracker()
    await using codeMode = await open({ servers, approve: ['issues/close'] })
    const before: unknown[] = []
    const code = [
      'def act(n):',
      '    if n == 2:',
      '        return issues.get(number=n)',
      '    return issues.close(number=n) if n % 2 else issues.label(number=n)',
      'result = [r.ok for r in parallel(act, [1, 2, 3, 4], return_errors=True)]',
    ].join('\n')
    const { result } = await codeMode.run(code, {
      onApproval: (request) => {
        before.push(shown(request), [...calls])
        return ['once', { deny: 'no' }]
      },
    })
    expect({ result, before, calls: calls.toSorted() }).toEqual({
      result: [true, true, false, true],
      before: [
        [
          ['close', { number: 1 }, 4],
          ['close', { number: 3 }, 4],
        ],
        ['get 2'],
      ],
      calls: ['close 1', 'get 2', 'label 4'],
    })
  })

  it('is asked once about promises that are underway together', async () => {
    const questions: unknown[] = []
    const { result } = await codeMode.run(
      'const all = await Promise.allSettled([1, 2, 3].map((number) => issues.close({ number })))\nall.map((one) => one.status)',
      {
        language: 'javascript',
        onApproval: (request) => {
          questions.push(shown(request))
          return ['run', 'deny', 'once']
        },
      },
    )
    expect([result, questions, calls]).toEqual([
      ['fulfilled', 'rejected', 'fulfilled'],
      [
        [
          ['close', { number: 1 }, 1],
          ['close', { number: 2 }, 1],
          ['close', { number: 3 }, 1],
        ],
      ],
      ['close 1', 'close 3'],
    ])
  })

  it('is asked once about each call of a run that reuses another', async () => {
    const { servers, calls } = tracker()
    await using codeMode = await open({ servers, approve: ['issues/label'] })
    const { runId } = await codeMode.run('issues.close(number=1)', { keepCalls: true })
    const code = 'issues.close(number=1)\nissues.label(number=2)\nissues.close(number=1)'
    const { ok } = await codeMode.run(code, { reuse: runId, onApproval: () => 'once' })
    expect([ok, calls]).toEqual([true, ['close 1', 'label 2', 'close 1']])
  })

  it('may answer some calls and leave the others open', async () => {
    const code = 'result = parallel(lambda n: issues.close(number=n), [1, 2])'
    const { paused } = await codeMode.run(code, { onApproval: () => ['once', 'pause'] })
    expect([calls, (await codeMode.runs.show(paused!.runId)).calls.map(({ approval }) => approval?.answer)]).toEqual([
      [],
      ['once', undefined],
    ])
    const { ok } = await codeMode.resume(paused!.runId, {
      onApproval: (request) => (request.calls.length === 1 ? 'once' : 'deny'),
    })
    expect([ok, calls]).toEqual([true, ['close 1', 'close 2']])
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('gone'))],
    ['answers nonsense', () => 'yes'],
    ['answers for fewer calls than there are', () => []],
  ])('and %s leaves the run waiting', async (_, onApproval) => {
    expect([
      (await codeMode.run('issues.close(number=1)', { onApproval: onApproval as OnApproval })).error?.code,
      calls,
    ]).toEqual(['needs-approval', []])
  })

  it('takes no time from the run and is asked once', async () => {
    const code = 'print("a")\nissues.close(number=1)\nprint("b")\nissues.close(number=2)\nprint("c")'
    const answeredAfter = async (wallMs: number) => {
      const events: string[] = []
      const { ok } = await codeMode.run(code, {
        limits: { wallMs },
        onApproval: async () => {
          const asked = performance.now()
          await expect.poll(() => performance.now() - asked).toBeGreaterThan(wallMs)
          return 'once' as const
        },
        onEvent: (event) => events.push(event.type === 'print' ? event.text : event.type),
      })
      return { ok, events }
    }
    expect(await withEnoughTime(900, answeredAfter, ({ ok }) => ok)).toEqual({
      ok: true,
      events: [
        'run.started',
        'a',
        'call.started',
        'call.finished',
        'b',
        'call.started',
        'call.finished',
        'c',
        'run.finished',
      ],
    })
  })

  it('is asked while other calls are underway, which end before the run waits', async () => {
    let goOn = () => {}
    const { servers, calls } = tracker(() => new Promise<void>((resolve) => (goOn = resolve)))
    await using codeMode = await open({ servers, approve: 'writes' })
    const code = 'result = parallel([lambda: issues.slow(number=1), lambda: issues.close(number=2)])'
    const running = codeMode.run(code, {
      onEvent: (event) => event.type === 'call.started' && setImmediate(() => goOn()),
    })
    const { paused } = await running
    expect([paused?.calls.map(({ tool }) => tool), calls]).toEqual([['close'], ['slow 1']])
    await codeMode.runs.approve(paused!.runId)
    expect([(await codeMode.resume(paused!.runId)).ok, calls]).toEqual([true, ['slow 1', 'close 2']])
  })

  it('is asked after read-ahead calls, even if one of them failed and was caught', async () => {
    const code = [
      'found = [issues.get(number=n) for n in range(3)]',
      'try:',
      '    found.append(issues.fails(number=8))',
      '    found.append(issues.get(number=9))',
      'except ToolError as e:',
      '    print(e)',
      'for one in found:',
      '    issues.close(number=one["number"])',
      'result = [one["number"] for one in found]',
    ].join('\n')
    const { ok, result } = await codeMode.run(code, { onApproval: () => 'once' })
    expect([ok, result, calls.filter((call) => !call.startsWith('get 9'))]).toEqual([
      true,
      [0, 1, 2],
      ['get 0', 'get 1', 'get 2', 'fails 8', 'close 0', 'close 1', 'close 2'],
    ])
  })
})

describe('an impossible request', () => {
  it('gets the same message for a missing run and for another caller’s run', async () => {
    const { servers } = tracker()
    await using codeMode = await open({ servers, approve: 'writes' })
    const [ada, bob, chief] = ['ada', 'bob', 'chief'].map((name) =>
      codeMode.session({ name, mayApprove: name === 'chief' }),
    )
    const { runId } = (await ada!.run('issues.close(number=1)')).paused!
    const unknown = `program error [no-such-run] there is no run "${runId}" here`
    for (const act of [
      () => bob!.runs.show(runId),
      () => bob!.runs.approve(runId),
      () => bob!.runs.deny(runId),
      () => bob!.runs.replay(runId),
      () => bob!.resume(runId),
    ])
      expect(await refusal(act())).toBe(unknown)
    expect((await bob!.executeToolCode({ resume: runId })).text).toBe(unknown)
    expect((await bob!.readToolFile({ fileName: `runs/${runId}` })).text).toBe(unknown)
    expect(await refusal(ada!.resume('run-none'))).toBe('program error [no-such-run] there is no run "run-none" here')
    expect([await bob!.runs.list(), (await ada!.runs.list()).length, (await chief!.runs.list()).length]).toEqual([
      [],
      1,
      1,
    ])
    expect((await chief!.runs.approve(runId)).calls[0]?.approval?.by).toBe('chief')
    expect((await ada!.resume(runId)).ok).toBe(true)
  })

  it('is refused when a run is answered twice or does not wait', async () => {
    const { runId } = (await codeMode.run('issues.close(number=1)')).paused!
    await codeMode.runs.approve(runId)
    const answered = `program error [nothing-to-answer] ${runId} can't be answered or resumed: it has been answered`
    expect(await refusal(codeMode.runs.approve(runId))).toBe(answered)
    expect(await refusal(codeMode.runs.deny(runId))).toBe(answered)
    await codeMode.resume(runId)
    const ended = `program error [nothing-to-answer] ${runId} can't be answered or resumed: it has ended`
    expect(await refusal(codeMode.runs.deny(runId))).toBe(ended)
    expect(await refusal(codeMode.resume(runId))).toBe(ended)
  })

  it('counts as denied when nobody answers in time', async () => {
    const { servers, calls } = tracker()
    await using codeMode = await open({ servers, approve: 'writes', approvalHours: 1e-9 })
    const { runId } = (await codeMode.run('issues.close(number=1)')).paused!
    await expect.poll(async () => (await codeMode.runs.show(runId)).state).toBe('ended')
    expect([(await codeMode.runs.show(runId)).ending?.report, calls]).toEqual([
      'tool error [approval-denied] the run has ended: no person answered within 0 hours',
      [],
    ])
  })

  it('does not make an approved call after its tool’s parameters changed', async () => {
    const { servers, calls } = tracker()
    await using codeMode = await open({ servers, approve: 'writes' })
    const { runId } = (await codeMode.run('issues.close(number=1)')).paused!
    await codeMode.runs.approve(runId)
    const close = {
      inputSchema: { type: 'object', properties: { number: { type: 'integer' }, force: { type: 'boolean' } } },
      call: () => calls.push('forced'),
    }
    await codeMode.servers.update('issues', { inProcess: { close } })
    const { report } = await codeMode.resume(runId)
    expect([report, calls]).toEqual([
      'host error [approved-call-changed] issues.close was not called: the tool changed after the call was approved, or is no longer available\n' +
        '  program:1:1\n  1 | issues.close(number=1)\n    | ^^^^^^^^^^^^^^^^^^^^^^\n' +
        'hint: submit the program again to ask for a new approval',
      [],
    ])
  })

  it('does not make an approved call that is no longer allowed, and keeps the run', async () => {
    const { servers, calls } = tracker()
    await using codeMode = await open({ servers, approve: 'writes' })
    const { runId } = (await codeMode.run('issues.close(number=1)')).paused!
    await codeMode.runs.approve(runId)
    await codeMode.servers.update('issues', { ...servers.issues!, toolsToDeny: ['close'] })
    const { report } = await codeMode.resume(runId)
    expect([report, calls]).toEqual([
      `host error [cannot-resume] ${runId} can't be resumed with the current servers and configuration: issues has no tool close\n` +
        'hint: make the servers and tools of its program available again; the run keeps waiting\n' +
        'Nothing was run and no tool was called.',
      [],
    ])
    await codeMode.servers.update('issues', servers.issues!)
    expect([(await codeMode.resume(runId)).ok, calls]).toEqual([true, ['close 1']])
  })

  it('names a server that is gone', async () => {
    const { servers } = tracker()
    await using codeMode = await open({ servers, approve: 'writes' })
    const { runId } = (await codeMode.run('issues.close(number=1)')).paused!
    await codeMode.runs.approve(runId)
    await codeMode.servers.remove('issues')
    expect((await codeMode.resume(runId)).report).toBe(
      `host error [cannot-resume] ${runId} can't be resumed with the current servers and configuration: there is no server issues now\n` +
        'hint: make the servers and tools of its program available again; the run keeps waiting\n' +
        'Nothing was run and no tool was called.',
    )
  })
})

it('many runs wait at once, and each continues with its own answers', async () => {
  const { servers, calls } = tracker()
  await using codeMode = await open({ servers, approve: 'writes' })
  const numbers = Array.from({ length: 50 }, (_, i) => i)
  const runs = numbers.map((n) => codeMode.run(`issues.close(number=${n})\nresult = ${n}`))
  const waiting = (await Promise.all(runs)).map(({ paused }) => paused!.runId)
  expect((await codeMode.runs.list()).filter(({ state }) => state === 'paused')).toHaveLength(numbers.length)
  expect(calls).toEqual([])
  const resumed = waiting.map(async (runId) => {
    await codeMode.runs.approve(runId)
    return (await codeMode.resume(runId)).result
  })
  expect(await Promise.all(resumed)).toEqual(numbers)
  expect(calls.toSorted()).toEqual(numbers.map((n) => `close ${n}`).toSorted())
})

describe('a kept run', () => {
  it('is replayed without a call and has the same outcome', async () => {
    const { runId } = (
      await codeMode.run('print(issues.list())\nresult = issues.close(number=5)', { onApproval: () => 'pause' })
    ).paused!
    expect(await codeMode.runs.replay(runId)).toMatchObject({ same: true, difference: null })
    await codeMode.runs.approve(runId)
    await codeMode.resume(runId)
    expect(await codeMode.runs.replay(runId)).toMatchObject({
      same: true,
      difference: null,
      result: { result: { number: 5 } },
    })
    expect(calls).toEqual(['list', 'close 5'])
    expect(await codeMode.runs.show(runId)).toMatchObject({
      state: 'ended',
      owner: 'local',
      program: { text: 'print(issues.list())\nresult = issues.close(number=5)', language: 'starlark' },
      calls: [{ tool: 'close', arguments: { number: 5 }, approval: { answer: 'once', by: 'local' } }],
      ending: { ok: true, resultJson: '{"number":5}', logs: ['[1,2,3]'] },
    })
  })

  it('continues in the background and shows its progress', async () => {
    let goOn: (() => void) | undefined
    const { servers } = tracker(() => new Promise<void>((resolve) => (goOn = resolve)))
    await using codeMode = await open({ servers })
    const begun = await codeMode.executeToolCode({
      code: 'issues.get(number=1)\nresult = issues.slow(number=2)',
      background: true,
    })
    const [, runId] = /^(run-\w+) runs in the background/.exec(begun.text) ?? []
    const file = async () => (await codeMode.readToolFile({ fileName: `runs/${runId}` })).text
    await expect.poll(file).toBe(`${runId} is running; calls so far: 1`)
    await expect.poll(() => goOn).toBeDefined()
    goOn!()
    await expect
      .poll(async () => (await file()).replace(/\d+ ms/g, 'N ms'))
      .toBe('result: {"number":2}\ncalled issues.get ×1: N ms, 12 bytes\ncalled issues.slow ×1: N ms, 12 bytes')
  })

  it('can be started by a program, and waits for a person like any other', async () => {
    const { servers, calls } = tracker()
    await using codeMode = await open({ servers, approve: 'writes' })
    const { runId, ended } = await codeMode.start('result = issues.close(number=1)')
    expect((await ended).paused?.runId).toBe(runId)
    await codeMode.runs.approve(runId)
    expect(await codeMode.resumeBackground()).toEqual([runId])
    await expect.poll(async () => (await codeMode.runs.show(runId)).state).toBe('ended')
    expect(calls).toEqual(['close 1'])
  })
})
