// The processes that carry out runs.

import { hostname } from 'node:os'

/** Identifies a process, so that other processes can tell whether it is alive. */
export interface Holder {
  readonly host: string
  readonly pid: number
  /** Distinguishes it from other processes with the same number. */
  readonly began: number
  /** Its name among the processes that share a store. */
  readonly processId?: string
}

export const thisProcess: Holder = { host: hostname(), pid: process.pid, began: Math.round(performance.timeOrigin) }

/** True if that process is alive on this machine. */
export function isAliveHere({ host, pid, began }: Holder): boolean {
  if (host !== thisProcess.host) return false
  if (pid === thisProcess.pid) return began === thisProcess.began
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
