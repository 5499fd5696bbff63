// The texts that the build makes for guests and of them. Published packages hold them compressed, because they are a third of the package.
// Invariant: one text, however it is stored.

import { existsSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** The text of a bundle. */
export function bundledText(bundle: URL): string {
  const compressed = new URL(`${bundle.href}.br`)
  return existsSync(compressed)
    ? brotliDecompressSync(readFileSync(compressed)).toString('utf8')
    : readFileSync(bundle, 'utf8')
}
