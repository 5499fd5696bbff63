// Most tests of commands run them without a process of their own. As a process each of them says the same, and ends by
// itself.

import { afterAll, expect, it } from 'vitest'
import { starbind, starbindHere, Workplace } from '../fixtures/command.js'
import { isLong } from '../random.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})
place.write('starbind.json', {
  mcpServers: { odd: place.fixture('misbehaving-server') },
  serve: { keysFile: 'keys.json' },
})
place.write('saved.json', { tools: [{ name: 'a', inputSchema: { type: 'object' } }] })

type Case = [args: string[], status: number]
const cases: readonly Case[] = [
  [['bogus'], 2],
  [['ls'], 0],
  [['run', '-'], 0],
  [['run', 'missing.star'], 2],
  [['run', '-e', 'print(odd.echo(text="x"))\n1 // 0'], 1],
  [['repl'], 0],
  [['doctor'], 0],
]
/** For the long form: they end as one of the others does. */
const alike: readonly Case[] = [
  [['--version'], 0],
  [['cat', 'servers/odd.pyi'], 0],
  [['docs', 'odd', 'ecko'], 1],
  [['check'], 0],
  [['keys', 'list'], 0],
  [['stubs', 'saved.json', '--server', 's'], 0],
]

it.each(isLong ? [...cases, ...alike] : cases)('%j ends with %i', async (args, status) => {
  const options = { cwd: place.folder, stdin: 'print("said")\n' }
  const here = await starbindHere([...args, '--log-level', 'silent'], options)
  expect(here.status).toBe(status)
  expect(await starbind([...args, '--log-level', 'silent'], options)).toEqual(here)
})
