import { describe, expect, it } from 'vitest'
import { type CallLane, CallSchedule } from '../../dist/bindings/index.js'

/** Calls that end when the test says so, in the order in which they began. */
class Upstream {
  readonly began: string[] = []
  readonly #ends: (() => void)[] = []
  most = 0
  #underway = 0

  async call(lane: CallLane, server: string, name: string, signal?: AbortSignal): Promise<string> {
    const done = await lane.turn(server, signal)
    if (done === undefined) return `${name} was never sent`
    this.began.push(name)
    this.most = Math.max(this.most, ++this.#underway)
    await new Promise<void>((resolve) => this.#ends.push(resolve))
    this.#underway--
    done()
    done()
    return name
  }

  /** Ends the call that began first and waits until what comes of it has happened. */
  async endOldest(): Promise<void> {
    this.#ends.shift()?.()
    for (let i = 0; i < 10; i++) await Promise.resolve()
  }
}

describe('turns', () => {
  it('respect the limit of a run and begin in order', async () => {
    const upstream = new Upstream()
    const lane = new CallSchedule({ callsPerRun: 2 }).lane()
    const all = ['a', 'b', 'c', 'd'].map((name) => upstream.call(lane, 's', name))
    await Promise.resolve()
    expect(upstream.began).toEqual(['a', 'b'])
    await upstream.endOldest()
    expect(upstream.began).toEqual(['a', 'b', 'c'])
    for (let i = 0; i < 3; i++) await upstream.endOldest()
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
    expect(upstream.most).toBe(2)
  })

  it('respect the limit of a server over all runs, which take turns', async () => {
    const upstream = new Upstream()
    const schedule = new CallSchedule({ callsPerServer: (server) => (server === 's' ? 2 : undefined) })
    const greedy = schedule.lane()
    const modest = schedule.lane()
    for (let i = 0; i < 6; i++) void upstream.call(greedy, 's', `g${i}`)
    for (let i = 0; i < 2; i++) void upstream.call(modest, 's', `m${i}`)
    for (let i = 0; i < 8; i++) await upstream.endOldest()
    expect(upstream.began).toEqual(['g0', 'g1', 'g2', 'm0', 'g3', 'm1', 'g4', 'g5'])
    expect(upstream.most).toBe(2)
  })

  it('at one server do not wait for another that is full', async () => {
    const upstream = new Upstream()
    const lane = new CallSchedule({ callsPerRun: 3, callsPerServer: () => 1 }).lane()
    for (const name of ['a0', 'a1', 'b0', 'b1']) void upstream.call(lane, name[0]!, name)
    await Promise.resolve()
    expect(upstream.began).toEqual(['a0', 'b0'])
    await upstream.endOldest()
    expect(upstream.began).toEqual(['a0', 'b0', 'a1'])
    for (let i = 0; i < 3; i++) await upstream.endOldest()
    expect(upstream.began).toEqual(['a0', 'b0', 'a1', 'b1'])
  })

  it('skip cancelled calls', async () => {
    const upstream = new Upstream()
    const lane = new CallSchedule({ callsPerRun: 1 }).lane()
    const giveUp = new AbortController()
    void upstream.call(lane, 's', 'a')
    const b = upstream.call(lane, 's', 'b', giveUp.signal)
    void upstream.call(lane, 's', 'c')
    giveUp.abort()
    expect(await b).toBe('b was never sent')
    expect(await upstream.call(lane, 's', 'd', giveUp.signal)).toBe('d was never sent')
    for (let i = 0; i < 2; i++) await upstream.endOldest()
    expect(upstream.began).toEqual(['a', 'c'])
  })

  it('by default are 8 at a server and 16 in a run', async () => {
    const upstream = new Upstream()
    const lane = new CallSchedule().lane()
    for (let i = 0; i < 60; i++) void upstream.call(lane, `s${i % 3}`, `c${i}`)
    await Promise.resolve()
    expect(upstream.most).toBe(16)
    const alone = new Upstream()
    const other = new CallSchedule().lane()
    for (let i = 0; i < 60; i++) void alone.call(other, 's', `c${i}`)
    await Promise.resolve()
    expect(alone.most).toBe(8)
  })
})
