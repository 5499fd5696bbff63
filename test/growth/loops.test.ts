// A loop over a dict that the host made takes time linear in its size, also if its body changes other containers.

import { afterAll, expect, it } from 'vitest'
import { openGuests, run } from '../interpreter/python/guest.js'

const sandbox = await openGuests()
afterAll(() => sandbox.close())

const program = (n: number): string => `
import json
d = json.loads("{" + ", ".join('"k%d": %d' % (i, i) for i in range(${n})) + "}")
keys, other = [], {}
for k, v in d.items():
    keys.append(k)
    other[k] = v
result = len(other)
`

async function processorMs(n: number, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) expect((await run(sandbox, program(n))).result).toBe(String(n))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

it('walks four times as many keys in about four times the time', async () => {
  await processorMs(2_000, 2)
  const quarters = await processorMs(2_000, 4)
  expect((await processorMs(8_000, 1)) / quarters).toBeLessThan(2.75)
})
