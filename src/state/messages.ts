import type { Diagnostic } from '../diagnostics/index.js'

export const stateUnusable = (file: string, reason: string): Diagnostic => ({
  class: 'host error',
  code: 'state-unusable',
  message: `nothing can be kept in ${file}: ${reason}`,
  hint: 'make the file writable for this user, set another folder with "state", or keep runs in memory with --no-state',
})

export const stateUnavailable = (file: string, platform: string): Diagnostic => ({
  class: 'host error',
  code: 'state-unavailable',
  message: `nothing can be kept in ${file}: the package libsql is not installed, or has no build for ${platform}`,
  hint: 'install libsql, or keep runs in memory with --no-state',
})

export const stateNewer = (file: string, found: number, known: number): Diagnostic => ({
  class: 'host error',
  code: 'state-newer',
  message: `a newer starbind wrote ${file} (format ${found}; this version reads format ${known})`,
  hint: 'update starbind, or set another folder with "state"',
})

export const contentUnreadable = (name: string, reason: string): Diagnostic => ({
  class: 'host error',
  code: 'content-unreadable',
  message: `the content of results/${name} can't be read now: ${reason}`,
})

export const noSuchTrace = (traceId: string): Diagnostic => ({
  class: 'program error',
  code: 'no-such-trace',
  message: `there is no kept trace ${JSON.stringify(traceId)}`,
})

export const traceOfAnother = (traceId: string): Diagnostic => ({
  class: 'host error',
  code: 'trace-of-another',
  message: `the trace ${JSON.stringify(traceId)} can't be kept: its name belongs to another caller`,
})

export const storeUnusable = (address: string, reason: string): Diagnostic => ({
  class: 'host error',
  code: 'store-unusable',
  message: `the store at ${address} can't be used: ${reason}`,
  hint: 'start the store, or set its address and credentials with "state"; --no-state keeps runs in memory',
})

export const clientUnavailable = (address: string, name: string): Diagnostic => ({
  class: 'host error',
  code: 'client-unavailable',
  message: `nothing can be kept at ${address}: the package ${name} is not installed`,
  hint: `run: npm install ${[...new Set(['ioredis', 'bullmq', name])].join(' ')}`,
})

export const queueFull = (owner: string, most: number): Diagnostic => ({
  class: 'limit',
  code: 'queue-full',
  message: `${owner} already has ${most} runs that wait for a worker; no more may wait`,
  hint: 'start it again when some of them have ended',
})
