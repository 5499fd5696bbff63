// Commands and modules of the documents whose output is too long to compare, or that never end. Each runs in a folder
// of its own, with the files that a reader would have by then, and succeeds. Servers are ended once they serve.

import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { scriptedModel } from '../../examples/hosts/scripted-model.mjs'
import { type Ended, main, starbindHere, unstarved } from '../fixtures/command.js'
import { isLong } from '../random.js'
import { type Block, blocksMarked, commandsOf, root } from './blocks.js'

// In the repository, so that modules find the package by its name.
const temporary = mkdtempSync(path.join(root, 'test/.examples-'))
afterAll(() => rmSync(temporary, { recursive: true }))

// `starbind` is the current build, and so is the one that `npx` would download.
const bin = path.join(temporary, 'bin')
mkdirSync(bin)
executable('starbind', `exec '${process.execPath}' '${main}' "$@"`)
executable('npx', `[ "$1" = -y ] && shift; [ "$1" = starbind ] || exit 9; shift; exec starbind "$@"`)

const cases = (blocks: readonly Block[]) =>
  blocks.map((block): [string, Block] => [`${block.document}:${block.line}`, block])

describe('commands that end', () => {
  // Of those that readme.test.ts runs as well, in the long form only.
  const blocks = blocksMarked('sh', 'runs').filter(({ source }) => isLong || source !== 'npx -y starbind try\n')
  it.each(cases(blocks))('%s', async (_, { source }) => {
    const isOurs = /^(starbind [^|>\n]*\n)+$/.test(source)
    const ended = await (isOurs && !isLong ? runHere : run)(source, newPlace())
    expect(ended).toMatchObject({ status: 0, stderr: expect.not.stringContaining('error') })
    expect(ended.stdout).not.toBe('')
  })
})

describe('commands that serve', () => {
  it.each(cases(blocksMarked('sh', 'serves')))('%s', async (_, { source }) => {
    // Replaces the document's address by a free port on loopback.
    const commands = source.replace(/^(starbind serve [^#\n]*).*$/gm, 'exec $1 --host 127.0.0.1 --port 0')
    expect(commands).toContain('--port 0')
    const ended = await run(commands, newPlace(), 'SIGTERM')
    expect(ended).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/serving on http:\/\/127\.0\.0\.1:\d+\/mcp/),
    })
  })
})

describe('modules', () => {
  it.each(cases(blocksMarked('js', 'module')))('%s', async (_, { source }) => {
    const model = await scriptedModel('anthropic')
    const place = newPlace()
    writeFileSync(path.join(place, 'module.mjs'), source)
    const ended = await run(`exec '${process.execPath}' module.mjs`, place, 'SIGTERM', {
      ANTHROPIC_API_KEY: 'offline',
      ANTHROPIC_BASE_URL: model.url,
    })
    await model.close()
    expect(ended).toMatchObject({ status: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^serving on http|Phone orders came in in 11 months|^true\n$/)
  })
})

describe('commands of other programs', () => {
  it.each(cases(blocksMarked('sh', 'elsewhere')))('start ours as it is started: %s', async (_, { source }) => {
    const place = newPlace()
    const ours = / -- (npx -y starbind serve .*)$/m.exec(source)![1]!
    const ended = await run(ours.replace('/home/me/', `${place}/`), place)
    expect(ended).toMatchObject({ status: 0, stdout: '' })
  })
})

it.each(cases(blocksMarked('sh', 'scripts')))('%s names scripts that there are', (_, { source }) => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object }
  const named = [...source.matchAll(/^npm (?:run )?(\S+)/gm)].map((match) => match[1]!)
  expect(named.filter((name) => name !== 'ci' && !(name in scripts))).toEqual([])
  expect(named.length).toBe(source.trim().split('\n').length)
})

/** A folder with a configuration of one real server, saved tools, and the files of a host. */
function newPlace(): string {
  const place = mkdtempSync(path.join(temporary, 'place-'))
  const filesystem = path.join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js')
  const shop = { command: process.execPath, args: [filesystem, path.join(root, 'examples/shop/data')] }
  write(place, 'starbind.json', { mcpServers: { shop }, codeMode: { bindingLevel: 'tool' }, serve: { port: 0 } })
  const issues = {
    name: 'list_issues',
    description: 'Lists the issues of a repository',
    inputSchema: { type: 'object' },
  }
  const pulls = { name: 'create_pull_request', description: 'Opens a pull request', inputSchema: { type: 'object' } }
  write(place, 'saved.json', { tools: [issues, pulls] })
  mkdirSync(path.join(place, '.cursor'))
  write(place, '.cursor/mcp.json', { mcpServers: { notes: { command: 'notes', env: { NOTES_TOKEN: 'x' } } } })
  mkdirSync(path.join(place, 'folder'))
  write(place, 'folder/github.json', { tools: [issues, pulls] })
  return place
}

function write(place: string, name: string, content: object): void {
  writeFileSync(path.join(place, name), JSON.stringify(content))
}

function executable(name: string, script: string): void {
  writeFileSync(path.join(bin, name), `#!/bin/sh\n${script}\n`)
  chmodSync(path.join(bin, name), 0o755)
}

/** Runs commands of `starbind` without processes of their own, up to the first that fails. */
async function runHere(source: string, place: string): Promise<Ended> {
  const all = { status: 0 as number | null, stdout: '', stderr: '' }
  for (const { args, input } of commandsOf(source)) {
    const env = { XDG_CONFIG_HOME: path.join(place, 'config') }
    const { status, stdout, stderr } = await starbindHere(args, { cwd: place, stdin: input, env })
    Object.assign(all, { status, stdout: all.stdout + stdout, stderr: all.stderr + stderr })
    if (status !== 0) break
  }
  return all
}

/**
 * Runs a text in a shell that stops at the first failure. With `signal`, the process gets the signal once it serves.
 */
async function run(commands: string, place: string, signal?: NodeJS.Signals, environment: Record<string, string> = {}) {
  const child = spawn('sh', ['-e', '-c', commands], {
    cwd: place,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...environment,
      PATH: `${bin}${path.delimiter}${process.env.PATH}`,
      XDG_CONFIG_HOME: path.join(place, 'config'),
    },
  })
  if (signal !== undefined) for (const stream of [child.stdout, child.stderr]) endWhenServing(child, stream, signal)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { stdout, stderr: unstarved(stderr), status }
}

function endWhenServing(child: ChildProcess, stream: NodeJS.ReadableStream, signal: NodeJS.Signals): void {
  let said = ''
  let isEnding = false
  stream.on('data', (chunk: Buffer) => {
    said += chunk.toString()
    if (isEnding || !said.includes('serving on')) return
    isEnding = true
    child.kill(signal)
  })
}
