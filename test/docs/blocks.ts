// The fenced blocks of the documents, with what their info strings say of them. CONTRIBUTING.md tells the convention.

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

export interface Block {
  readonly document: string
  /** Of its opening fence, from 1. */
  readonly line: number
  readonly language: string
  /** What follows the language in the info string. */
  readonly marks: readonly string[]
  readonly source: string
  /** The blocks beside it. */
  readonly next: Pick<Block, 'language' | 'marks' | 'source'> | undefined
  readonly previous: Pick<Block, 'language' | 'marks'> | undefined
}

/** What people read, `docs/api` left out: it is written from declarations whose examples are compiled. */
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
