import { beginDeskThreads } from '../meta-tools/index.js'
import { compileEngine } from '../sandbox/index.js'

/**
 * Starts the thread that reads programs and compiles the engine that runs them, for the next `CodeMode.open`. Worth
 * calling if the process has other work to do before that. It keeps no process alive.
 *
 * @example
 * import { CodeMode, startThreads } from 'starbind'
 *
 * startThreads()
 * const servers = await readServers()
 * await using codeMode = await CodeMode.open({ servers })
 *
 * async function readServers() {
 *   return { shop: { url: 'http://127.0.0.1:8080/mcp' } }
 * }
 */
export function startThreads(): void {
  beginDeskThreads()
  void compileEngine()
}
