// The transport to a built-in server. Its tools are functions of this process. Their answers are texts that reach the
// program unparsed.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { after, awaitableOf } from '../../awaitable/index.js'
import type { BuiltinAnswer, BuiltinSettings, BuiltinTool } from '../../builtin/index.js'
import { givesObject, type InProcessTool } from '../configuration/index.js'
import { writtenAnswer } from '../reading/large-message.js'
import { FinishedResult, inProcessTransport } from './in-process.js'
import type { UpstreamTransport } from './transport.js'

/** Rejects with the reason why the server can't be opened. */
export async function builtinTransport(settings: BuiltinSettings): Promise<UpstreamTransport> {
  const { openBuiltin } = await import('../../builtin/index.js')
  const { tools, instructions, close } = await openBuiltin(settings)
  const inProcess = Object.fromEntries(Object.entries(tools).map(([name, tool]) => [name, asInProcess(tool)]))
  const transport = inProcessTransport(inProcess, instructions)
  return {
    ...transport,
    stop: async () => {
      await transport.stop()
      await close()
    },
  }
}

function asInProcess(tool: BuiltinTool): InProcessTool {
  const own = tool as Omit<InProcessTool, 'call'>
  return {
    ...own,
    call: (args, context: Parameters<BuiltinTool['call']>[1]) =>
      after(
        awaitableOf(tool.call(args, context)),
        (answer) => new FinishedResult(resultOf(own as InProcessTool, answer)),
      ),
  }
}

function resultOf(tool: InProcessTool, answer: BuiltinAnswer): CallToolResult {
  switch (answer.kind) {
    case 'text':
      return writtenAnswer(answer.text, { lone: JSON.stringify(answer.text) })
    case 'json':
      return writtenAnswer(answer.json, givesObject(tool) ? { structured: answer.json } : { lone: answer.json })
    case 'file':
      return { content: [fileBlock(answer)] }
  }
}

function fileBlock({ path, mimeType, data }: Extract<BuiltinAnswer, { kind: 'file' }>): CallToolResult['content'][0] {
  const type = /^(image|audio)\//.exec(mimeType)?.[1] as 'image' | 'audio' | undefined
  if (type !== undefined && mimeType !== 'image/svg+xml') return { type, data, mimeType }
  return { type: 'resource', resource: { uri: `file:///${path}`, mimeType, blob: data } }
}
