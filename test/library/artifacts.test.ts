import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
  it('go to programs and come from them', async () => {
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

  it('are read in pieces that make the whole', async () => {
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
