// Runs JavaScript programs in the real sandbox against two servers of this process, and records everything that can be
// observed.

import { afterAll } from 'vitest'
import {
  answering,
  atOnce,
  bindServers,
  exactText,
  type JsonSchema,
  readQuestion,
  type Tool,
  type ToolOutcome,
} from '../../../dist/bindings/index.js'
import { type Diagnostic, renderDiagnostics } from '../../../dist/diagnostics/index.js'
import { compile, explainThrow, readOutcome } from '../../../dist/interpreter/stages.js'
import { type Limits, openSandbox } from '../../../dist/sandbox/index.js'
import { noWorkersLeft } from '../../sandbox/leaks.js'

export interface Seen {
  readonly printed: readonly string[]
  /** The result as JSON, or as text where it is not JSON; undefined when there is none. */
  readonly result: string | undefined
  /** The failure in the form that a model reads. */
  readonly failure: string | undefined
  readonly warnings: string
  /** Tools with the arguments that reached them, in order. */
  readonly calls: readonly string[]
  /** The reach that the compiler reported. */
  readonly reach: string
}

function tool(name: string, properties: Record<string, JsonSchema> = {}, extra: Partial<Tool> = {}): Tool {
  const required = Object.keys(properties).filter((key) => !key.endsWith('?'))
  const plain = Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key.replace('?', ''), schema]))
  return { name, inputSchema: { type: 'object', properties: plain, required, additionalProperties: false }, ...extra }
}

const integer = { type: 'integer' } as const
const string = { type: 'string' } as const

export const bindings = bindServers([
  {
    name: 'db',
    tools: [
      tool('get_row', { id: integer, 'table?': string }),
      tool('list-rows', { 'limit?': integer, 'state?': { enum: ['open', 'closed'] } }),
      tool('fail'),
      tool('refuse', { 'id?': integer }),
      tool('meet', { count: integer }),
      tool('orders', {}, { outputSchema: ordersSchema() }),
      tool('stock', {}, { outputSchema: stockSchema() }),
      tool('big_ids'),
      tool('json_text'),
      tool('json_list'),
      tool('put', { value: {} }),
      tool('find', { filter: { type: 'object' } }),
      tool('note', { from: string, class: string }),
    ],
  },
  { name: 'other_server', tools: [tool('sayHello', { name: string })] },
])

function ordersSchema(): JsonSchema {
  const order = {
    type: 'object',
    properties: { id: integer, total: { type: 'number' }, customer: string },
    required: ['id', 'total'],
  }
  const result = { type: 'array', items: order }
  return { type: 'object', properties: { result }, required: ['result'] } as unknown as JsonSchema
}

function stockSchema(): JsonSchema {
  const place = { type: 'object', properties: { name: string }, required: ['name'], additionalProperties: false }
  const properties = { count: integer, place, places: { type: 'array', items: place } }
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false } as JsonSchema
}

const text = (words: string): ToolOutcome => ({ isError: false, content: [{ type: 'text', text: words }] })
const data = (structuredContent: unknown): ToolOutcome => ({ isError: false, content: [], structuredContent })

const orders = [
  { id: 1, total: 120.0, customer: 'Ada' },
  { id: 2, total: 19.99, customer: 'Grace' },
  { id: 3, total: 5 },
]

/** Answers calls of one run. */
class Upstream {
  readonly calls: string[] = []
  #waiting: (() => void)[] = []

  async call(server: string, name: string, args: Readonly<Record<string, unknown>>): Promise<ToolOutcome> {
    const sent = exactText(JSON.stringify(args))
    this.calls.push(`${server}.${name} ${sent}`)
    switch (name) {
      case 'get_row':
        return text(`row ${args.id} of ${args.table ?? 'main'}`)
      case 'list-rows':
        return data({ rows: ['a', 'b', 'c'].slice(0, (args.limit as number | undefined) ?? 3) })
      case 'fail':
        return { isError: true, content: [{ type: 'text', text: 'the disk is full' }] }
      case 'meet':
        return this.#meet(args.count as number)
      case 'orders':
        return data({ result: orders })
      case 'stock':
        return data({ count: 3, place: { name: 'cellar' }, places: [{ name: 'attic' }] })
      case 'big_ids':
        return text('{"ids": [9007199254740993, 12], "price": 120.0}')
      case 'json_text':
        return text('{"name": "widget",\n "tags": ["x", "y"]}')
      case 'json_list':
        return text('[{"n": 1}, {"n": 2}]')
      default:
        return text(`${name} done`)
    }
  }

  /** Answers only when this number of calls is pending at the same time. */
  #meet(count: number): Promise<ToolOutcome> {
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(text(`met ${count}`)))
      if (this.#waiting.length < count) return
      for (const answer of this.#waiting.splice(0)) answer()
    })
  }
}

export function world(): (program: string, limits?: Partial<Limits>) => Promise<Seen> {
  noWorkersLeft()
  // All the time there is, so that no program ends by it unless its test says so.
  const sandbox = openSandbox({ maxWorkers: 1, spareWorkers: 0, limits: { wallMs: 600_000, cpuMs: 300_000 } })
  afterAll(() => sandbox.close())
  // The bindings' own limit: the sandbox would not let their refusal pass.
  return async (source, { responseBytes = 1_000_000, ...limits } = {}) => {
    const said = (diagnostics: readonly Diagnostic[]) => renderDiagnostics(diagnostics, source)
    const compilation = compile({ text: source, language: 'javascript' }, { foreign: bindings.foreign })
    const nothing = { printed: [], result: undefined, warnings: '', calls: [], reach: '' }
    if (!compilation.ok) return { ...nothing, failure: said(compilation.diagnostics) }
    const { program, warnings } = compilation
    const upstream = new Upstream()
    const printed: string[] = []
    const end = await sandbox.run({
      image: program.image,
      code: program.code,
      limits,
      onPrint: (line) => printed.push(line),
      onCall: async ({ payload }, signal) => {
        const question = readQuestion(payload)
        if (question !== undefined) return atOnce(answering(question, bindings, { unavailable: {}, longestReply: 1e6 }))
        return (
          await bindings.perform(payload, upstream, { signal, limits: { responseBytes }, notation: 'typescript' })
        ).reply
      },
    })
    const { tools, widened } = program.reach
    const reach = [
      ...tools.map((one) => `${one.namespace}.${one.member}`),
      ...[widened].flat().map((one) => `${one}.*`),
    ]
    const seen = { printed, warnings: said(warnings), calls: upstream.calls, reach: reach.join(' '), result: undefined }
    if (end.kind === 'threw') return { ...seen, failure: said([explainThrow(program, end)]) }
    if (end.kind !== 'completed') return { ...seen, failure: JSON.stringify({ ...end, stats: undefined }) }
    const outcome = readOutcome(program, end.payload)
    if (!outcome.ok) return { ...seen, failure: said([outcome.diagnostic]) }
    return { ...seen, failure: undefined, result: outcome.result?.json ?? outcome.result?.text }
  }
}
