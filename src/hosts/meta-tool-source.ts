import type { Answer, CallOptions, Session } from '../index.js'

/** A CodeMode or one of its sessions. */
export type MetaToolSource = Pick<Session, 'tools' | 'call'>

/** One call of a model, with its arguments as an object or as JSON text. */
export interface RawCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>> | string
}

/** How calls are read from the items of a model's reply, and answers written. Without `isCall` each item is a call. */
interface Shape<C, R> {
  readonly isCall?: (item: C) => boolean
  readonly read: (call: C) => RawCall
  readonly write: (call: C, answer: Answer) => R
}

/** Makes the calls concurrently and returns the answers in the order of the calls. */
export function answering<C, R>(source: MetaToolSource, { isCall = () => true, read, write }: Shape<C, R>) {
  return (items: readonly C[] | null | undefined, options: CallOptions = {}): Promise<R[]> =>
    Promise.all(
      (items ?? []).filter(isCall).map(async (call) => {
        const { name, args } = read(call)
        return write(call, await source.call(name, args, options))
      }),
    )
}
