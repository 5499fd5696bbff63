import { homedir } from 'node:os'
import path from 'node:path'

/** The file or folder of that name, which need not be there. */
export function inStateFolder(name: string): string {
  const { XDG_STATE_HOME } = process.env
  return path.join(XDG_STATE_HOME || path.join(homedir(), '.local', 'state'), 'starbind', name)
}
