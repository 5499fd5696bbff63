// A store in Redis. Each run is a hash, and its ledger another one. Sorted sets have the names of runs in the order of
// lists: of all runs, of those in a state, of an owner, and of both.
//
// Sizes of values are computed here, in the same characters as elsewhere, so their change is conditional on what was
// read.

import { randomUUID } from 'node:crypto'
import { DiagnosticError } from '../../diagnostics/index.js'
import { type Holder, thisProcess } from '../holder.js'
import { storeUnusable } from '../messages.js'
import {
  changedValues,
  charactersOf,
  type KeptEntry,
  type KeptRun,
  type KeptValues,
  type RunPageWanted,
  type RunState,
  type Store,
  type StoreBounds,
  type ValueBounds,
  type ValueChanges,
} from '../store.js'
import type { RedisConnection, Script } from './connection.js'

type Row = readonly (string | null)[]

/** As many runs are read in one step. */
const RUNS_AT_ONCE = 100

export class RedisStore implements Store {
  readonly holder: Holder
  readonly #connection: RedisConnection
  readonly #scripts: Readonly<
    Record<keyof typeof SCRIPTS, (...given: readonly (string | number)[]) => Promise<unknown>>
  >

  constructor(connection: RedisConnection) {
    this.#connection = connection
    this.holder = { ...thisProcess, processId: connection.processId }
    const scripts = Object.entries(SCRIPTS).map(([name, lua]) => {
      const run = connection.script({ name, keys: 0, lua } satisfies Script)
      return [name, (...given: readonly (string | number)[]) => run([connection.prefix, ...given])]
    })
    this.#scripts = Object.fromEntries(scripts)
  }

  now(): number {
    return this.#connection.now()
  }

  async isAlive({ processId }: Holder): Promise<boolean> {
    return processId !== undefined && this.#connection.isAlive(processId)
  }

