// Every fenced block of the documents is covered by a test; any other block fails here. Configurations are read,
// programs run against tools of this process, and commands in blocks and sentences must exist, with their options.
// readme.test.ts and commands.test.ts run blocks as processes.

import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CodeMode, type InProcessTools, readConfiguration } from '../../dist/index.js'
import { type Block, blocksMarked, blocksOf, documents, root, textOf } from './blocks.js'

const place = ({ document, line }: Block) => `${document}:${line}`

/** The test that covers a block, by info string (of `host=NAME`, the first word). */
const holders: Readonly<Record<string, string>> = {
  'sh runnable': 'readme.test.ts runs it and compares what it prints',
  'starlark runnable': 'the same',
  'javascript runnable': 'the same',
  'js runnable': 'the same',
  'sh runs': 'commands.test.ts runs it',
  'sh serves': 'commands.test.ts runs it until it serves, and ends it',
  'js module': 'commands.test.ts runs it',
  'sh elsewhere': 'the command of a program that is not here; commands.test.ts runs ours that is in it',
  'sh scripts': 'what the tests themselves are run by; commands.test.ts holds that these scripts exist',
  'json configuration': 'read below',
  'python program': 'run below',
  'js program': 'run below',
  'python stub': 'stubs.test.ts compares it with golden stubs',
  'yaml alerts': 'serving/container.test.ts compares its names with metrics',
  'ts stub': 'stubs.test.ts compares it with what starbind makes',
  'json host': 'hosts.test.ts compares it with what the host documents',
  'toml host': 'the same',
}

function isHeld({ document, language, marks, previous, next }: Block): boolean {
  if (holders[[language, marks[0]?.split('=')[0]].join(' ').trim()] !== undefined) return true
  // A picture can't run; output stands below the block that prints it.
  if (language === '') return document === 'README.md' || document === 'docs/operating.md'
  if (language === 'text') return previous?.marks[0] === 'runnable'
  // The outputs here and in CPython: test/interpreter/python/dialect.test.ts runs these programs.
  if (document !== 'docs/dialect.md') return false
  return language === 'python' ? next?.language === 'starbind' : language === 'starbind' || language === 'cpython'
}

describe('the blocks of the documents', () => {
  it('are all covered by a test', () => {
    expect(
      documents
        .flatMap(blocksOf)
        .filter((block) => !isHeld(block))
        .map(place),
    ).toEqual([])
  })

  it('are fenced and not indented', () => {
    for (const document of documents) {
      const fences = textOf(document).match(/^ *(```|~~~)/gm) ?? []
      expect(fences.filter((fence) => fence !== '```')).toEqual([])
      expect(fences.length, document).toBe(2 * blocksOf(document).length)
    }
  })
})

/** The variables that the configurations refer to. */
const VARIABLES = [
  'HOME',
  'HUB_TOKEN',
  'REDIS_PASSWORD',
  'MINIO_KEY',
  'MINIO_SECRET',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
]

describe('configurations', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'starbind-docs-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  // The files that the documents include.
  for (const name of ['servers.d', 'team']) mkdirSync(path.join(folder, name))
  writeFileSync(path.join(folder, 'servers.d/git.json'), '{"command": "git-server"}')
  writeFileSync(path.join(folder, 'team/servers.json'), '{"mcpServers": {"wiki": {"url": "https://example.com"}}}')

  it.each(blocksMarked('json', 'configuration').map((block) => [place(block), block.source]))('%s', (_, source) => {
    const file = path.join(folder, 'starbind.json')
    writeFileSync(file, source)
    const environment = Object.fromEntries(VARIABLES.map((name) => [name, 'hush-hush']))
    const { servers, serve } = readConfiguration(file, { environment })
    const named = Object.keys((JSON.parse(source) as { mcpServers?: object }).mcpServers ?? {})
    const included = source.includes('"include"') ? ['git', 'wiki'] : []
    expect(servers.map(({ name }) => name)).toEqual([...named, ...included])
    expect(serve !== undefined).toBe(source.includes('"serve":'))
  })
})

const issuesOf = {
  type: 'object',
  properties: { owner: { type: 'string' }, state: { type: 'string' } },
  required: ['owner'],
}

describe('programs', () => {
  const one: InProcessTools[string] = { inputSchema: { type: 'object' }, call: (args) => args }
  const reads = (...names: string[]): InProcessTools[string] => ({
    inputSchema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, {}])), required: names },
    annotations: { readOnlyHint: true },
    call: (args) => args,
  })
  const servers = {
    github: { inProcess: { list_issues: { ...reads('owner', 'state'), inputSchema: issuesOf } } },
    crm: { inProcess: { get_customer: reads('id'), add_note: one } },
    shop: { inProcess: { orders: reads('customer') } },
    a: { inProcess: { x: reads() } },
    b: { inProcess: { y: reads() } },
    server: { inProcess: { tool: one } },
  }
  let codeMode: CodeMode
  beforeAll(async () => {
    codeMode = await CodeMode.open({ servers })
  })
  afterAll(() => codeMode.close())

  it.each(blocksMarked('python', 'program').map((block) => [place(block), block.source]))('%s', async (_, source) => {
    // Names that the documents presuppose.
    const run = await codeMode.run(`ids = items = [1, 2]\ndef work(i): return crm.get_customer(id=i)\n${source}`)
    expect(run.error).toBe(null)
    expect(run.calls.length).toBeGreaterThan(3)
  })

  it.each(blocksMarked('js', 'program').map((block) => [place(block), block.source]))('%s', async (_, source) => {
    const run = await codeMode.run(source, { language: 'javascript' })
    expect(run.error).toBe(null)
    expect(run.calls.length).toBeGreaterThan(1)
  })
})

