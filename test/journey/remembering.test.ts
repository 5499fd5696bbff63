// The library's options for stubs: observed results survive a restart, and the binding level changes at run time.

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

const servers = { everything: place.reference('everything') }
const observationsFile = path.join(place.folder, 'cache', 'observed.json')

it('observed results are in the stubs of the next start', async () => {
  const line = async (codeMode: CodeMode) => {
    const { text } = await codeMode.readToolFile({ fileName: 'everything/get-sum' })
    return text.split('\n').at(-2)
  }
  const first = await CodeMode.open({ servers, stubs: { observationsFile, descriptionLength: 20 } })
  try {
    expect(await line(first)).toBe('def get_sum(a: float, b: float) -> Any: ...  # read-only: Returns the sum of…')
    const { ok } = await first.run('print(everything.get_sum(a=1, b=2))')
    expect(ok).toBe(true)
    expect(await line(first)).toBe(
      'def get_sum(a: float, b: float) -> str: ...  # observed, read-only: Returns the sum of…',
    )
  } finally {
    await first.close()
  }
  expect(existsSync(observationsFile)).toBe(true)
  expect(readFileSync(observationsFile, 'utf8')).not.toContain('The sum')
  const second = await CodeMode.open({ servers, stubs: { observationsFile } })
  try {
    expect(await line(second)).toBe(
      'def get_sum(a: float, b: float) -> str: ...  # observed, read-only: Returns the sum of two numbers',
    )
  } finally {
    await second.close()
  }
})

it('a file with other content is reported and not used', async () => {
  const lines: string[] = []
  const file = place.write('other.json', '[]')
  const codeMode = await CodeMode.open({
    stubs: { observationsFile: file },
    log: ({ message }) => void lines.push(message),
  })
  await codeMode.close()
  expect(lines).toEqual([`${file} does not hold observations; it is not used`])
})

it('the binding level changes for all servers or for one', async () => {
  const codeMode = await CodeMode.open({ servers })
  try {
    const shown = async () => (await codeMode.listToolFiles()).text.split('\n')[1]?.split('  #')[0]
    expect(await shown()).toBe('  everything.pyi')
    codeMode.setBindingLevel('tool')
    expect(await shown()).toBe('  everything/')
    codeMode.setBindingLevel('server', 'everything')
    expect(await shown()).toBe('  everything.pyi')
    codeMode.setBindingLevel('tool', 'somewhere')
    expect(await shown()).toBe('  everything.pyi')
  } finally {
    await codeMode.close()
  }
})
