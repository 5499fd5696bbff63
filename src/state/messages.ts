// Why a store can't be used. Knows words only.

import type { Diagnostic } from '../diagnostics/index.js'

export const stateUnusable = (file: string, reason: string): Diagnostic => ({
  class: 'host error',
  code: 'state-unusable',
  message: `runs can't be kept in ${file}: ${reason}`,
  hint: 'make it writable for this user, name another folder with "state", or keep nothing with --no-state',
})

export const stateUnavailable = (file: string, platform: string): Diagnostic => ({
  class: 'host error',
  code: 'state-unavailable',
  message: `runs can't be kept in ${file}: the package libsql is not installed, or has no build for ${platform}`,
  hint: 'install libsql, or keep nothing with --no-state',
})

export const stateNewer = (file: string, found: number, known: number): Diagnostic => ({
  class: 'host error',
  code: 'state-newer',
  message: `${file} was written by a newer starbind (format ${found}; this one knows format ${known})`,
  hint: 'update this starbind, or name another folder with "state"',
})
