import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { demoServers } from '../../dist/command-line/try/demo-servers.js'
import { tourProgram } from '../../dist/command-line/try/tour.js'
import { CodeMode } from '../../dist/index.js'
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
    expect(ended.stdout).toContain(`\n${tourProgram(true)}\n`)
    const end = ended.stdout.slice(ended.stdout.indexOf('\nbilling'))
    expect(end).toBe(`
billing: 16 open, 2 urgent, 986 euros, oldest since 2026-03-01 (charged twice) -> Ines
delivery: 16 open, 2 urgent, 1396 euros, oldest since 2026-03-03 (parcel is late) -> Kira
returns: 16 open, 2 urgent, 726 euros, oldest since 2026-03-01 (no invoice) -> Luis

8 calls in one program; 8281 bytes of results went through it and not through a model.
result: "Dana Levi"
`)
    place.remove()
  })

  it('has the same answer without the package of sql, from the files', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'starbind-try-'))
    const codeMode = await CodeMode.open({ servers: demoServers(folder) })
    const [withSql, withFiles] = [await codeMode.run(tourProgram(true)), await codeMode.run(tourProgram(false))]
    expect(withFiles.logs).toEqual(withSql.logs)
    expect(withFiles.calls.map(({ server }) => server)).toContain('files')
    await codeMode.close()
    rmSync(folder, { recursive: true })
  })
})
