// A server whose tools end only when a test lets them, so that what overlaps is seen and not timed.

import type { RunContext, RunOptions, RunResult } from '../../dist/meta-tools/index.js'
import { bench, failure, structured } from './bench.js'

const reads = { annotations: { readOnlyHint: true } }

/**
 * Tools that wait for each other: the first calls until as many are underway as the first of `sizes` says, and so on.
 * Without sizes each waits a while for others to come; with `started` all wait until so many calls have been told of.
 * `run` tells which calls were underway together.
 */
export function stage(more: Partial<RunContext> = {}) {
  let sizes: readonly number[] | undefined
  const groups: string[][] = []
  let open: { readonly name: string; readonly end: () => void }[] = []
  let timer: NodeJS.Immediate | undefined
  /** Ends all calls once the program makes no more of them for a while. */
  const later = (turns: number): void => {
    clearImmediate(timer)
    timer = setImmediate(() => (turns > 0 ? later(turns - 1) : endAll()))
  }
  const endAll = (): void => {
    const ending = open
    open = []
    groups.push(ending.map(({ name }) => name))
    for (const { end } of ending) end()
  }
  const call = (tool: string) => async (args: Readonly<Record<string, unknown>>) => {
    await new Promise<void>((end) => {
      open.push({ name: `${tool} ${args.id}`, end })
      if (sizes === undefined) later(300)
      else if (open.length >= (sizes[groups.length] ?? 1)) endAll()
    })
    return args.id === 13 ? failure('unlucky') : structured({ id: args.id ?? null, name: `n${args.id}` })
  }
  const made = bench(
    {
      get: { ...reads, answers: call('get') },
      find: { ...reads, answers: call('find') },
      put: { answers: call('put') },
    },
    { readsAhead: (_server, tool) => tool.annotations?.readOnlyHint === true, ...more },
  )
  const run = async (
    code: string,
    { together, started, ...options }: RunOptions & { together?: readonly number[]; started?: number } = {},
  ): Promise<{ groups: string[][]; result: RunResult }> => {
    groups.length = 0
    sizes = started === undefined ? together : [Number.POSITIVE_INFINITY]
    let waitedFor = started
    const onEvent: RunOptions['onEvent'] = (event) => {
      if (event.type === 'call.started' && waitedFor !== undefined && --waitedFor === 0) setImmediate(endAll)
    }
    // What waits for calls that never come ends by this limit, and the test fails.
    const result = await made.run(code, { limits: { wallMs: 200_000 }, onEvent, ...options })
    return { groups: [...groups], result }
  }
  return { ...made, run }
}
