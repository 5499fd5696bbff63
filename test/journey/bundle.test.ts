// The package ships bundles: the command line and the library work from these alone.

import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shipped } from '../../scripts/bundle.mjs'
import { Workplace } from '../fixtures/command.js'

const root = path.resolve(import.meta.dirname, '../..')
const built = process.env.TESTED_DIST ?? path.join(root, 'dist')
const place = new Workplace()
const dist = path.join(place.folder, 'dist')
const main = path.join(dist, 'main.js')
const node = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: place.folder })

/** A copy of the build without the modules that the package leaves out, and with its own dependencies only. */
beforeAll(() => {
  const isText = (name: string) => /^interpreter\/(?:prelude[\w-]*|library|mail|javascript\/guest)\.js$/.test(name)
  const isLeftOut = (name: string) => name.endsWith('.js') && !shipped(name) && !isText(name)
  cpSync(built, dist, { recursive: true, filter: (file) => !isLeftOut(path.relative(built, file)) })
  const manifest = readFileSync(path.join(root, 'package.json'), 'utf8')
  place.write('package.json', manifest)
  mkdirSync(path.join(place.folder, 'node_modules'))
  const { dependencies } = JSON.parse(manifest) as { readonly dependencies: Readonly<Record<string, string>> }
  for (const name of Object.keys(dependencies)) {
    const link = path.join(place.folder, 'node_modules', name)
    mkdirSync(path.dirname(link), { recursive: true })
    symlinkSync(path.join(root, 'node_modules', name), link)
  }
})
afterAll(() => place.remove())

describe('the bundles', () => {
  it('answer, run a program, and check one', async () => {
    const { version } = JSON.parse(readFileSync(path.join(place.folder, 'package.json'), 'utf8')) as { version: string }
    expect(await node(main, '--version')).toEqual({ stdout: `${version}\n`, stderr: '' })
    expect(await node(main, 'run', '-e', 'import re\nresult = re.sub("a", "b", "aha")')).toEqual({
      stdout: 'result: "bhb"\n',
      stderr: '',
    })
    expect(await node(main, 'run', '--language', 'javascript', '-e', 'result = [20, 22].length')).toEqual({
      stdout: 'result: 2\n',
      stderr: '',
    })
  })

  it('serve over stdio, with a server behind them', async () => {
    place.write('.mcp.json', { mcpServers: { shop: place.fixture('plain-server') } })
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [main, 'serve'],
        cwd: place.folder,
        stderr: 'ignore',
      }),
    )
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['listToolFiles', 'readToolFile', 'getToolDocs', 'executeToolCode'])
    const { content } = await client.callTool({ name: 'executeToolCode', arguments: { code: 'result = 6 * 7' } })
    expect(content).toEqual([{ type: 'text', text: 'result: 42' }])
    await client.close()
    await place.allGone()
  })

  it('are the library', async () => {
    const program = `
      import { CodeMode } from 'starbind'
      import { openaiChat } from 'starbind/openai'
      const tools = { add: { inputSchema: { type: 'object', properties: { a: { pattern: '^b' } } }, call: ({ a }) => a } }
      const codeMode = await CodeMode.open({ servers: { here: { inProcess: tools } } })
      const { result } = await codeMode.run('result = here.add(a="bc")')
      console.log(result, openaiChat(codeMode).tools.length)
      await codeMode.close()`
    expect(await node('--input-type=module', '-e', program)).toEqual({
      stdout: 'bc 4\n',
      stderr: '',
    })
  })
})
