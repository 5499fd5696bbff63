// Calls that are sent now and received later, as programs and hosts see them.

import { stat } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { type GuestCall, openSandbox, type RunRequest } from '../../dist/sandbox/index.js'
import { noWorkersLeft } from './leaks.js'

noWorkersLeft()
const sandbox = openSandbox({
  maxWorkers: 2,
  spareWorkers: 0,
  limits: { toolCalls: 20_000, wallMs: 600_000, cpuMs: 300_000 },
})
afterAll(() => sandbox.close())

const image = { name: 'plain', source: '' }
const upper = (call: GuestCall) => call.payload.toUpperCase()
const soon = () => new Promise((done) => setImmediate(done))

/** A reply after which this thread is held until the guest has most likely ended: its end is the next that is heard. */
function repliedInAHeldTurn(): Promise<string> {
  return new Promise((reply) => {
    stat('.', async () => {
      reply('now')
      for (let turn = 0; turn < 10; turn++) await undefined
      const end = performance.now() + 30
      while (performance.now() < end);
    })
  })
}

async function run(code: string, more: Partial<RunRequest> = {}) {
  const { stats, ...end } = await sandbox.run({ image, code, onCall: upper, ...more })
  return end
}

/** Answers calls when it is told to, by payload. */
function heldAnswers() {
  const held = new Map<string, (reply: string) => void>()
  const arrived: GuestCall[] = []
  let waiting: { count: number; done: () => void } | undefined
  return {
    arrived,
    onCall: (call: GuestCall) => {
      arrived.push({ ...call })
      const reply = new Promise<string>((done) => held.set(call.payload, done))
      if (waiting !== undefined && arrived.length >= waiting.count) waiting.done()
      return reply
    },
    /** Resolves when so many calls have come. */
    calls: (count: number) =>
      new Promise<void>((done) => {
        if (arrived.length >= count) done()
        else waiting = { count, done }
      }),
    answer: (payload: string, reply = payload.toUpperCase()) => held.get(payload)!(reply),
  }
}

