import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CodeMode, DiagnosticError } from '../../dist/index.js'

let codeMode: CodeMode
beforeAll(async () => {
  codeMode = await CodeMode.open()
})
afterAll(() => codeMode.close())

const message = (wrong: Promise<unknown>) =>
  wrong.then(
    () => 'nothing was wrong',
    (error: unknown) => (error instanceof DiagnosticError ? error.diagnostics[0]!.message : String(error)),
  )

describe('artifacts of a session', () => {
  it('pass into programs and out of them', async () => {
    const { artifacts } = codeMode
    const given = await artifacts.save('orders.csv', 'id,total\n1,4.50\n')
    const code = `
rows = artifacts.open("orders.csv").read().decode().splitlines()
artifacts.save("rows.bin", bytes([0, 255, len(rows)]))
result = artifacts.open("orders.csv")`
    expect((await codeMode.run(code)).result).toEqual(given)
    expect((await artifacts.list()).map(({ name }) => name)).toEqual(['orders.csv', 'rows.bin'])
    expect([...(await artifacts.read('rows.bin'))]).toEqual([0, 255, 2])
    expect(await artifacts.open('results/rows.bin')).toMatchObject({ name: 'rows.bin', bytes: 3 })
  })

  it('can be read in pieces', async () => {
    const content = Buffer.from(Array.from({ length: 200_000 }, (_, i) => i % 251))
    await codeMode.artifacts.save('long.bin', content)
    const pieces: Buffer[] = []
    for await (const piece of await codeMode.artifacts.stream('long.bin')) pieces.push(piece as Buffer)
    expect(pieces.length).toBeGreaterThan(1)
    expect(Buffer.concat(pieces).equals(content)).toBe(true)
  })

  it('belong to one caller', async () => {
    const [one, other] = [codeMode.session({ name: 'one' }), codeMode.session({ name: 'other' })]
    await one.run('artifacts.save("mine.txt", "secret")')
    expect(await other.artifacts.list()).toEqual([])
    expect(await message(other.artifacts.read('mine.txt'))).toBe('there is no file "mine.txt"')
    expect((await other.run('result = artifacts.list()')).result).toEqual([])
    expect(Buffer.from(await one.artifacts.read('mine.txt')).toString()).toBe('secret')
  })

  it('are there for a later process with the same state, for the same name', async () => {
    const state = mkdtempSync(path.join(tmpdir(), 'starbind-artifacts-'))
    const named = (one: CodeMode, name: string) => one.session({ name, results: 'named' })
    const begun = Date.now()
    {
      await using first = await CodeMode.open({ state, warm: false })
      await first.artifacts.save('old.txt', 'tea')
      await named(first, 'ann').run('artifacts.save("mine.csv", "a,b")\nresult = ["%d" % i for i in range(20000)]')
      await first.session({ name: 'ann' }).artifacts.save('gone.txt', 'cup')
    }
    {
      await using later = await CodeMode.open({ state, warm: false })
      expect((await later.artifacts.list()).map(({ name }) => name)).toEqual(['old.txt'])
      const ann = named(later, 'ann')
      const [record, ...more] = await ann.artifacts.list({ since: begun })
      expect([record!.name, more]).toEqual(['mine.csv', []])
      expect((await ann.run('result = artifacts.open("mine.csv").read().decode()')).result).toBe('a,b')
      expect((await ann.readToolFile({ fileName: 'results/mine.csv' })).text).toBe('a,b')
      expect(await named(later, 'ann').artifacts.open('mine.csv')).toEqual(record)
      expect(await later.session({ name: 'ann' }).artifacts.list()).toEqual([])
      expect(await named(later, 'ben').artifacts.list()).toEqual([])
      expect(await later.artifacts.list({ since: Date.now() + 1 })).toEqual([])
    }
    rmSync(state, { recursive: true })
  })

  it('go with time', async () => {
    await using brief = await CodeMode.open({ results: { maxDays: 2 }, warm: false })
    await brief.artifacts.save('a', 'tea')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 - 60_000 })
    expect(await brief.artifacts.list()).toHaveLength(1)
    vi.setSystemTime(Date.now() + 120_000)
    expect(await brief.artifacts.list()).toEqual([])
    vi.useRealTimers()
  })

  it.each<[string, () => Promise<unknown>, string]>([
    ['an unknown name', () => codeMode.artifacts.read('order.csv'), 'there is no file "order.csv"'],
    ['a path', () => codeMode.artifacts.read('../../etc/passwd'), 'there is no file "../../etc/passwd"'],
    ['no name', () => codeMode.artifacts.open(1 as never), 'artifacts: name: got 1, want a string'],
    [
      'a wrong option',
      () => codeMode.artifacts.save('a', 'b', { mime: 'x' } as never),
      'artifacts.save: mime is not a known key',
    ],
  ])('reject %s', async (_, wrong, said) => {
    expect(await message(wrong())).toBe(said)
  })
})
