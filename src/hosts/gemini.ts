// The meta-tools in the format of Gemini's function calling.

import type { CallOptions, GeminiDefinition } from '../index.js'
import { answering, type MetaToolSource } from './meta-tool-source.js'
import { shownFiles } from './shown-files.js'

/**
 * One of `response.functionCalls`.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type GeminiFunctionCall, geminiFunctions } from 'starbind/gemini'
 *
 * await using codeMode = await CodeMode.open()
 * const call: GeminiFunctionCall = { name: 'executeToolCode', args: { code: 'result = 6 * 7' } }
 * console.log(await geminiFunctions(codeMode).answer([call]))
 */
export interface GeminiFunctionCall {
  readonly id?: string
  readonly name?: string
  readonly args?: Readonly<Record<string, unknown>>
}

/**
 * An entry of the `parts` of the next user content.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type GeminiFunctionResponsePart, geminiFunctions } from 'starbind/gemini'
 *
 * await using codeMode = await CodeMode.open()
 * const parts: GeminiFunctionResponsePart[] = await geminiFunctions(codeMode).answer([{ name: 'listToolFiles', args: {} }])
 * for (const { functionResponse } of parts) console.log(functionResponse.name, functionResponse.response)
 */
export interface GeminiFunctionResponsePart {
  functionResponse: {
    id?: string
    name: string
    response: { output: string } | { error: string }
    /** Pictures and PDFs. Absent: there are none. */
    parts?: { inlineData: { mimeType: string; data: string } }[]
  }
}

/**
 * The meta-tools in the format of Gemini's function calling.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { geminiFunctions, type GeminiTools } from 'starbind/gemini'
 *
 * await using codeMode = await CodeMode.open()
 * const { tools, answer }: GeminiTools = geminiFunctions(codeMode)
 * console.log(tools[0].functionDeclarations.length, await answer(undefined))
 */
export interface GeminiTools {
  /** For `config.tools` of the request. */
  readonly tools: [{ functionDeclarations: GeminiDefinition[] }]
  /**
   * Answers `response.functionCalls`: one part for each, in their order. A wrong call gets an answer, too.
   */
  answer(calls: readonly GeminiFunctionCall[] | undefined, options?: CallOptions): Promise<GeminiFunctionResponsePart[]>
}

/**
 * The four meta-tools for Gemini's function calling.
 *
 * @example
 * import { type Content, GoogleGenAI } from '@google/genai'
 * import { CodeMode } from 'starbind'
 * import { geminiFunctions } from 'starbind/gemini'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const { tools, answer } = geminiFunctions(codeMode)
 * const contents: Content[] = [{ role: 'user', parts: [{ text: 'How many open orders are there?' }] }]
 * for (;;) {
 *   const response = await new GoogleGenAI({}).models.generateContent({ model: 'gemini-3-pro', contents, config: { tools } })
 *   if (!response.functionCalls) break
 *   contents.push(response.candidates![0]!.content!, { role: 'user', parts: await answer(response.functionCalls) })
 * }
 */
export function geminiFunctions(source: MetaToolSource): GeminiTools {
  return {
    tools: [{ functionDeclarations: source.tools('gemini') }],
    answer: answering(source, {
      read: ({ name, args }) => ({ name: name ?? '', args: args ?? {} }),
      write: ({ id, name }, answer): GeminiFunctionResponsePart => {
        const { text, isError } = answer
        const parts = shownFiles(answer)
          .filter(({ mimeType }) => mimeType !== 'image/gif')
          .map(({ mimeType, data }) => ({ inlineData: { mimeType, data } }))
        return {
          functionResponse: {
            ...(id === undefined ? {} : { id }),
            name: name ?? '',
            response: isError ? { error: text } : { output: text },
            ...(parts.length === 0 ? {} : { parts }),
          },
        }
      },
    }),
  }
}