describe('a sent call', () => {
  it('is made even if the guest ends at once', async () => {
    for (let round = 0; round < 10; round++) {
      const seen: string[] = []
      const onCall = ({ payload }: GuestCall) => {
        seen.push(payload)
        return payload === 'first' ? repliedInAHeldTurn() : payload
      }
      expect(await run("hostCall('first'); hostSend('last'); 'done'", { onCall })).toEqual({
        kind: 'completed',
        payload: 'done',
      })
      expect(seen).toEqual(['first', 'last'])
    }
  })

  it('is made while the guest goes on, and its reply is received by its number', async () => {
    const code = `hostSend('a'); hostSend('b'); const c = hostCall('c'); [hostReceive(2), hostReceive(1), c].join()`
    const seen: GuestCall[] = []
    const onCall = (call: GuestCall) => {
      seen.push({ ...call })
      return upper(call)
    }
    expect(await run(code, { onCall })).toEqual({ kind: 'completed', payload: 'B,A,C' })
    expect(seen).toEqual([
      { id: 1, payload: 'a', waits: false },
      { id: 2, payload: 'b', waits: false },
      { id: 3, payload: 'c', waits: true },
    ])
  })

  it('is underway with others at the same time', async () => {
    const host = heldAnswers()
    const ended = run(`for (const x of 'abc') hostSend(x); [1, 2, 3].map(hostReceive).join()`, { onCall: host.onCall })
    await host.calls(3)
    for (const payload of ['b', 'c', 'a']) host.answer(payload)
    expect(await ended).toEqual({ kind: 'completed', payload: 'A,B,C' })
  })

  it('is received in the order of arrival if the guest takes any', async () => {
    const host = heldAnswers()
    const code = `for (const x of 'abcd') hostSend(x); [0, 0, 0, 0].map(hostReceiveAny).join()`
    const ended = run(code, { onCall: host.onCall })
    await host.calls(4)
    for (const payload of ['c', 'a']) {
      host.answer(payload)
      await soon()
    }
    host.answer('d')
    host.answer('b', '€')
    expect(await ended).toEqual({ kind: 'completed', payload: '3 C,1 A,4 D,2 €' })
  })

  it('that was received by its number is not received again', async () => {
    const code = `hostSend('a'); hostSend('b'); const b = hostReceive(2); [b, hostReceiveAny()].join()`
    expect(await run(code)).toEqual({ kind: 'completed', payload: 'B,1 A' })
  })

  it('is received together with the calls after it that were answered, as lines', async () => {
    const host = heldAnswers()
    const code = `for (const x of 'abcd') hostSend(x); const d = hostReceive(4)
      const lines = hostReceiveLines(1); hostSend('e'); JSON.stringify([d, lines, hostReceiveLines(3), hostReceive(5)])`
    const ended = run(code, { onCall: host.onCall })
    await host.calls(4)
    for (const payload of ['a', 'b', 'd']) host.answer(payload)
    await host.calls(5)
    for (const payload of ['c', 'e']) host.answer(payload)
    const payload = JSON.stringify(['D', 'A\nB', 'C', 'E'])
    expect(await ended).toEqual({ kind: 'completed', payload })
  })

  it.each([
    ['with a line feed', 'x\ny'],
    ['beyond Latin-1', '€'],
    ['that is long', 'x'.repeat(1000)],
  ])('is received by itself if its reply is one %s', async (_, reply) => {
    const onCall = ({ payload }: GuestCall) => (payload === 'b' ? reply : payload)
    const code = `for (const x of 'abc') hostSend(x); hostReceive(3)
      JSON.stringify([hostReceiveLines(1), hostReceiveLines(2) === undefined, hostReceive(2), hostReceiveLines(2) === undefined])`
    const payload = JSON.stringify(['a', true, reply, true])
    expect(await run(code, { onCall })).toEqual({ kind: 'completed', payload })
  })

  it('carries long texts both ways, in their order', async () => {
    const code = `for (let i = 1; i <= 20; i++) hostSend(String(i).repeat(i % 2 ? 3 : 60000))
      let lengths = []
      for (let i = 20; i >= 1; i--) lengths.push(hostReceive(i).length)
      lengths.join()`
    const onCall = async (call: GuestCall) => `€${call.payload}`
    const lengths = Array.from({ length: 20 }, (_, i) => 20 - i).map((i) => 1 + String(i).length * (i % 2 ? 3 : 60_000))
    expect(await run(code, { onCall })).toEqual({ kind: 'completed', payload: lengths.join() })
  })

  it('that nobody receives ends with its run', async () => {
    const aborted: string[] = []
    const onCall: RunRequest['onCall'] = (call, signal) =>
      call.waits
        ? 'go on'
        : new Promise(() => signal.addEventListener('abort', () => aborted.push(call.payload), { once: true }))
    expect(await run(`hostSend('a'); hostSend('b'); hostCall('')`, { onCall })).toEqual({
      kind: 'completed',
      payload: 'go on',
    })
    expect(aborted).toEqual(['a', 'b'])
  })

  it('that fails in the host ends the run, received or not', async () => {
    const onCall = (call: GuestCall) => (call.waits ? new Promise<string>(() => undefined) : Promise.reject('down'))
    expect(await run(`hostSend('a'); hostCall('b')`, { onCall })).toEqual({
      kind: 'fault',
      message: 'a call failed in the host: down',
    })
  })
})

describe('receiving', () => {
  it.each([
    ['what was never sent', 'hostReceive(1)', 1],
    ['twice', `hostSend('a'); hostReceive(1); hostReceive(1)`, 1],
    ['what was called and waited for', `hostCall('a'); hostReceive(1)`, 1],
    ['what any took', `hostSend('a'); hostReceiveAny(); hostReceive(1)`, 1],
    ['a fraction', `hostSend('a'); hostReceive(1.5)`, 1.5],
  ])('%s is an error in the guest', async (_, code, id) => {
    const caught = `try { ${code} } catch (error) { error instanceof Error && error.message }`
    expect(await run(caught)).toEqual({
      kind: 'completed',
      payload: `there is no call ${id} whose reply was not received`,
    })
  })

  it('any when there is none is an error in the guest', async () => {
    const code = `try { hostSend('a'); hostReceiveAny(); hostReceiveAny() } catch (error) { error.message }`
    expect(await run(code)).toEqual({
      kind: 'completed',
      payload: 'there is no call whose reply was not received',
    })
  })

  it('is counted as waiting, and nothing else is', async () => {
    const onCall = () => new Promise<string>((done) => setTimeout(done, 60, ''))
    const code = `hostSend(''); hostReceive(1); hostSend(''); hostReceiveAny(); ''`
    // A guest that the machine stops between sending and receiving, waits less: the longest wait of some runs is looked
    // at.
    let waited = await sandbox.run({ image, code, onCall })
    for (let i = 0; i < 20 && waited.stats.callWaitMs <= 100; i++) waited = await sandbox.run({ image, code, onCall })
    expect(waited.stats.callWaitMs).toBeGreaterThan(100)
    expect(waited.stats.callWaitMs).toBeLessThanOrEqual(waited.stats.runMs)
    const busy = await sandbox.run({
      image,
      code: `hostSend(''); for (let i = 0; i < 3e6; i++); hostReceive(1)`,
      onCall,
    })
    expect(busy.stats.runMs - busy.stats.callWaitMs).toBeGreaterThan(0)
    const alone = await sandbox.run({ image, code: `for (let i = 0; i < 3e6; i++); ''`, onCall })
    expect(alone.stats.callWaitMs).toBe(0)
  })
})