  async begin(run: Omit<KeptRun, 'revision'>): Promise<KeptRun> {
    const { id, owner, state, changedAt, body } = run
    const isNew = await this.#scripts.beginRun(id, owner, state, changedAt, body, this.#connection.processId)
    if (isNew !== 1) throw new DiagnosticError(storeUnusable(this.#connection.shown, `it already has a run ${id}`))
    return { ...run, revision: 1 }
  }

  async change(run: KeptRun): Promise<KeptRun | undefined> {
    const { id, owner, state, changedAt, body, revision } = run
    const isChanged = await this.#scripts.changeRun(id, owner, state, changedAt, body, randomUUID(), revision)
    return isChanged === 1 ? { ...run, revision: revision + 1 } : undefined
  }

  async run(id: string): Promise<KeptRun | undefined> {
    return (await this.#read([id]))[0]
  }

  async runs(state?: RunState): Promise<readonly KeptRun[]> {
    const ids = await this.#connection.do((client) => client.zrange(this.#index({ state }), 0, '-1'))
    const runs: KeptRun[] = []
    for (let from = 0; from < ids.length; from += RUNS_AT_ONCE)
      runs.push(...(await this.#read(ids.slice(from, from + RUNS_AT_ONCE))))
    // Some may have changed since their names were read.
    return runs.filter((run) => state === undefined || run.state === state)
  }

  async page({ limit, owner, state, before }: RunPageWanted): Promise<readonly KeptRun[]> {
    const from = before === undefined ? '-inf' : -before.changedAt
    const rows = await this.#scripts.pageOfRuns(this.#index({ state, owner }), limit, from, before?.id ?? '')
    return (rows as readonly Row[]).flatMap((row) => runIn(row) ?? [])
  }

  async note(id: string, entries: readonly KeptEntry[], revision: number): Promise<boolean> {
    // One argument: a long ledger has more entries than a call may have arguments.
    const flat = entries.flatMap(({ place, text }) => [String(place), text])
    return (await this.#scripts.noteEntries(id, revision, JSON.stringify(flat))) === 1
  }

  async entries(id: string): Promise<readonly KeptEntry[]> {
    const ledger = await this.#connection.do((client) => client.hgetall(this.#connection.key('ledger', id)))
    return Object.entries(ledger)
      .map(([place, text]) => ({ place: Number(place), text }))
      .sort((a, b) => a.place - b.place)
  }

  async values(owner: string): Promise<KeptValues> {
    return (await this.#valuesOf(owner)).values
  }

  async keepValues(owner: string, changes: ValueChanges, bounds: ValueBounds): Promise<KeptValues | undefined> {
    const given = [...changes].flatMap(([key, text = '']) => [key, text])
    for (;;) {
      const { values, version } = await this.#valuesOf(owner)
      const kept = changedValues(values, changes, bounds)
      if (kept === undefined) return undefined
      const size = charactersOf(kept)
      if ((await this.#scripts.keepValues(owner, version, size, bounds.allCharacters, ...given)) === 1) return kept
    }
  }

  async makeRoom({ since, maxBytes }: StoreBounds): Promise<void> {
    while ((await this.#scripts.makeRoomForRuns(since, maxBytes)) === 1);
  }

  /** The connection is its opener's. */
  async close(): Promise<void> {}

  async #read(ids: readonly string[]): Promise<KeptRun[]> {
    const rows = await Promise.all(
      ids.map((id) =>
        this.#connection.do((client) =>
          client.hmget(this.#connection.key('run', id), 'owner', 'state', 'changedAt', 'revision', 'body'),
        ),
      ),
    )
    return rows.flatMap((row, i) => runIn([ids[i]!, ...row]) ?? [])
  }

  async #valuesOf(owner: string): Promise<{ readonly values: KeptValues; readonly version: string }> {
    const [version, flat] = (await this.#scripts.readValues(owner)) as readonly [string, readonly string[]]
    const values = new Map<string, string>()
    for (let i = 0; i < flat.length; i += 2) values.set(flat[i]!, flat[i + 1]!)
    return { values: new Map([...values].sort(([a], [b]) => (a < b ? -1 : 1))), version }
  }

  #index({ state, owner }: { readonly state?: RunState | undefined; readonly owner?: string | undefined }): string {
    return this.#connection.key('runs', state ?? 'all', ...(owner === undefined ? [] : [owner]))
  }
}

function runIn([id, owner, state, changedAt, revision, body]: Row): KeptRun | undefined {
  if (body === null || body === undefined) return undefined
  return {
    id: id!,
    owner: owner!,
    state: state as RunState,
    changedAt: Number(changedAt),
    revision: Number(revision),
    body,
  }
}

/** The functions of the scripts on runs. The first argument of each is the prefix, and the second the run. */
const OF_RUNS = `
local prefix = ARGV[1]
local function run(id) return prefix .. ':run:' .. id end
local function ledger(id) return prefix .. ':ledger:' .. id end
local held = prefix .. ':runs-bytes'
local function indexes(owner, state)
  local all = prefix .. ':runs:'
  return {all .. 'all', all .. state, all .. 'all:' .. owner, all .. state .. ':' .. owner}
end
local function enter(id, owner, state, changedAt)
  for _, index in ipairs(indexes(owner, state)) do redis.call('ZADD', index, '-' .. changedAt, id) end
end
local function leave(id, owner, state)
  for _, index in ipairs(indexes(owner, state)) do redis.call('ZREM', index, id) end
end
local function grow(id, bytes)
  redis.call('HINCRBY', run(id), 'bytes', bytes)
  redis.call('INCRBY', held, bytes)
end
`

/** The keys of values. The first argument of each script is the prefix, and the second the owner. */
const OF_VALUES = `
local prefix, owner = ARGV[1], ARGV[2]
local function values(of) return prefix .. ':values-of:' .. of end
local order, sizes, held = prefix .. ':values-order', prefix .. ':values-sizes', prefix .. ':values-characters'
local version = redis.call('ZSCORE', order, owner) or ''
`

// A token tells a repeated command from the command of another process.
const SCRIPTS = {
  beginRun: `${OF_RUNS}
local _, id, owner, state, changedAt, body, token = unpack(ARGV)
local before = redis.call('HMGET', run(id), 'token', 'revision')
if before[1] then return (before[1] == token or before[2] ~= '1') and 1 or 0 end
redis.call('HSET', run(id), 'owner', owner, 'state', state, 'changedAt', changedAt, 'revision', 1, 'body', body,
  'token', token)
enter(id, owner, state, changedAt)
grow(id, #body)
return 1`,
  changeRun: `${OF_RUNS}
local _, id, owner, state, changedAt, body, token, revision = unpack(ARGV)
local before = redis.call('HMGET', run(id), 'token', 'revision', 'owner', 'state')
if before[1] == token then return 1 end
if before[2] ~= revision then return 0 end
local grown = #body - redis.call('HSTRLEN', run(id), 'body')
leave(id, before[3], before[4])
redis.call('HSET', run(id), 'owner', owner, 'state', state, 'changedAt', changedAt, 'revision', revision + 1,
  'body', body, 'token', token)
enter(id, owner, state, changedAt)
grow(id, grown)
return 1`,
  noteEntries: `${OF_RUNS}
local id, revision = ARGV[2], ARGV[3]
if redis.call('HGET', run(id), 'revision') ~= revision then return 0 end
local grown, entries = 0, cjson.decode(ARGV[4])
for i = 1, #entries, 2 do
  grown = grown + #entries[i + 1] - redis.call('HSTRLEN', ledger(id), entries[i])
  redis.call('HSET', ledger(id), entries[i], entries[i + 1])
end
grow(id, grown)
return 1`,
  pageOfRuns: `${OF_RUNS}
local _, index, limit, from, after = unpack(ARGV)
local rows, read = {}, 0
while #rows < tonumber(limit) do
  local ids = redis.call('ZRANGEBYSCORE', index, from, '+inf', 'WITHSCORES', 'LIMIT', read, 100)
  if #ids == 0 then return rows end
  read = read + #ids / 2
  for i = 1, #ids, 2 do
    local id = ids[i]
    if #rows < tonumber(limit) and (after == '' or tonumber(ids[i + 1]) > tonumber(from) or id > after) then
      local found = redis.call('HMGET', run(id), 'owner', 'state', 'changedAt', 'revision', 'body')
      rows[#rows + 1] = {id, unpack(found)}
    end
  end
end
return rows`,
  makeRoomForRuns: `${OF_RUNS}
local _, since, maxBytes = unpack(ARGV)
for _ = 1, 100 do
  local id = redis.call('ZREVRANGE', prefix .. ':runs:ended', 0, 0)[1]
  if not id then return 0 end
  local found = redis.call('HMGET', run(id), 'owner', 'changedAt', 'bytes')
  local isOver = tonumber(redis.call('GET', held)) > tonumber(maxBytes)
  if tonumber(found[2]) >= tonumber(since) and not isOver then return 0 end
  leave(id, found[1], 'ended')
  redis.call('UNLINK', run(id), ledger(id))
  redis.call('DECRBY', held, found[3])
end
return 1`,
  readValues: `${OF_VALUES}
return {version, redis.call('HGETALL', values(owner))}`,
  keepValues: `${OF_VALUES}
local size, most = tonumber(ARGV[4]), tonumber(ARGV[5])
if version ~= ARGV[3] then return 0 end
for i = 6, #ARGV, 2 do
  if ARGV[i + 1] == '' then redis.call('HDEL', values(owner), ARGV[i])
  else redis.call('HSET', values(owner), ARGV[i], ARGV[i + 1]) end
end
local all = redis.call('INCRBY', held, size - (redis.call('HGET', sizes, owner) or 0))
redis.call('HSET', sizes, owner, size)
redis.call('ZADD', order, redis.call('INCR', prefix .. ':values-changes'), owner)
local function drop(of)
  redis.call('UNLINK', values(of))
  redis.call('HDEL', sizes, of)
  redis.call('ZREM', order, of)
end
if size == 0 then drop(owner) end
while all > most do
  local oldest = redis.call('ZRANGE', order, 0, 0)[1]
  if not oldest or oldest == owner then break end
  all = redis.call('DECRBY', held, redis.call('HGET', sizes, oldest))
  drop(oldest)
end
return 1`,
} as const
