// A configuration that leads back to the starbind that reads it: nothing is started twice, and everything else works.

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-itself-'))
afterAll(() => rmSync(folder, { recursive: true }))
const main = path.resolve('dist/main.js')
const plain = path.resolve('test/fixtures/plain-server.mjs')

it('a configuration that names starbind itself starts one more process, which serves nothing', async () => {
  const starts = path.join(folder, 'starts')
  const again = path.join(folder, 'again.mjs')
  writeFileSync(
    again,
    `import { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(starts)}, 'started\\n')\nprocess.argv.push('serve')\nawait import(${JSON.stringify(main)})\n`,
  )
  const mcpServers = {
    me: { command: process.execPath, args: [again] },
    plain: { command: process.execPath, args: [plain] },
  }
  writeFileSync(path.join(folder, '.mcp.json'), JSON.stringify({ mcpServers }))
  const run = promisify(execFile)
  const doctor = await run(process.execPath, [main, 'doctor'], { cwd: folder })
  expect(
    doctor.stdout
      .replace(/\(.*?\)|\d+ tools/g, 'N tools')
      .split('\n')
      .slice(1),
  ).toEqual(['off  me     it is starbind itself, by this configuration: it is left out', 'ok   plain  N tools', ''])
  expect(readFileSync(starts, 'utf8')).toBe('started\n')
  const listed = await run(process.execPath, [main, 'ls', '--fresh'], { cwd: folder })
  expect(listed.stdout).toContain('plain.pyi')
  expect(listed.stdout).not.toContain('me.pyi')
  expect(listed.stderr).toBe('starbind warn [me] it is starbind itself, by this configuration: it is left out\n')
})

it('a server of this process is left out', async () => {
  await using codeMode = await CodeMode.open({ servers: {}, serve: { port: 0 } })
  const { url } = await codeMode.serveHttp()
  const status = await codeMode.servers.add('me', { url })
  expect(status).toMatchObject({
    state: 'disabled',
    reason: 'it is starbind itself, by this configuration: it is left out',
    tools: [],
  })
})

it('another starbind is a server like any other', async () => {
  const file = path.join(folder, 'other.json')
  writeFileSync(file, JSON.stringify({ mcpServers: { plain: { command: process.execPath, args: [plain] } } }))
  const team = { command: process.execPath, args: [main, 'serve', '--config', file] }
  await using codeMode = await CodeMode.open({ servers: { team } })
  const [status] = codeMode.servers.status()
  expect(status).toMatchObject({ state: 'ready', tools: expect.arrayContaining(['executeToolCode']) })
})
