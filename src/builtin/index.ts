// Servers that starbind brings along. They run in this process, and the gateway treats them as any other server.
// Invariant: nothing is loaded for a server that no entry names.

import type { BuiltinSettings } from './settings.js'
import type { Builtin } from './tool.js'

export type { BuiltinSettings } from './settings.js'
export { builtinNames } from './settings.js'
export type { Builtin, BuiltinAnswer, BuiltinTool } from './tool.js'

/** Rejects with an Error that says, for people, why it can't be opened. */
export async function openBuiltin(settings: BuiltinSettings): Promise<Builtin> {
  switch (settings.builtin) {
    case 'files': {
      const { openFiles } = await import('./files/files.js')
      return openFiles(settings)
    }
    case 'sql': {
      const { openSql } = await import('./sql/sql.js')
      return openSql(settings)
    }
  }
}
