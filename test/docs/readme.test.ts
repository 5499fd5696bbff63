// Every block marked `runnable` is run and its whole output compared with the document. CONTRIBUTING.md describes the
// convention.

import { spawn } from 'node:child_process'
import { Console } from 'node:console'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readerFolder } from '../../scripts/reader-folder.mjs'
import { starbindHere, unstarved } from '../fixtures/command.js'
import { isLong } from '../random.js'
import { type Block, blocksOf, commandsOf, documents, root } from './blocks.js'

const temporary = mkdtempSync(path.join(tmpdir(), 'starbind-docs-'))
// In the repository, so that modules find the package by its name, and called as what vitest leaves to Node.
const examples = mkdtempSync(path.join(root, 'test/.examples-'))
const modules = path.join(examples, 'dist')
mkdirSync(modules)
afterAll(() => {
  for (const folder of [temporary, examples]) rmSync(folder, { recursive: true, force: true })
})

// The README speaks to people who have no clone.
const reader = readerFolder(temporary)
const { command } = reader

const configured = (document: string) => (document === 'README.md' ? [] : ['--config', 'examples/shop/starbind.json'])

const folderOf = (document: string) => (document === 'README.md' ? reader.folder : root)

interface Surroundings {
  readonly document: string
  readonly memoryFile?: string
}

type HowToRun = (source: string, document: string) => { argv: string[]; input: string }
const howToRun: Readonly<Record<string, HowToRun>> = {
  sh: (source) => ({ argv: ['sh', '-e', '-c', source], input: '' }),
  starlark: (source, document) => ({ argv: [command, 'run', '-', ...configured(document)], input: source }),
  javascript: (source, document) => ({
    argv: [command, 'run', '-', ...configured(document), '--language', 'javascript'],
    input: source,
  }),
  js: (source) => ({ argv: [process.execPath, '--input-type=module', '-'], input: source }),
}

/** For all commands: the tool lists are cached for each way to start a server. */
const commandMemory = path.join(temporary, 'commands.jsonl')
// A command answers from what is kept, and else after two seconds with the servers that are there by then.
beforeAll(async () => {
  for (const document of ['README.md', 'docs'])
    expect(await argumentsHere(['ls', '--fresh', ...configured(document)], { document })).toMatchObject({ status: 0 })
})

const withRunnable = documents.filter((document) => runnable(document).length > 0)

describe.each(withRunnable)('%s', (document) => {
  const blocks = runnable(document)

  it('marks as runnable only blocks with their output', () => {
    const mute = blocks.filter((block) => block.next?.language !== 'text' || howToRun[block.language] === undefined)
    expect(mute.map((block) => `${document}:${block.line}`)).toEqual([])
  })

  it.each(blocks)('line $line prints the documented output', async (block) => {
    const { output, status } = await outcomeOf(block)
    expect(masked(output)).toBe(masked(block.next?.source ?? ''))
    expect(status !== 0).toBe(block.marks.includes('fails'))
  })
})

it('finds runnable blocks in the README', () => {
  expect(runnable('README.md').length).toBeGreaterThan(4)
})

function runnable(document: string) {
  return blocksOf(document).filter((block) => block.marks[0] === 'runnable')
}

function outcomeOf(block: Block): ReturnType<typeof run> {
  const { document, language, source, line } = block
  const ownMemory = path.join(temporary, `${document.replaceAll('/', '-')}-${line}.jsonl`)
  const memoryFile = language === 'sh' ? commandMemory : ownMemory
  const { argv, input } = howToRun[language]!(source, document)
  // What commands are as processes is tested elsewhere. The long form runs those of the README as its readers do.
  if (document !== 'README.md' || !isLong) {
    if (language === 'js' && document !== 'README.md') return importHere(block)
    if (argv[0] === command) return argumentsHere(argv.slice(1), { document, memoryFile, input })
    if (/^(cat .* \| )?starbind (?!try)/.test(source)) {
      const { args, input } = commandsOf(source)[0]!
      return argumentsHere(args, { document, memoryFile, input })
    }
  }
  return run(argv, input, { document, memoryFile })
}

/** Runs `starbind` without a process of its own. */
async function argumentsHere(
  args: readonly string[],
  { document, memoryFile = commandMemory, input: stdin = '' }: Surroundings & { readonly input?: string },
): ReturnType<typeof run> {
  const env = { SHOP_MEMORY_FILE: memoryFile, PATH: reader.env.PATH }
  const { stdout, stderr, status } = await starbindHere(args, { cwd: folderOf(document), stdin, env })
  return { output: stdout + stderr, status }
}

/** Runs a module without a process of its own. */
async function importHere({ source, document, line }: Block): ReturnType<typeof run> {
  const file = path.join(modules, `${document.replaceAll('/', '-')}-${line}.mjs`)
  writeFileSync(file, source)
  const { console } = globalThis
  const { PATH } = process.env
  const said = new PassThrough()
  globalThis.console = new Console(said)
  process.env.PATH = reader.env.PATH
  try {
    await import(pathToFileURL(file).href)
  } finally {
    process.env.PATH = PATH
    globalThis.console = console
    said.end()
  }
  return { output: await text(said), status: 0 }
}

async function run(
  argv: string[],
  input: string,
  { document, memoryFile = commandMemory }: Surroundings,
): Promise<{ output: string; status: number | null }> {
  const child = spawn(argv[0]!, argv.slice(1), {
    cwd: folderOf(document),
    env: { ...reader.env, SHOP_MEMORY_FILE: memoryFile },
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [printed, told, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { output: printed + told, status }
}

/** Durations and amounts of memory differ from run to run. */
function masked(output: string): string {
  return (
    unstarved(output)
      .replace(/\b\d+(\.\d+)? m?s\b/g, 'N ms')
      .replace(/"(ms|wallMs|compileMs|runMs|toolWaitMs|memoryBytes)": ?[\d.e+-]+/g, '"$1":N')
      // The reference server puts the time of day into its resources: 9:59:59 is shorter than 10:00:00.
      .replace(/(?<=^called everything\.read_resource .*, )\d+ bytes/m, 'N bytes')
  )
}
