// Common parts of the benchmarks about tools: saved tools/list answers as servers, and the place of the build.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** The default folder of the catalogues. */
export const usualFolder = path.join(root, '..', 'shared', 'catalogues')

/** A room of the build. */
export function room(name) {
  return import(path.join(process.env.TESTED_DIST ?? path.join(root, 'dist'), name, 'index.js'))
}

/** The text of every saved answer of a folder, by server name. Ends the process when there is none. */
export function readTexts(folder) {
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.json')) : []
  if (files.length === 0) {
    console.error(`there are no catalogues in ${folder}`)
    process.exit(2)
  }
  return new Map(files.sort().map((file) => [file.slice(0, -5), readFileSync(path.join(folder, file), 'utf8')]))
}
