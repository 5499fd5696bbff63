import { homedir } from 'node:os'
import path from 'node:path'

/** The path of a file or folder, which need not exist. */
export function inStateFolder(name: string): string {
  const { XDG_STATE_HOME } = process.env
  return path.join(XDG_STATE_HOME || path.join(homedir(), '.local', 'state'), 'starbind', name)
}
