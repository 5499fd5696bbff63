// A deployment on this machine: a counting MCP server, Redis, replicas of `starbind serve`, and a balancer before them.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { addKey } from '../../dist/index.js'
import { freePort, startRedis } from '../../test/fixtures/redis-server.mjs'
import { residentBytes } from '../measure.mjs'
import { openBalancer } from './balancer.mjs'

const starbind = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const hastyStarbind = fileURLToPath(new URL('./hasty-starbind.mjs', import.meta.url))
const countingServer = fileURLToPath(new URL('./counting-server.mjs', import.meta.url))

/**
 * `callers`: how many keys. `withoutStore`: a replica keeps its state itself. `leaseMs`: a process without a sign of life
 * for this long counts as gone, in place of the usual time.
 */
export async function openDeployment({ replicas, callers, withoutStore = false, leaseMs, codeMode = {} }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'starbind-replicas-'))
  const redis = withoutStore ? undefined : await startRedis({ keeps: true })
  const counter = await startCounter()
  const keysFile = path.join(folder, 'keys.json')
  const keys = Array.from({ length: callers }, (_, i) => addKey(keysFile, `caller-${i}`))
  const person = addKey(keysFile, 'person', { page: true, mayApprove: true })
  const config = path.join(folder, 'starbind.json')
  const content = {
    mcpServers: { counter: { type: 'http', url: counter.url } },
    codeMode: { ...codeMode, state: redis?.url ?? false },
    serve: { keysFile, taskAfterMs: 100, sessionIdleMs: 600_000 },
  }
  writeFileSync(config, JSON.stringify(content))
  const all = await Promise.all(Array.from({ length: replicas }, () => startReplica({ config, folder, leaseMs })))
  const ports = all.map(({ port }) => port)
  const balancer = await openBalancer(ports)
  return {
    redis,
    counter,
    replicas: all,
    /** The ports of the replicas that get requests. */
    ports,
    origin: `http://127.0.0.1:${balancer.port}`,
    url: `http://127.0.0.1:${balancer.port}/mcp`,
    keys,
    person,
    async close() {
      await balancer.close()
      await Promise.all(all.map((one) => one.stop('SIGTERM')))
      await counter.stop()
      await redis?.[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A process of `starbind serve`, which is started again on its port after it was killed. */
async function startReplica({ config, folder, leaseMs }) {
  const entry = leaseMs === undefined ? [starbind] : [hastyStarbind, String(leaseMs)]
  const port = await freePort()
  const said = []
  let child
  const start = async () => {
    const args = [...entry, 'serve', '--port', String(port), '--config', config, '--log-level', 'warn']
    const env = { ...process.env, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder }
    child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env, cwd: folder })
    createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
    while (!(await isReady(port)))
      if (child.exitCode !== null) throw new Error(`a replica ended with ${child.exitCode}: ${said.join('\n')}`)
  }
  const stop = async (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  await start()
  return {
    port,
    said,
    start,
    stop,
    processorSeconds: () => processorSeconds(child.pid),
    residentBytes: () => residentBytes(child.pid),
  }
}

async function isReady(port) {
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!ready) await new Promise((resolve) => setTimeout(resolve, 20))
  return ready
}

async function startCounter() {
  const child = spawn(process.execPath, [countingServer], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [url] = await once(createInterface({ input: child.stdout }), 'line')
  return {
    url,
    /** How often each step of each run was called, by `RUN STEP`. */
    counts: async () => new Map(await (await fetch(new URL('/counts', url))).json()),
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** The processor time that a process has taken, its threads included. */
export function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
