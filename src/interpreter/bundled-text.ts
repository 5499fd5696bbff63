import { existsSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** The text of a bundle, by its path in this folder. */
export function bundledText(name: string): string {
  const bundle = new URL(name, import.meta.url)
  const compressed = new URL(`${bundle.href}.br`)
  return existsSync(compressed)
    ? brotliDecompressSync(readFileSync(compressed)).toString('utf8')
    : readFileSync(bundle, 'utf8')
}
