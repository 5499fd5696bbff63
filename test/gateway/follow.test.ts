// Editing the configuration file of a starbind that runs.

import { mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode, followConfiguration, readConfiguration } from '../../dist/index.js'
import { main, Workplace } from '../fixtures/command.js'

const place = new Workplace()
afterAll(async () => {
  await place.allGone()
  place.remove()
})

const script = fileURLToPath(new URL('../fixtures/changing-server.mjs', import.meta.url))
const entry = (tools: string, more: object = {}) => ({
  command: process.execPath,
  args: [script, tools],
  env: { STARBIND_TEST_MARK: place.mark },
  ...more,
})

function save(mcpServers: object): string {
  return place.write('starbind.json', { mcpServers })
}

describe('an edited configuration file', () => {
  it('is followed after an included file was broken or missing and is fixed', async () => {
    place.write('broken.json', '{ broken')
    const file = place.write('repaired.json', { include: ['broken.json', 'later/servers.json'], envFile: 'vars.env' })
    const told: (readonly string[])[] = []
    const stop = followConfiguration(file, {
      onChange: ({ servers }) =>
        told.push(
          servers.map(({ name, connection }) => `${name} ${'args' in connection ? connection.args.at(-1) : ''}`),
        ),
      onWrong: () => {},
    })
    place.write('broken.json', { mcpServers: { one: entry('a') } })
    await expect.poll(() => told.at(-1)).toEqual(['one a', 'servers '])
    mkdirSync(path.join(place.folder, 'later'))
    place.write('later/servers.json', { mcpServers: { two: entry('${LETTER:-b}') } })
    await expect.poll(() => told.at(-1)).toEqual(['one a', 'two b'])
    place.write('vars.env', 'LETTER=c\n')
    await expect.poll(() => told.at(-1)).toEqual(['one a', 'two c'])
    place.write('broken.json', '{ broken again')
    await expect.poll(() => told.at(-1)).toEqual(['two c', 'broken '])
    place.write('broken.json', { mcpServers: { one: entry('d') } })
    await expect.poll(() => told.at(-1)).toEqual(['one d', 'two c'])
    stop()
  })

  it('adds, changes, disables and removes servers without affecting the others', async () => {
    const file = save({ one: entry('a'), two: entry('b'), three: entry('c') })
    await using codeMode = await CodeMode.open({ configuration: readConfiguration(file) })
    const pid = async (server: string) => (await codeMode.run(`result = ${server}.pid()`)).result
    const [one, two] = [await pid('one'), await pid('two')]
    const touched: string[][] = []
    const stop = followConfiguration(file, {
      onChange: async (configuration) => touched.push(await codeMode.servers.become(configuration)),
      onWrong: () => {},
    })
    save({ four: entry('d'), one: entry('a'), two: entry('b', { disabled: true }) })
    await expect.poll(() => touched).toEqual([['three', 'four', 'two']])
    expect(codeMode.servers.status().map(({ name, state }) => [name, state])).toEqual([
      ['four', 'ready'],
      ['one', 'ready'],
      ['two', 'disabled'],
    ])
    expect(await pid('one')).toBe(one)
    // An editor that puts a new file in the old one's place.
    const fresh = place.write('fresh.json', {
      mcpServers: { one: entry('a', { toolsToDeny: ['a'] }), two: entry('b') },
    })
    renameSync(fresh, file)
    await expect.poll(() => touched.length).toBe(2)
    expect(touched[1]).toEqual(['four', 'one', 'two'])
    expect([await pid('one'), (await pid('two')) === two]).toEqual([one, false])
    expect((await codeMode.readToolFile({ fileName: 'one' })).text).not.toContain('def a(')
    stop()
  })

  it('is followed with the files that it includes', async () => {
    const included = place.write('more.json', { mcpServers: { one: entry('a') } })
    const file = place.write('including.json', { include: 'more.json' })
    const told: string[][] = []
    const stop = followConfiguration(file, {
      onChange: ({ servers }) => told.push(servers.map(({ name }) => name)),
      onWrong: () => {},
    })
    place.write('more.json', { mcpServers: { one: entry('a'), other: entry('b') } })
    await expect.poll(() => told).toEqual([['one', 'other']])
    expect(path.basename(included)).toBe('more.json')
    stop()
  })

  it('is followed by starbind serve, which reports mistakes and continues', async () => {
    const file = save({ one: entry('a') })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main, 'serve', '--config', file],
      stderr: 'pipe',
    })
    let said = ''
    transport.stderr?.on('data', (chunk) => {
      said += chunk
    })
    const client = new Client({ name: 'test', version: '1.0.0' })
    await client.connect(transport)
    const list = async () => {
      const { content } = await client.callTool({ name: 'listToolFiles', arguments: {} })
      return (content as { text: string }[])[0]!.text
    }
    expect(await list()).toContain('one.pyi')
    place.write('starbind.json', '{ "mcpServer": {} }')
    await expect.poll(() => said).toContain('the previous configuration stays in effect: host error')
    expect(await list()).toContain('one.pyi')
    // A wrong entry costs its own server alone.
    place.write('starbind.json', JSON.stringify({ mcpServers: { one: entry('a'), odd: { comand: 'x' } } }))
    await expect.poll(list).toContain('odd is not available: ')
    expect(await list()).toContain('one.pyi')
    save({ one: entry('a'), two: entry('b') })
    await expect.poll(() => said).toContain('the configuration has changed: added two; removed odd\n')
    expect(await list()).toContain('two.pyi')
    save({ two: entry('c'), three: entry('a') })
    await expect.poll(() => said).toContain('the configuration has changed: added three; changed two; removed one\n')
    await client.close()
  })
})
