// @sebastianwessel/quickjs: QuickJS with parts of Node's library, in the host's own thread.
import variant from '@jitl/quickjs-ng-wasmfile-release-sync'
import { loadQuickJs } from '@sebastianwessel/quickjs'

export async function open(tools) {
  const { runSandboxed } = await loadQuickJs(variant)
  const host = Object.fromEntries(Object.entries(tools).map(([name, call]) => [name, ({ x }) => call(x)]))
  const names = `const { ${Object.keys(tools).join(', ')} } = env.host;\n`
  return {
    async run(text) {
      const source = `${names}export default await (async () => {\n${text}\n})()`
      const options = { env: { host }, executionTimeout: 120_000, maxIntervalCount: 10_000, maxTimeoutCount: 10_000 }
      const { ok, data, error } = await runSandboxed(({ evalCode }) => evalCode(source), options)
      if (!ok) throw new Error(error?.message ?? 'it failed')
      return data
    },
  }
}
