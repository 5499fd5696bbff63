// A command in bubblewrap (`bwrap`): in name spaces of its own, without network, and with the folder and the system's
// programs as its only files. A container may forbid name spaces, so whether it works is tried.

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'

/** What programs need of the system. Nothing of it belongs to a user. */
const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/opt']
const CONFIGURATION = [
  'alternatives',
  'ca-certificates',
  'group',
  'ld.so.cache',
  'localtime',
  'nsswitch.conf',
  'passwd',
  'ssl/certs',
].map((name) => `/etc/${name}`)
const TRY_MS = 5_000

interface Wrapped {
  readonly root: string
  /** Absolute paths that stay as they are. */
  readonly unwritable: readonly string[]
}

/** The arguments of `bwrap` in front of a command. */
export function wrapping({ root, unwritable }: Wrapped): string[] {
  const visible = [...SYSTEM, ...CONFIGURATION].flatMap((place) => ['--ro-bind-try', place, place])
  const fixed = unwritable
    .filter((place) => place.startsWith(`${root}${path.sep}`) && existsSync(place))
    .flatMap((place) => ['--ro-bind', place, place])
  // Where starbind keeps runs and approvals.
  const state = path.join(root, '.starbind')
  const hidden = existsSync(state) ? ['--tmpfs', state, '--remount-ro', state] : []
  return [
    ...['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'],
    ...visible,
    // Root, without any capability, could still write the kernel's settings.
    ...['--proc', '/proc', '--remount-ro', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
    ...['--bind', root, root],
    ...fixed,
    ...hidden,
    ...['--chdir', root, '--'],
  ]
}

/** Why `bwrap` can't be used; undefined if it can. */
export function bwrapProblem(wrapped: Wrapped): Promise<string | undefined> {
  if (process.platform !== 'linux') return Promise.resolve('bwrap exists on Linux only')
  return new Promise((resolve) => {
    const child: ChildProcess = spawn('bwrap', [...wrapping(wrapped), 'true'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: TRY_MS,
    })
    let words = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      words = `${words}${chunk}`.slice(0, 300)
    })
    child.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(
        code === 'ENOENT' ? 'there is no bwrap (Debian: apt install bubblewrap)' : `bwrap can't be started: ${code}`,
      ),
    )
    child.once('close', (status) => {
      const reason = words.trim().split('\n')[0] || `status ${status}`
      resolve(status === 0 ? undefined : `bwrap does not work on this machine: ${reason.replace(/^bwrap: /, '')}`)
    })
  })
}
