// After a run, every byte of a guest's memory is as before, whatever ran in between.

import { describe, expect, it } from 'vitest'
import type { GuestChannel } from '../../dist/sandbox/channel.js'
import { compileEngine } from '../../dist/sandbox/engine-module.js'
import { buildImage, Guest } from '../../dist/sandbox/guest.js'
import { defaultLimits, type Limits } from '../../dist/sandbox/index.js'

/** Answers every call at once. */
function answering(): GuestChannel {
  const ids: number[] = []
  return {
    send: (id) => ids.push(id) > 0,
    print: () => true,
    take: () => {
      const id = ids.shift()
      return id === undefined ? undefined : { id, text: { wide: false, bytes: Buffer.from('reply') } }
    },
    stopRequested: () => false,
    expect: () => 0,
    sleep: () => undefined,
    awake: () => undefined,
    away: () => undefined,
  }
}
const channel = answering()
const image = {
  name: 'test',
  source: 'globalThis.library = { words: Array.from({ length: 5000 }, (_, i) => "word " + i) }',
}

const compiled = await compileEngine()
const state = await buildImage(compiled, image)
const newGuest = () => Guest.create(compiled, state, defaultLimits.memoryBytes)

const runs: [name: string, code: string, limits?: Partial<Limits>][] = [
  ['a trivial one', '"x"'],
  ['one that throws', 'null.x'],
  ['one that is not JavaScript', 'x y z'],
  [
    'one that takes memory and leaves it in pieces',
    'const a = []; for (let i = 0; i < 60000; i++) a.push({ i }); for (let i = 0; i < 60000; i += 2) a[i] = 0; "x"',
  ],
  [
    'one that changes the image',
    'library.words.length = 0; library.words.push(...Array(9000).fill({})); delete globalThis.library; "x"',
  ],
  ['one that goes deep', 'function f(n) { return n ? f(n - 1) + 1 : 0 } f(400) + ""'],
  [
    'one that calls and prints',
    'for (let i = 0; i < 100; i++) { hostCall("x".repeat(i * 100)); hostPrint("é€" + i) } "x"',
  ],
  ['one that is stopped in the middle', 'for (;;) library.words.push({})', { cpuMs: 5 }],
  ['one that meets its memory', 'for (;;) library.words.push({})', { memoryBytes: 4 * 1024 * 1024 }],
  ['one that meets a very small memory', 'for (;;) library.words.push({})', { memoryBytes: 1024 * 1024 }],
  ['one that is stopped in a regular expression', '/(a*)*b/.test("a".repeat(40))', { cpuMs: 30 }],
  ['one that leaves jobs', 'Promise.resolve().then(() => { throw 1 }); throw 2'],
  ['one with many names', 'const o = {}; for (let i = 0; i < 20000; i++) o["name" + i] = Symbol.for("s" + i); "x"'],
]

describe('after a run', () => {
  it.each(runs)('memory equals the snapshot: %s', async (_, code, limits = {}) => {
    const guest = await newGuest()
    expect(guest.firstDifference()).toBe(-1)
    for (let i = 0; i < 3; i++) {
      const { end } = await guest.run(code, { ...defaultLimits, ...limits }, channel)
      expect(['completed', 'threw', 'stopped']).toContain(end.kind)
      expect(guest.firstDifference()).toBeGreaterThanOrEqual(0)
      expect(guest.footprint()).not.toBe('grown')
      guest.restore()
      expect(guest.firstDifference()).toBe(-1)
    }
    const { end } = await guest.run('library.words.length + library.words[4999]', defaultLimits, channel)
    expect(end).toEqual({ kind: 'completed', payload: '5000word 4999' })
  })

  it('a guest reports the growth of its memory', async () => {
    const guest = await newGuest()
    await guest.run('const a = []; for (let i = 0; i < 2e5; i++) a.push({ i }); "x"', defaultLimits, channel)
    expect(guest.footprint()).toBe('small')
    guest.restore()
    expect([guest.firstDifference(), guest.footprint()]).toEqual([-1, 'small'])
    const { stats } = await guest.run(
      'const a = []; for (let i = 0; i < 6e5; i++) a.push({ i }); "x"',
      defaultLimits,
      channel,
    )
    expect(guest.footprint()).toBe('grown')
    expect(stats.memoryBytes).toBeGreaterThan(32 * 1024 * 1024)
  })
})

describe('an image', () => {
  it('becomes the same bytes every time', async () => {
    const other = await buildImage(compiled, image)
    const [one, again] = [state, other].map(({ snapshot }) => Buffer.from(new Uint8Array(snapshot.bytes)))
    // Comparing millions of numbers one by one takes seconds.
    expect(again!.equals(one!)).toBe(true)
    expect({ ...other, snapshot: { ...other.snapshot, bytes: undefined } }).toEqual({
      ...state,
      snapshot: { ...state.snapshot, bytes: undefined },
    })
  })

  it('that fails says why', async () => {
    await expect(buildImage(compiled, { name: 'bad', source: 'let x = 1;\nx.y.z' })).rejects.toThrow(
      /^the guest image bad can't be evaluated: TypeError: cannot read property 'z' of undefined\n {4}at <eval> \(prelude\.js:2:\d+\)\n$/,
    )
    await expect(buildImage(compiled, { name: 'odd', source: 'throw "words"' })).rejects.toThrow(
      "the guest image odd can't be evaluated: : words",
    )
    await expect(buildImage(compiled, { name: 'large', source: 'const a = []; for (;;) a.push({})' })).rejects.toThrow(
      'the guest image large needs too much memory',
    )
    await expect(buildImage(compiled, { name: 'eager', source: 'hostCall("")' })).rejects.toThrow(
      'the guest image eager calls the host',
    )
  })
})
