// Vercel's `run`: QuickJS in a worker thread for each run.
import { createRunner, setMaxWorkers } from 'run'

export async function open(tools) {
  setMaxWorkers?.(512)
  const limits = { timeoutMs: 120_000, maxBridgeRequests: 20_000, maxInFlightBridgeRequests: 64 }
  const hostFunctions = {
    host: Object.fromEntries(Object.entries(tools).map(([name, call]) => [name, ({ x }) => call(x)])),
  }
  const runner = createRunner({ limits })
  const names = `const { ${Object.keys(tools).join(', ')} } = host;\n`
  return {
    async run(text) {
      const { status, value } = await runner.run({ source: names + text, hostFunctions })
      if (status !== 'completed') throw new Error(status)
      return value
    },
  }
}
