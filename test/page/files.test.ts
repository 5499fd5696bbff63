// The waterfall of a run as a file: `starbind run --timeline`, `starbind runs RUN --html`.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { starbindHere } from '../fixtures/command.js'

const cwd = mkdtempSync(path.join(tmpdir(), 'starbind-page-'))
afterAll(() => rmSync(cwd, { recursive: true }))

it('draws a run, with nothing in it that is more than text', async () => {
  const plain = path.resolve('test/fixtures/plain-server.mjs')
  const mcpServers = { plain: { command: process.execPath, args: [plain] } }
  writeFileSync(path.join(cwd, 'starbind.json'), JSON.stringify({ mcpServers }))
  const program = 'plain.texts()\nprint("<script>alert(1)</script>")\nplain.nothing()\nresult = "<b>"\n1 // 0'
  const ran = await starbindHere(['run', '-e', program, '--timeline', 'run.svg', '--json'], { cwd })
  expect(ran).toMatchObject({ status: 1, stderr: '' })
  const svg = readFileSync(path.join(cwd, 'run.svg'), 'utf8')
  expect(svg.match(/<title>[^<]*/g)).toEqual([
    expect.stringMatching(/^<title>plain\.texts, line 1: /),
    expect.stringMatching(/^<title>plain\.nothing, line 3: /),
  ])
  const { runs } = JSON.parse((await starbindHere(['runs', '--json'], { cwd })).stdout)
  const { runId } = runs[0]
  expect(await starbindHere(['runs', runId, '--html', 'run.html'], { cwd })).toEqual({
    status: 0,
    stdout: '',
    stderr: '',
  })
  const html = readFileSync(path.join(cwd, 'run.html'), 'utf8')
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).toContain('<mark><span class="number">5</span> 1 // 0</mark>')
  expect(html.match(/<title>plain\.[^<]*/g)).toHaveLength(2)
  expect(html).not.toMatch(/<script|<b>|javascript:|https?:(?!\/\/www\.w3\.org\/2000\/svg)/)
  expect((await starbindHere(['runs', '--html', 'all.html'], { cwd })).status).toBe(2)
})
