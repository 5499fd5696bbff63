// Servers that starbind brings along. They need no transport, and the gateway treats them as any other server.
// Invariant: nothing is loaded for a server that no entry names.

import type { BuiltinSettings } from './settings.js'
import type { Builtin } from './tool.js'

export type { BuiltinSettings, DatabaseSettings } from './settings.js'
export { builtinNames } from './settings.js'
export type { Builtin, BuiltinAnswer, BuiltinTool } from './tool.js'
export { isHostPattern } from './web/hosts.js'

/** Rejects with an Error that says, for people, why it can't be opened. */
export async function openBuiltin(settings: BuiltinSettings): Promise<Builtin> {
  switch (settings.builtin) {
    case 'files': {
      const { openFiles } = await import('./files/files.js')
      return openFiles(settings)
    }
    case 'sql': {
      if ('place' in settings) return (await import('./sql/stored.js')).openStored(settings)
      const { openSql } = await import('./sql/sql.js')
      return openSql(settings)
    }
    case 'shell': {
      const { openShell } = await import('./shell/shell.js')
      return openShell(settings)
    }
    case 'web': {
      const { openWeb } = await import('./web/web.js')
      return openWeb(settings)
    }
  }
}
