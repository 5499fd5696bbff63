// What the processes of one deployment keep in one Redis or Valkey.

import type { Bucket } from '../owned-files.js'
import type { QueueBounds } from '../run-queue.js'
import type { Deployment, RedisAddress } from '../shared-state.js'
import { RedisConnection } from './connection.js'
import { type Contents, FolderContents, RedisContents } from './files/contents.js'
import { RedisShelf } from './files/redis-shelf.js'
import { RedisDocuments } from './redis-documents.js'
import { RedisJournals } from './redis-journals.js'
import { RedisLocks } from './redis-locks.js'
import { RedisQueue } from './redis-queue.js'
import { RedisRates } from './redis-rates.js'
import { RedisSettings } from './redis-settings.js'
import { RedisStore } from './redis-store.js'
import { RedisTraces } from './redis-traces.js'

/** Rejects with a DiagnosticError if the store can't be reached, or a newer starbind wrote it. */
export async function openRedis(
  address: RedisAddress,
  { runsAtOnce = 16, runsWaiting = 1000 }: Partial<QueueBounds> = {},
): Promise<Deployment> {
  const connection = await RedisConnection.open(address)
  const settings = new RedisSettings(connection)
  return {
    store: new RedisStore(connection),
    traces: new RedisTraces(connection),
    documents: new RedisDocuments(connection),
    channels: connection,
    journals: new RedisJournals(connection),
    rates: new RedisRates(connection),
    locks: new RedisLocks(connection),
    queue: new RedisQueue(connection, { runsAtOnce, runsWaiting }),
    openFiles: async (place, bounds) =>
      RedisShelf.open(connection, { ...bounds, contents: await contentsIn(place, connection) }),
    processId: connection.processId,
    isAlive: (processId) => connection.isAlive(processId),
    isReachable: () => connection.isReachable,
    compareSettings: (digests) => settings.compare(digests),
    differentSettings: () => settings.differences,
    now: () => connection.now(),
    close: async () => {
      await settings.close()
      await connection.close()
    },
  }
}

async function contentsIn(place: string | Bucket | undefined, connection: RedisConnection): Promise<Contents> {
  if (place === undefined) return new RedisContents(connection)
  if (typeof place === 'string') return new FolderContents(place)
  const { BucketContents } = await import('./files/bucket-contents.js')
  return new BucketContents(place)
}
