// Wall: no clock. The clock that programs in Starlark have is moved by the program alone: neither computing nor a
// tool's time can be seen in it.

import { expect, it } from 'vitest'
import { stage, toolNamed } from './program-harness.js'

const perform = stage()

const readings = `
import time, asyncio
from concurrent.futures import ThreadPoolExecutor
names = ["monotonic", "perf_counter", "process_time", "thread_time"]
clocks = [getattr(time, name + kind) for name in names for kind in ("", "_ns")]
async def of_the_loop(work):
    loop = asyncio.get_running_loop()
    before = loop.time()
    work()
    return loop.time() - before
def around(work):
    out = []
    for clock in clocks:
        before = clock()
        work()
        out.append(round(clock() - before, 7))
    out.append(round(asyncio.run(of_the_loop(work)), 7))
    return out
def nothing():
    pass
def long():
    total = 0
    for i in range(200000):
        total += i * i % 7
    return total
def beside():
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda n: long(), [1, 2]))
`

it('a long computation takes no more of the clock of a program than none', async () => {
  const { result, failure } = await perform(`${readings}
result = [around(nothing) == around(long), around(nothing) == around(beside), around(nothing)]`)
  expect({ result, failure }).toEqual({
    result: '[true,true,[1e-06,1000,1e-06,1000,1e-06,1000,1e-06,1000,1e-06]]',
    failure: undefined,
  })
})

it('nor does the call of a tool', async () => {
  const server = { name: 'slow', tools: [toolNamed('wait')] }
  const { result, calls } = await perform(`${readings}\nresult = around(nothing) == around(lambda: slow.wait())`, {
    servers: [server],
  })
  expect({ result, calls: calls.length }).toEqual({ result: 'true', calls: 9 })
})

it('the clock begins alike in every run', async () => {
  const program = 'import time\nresult = [time.perf_counter(), time.monotonic_ns()]'
  const first = await perform(program)
  expect(await perform(program)).toEqual(first)
})

it('there is no time of day behind another name', async () => {
  const { failure } = await perform('import time\nt = time\nresult = t.time()')
  expect(failure).toMatch(/time\.time\(\) is not available: programs have no clock/)
})
