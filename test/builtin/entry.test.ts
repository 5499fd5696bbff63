// The entry of a built-in server is one like any other: it is checked, filtered, listed, asked about and recorded.

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { whyNotConnected } from '../../dist/gateway/connecting-failed.js'
import { CodeMode, readConfiguration } from '../../dist/index.js'
import { folderWith } from './folder.js'

const root = folderWith({ 'a.txt': 'a', 'programs/kept.star': 'result = 1', 'sub/b.txt': 'b' })

function configurationWith(entry: object, more: object = {}): string {
  const file = path.join(root, 'own.json')
  writeFileSync(file, JSON.stringify({ mcpServers: { files: entry }, ...more }))
  return file
}

const opened: CodeMode[] = []
async function open(entry: object, more?: object): Promise<CodeMode> {
  const codeMode = await CodeMode.open({
    configuration: readConfiguration(configurationWith(entry, more)),
    warm: false,
  })
  opened.push(codeMode)
  return codeMode
}
afterAll(() => Promise.all(opened.map((one) => one.close())))

describe('an entry', () => {
  it.each([
    [{ builtin: 'file', root: '.' }, /builtin: got "file", want "files"/],
    [{ builtin: 'files' }, /got no root, want root: the folder that it works in/],
    [{ builtin: 'files', root: '.', command: 'node' }, /command: got a value, want no such key for a built-in server/],
    [{ command: 'node', root: '.' }, /root: got a value, want no such key for a server that is started with command/],
    [
      { builtin: 'files', root: '.', hosts: ['a'] },
      /hosts: got a value, want no such key for the built-in server files/,
    ],
    [{ builtin: 'web' }, /got no hosts, want hosts: a list of the hosts that it may reach/],
    [
      { builtin: 'web', hosts: ['https://a.test'] },
      /hosts\[0\]: got something else, want a host such as "example\.com"/,
    ],
    [{ builtin: 'shell', root: '.', sandbox: 'docker' }, /sandbox: got "docker", want "bwrap" or "none"/],
    [{ builtin: 'files', root: '.', exclude: '.env' }, /exclude: got a string, want a list of patterns/],
    [
      { builtin: 'files', root: '.', protocol: '2026' },
      /protocol: got "2026", want "auto" or "2025" for a built-in server/,
    ],
  ])('%j is refused with its place', (entry, words) => {
    const { connection } = readConfiguration(configurationWith(entry)).servers[0]!
    const faults = connection.type === 'unusable' ? connection.faults.map(({ message }) => message).join('\n') : ''
    expect(faults).toMatch(words)
  })

  it('whose folder is missing says so, and stops nobody else', async () => {
    const codeMode = await open({ builtin: 'files', root: 'nowhere' })
    expect(codeMode.servers.status()).toMatchObject([
      { name: 'files', state: 'failed', reason: `there is no folder ${path.join(root, 'nowhere')}` },
    ])
  })

  it('whose module has a mistake says that, and nothing about messages', () => {
    const module = path.join(root, 'broken.cjs')
    writeFileSync(module, 'const = 1')
    const connection = { type: 'in-process', inProcess: {} } as const
    try {
      createRequire(import.meta.url)(module)
      expect.unreachable()
    } catch (error) {
      expect(whyNotConnected(error, { name: 'files', connection }, { isLate: false, timeoutMs: 1 })).toBe(
        "it can't be loaded: Unexpected token '='",
      )
    }
  })

  it('is filtered, described and listed', async () => {
    const codeMode = await open({ builtin: 'files', root: 'sub', toolsToDeny: ['search'], write: true })
    expect(codeMode.servers.status()[0]?.tools).toEqual(
      expect.arrayContaining([
        'artifact',
        'data',
        'edit',
        'glob',
        'list',
        'move',
        'read',
        'remove',
        'stat',
        'undo',
        'write',
      ]),
    )
    expect((await codeMode.listToolFiles()).text).toContain('files.pyi  # 11 tools: The files in the folder "sub"')
    expect((await codeMode.getToolDocs({ server: 'files', tool: 'read' })).text).toContain('-> str')
    expect((await codeMode.run('files.search("b")')).error?.message).toBe('files has no tool search')
  })

  it('asks a person where its rules say so, and keeps a ledger', async () => {
    const codeMode = await open({ builtin: 'files', root: '.', write: true, approve: 'destructive' })
    const run = await codeMode.run('files.read("a.txt")\nfiles.write("new.txt", "x")')
    expect(run.error).toMatchObject({
      code: 'needs-approval',
      message: "the program stopped before files.write and waits for a person's answer",
    })
    expect(run.calls).toMatchObject([{ server: 'files', tool: 'read', ok: true, bytes: 1 }])
    expect(() => readFileSync(path.join(root, 'new.txt'))).toThrow('ENOENT')
  })

  it('changes nothing that starbind relies on', async () => {
    const codeMode = await open({ builtin: 'files', root: '.', write: true }, { codeMode: { state: 'kept' } })
    const before = readFileSync(path.join(root, 'own.json'), 'utf8')
    const { result } = await codeMode.run(`
said = []
for name in ["own.json", "programs/kept.star", "programs/new.star", "kept/runs.db"]:
    try:
        files.write(name, "{}")
    except Exception as e:
        said.append(str(e))
result = said`)
    const refusal = (name: string) => `"${name}" can't be changed: other programs take their orders from it`
    expect(result).toEqual(['own.json', 'programs/kept.star', 'programs/new.star', 'kept/runs.db'].map(refusal))
    expect(readFileSync(path.join(root, 'own.json'), 'utf8')).toBe(before)
  })
})
