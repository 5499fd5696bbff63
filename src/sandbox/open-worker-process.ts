import type { SandboxOptions } from './contract.js'
import type { HostWorkersOptions } from './host-workers.js'
import type { WorkerProcess } from './worker-process.js'

/** A sandbox and host workers in a child process, which starts when it is needed. */
export async function openWorkerProcess(sandbox: SandboxOptions, workers: HostWorkersOptions): Promise<WorkerProcess> {
  const process = await import('./worker-process.js')
  return new process.WorkerProcess(sandbox, workers)
}
