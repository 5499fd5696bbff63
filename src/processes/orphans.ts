// Ends server processes when we are killed.
//
// While we live, process groups are ended by signals. If we are killed without warning, only another process can end
// them: a shell that reads group numbers from a pipe, ignores polite signals, and ends the groups when the pipe closes.
// It takes about a megabyte and starts with the first server. A process that makes its own group (a daemon) is out of
// reach.

import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'

const LOOK_MS = 20
const hasGroups = process.platform !== 'win32'

/** Options of `spawn` that make the child the first of a group. */
export const ownGroup: { readonly detached?: true } = hasGroups ? { detached: true } : {}

const groups = new Set<number>()
let guard: ChildProcess | undefined

/** Starts the guard before its group: this process may be killed at any moment. */
export function postGuard(): void {
  if (hasGroups) guard ??= startGuard()
}

/** Records that a group exists, or no longer exists. */
export function noteGroup(pid: number | undefined, exists = true): void {
  if (pid === undefined || groups.has(pid) === exists) return
  if (exists) groups.add(pid)
  else groups.delete(pid)
  guard?.stdin?.write(`${exists ? '+' : '-'} ${pid}\n`)
}

/** Sends a signal to all processes of a group. False if none are left. */
export function signalGroup(pid: number, name: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    if (hasGroups) return process.kill(-pid, name)
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true }).on('error', () => {})
    return false
  } catch (error) {
    // A process that may not be signalled is alive.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Resolves to true when a group is gone, or to false after the time. */
export async function isGroupGone(pid: number, ms: number): Promise<boolean> {
  for (const start = performance.now(); performance.now() - start < ms; await setTimeout(LOOK_MS)) {
    if (!hasGroups || !isAlive(pid)) return true
  }
  return false
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(-pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

process.on('exit', () => {
  for (const pid of groups) signalGroup(pid, 'SIGTERM')
})

const GUARD = `
trap '' HUP INT QUIT TERM
groups=' '
while read -r sign pid; do
  case $sign in
    +) groups="$groups$pid " ;;
    -) groups="\${groups%% $pid *} \${groups#* $pid }" ;;
  esac
done
[ -n "\${groups# }" ] || exit 0
for pid in $groups; do kill -s TERM -- "-$pid"; done
sleep 1
for pid in $groups; do kill -s KILL -- "-$pid"; done`

function startGuard(): ChildProcess {
  const child = spawn('/bin/sh', ['-c', GUARD], {
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  // Without a shell, servers still end, except when we are killed.
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  child.on('exit', () => {
    guard = undefined
    if (groups.size > 0) postGuard()
  })
  for (const pid of groups) child.stdin?.write(`+ ${pid}\n`)
  child.unref()
  // It is a socket, which the types do not declare.
  ;(child.stdin as unknown as { unref?(): void } | null)?.unref?.()
  return child
}
