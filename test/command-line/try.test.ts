import { describe, expect, it } from 'vitest'
import { tourProgram } from '../../dist/command-line/try/tour.js'
import { starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()

describe('starbind try', () => {
  it('shows each step of a model without any configuration, and then accepts programs', async () => {
    const ended = await starbindHere(['try'], { cwd: place.folder, stdin: 'tickets.get(id=107)["customer"]\n' })
    expect(ended.status).toBe(0)
    const titles = ended.stdout.split('\n').filter((line) => /^\d\. /.test(line))
    expect(titles).toEqual([
      '1. A model looks around: listToolFiles()',
      '2. It reads what it needs: readToolFile("servers/tickets.pyi")',
      '3. It writes one program: executeToolCode(code)',
      '4. It gets what the program printed',
    ])
    expect(ended.stdout).toContain('def comment(id: int, text: str)')
    expect(ended.stdout).toContain(`\n${tourProgram}\n`)
    const end = ended.stdout.slice(ended.stdout.indexOf('\nbilling'))
    expect(end).toBe(`
billing: 16 open, 2 urgent, oldest since 2026-03-01 (charged twice) -> Ines
delivery: 16 open, 2 urgent, oldest since 2026-03-03 (parcel is late) -> Kira
returns: 16 open, 2 urgent, oldest since 2026-03-01 (no invoice) -> Luis

7 calls in one program; 6716 bytes of results went through it and not through a model.
result: "Dana Levi"
`)
    place.remove()
  })
})
