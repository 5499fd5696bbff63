// Reads the stored ledgers of runs.

import type { ForeignError, ForeignReply } from '../../interpreter/index.js'
import type { Store } from '../../state/index.js'
import type { CallWanted, KeptContents } from './kept-run-facts.js'
import type { LedgerEntry } from './run-ledger.js'

/** So much of a ledger is read in one turn of the event loop. */
const TURN_CHARACTERS = 1_000_000

/** Reads a ledger, in several turns of the event loop if it is long. */
export async function ledgerOf(store: Store, id: string): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = []
  let characters = 0
  for (const { text } of await store.entries(id)) {
    characters += text.length
    if (characters > TURN_CHARACTERS) {
      characters = 0
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    entries.push(JSON.parse(text) as LedgerEntry)
  }
  return entries
}

/** The contents of one call, as far as they are kept. */
export async function contentsIn(
  store: Store,
  id: string,
  { server, tool, argumentDigest, nth }: CallWanted,
): Promise<KeptContents> {
  const found = (await store.entries(id))
    .filter(({ text }) => text.includes(argumentDigest))
    .map(({ text }) => JSON.parse(text) as LedgerEntry)
    .filter(({ call }) => call?.server === server && call.tool === tool && call.argumentDigest === argumentDigest)
  const { call, reply } = found[Math.min(nth, found.length - 1)] ?? {}
  return { arguments: call?.argumentText ?? null, answer: reply === undefined ? null : wordsOf(reply) }
}

/** The reply to a program, for people. */
function wordsOf(reply: ForeignReply): string {
  const text = reply.slice(1)
  return reply[0] === 'E' ? (JSON.parse(text) as ForeignError).message : text
}
