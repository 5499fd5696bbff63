// starbind as a library, with the tools as functions of this process.
import { CodeMode } from '../../../dist/bundle/index.js'

const inputSchema = { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] }

export async function open(tools) {
  const tool = (call) => ({ inputSchema, annotations: { readOnlyHint: true }, call: ({ x }) => call(x) })
  const inProcess = Object.fromEntries(Object.entries(tools).map(([name, call]) => [name, tool(call)]))
  const codeMode = await CodeMode.open({
    servers: { host: { inProcess } },
    limits: { wallMs: 120_000, cpuMs: 120_000 },
  })
  return {
    async run(text) {
      const language = /^return /m.test(text) ? 'javascript' : 'starlark'
      const { ok, result, error } = await codeMode.run(text, { language, limits: { toolCalls: 20_000 } })
      if (!ok) throw new Error(error.message)
      return result
    },
    close: () => codeMode.close(),
  }
}
