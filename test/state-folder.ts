// Gives the commands of tests a state folder of their own, which is deleted after the tests.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'starbind-state-'))
  process.env.XDG_STATE_HOME = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
