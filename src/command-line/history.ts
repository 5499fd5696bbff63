// The history files of prompts. A prompt works without one.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inStateFolder } from './state-folder.js'

const MOST_LINES = 1000

/** Newest first. */
export function readHistory(name: string): string[] {
  try {
    return readFileSync(inStateFolder(name), 'utf8').split('\n').filter(Boolean).reverse().slice(0, MOST_LINES)
  } catch {
    return []
  }
}

/** Newest first. Only this user can read the file. */
export function writeHistory(name: string, lines: readonly string[]): void {
  const file = inStateFolder(name)
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${lines.slice(0, MOST_LINES).reverse().join('\n')}\n`, { mode: 0o600 })
  } catch {
    // The folder is not writable.
  }
}
