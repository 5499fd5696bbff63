// A child process for work that can't be stopped from outside of its thread: it answers questions one at a time, and
// ends when this process ends or kills it.

import { type ChildProcess, spawn } from 'node:child_process'
import { noteGroup, ownGroup, postGuard, signalGroup } from '../processes/index.js'

/** `module`: its file. The process alone keeps this one not alive. */
export function startProcess(module: string, given: readonly string[] = []): ChildProcess {
  postGuard()
  const child = spawn(process.execPath, [module, ...given], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    env: {},
    ...ownGroup,
  })
  noteGroup(child.pid)
  const gone = () => noteGroup(child.pid, false)
  child.once('exit', gone)
  child.once('error', gone)
  child.unref()
  child.channel?.unref()
  return child
}

export function killProcess({ pid }: ChildProcess): void {
  if (pid !== undefined) signalGroup(pid, 'SIGKILL')
}

/** Resolves when the process is gone. */
export async function goneProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  await new Promise((resolve) => child.once('exit', resolve))
}
