// What the documents show is what happens: every block marked `runnable` is run and its output compared as a whole. CONTRIBUTING.md tells
// the convention.

import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const temporary = mkdtempSync(path.join(tmpdir(), 'starbind-docs-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

// Documents say `starbind`; here that is what has just been built.
const command = path.join(temporary, 'starbind')
writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${path.join(root, 'dist/main.js')}' "$@"\n`)
chmodSync(command, 0o755)

interface Block {
  readonly language: string
  readonly fails: boolean
  readonly source: string
  readonly output: string | undefined
  readonly line: number
}

const howToRun: Readonly<Record<string, (source: string) => { argv: string[]; input: string }>> = {
  sh: (source) => ({ argv: ['sh', '-e', '-c', source], input: '' }),
  starlark: (source) => ({ argv: [command, 'run', '-', '--config', 'examples/shop/starbind.json'], input: source }),
  javascript: (source) => ({
    argv: [command, 'run', '-', '--config', 'examples/shop/starbind.json', '--language', 'javascript'],
    input: source,
  }),
  js: (source) => ({ argv: [process.execPath, '--input-type=module', '-'], input: source }),
}

describe.each(documents())('%s', (document) => {
  const blocks = runnableBlocks(readFileSync(path.join(root, document), 'utf8'))

  it('marks as runnable only blocks that say what they print', () => {
    const mute = blocks.filter((block) => block.output === undefined || howToRun[block.language] === undefined)
    expect(mute.map((block) => `${document}:${block.line}`)).toEqual([])
  })

  it.each(blocks)('line $line prints what it says', { timeout: 60_000 }, async (block) => {
    const { argv, input } = howToRun[block.language]!(block.source)
    const { output, status } = await run(
      argv,
      input,
      path.join(temporary, `${document.replaceAll('/', '-')}-${block.line}.jsonl`),
    )
    expect(masked(output)).toBe(masked(block.output ?? ''))
    expect(status !== 0).toBe(block.fails)
  })
})

it('finds runnable blocks in the README', () => {
  expect(runnableBlocks(readFileSync(path.join(root, 'README.md'), 'utf8')).length).toBeGreaterThan(4)
})

function documents(): string[] {
  const folder = path.join(root, 'docs')
  const below = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  return ['README.md', 'ARCHITECTURE.md', ...below.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)]
}

function runnableBlocks(document: string): Block[] {
  const fences = [...document.matchAll(/^```([^\n`]*)\n([\s\S]*?)^```$/gm)]
  return fences.flatMap((fence, i) => {
    const [language = '', ...marks] = fence[1]!.trim().split(/\s+/)
    if (!marks.includes('runnable')) return []
    const next = fences[i + 1]
    const line = document.slice(0, fence.index).split('\n').length
    const output = next?.[1]?.trim() === 'text' ? next[2] : undefined
    return [{ language, fails: marks.includes('fails'), source: fence[2]!, output, line }]
  })
}

async function run(
  argv: string[],
  input: string,
  memoryFile: string,
): Promise<{ output: string; status: number | null }> {
  const child = spawn(argv[0]!, argv.slice(1), {
    cwd: root,
    env: { ...process.env, PATH: `${temporary}${path.delimiter}${process.env.PATH}`, SHOP_MEMORY_FILE: memoryFile },
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [printed, told, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { output: printed + told, status }
}

/** Durations and amounts of memory differ from run to run. */
function masked(output: string): string {
  return output
    .replace(/\b\d+(\.\d+)? m?s\b/g, 'N ms')
    .replace(/"(ms|wallMs|compileMs|runMs|toolWaitMs|memoryBytes)": ?[\d.e+-]+/g, '"$1":N')
}
