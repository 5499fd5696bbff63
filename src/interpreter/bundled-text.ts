import { existsSync, readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/**
 * The text of a bundle, by its path in this folder. In the package the bundles are compressed, and the preludes share
 * one file.
 */
export function bundledText(name: string): string {
  const bundle = new URL(name, import.meta.url)
  if (existsSync(bundle)) return readFileSync(bundle, 'utf8')
  const compressed = new URL(`${bundle.href}.br`)
  if (existsSync(compressed)) return decompressed(compressed)
  return (JSON.parse(decompressed(new URL('preludes.json.br', import.meta.url))) as Record<string, string>)[name]!
}

function decompressed(file: URL): string {
  return brotliDecompressSync(readFileSync(file)).toString('utf8')
}
