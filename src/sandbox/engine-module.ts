// QuickJS as compiled WebAssembly, compiled once in a process and shared by all threads.

import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

let bytes: Promise<Buffer> | undefined
let compiled: Promise<WebAssembly.Module> | undefined

const place = new URL('./quickjs.wasm', import.meta.url)

/** The engine's WebAssembly, which the build puts beside this file; in the package it is compressed. */
export function engineBytes(): Promise<Buffer> {
  bytes ??= readFile(new URL(`${place.href}.br`)).then(promisify(brotliDecompress), () => readFile(place))
  return bytes
}

export function compileEngine(): Promise<WebAssembly.Module> {
  compiled ??= engineBytes().then((wasm) => WebAssembly.compile(withLeastMemory(wasm)))
  // Awaiting callers get the failure; there may be none yet.
  compiled.catch(() => undefined)
  return compiled
}

/** The least memory that the engine works with, in pages: its statics and its stack, rounded up. */
const LEAST_PAGES = 96
/** The import of a memory named `a` from `a`, with a maximum; the minimum number of pages follows. */
const MEMORY_IMPORT = Buffer.from([1, 0x61, 1, 0x61, 2, 1])

/**
 * The engine starts with 16 MB, of which a guest uses half at most. The collector of a thread counts the memory of its
 * guests, used or not, so the number is lowered in the engine's binary. The binary stays unchanged if the import is not
 * found.
 */
function withLeastMemory(wasm: Buffer): Buffer {
  const at = wasm.indexOf(MEMORY_IMPORT)
  const number = at + MEMORY_IMPORT.length
  const declared = (wasm[number]! & 0x7f) | (wasm[number + 1]! << 7)
  const twoBytes = (wasm[number]! & 0x80) !== 0 && (wasm[number + 1]! & 0x80) === 0
  if (at < 0 || !twoBytes || declared !== 256 || wasm.indexOf(MEMORY_IMPORT, number) >= 0) return wasm
  const lowered = Buffer.from(wasm)
  lowered[number] = LEAST_PAGES | 0x80
  lowered[number + 1] = LEAST_PAGES >>> 7
  return lowered
}
