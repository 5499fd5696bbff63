// The latest texts under names, in Redis: a list, and the number of its bytes.

import type { JournalBounds, Journals } from '../shared-state.js'
import type { RedisConnection } from './connection.js'

const ADD = `
redis.call('RPUSH', KEYS[1], ARGV[1])
local bytes = redis.call('INCRBY', KEYS[2], #ARGV[1])
while redis.call('LLEN', KEYS[1]) > tonumber(ARGV[2]) or bytes > tonumber(ARGV[3]) do
  local oldest = redis.call('LPOP', KEYS[1])
  if not oldest then redis.call('SET', KEYS[2], 0) break end
  bytes = redis.call('DECRBY', KEYS[2], #oldest)
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
`

export class RedisJournals implements Journals {
  readonly #connection: RedisConnection
  readonly #add: (keysAndArguments: readonly (string | number)[]) => Promise<unknown>

  constructor(connection: RedisConnection) {
    this.#connection = connection
    this.#add = connection.script({ name: 'starbindJournal', keys: 2, lua: ADD })
  }

  async add(name: string, text: string, { most, mostBytes, ttlMs }: JournalBounds): Promise<void> {
    const key = this.#connection.key('journal', name)
    await this.#add([key, `${key}:bytes`, text, most, mostBytes, ttlMs])
  }

  read(name: string): Promise<readonly string[]> {
    return this.#connection.do((client) => client.lrange(this.#connection.key('journal', name), 0, -1))
  }
}
