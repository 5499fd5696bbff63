// What commands of tests keep for the next command is kept in a folder of its own, which goes with the tests.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'starbind-state-'))
  process.env.XDG_STATE_HOME = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