describe('commands', () => {
  it('in sentences exist, with their options', async () => {
    const starbind = await commands()
    const spans = documents.flatMap((document) =>
      [...prose(document).matchAll(/`((?:npx (?:-y )?)?starbind [a-z-][^`]*)`/g)].map((match) => ({
        document,
        words: match[1]!.replaceAll(/\s+/g, ' '),
      })),
    )
    expect(spans.length).toBeGreaterThan(20)
    const wrong = spans.flatMap(({ document, words }) => {
      const complaint = complaintOf(starbind, words.replace(/^(npx (-y )?)?starbind /, ''))
      return complaint === '' ? [] : [`${document}: ${words}: ${complaint}`]
    })
    expect(wrong).toEqual([])
  })

  it('in blocks exist, with their options', async () => {
    const starbind = await commands()
    const lines = documents
      .flatMap(blocksOf)
      .filter(({ language }) => language === 'sh')
      .flatMap(({ source }) => [...source.matchAll(/(?:^|-- npx -y )starbind (.*)$/gm)].map((match) => match[1]!))
    expect(lines.length).toBeGreaterThan(10)
    expect(lines.filter((line) => complaintOf(starbind, line) !== '')).toEqual([])
  })
})

/** A document without its fenced blocks. */
function prose(document: string): string {
  return textOf(document).replace(/^```[\s\S]*?^```$/gm, '')
}

/** The commands of the command line; nothing is run. */
async function commands(): Promise<Command> {
  const starbind = new Command('starbind').option('--config <file>').option('--log-level <level>').option('--version')
  const folder = path.join(process.env.TESTED_DIST ?? path.join(root, 'dist'), 'command-line/usage')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
    const room = (await import(path.join(folder, file))) as Record<string, unknown>
    for (const [name, add] of Object.entries(room)) if (/^add[A-Z]/.test(name)) (add as (to: Command) => void)(starbind)
  }
  return starbind
}

/** The mistakes of a command line: unknown commands and options. Values are not checked. */
function complaintOf(starbind: Command, line: string): string {
  let command = starbind
  for (const word of line
    .split(/['"#|<;]/)[0]!
    .trim()
    .split(/\s+/)) {
    const inner = command.commands.find((one) => one.name() === word)
    if (inner !== undefined) command = inner
    else if (command === starbind && !word.startsWith('-')) return `there is no command ${word}`
    else if (word.startsWith('-') && word !== '-' && !knows(starbind, command, word))
      return `${word} is no option of it`
  }
  return ''
}

function knows(starbind: Command, command: Command, option: string): boolean {
  const options = [...starbind.options, ...command.options]
  return option === '--help' || options.some((one) => one.short === option || one.long === option)
}