describe('many calls at once', () => {
  it('beyond the limit wait for room', async () => {
    let underway = 0
    let most = 0
    let full: () => void = () => undefined
    const fullness = new Promise<void>((done) => {
      full = done
    })
    const onCall = async () => {
      most = Math.max(most, ++underway)
      if (underway === 7) full()
      await fullness
      await soon()
      underway--
      return 'x'
    }
    const code = `for (let i = 0; i < 500; i++) hostSend(''); let n = 0; for (let i = 0; i < 500; i++) n += hostReceiveAny().length; '' + n`
    const digits = Array.from({ length: 500 }, (_, i) => String(i + 1).length + 2).reduce((a, b) => a + b)
    expect(await run(code, { onCall, limits: { callsInFlight: 7 } })).toEqual({
      kind: 'completed',
      payload: `${digits}`,
    })
    expect(most).toBe(7)
  })

  it('ten thousand of them arrive, in whatever order they are received', async () => {
    const code = `for (let i = 1; i <= 10000; i++) hostSend('' + i)
      let sum = 0; for (let i = 10000; i >= 1; i--) sum += Number(hostReceive(i)); '' + sum`
    expect(await run(code, { onCall: (call) => call.payload })).toEqual({ kind: 'completed', payload: '50005000' })
  })

  it('with long replies do not overtake each other when there is no room for them', async () => {
    const code = `for (let i = 1; i <= 100; i++) hostSend('' + i)
      let order = []; for (let i = 1; i <= 100; i++) order.push(hostReceiveAny().split(' ')[0]); order.join()`
    const numbers = Array.from({ length: 100 }, (_, i) => i + 1)
    const onCall = (call: GuestCall) => 'x'.repeat(call.id % 3 === 0 ? 100_000 : 30_000)
    expect(await run(code, { onCall })).toEqual({ kind: 'completed', payload: numbers.join() })
  })
})

describe('a program that ends with a function', () => {
  it('is called until it returns something, with jobs in between', async () => {
    const code = `const log = []
      Promise.resolve().then(() => log.push('job'))
      let n = 0
      ;() => {
        log.push('step')
        Promise.resolve().then(() => log.push('job'))
        return ++n < 3 ? undefined : log.join()
      }`
    expect(await run(code)).toEqual({ kind: 'completed', payload: 'job,step,job,step,job,step' })
  })

  it('can drive promises by what arrives', async () => {
    const host = heldAnswers()
    const code = `const open = new Map(); let sent = 0; let done
      const ask = (word) => new Promise((resolve) => { hostSend(word); open.set(++sent, resolve) })
      ;(async () => { const [a, b] = await Promise.all([ask('a'), ask('b')]); done = a + b + await ask('c') })()
      ;() => {
        if (done !== undefined) return done
        const reply = hostReceiveAny()
        const space = reply.indexOf(' ')
        open.get(Number(reply.slice(0, space)))(reply.slice(space + 1))
      }`
    const ended = run(code, { onCall: host.onCall })
    await host.calls(2)
    host.answer('b')
    host.answer('a')
    await host.calls(3)
    host.answer('c')
    expect(await ended).toEqual({ kind: 'completed', payload: 'ABC' })
  })

  it('may be async in getting there', async () => {
    expect(await run(`(async () => () => 'end')()`)).toEqual({ kind: 'completed', payload: 'end' })
  })

  it('fails with its function, and has the same limits', async () => {
    expect(await run(`() => { throw new RangeError('no') }`)).toMatchObject({ kind: 'threw', name: 'RangeError' })
    expect(await run('() => 1')).toMatchObject({ kind: 'threw', message: 'the program did not end with a string' })
    expect(await run('() => {}', { limits: { cpuMs: 20 } })).toEqual({ kind: 'limit', limit: 'cpuMs', allowed: 20 })
  })
})
