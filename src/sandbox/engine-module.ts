// QuickJS as compiled WebAssembly. Compiled once in a process and shared by all threads.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

let compiled: Promise<WebAssembly.Module> | undefined

export function compileEngine(): Promise<WebAssembly.Module> {
  compiled ??= load()
  // Whoever needs it hears of a failure; nobody may be listening yet.
  compiled.catch(() => undefined)
  return compiled
}

async function load(): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')
  return WebAssembly.compile(await readFile(file))
}
