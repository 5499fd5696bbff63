// Wall: a limit ends the run, whatever the program catches. Attack: try, finally, catch on promises and endless retries
// around code that reaches a limit.

import { describe, expect, it } from 'vitest'
import { world } from '../interpreter/javascript/world.js'

const run = world()

describe('a limit', () => {
  it.each([
    ['of computing', 'for (;;) { try { for (;;); } catch {} finally { continue } }', { cpuMs: 60 }, 'cpuMs'],
    [
      'of computing, in jobs',
      'const f = async () => { try { for (;;); } finally { return f() } }\nawait f().catch(f)',
      { cpuMs: 60 },
      'cpuMs',
    ],
    [
      'of memory',
      'const all = []\nfor (;;) try { for (;;) all.push("x".repeat(1e6) + all.length) } catch {}',
      { memoryBytes: 16 * 1024 * 1024 },
      'memoryBytes',
    ],
    ['of stack', 'const f = () => { try { return f() + 1 } catch { return 0 } }\nf()', {}, 'stackBytes'],
    ['of calls', 'for (;;) try { db.orders() } catch {}', { toolCalls: 5 }, 'toolCalls'],
    ['of calls, with promises', 'for (;;) await db.orders().catch(() => null)', { toolCalls: 5 }, 'toolCalls'],
    [
      'of calls in flight',
      'await Promise.allSettled(Array.from({ length: 100000 }, () => db.orders()))',
      { toolCalls: 50 },
      'toolCalls',
    ],
    ['of output', 'for (;;) try { print("x".repeat(1000)) } catch {}', { printedBytes: 10_000 }, 'printedBytes'],
  ])('%s cannot be caught', async (_, program, limits, limit) => {
    expect(JSON.parse((await run(program, limits)).failure!)).toMatchObject({ kind: 'limit', limit })
  })

  it.each([
    ['try', 'try { db.json_text() } catch (e) { print("caught") }\nprint("after")'],
    ['try without a name', 'try { db.json_text() } catch { print("caught") }\nprint("after")'],
    ['catch', 'await db.json_text().catch(() => print("caught"))\nprint("after")'],
    ['allSettled', 'await Promise.allSettled([db.json_text()])\nprint("after")'],
    ['safe', 'db.json_text.safe()\nprint("after")'],
  ])('of answers is caught by no %s', async (_, program) => {
    const { failure, printed } = await run(program, { responseBytes: 10 })
    expect(failure).toMatch(/^limit \[[a-z-]+\] /)
    expect(printed).toEqual([])
  })

  it.each([
    ['a pattern', 'try { db.json_text() } catch ({ message }) { print("caught") }'],
    ['finally', 'const f = () => { try { db.json_text() } finally { return 1 } }\nf()'],
  ])('of answers that is hidden by %s fails the run all the same', async (_, program) => {
    expect((await run(program, { responseBytes: 10 })).failure).toMatch(/^limit \[[a-z-]+\] /)
  })
})
