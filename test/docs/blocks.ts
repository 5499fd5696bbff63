// The fenced blocks of the documents and their info strings. CONTRIBUTING.md describes the convention.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

export interface Block {
  readonly document: string
  /** The line of its opening fence, from 1. */
  readonly line: number
  readonly language: string
  /** The info string after the language. */
  readonly marks: readonly string[]
  readonly source: string
  /** The neighbouring blocks. */
  readonly next: Pick<Block, 'language' | 'marks' | 'source'> | undefined
  readonly previous: Pick<Block, 'language' | 'marks'> | undefined
}

/** The documents for people, without `docs/api`, which is generated from declarations whose examples are compiled. */
export const documents: readonly string[] = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  ...readdirSync(path.join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

export function textOf(document: string): string {
  return readFileSync(path.join(root, document), 'utf8')
}

export function blocksOf(document: string): Block[] {
  const text = textOf(document)
  const fences = [...text.matchAll(/^```([^\n`]*)\n([\s\S]*?)^```$/gm)]
  const infos = fences.map((fence) => {
    const [language = '', ...marks] = fence[1]!.trim().split(/\s+/)
    return { language, marks }
  })
  return fences.map((fence, i) => ({
    document,
    line: text.slice(0, fence.index).split('\n').length,
    ...infos[i]!,
    source: fence[2]!,
    previous: infos[i - 1],
    next: infos[i + 1] && { ...infos[i + 1]!, source: fences[i + 1]![2]! },
  }))
}

/** The blocks of all documents whose info string begins with these words. */
export function blocksMarked(language: string, ...marks: string[]): Block[] {
  return documents
    .flatMap(blocksOf)
    .filter((block) => block.language === language && marks.every((mark, i) => block.marks[i] === mark))
}

/** What the lines of a shell give to `starbind`: the arguments and the input of each command. */
export function commandsOf(source: string): { readonly args: readonly string[]; readonly input: string }[] {
  const listing = `starbind() { printf '%s\\0' "$#" "$@"; cat; printf '\\0'; }\n${source}`
  const parts = execFileSync('sh', ['-e', '-c', listing], { encoding: 'utf8', input: '' }).split('\0')
  const commands = []
  while (parts.length > 1) {
    const count = Number(parts.shift())
    commands.push({ args: parts.splice(0, count), input: parts.shift()! })
  }
  return commands
}
