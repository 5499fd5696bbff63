// A gateway that is killed while a run goes on in the background: the next one goes on with it, for the same caller.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { addKey } from '../../dist/index.js'
import { main, Workplace } from '../fixtures/command.js'
import { callerOf, textOf } from '../serving/callers.js'

const place = new Workplace()
const gateways: ChildProcess[] = []
afterEach(async () => {
  for (const gateway of gateways) gateway.kill('SIGKILL')
  await place.allGone()
  place.remove()
})

/** `starbind serve` in a process of its own. */
async function served(): Promise<{ readonly url: string; readonly killed: () => Promise<void> }> {
  const gateway = spawn(process.execPath, [main, 'serve', '--port', '0'], { cwd: place.folder })
  gateways.push(gateway)
  const closed = new Promise<void>((resolve) => gateway.on('close', () => resolve()))
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    gateway.on('close', () => reject(new Error(said)))
    gateway.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const [, address] = /serving on (\S+)/.exec(said) ?? []
      if (address !== undefined) resolve(address)
    })
  })
  return {
    url,
    killed: () => {
      gateway.kill('SIGKILL')
      return closed
    },
  }
}

it('a new process continues the run and repeats only idempotent calls', async () => {
  const file = (name: string) => path.join(place.folder, name)
  const number = { type: 'object', properties: { number: { type: 'integer' } } }
  const list = { name: 'list_issues', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }
  const label = { name: 'label_issue', inputSchema: number }
  const close = { name: 'close_issue', inputSchema: number, annotations: { idempotentHint: true } }
  place.write('tools.json', [list, label, close])
  const issues = place.fixture('counted-server', { env: { COUNTED: place.folder } })
  const key = addKey(file('keys.json'), 'ada')
  place.write('starbind.json', { mcpServers: { issues }, serve: { keysFile: file('keys.json') } })
  writeFileSync(file('holds'), '')
  const calls = () => (existsSync(file('calls')) ? readFileSync(file('calls'), 'utf8').trim().split(/\s*\n/) : [])

  const first = await served()
  const headers = { 'x-api-key': key }
  const before = await callerOf(first.url, { headers })
  const code = [
    'found = issues.list_issues()',
    'issues.label_issue(number=1)',
    'issues.close_issue(number=2)',
    'result = found[19]["number"]',
  ].join('\n')
  const begun = textOf(await before.callTool({ name: 'executeToolCode', arguments: { code, background: true } }))
  const [, run] = /^(run-\w+) runs in the background/.exec(begun) ?? []
  const made = ['list_issues', 'label_issue 1', 'close_issue 2']
  await expect.poll(calls).toEqual(made)
  await first.killed()

  rmSync(file('holds'))
  const second = await served()
  const after = await callerOf(second.url, { headers })
  const told = async () =>
    textOf(await after.callTool({ name: 'readToolFile', arguments: { fileName: `runs/${run}` } }))
  await expect.poll(told).toMatch(/^result: 20\ncalled issues.list_issues ×1/)
  expect(calls()).toEqual([...made, 'close_issue 2'])
})
