// An issue tracker in this process, which records its calls.

import type { OpenOptions, ServerEntry } from '../../dist/index.js'

export interface Tracker {
  readonly calls: string[]
  readonly servers: NonNullable<OpenOptions['servers']>
}

/** `slow`: what calls of `slow` wait for. */
export function tracker(slow: () => Promise<unknown> = async () => {}): Tracker {
  const calls: string[] = []
  const did = (name: string) => (args: Readonly<Record<string, unknown>>) => {
    calls.push(`${name} ${args.number ?? ''}`.trim())
    return name === 'list' ? [1, 2, 3] : { number: args.number ?? null }
  }
  const reads = { annotations: { readOnlyHint: true } }
  const number = { type: 'object', properties: { number: { type: 'integer' } } }
  const issues: ServerEntry = {
    inProcess: {
      list: { ...reads, call: did('list') },
      get: { ...reads, inputSchema: number, call: did('get') },
      fails: {
        ...reads,
        inputSchema: number,
        call: (args: Readonly<Record<string, unknown>>) => {
          did('fails')(args)
          throw new Error('no such issue')
        },
      },
      slow: {
        ...reads,
        inputSchema: number,
        call: async (args: Readonly<Record<string, unknown>>) => {
          await slow()
          return did('slow')(args)
        },
      },
      close: { inputSchema: number, call: did('close') },
      label: { annotations: { destructiveHint: false }, inputSchema: number, call: did('label') },
    },
  }
  return { calls, servers: { issues } }
}
