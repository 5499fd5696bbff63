import type { Answer, CallOptions, Session } from '../index.js'

/** A CodeMode or one of its sessions. */
export type MetaToolSource = Pick<Session, 'tools' | 'call'>

/** One call of a model, with its arguments as an object or as JSON text. */
export interface RawCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>> | string
}

/** Makes the calls concurrently and returns the answers in the order of the calls. */
export function answerAll<C, R>(
  source: MetaToolSource,
  calls: readonly C[],
  shape: { readonly read: (call: C) => RawCall; readonly write: (call: C, answer: Answer) => R },
  options: CallOptions,
): Promise<R[]> {
  return Promise.all(
    calls.map(async (call) => {
      const { name, args } = shape.read(call)
      return shape.write(call, await source.call(name, args, options))
    }),
  )
}
