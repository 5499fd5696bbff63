import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Shows a long text in the person's own pager until they close it. False: the pager does not work. */
export async function paged(text: string): Promise<boolean> {
  const command = process.env.PAGER || (process.platform === 'win32' ? 'more' : 'less')
  // Stdout may be a file, so the pager writes to the terminal of the question.
  const pager = spawn(command, { shell: true, stdio: ['pipe', process.stderr, process.stderr] })
  // A person may close it before it has read everything.
  pager.stdin?.on('error', () => {})
  pager.stdin?.end(text)
  const [status] = (await once(pager, 'close')) as [number | null]
  return status === 0
}
