// Traces in Redis. Each is a hash; a sorted set has their names in the order of their last changes.

import type { KeptTrace, TraceBounds, TraceStore, WholeTrace } from '../traces.js'
import type { RedisConnection } from './connection.js'

type Row = readonly (string | null)[]
type ScriptOfTraces = (keysAndArguments: readonly (string | number)[]) => Promise<unknown>

export class RedisTraces implements TraceStore {
  readonly #connection: RedisConnection
  readonly #keep: ScriptOfTraces
  readonly #all: ScriptOfTraces
  readonly #remove: ScriptOfTraces

  constructor(connection: RedisConnection) {
    this.#connection = connection
    this.#keep = connection.script({ name: 'keepTrace', keys: 0, lua: KEEP })
    this.#all = connection.script({ name: 'allTraces', keys: 0, lua: ALL })
    this.#remove = connection.script({ name: 'removeTrace', keys: 0, lua: REMOVE })
  }

  async keep(trace: WholeTrace, { since, maxTraces, maxCharacters }: TraceBounds): Promise<boolean> {
    const { id, owner, changedAt, facts, messages } = trace
    const { prefix } = this.#connection
    const size = facts.length + messages.length
    const bounds = [since, maxTraces, maxCharacters]
    return (await this.#keep([prefix, id, owner, changedAt, facts, messages, size, ...bounds])) === 1
  }

  async all(): Promise<readonly KeptTrace[]> {
    return ((await this.#all([this.#connection.prefix])) as readonly Row[]).map(traceIn)
  }

  async named(id: string): Promise<WholeTrace | undefined> {
    const [owner, changedAt, facts, messages] = await this.#connection.do((client) =>
      client.hmget(this.#connection.key('trace', id), 'owner', 'changedAt', 'facts', 'messages'),
    )
    return messages == null ? undefined : { ...traceIn([id, owner!, changedAt!, facts!]), messages }
  }

  async remove(id: string, owner: string): Promise<void> {
    await this.#remove([this.#connection.prefix, id, owner])
  }

  /** The connection is its opener's. */
  async close(): Promise<void> {}
}

function traceIn([id, owner, changedAt, facts]: Row): KeptTrace {
  return { id: id!, owner: owner!, changedAt: Number(changedAt), facts: facts! }
}

/** The first argument of each script is the prefix. */
const OF_TRACES = `
local prefix = ARGV[1]
local order, held = prefix .. ':traces', prefix .. ':traces-characters'
local function trace(id) return prefix .. ':trace:' .. id end
local function drop(id)
  redis.call('DECRBY', held, redis.call('HGET', trace(id), 'size') or 0)
  redis.call('UNLINK', trace(id))
  redis.call('ZREM', order, id)
end
`

const KEEP = `${OF_TRACES}
local _, id, owner, changedAt, facts, messages, size, since, maxTraces, maxCharacters = unpack(ARGV)
local before = redis.call('HGET', trace(id), 'owner')
if before and before ~= owner then return 0 end
drop(id)
redis.call('HSET', trace(id), 'owner', owner, 'changedAt', changedAt, 'facts', facts, 'messages', messages, 'size', size)
redis.call('ZADD', order, redis.call('INCR', prefix .. ':traces-changes'), id)
redis.call('INCRBY', held, size)
while true do
  local oldest = redis.call('ZRANGE', order, 0, 0)[1]
  if not oldest then break end
  local isOver = redis.call('ZCARD', order) > tonumber(maxTraces)
    or tonumber(redis.call('GET', held)) > tonumber(maxCharacters)
  if not isOver and tonumber(redis.call('HGET', trace(oldest), 'changedAt')) >= tonumber(since) then break end
  drop(oldest)
end
return 1`

const ALL = `${OF_TRACES}
local rows = {}
for i, id in ipairs(redis.call('ZREVRANGE', order, 0, -1)) do
  rows[i] = {id, unpack(redis.call('HMGET', trace(id), 'owner', 'changedAt', 'facts'))}
end
return rows`

const REMOVE = `${OF_TRACES}
if redis.call('HGET', trace(ARGV[2]), 'owner') == ARGV[3] then drop(ARGV[2]) end
return 1`
