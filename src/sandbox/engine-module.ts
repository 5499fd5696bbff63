// QuickJS as compiled WebAssembly. Read and compiled once in a process and shared by all threads.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

let bytes: Promise<Buffer> | undefined
let compiled: Promise<WebAssembly.Module> | undefined

/** The WebAssembly text of the engine. */
export function engineBytes(): Promise<Buffer> {
  bytes ??= readFile(createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
  return bytes
}

export function compileEngine(): Promise<WebAssembly.Module> {
  compiled ??= engineBytes().then((wasm) => WebAssembly.compile(wasm))
  // Whoever needs it hears of a failure; nobody may be listening yet.
  compiled.catch(() => undefined)
  return compiled
}
