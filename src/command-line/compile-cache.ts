import * as module from 'node:module'
import { inStateFolder } from './state-folder.js'

interface WithCompileCache {
  /** From Node 22.1 on. It never throws. */
  enableCompileCache?: (folder: string) => unknown
}

/**
 * Lets V8 keep the code that it compiles from modules for the next command, where Node can: those that are loaded after
 * this. Keeps nothing for a process without a home, or with --no-state.
 */
export function keepCompiledCode(): void {
  if (process.argv.includes('--no-state')) return
  try {
    ;(module as WithCompileCache).enableCompileCache?.(inStateFolder('compiled'))
  } catch {
    // The system knows no home of this user.
  }
}
