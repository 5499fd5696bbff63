// Compiles and runs programs, with and without the check, against tools that only count their calls.

import { expect } from 'vitest'
import { bindServers, type Tool, type ToolCaller } from '../../../dist/bindings/index.js'
import { compile, explainThrow, readOutcome } from '../../../dist/interpreter/stages.js'
import type { Sandbox } from '../../../dist/sandbox/index.js'

const text = { type: 'string' }
const int = { type: 'integer' }
const issue = {
  type: 'object',
  properties: { number: int, title: text, body: { type: ['string', 'null'] }, tags: { type: 'array', items: text } },
  required: ['number', 'title'],
  additionalProperties: false,
}

function tool(name: string, properties: object, required: readonly string[], outputSchema?: object): Tool {
  return {
    name,
    inputSchema: { type: 'object', properties, required },
    ...(outputSchema ? { outputSchema: outputSchema as Record<string, unknown> } : {}),
  }
}

/** A server with typed and untyped tools. */
export const github = {
  name: 'github',
  tools: [
    tool(
      'list_issues',
      {
        owner: text,
        repo: text,
        state: { enum: ['open', 'closed'] },
        limit: { type: 'integer', maximum: 100 },
        labels: { type: 'array', items: text },
      },
      ['owner', 'repo'],
      { type: 'object', properties: { result: { type: 'array', items: issue } }, required: ['result'] },
    ),
    tool('get_issue', { number: int }, ['number'], issue),
    tool('search', { query: text, filter: { type: 'object' } }, ['query']),
  ],
}

const bindings = bindServers([github])
export const foreign = bindings.foreign

const caller: ToolCaller = {
  call: async () => ({ isError: false, content: [], structuredContent: { result: [] } }),
}

export interface Went {
  readonly ok: boolean
  readonly message: string
  readonly calls: number
}

/** Runs a program without the check. */
export async function runUnchecked(sandbox: Sandbox, code: string, strict = false): Promise<Went> {
  const compiled = compile({ text: code, language: 'starlark' }, { foreign, dialect: { strict }, unchecked: true })
  if (!compiled.ok) return { ok: false, message: compiled.diagnostics[0]!.message, calls: 0 }
  let calls = 0
  const end = await sandbox.run({
    image: compiled.program.image,
    code: compiled.program.code,
    sourceBytes: Buffer.byteLength(code),
    onPrint: () => {},
    onCall: async (call) => {
      const { reply, record } = await bindings.perform(call.payload, caller)
      if (record !== undefined) calls++
      return reply
    },
  })
  if (end.kind === 'threw') return { ok: false, message: explainThrow(compiled.program, end).message, calls }
  if (end.kind !== 'completed') return { ok: false, message: end.kind, calls }
  const outcome = readOutcome(compiled.program, end.payload)
  return { ok: outcome.ok, message: outcome.ok ? '' : outcome.diagnostic.message, calls }
}

/**
 * The programs, short and without calls, that run to their end without the check. All run in one guest, one after
 * another.
 */
export async function runningUnchecked(
  sandbox: Sandbox,
  programs: readonly string[],
  strict: boolean,
): Promise<readonly string[]> {
  const compiled = programs.flatMap((code) => {
    const compilation = compile({ text: code, language: 'starlark' }, { foreign, dialect: { strict }, unchecked: true })
    return compilation.ok ? [{ code, program: compilation.program }] : []
  })
  const running: string[] = []
  // Programs of one image, and no more of them than may be sent.
  for (const image of new Set(compiled.map(({ program }) => program.image))) {
    const alike = compiled.filter(({ program }) => program.image === image)
    for (let from = 0; from < alike.length; from += 500) {
      const batch = alike.slice(from, from + 500)
      const thunks = batch.map(({ program }) => `() => ${program.code.trimEnd().replace(/;$/, '')}`)
      const code = `JSON.stringify([\n${thunks.join(',\n')}\n].map((run) => JSON.parse(run()).ok))`
      const end = await sandbox.run({
        image,
        code,
        limits: { cpuMs: 300_000 },
        onCall: () => Promise.reject(new Error('no calls here')),
      })
      if (end.kind !== 'completed') throw new Error(JSON.stringify(end))
      const ran = JSON.parse(end.payload) as readonly boolean[]
      expect(ran.length).toBe(batch.length)
      running.push(...batch.filter((_, i) => ran[i]).map((one) => one.code))
    }
  }
  return running
}

/** The messages of the check about a program; empty if it may run. */
export function refusals(code: string, strict = false): readonly string[] {
  const compiled = compile({ text: code, language: 'starlark' }, { foreign, dialect: { strict } })
  return compiled.ok ? [] : compiled.diagnostics.map((diagnostic) => `${diagnostic.code}: ${diagnostic.message}`)
}

/** Is the program refused by the check alone? */
export function isRefusedByCheck(code: string, strict = false): boolean {
  const options = { foreign, dialect: { strict } }
  const program = { text: code, language: 'starlark' as const }
  return !compile(program, options).ok && compile(program, { ...options, unchecked: true }).ok
}
