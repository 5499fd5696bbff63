// Files of programs: lines that begin with `# ---` separate chunks. `name.out` beside `name.py` holds the expected
// output of each, separated in the same way.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = path.join(path.dirname(fileURLToPath(import.meta.url)), 'programs')

export interface Chunk {
  readonly title: string
  readonly text: string
}

export function files(): string[] {
  return readdirSync(folder)
    .filter((f) => f.endsWith('.py'))
    .sort()
}

export function chunksOf(file: string, where = folder): Chunk[] {
  const text = readFileSync(path.join(where, file), 'utf8')
  return text.split(/^(?=# ---)/m).map((chunk) => {
    const [first, ...rest] = chunk.split('\n')
    return first!.startsWith('# ---')
      ? { title: first!.slice(5).trim(), text: rest.join('\n') }
      : { title: first!.slice(1).trim(), text: chunk }
  })
}

function goldenPath(file: string, where: string): string {
  return path.join(where, file.replace(/\.py$/, '.out'))
}

const DIVIDER = '# ---\n'

export function goldenOf(file: string, where = folder): string[] {
  return existsSync(goldenPath(file, where)) ? readFileSync(goldenPath(file, where), 'utf8').split(DIVIDER) : []
}

export function writeGolden(file: string, outputs: readonly string[]): void {
  writeFileSync(goldenPath(file, folder), outputs.join(DIVIDER))
}
