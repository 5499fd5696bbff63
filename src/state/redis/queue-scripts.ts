// The line in front of the workers, as scripts that Redis carries out in one step each. Callers take turns: of each caller
// only one run at a time is offered to the workers, as a job of BullMQ, which hands jobs out in the order in which they
// came. When a worker takes it, the caller's next run goes to the end. So a caller with many runs does not delay one with
// few, and a caller that has enough runs underway gets no turn.
//
// Keys, after the base:
//   run:RUN       hash: `owner`, `rank` (0 is first), `job` (the name of its latest job), `tries` (how often that was
//                 taken), `losses` (workers that ended while they carried the run out), `again` (somebody wants another
//                 look after that time), `lacks`, `lacksSince`, `refusals` (a server that workers did not have)
//   owned:OWNER   set: the caller's runs that are in the queue in any way
//   line:OWNER    sorted set: those that wait for the caller's turn, in order
//   active:OWNER  set: those that workers carry out
//   offered       hash: the run of each caller that is offered
//   waiting       sorted set: the runs of all callers that are in line or offered, by the time since when
//   due           sorted set: runs that enter the line at a later time
//   active        sorted set: runs that workers carry out, by the end of their lease
// Invariant: each script has the same effect when it is repeated.

import type { Script } from './connection.js'

// `offer` gives the name of the job that has to be among those of BullMQ, also if it has been added before. A process that
// ends before it adds the job leaves that to `look`.
const PARTS = `
local call, base = redis.call, KEYS[1]
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function key(kind, name) return base .. kind .. ':' .. name end
local function enter(id, owner)
  local place = call('INCR', base .. 'places')
  call('HSET', key('run', id), 'job', id .. '.' .. place)
  call('HDEL', key('run', id), 'tries')
  call('ZADD', key('line', owner), call('HGET', key('run', id), 'rank') * 1e13 + place, id)
  call('ZADD', base .. 'waiting', 'NX', now, id)
  call('ZREM', base .. 'due', id)
end
local function offer(owner)
  local id = call('HGET', base .. 'offered', owner)
  if not id then
    if call('SCARD', key('active', owner)) >= tonumber(ARGV[1]) then return false end
    id = call('ZPOPMIN', key('line', owner))[1]
    if not id then return false end
    call('HSET', base .. 'offered', owner, id)
  end
  return call('HGET', key('run', id), 'job')
end
`

const script = (name: string, lua: string): Script => ({ name: `starbind-${name}`, keys: 1, lua: PARTS + lua })

/** Arguments of each: the most runs of a caller underway, and those below. */
export const queueScripts = {
  /** run, owner, rank, delay in ms, the most runs of the owner that wait or 0 → `full`, or the job to add. */
  put: script(
    'put',
    `
local id, owner, delay, bound = ARGV[2], ARGV[3], tonumber(ARGV[5]), tonumber(ARGV[6])
local run = key('run', id)
if call('EXISTS', run) == 0 then
  local waiting = call('SCARD', key('owned', owner)) - call('SCARD', key('active', owner))
  if bound > 0 and waiting >= bound then return 'full' end
  call('HSET', run, 'owner', owner, 'rank', ARGV[4])
  call('SADD', key('owned', owner), id)
end
if call('ZSCORE', base .. 'active', id) then call('HSET', run, 'again', delay)
elseif not call('ZSCORE', base .. 'waiting', id) then
  if delay > 0 then call('ZADD', base .. 'due', 'LT', now + delay, id) else enter(id, owner) end
end
return offer(owner)`,
  ),
  /** run, job, how often the job was taken, lease in ms → nothing if the job is not the run's, or owner, losses, job. */
  take: script(
    'take',
    `
local id, tries = ARGV[2], tonumber(ARGV[4])
local run = key('run', id)
local owner = call('HGET', run, 'owner')
if not owner or call('HGET', run, 'job') ~= ARGV[3] then return {} end
if tries > tonumber(call('HGET', run, 'tries') or '0') then
  call('HSET', run, 'tries', tries)
  if tries > 1 then call('HINCRBY', run, 'losses', 1) end
end
if call('HGET', base .. 'offered', owner) == id then call('HDEL', base .. 'offered', owner) end
call('ZREM', base .. 'waiting', id)
call('ZADD', base .. 'active', now + ARGV[5], id)
call('SADD', key('active', owner), id)
return { owner, call('HGET', run, 'losses') or '0', offer(owner) }`,
  ),
  /** run, job, owner, delay in ms or nothing if the run is over, the server that the worker lacks or nothing → job. */
  leave: script(
    'leave',
    `
local id, owner, delay, lacks = ARGV[2], ARGV[4], ARGV[5], ARGV[6]
local run = key('run', id)
if call('HGET', run, 'job') == ARGV[3] and call('ZREM', base .. 'active', id) == 1 then
  call('SREM', key('active', owner), id)
  delay = call('HGET', run, 'again') or delay
  call('HDEL', run, 'again')
  if lacks == '' then call('HDEL', run, 'lacks', 'lacksSince', 'refusals')
  else
    call('HSET', run, 'lacks', lacks)
    call('HSETNX', run, 'lacksSince', now)
    delay = math.min(call('HINCRBY', run, 'refusals', 1), 10) * delay
  end
  if delay == '' then
    call('DEL', run)
    call('SREM', key('owned', owner), id)
  elseif tonumber(delay) > 0 then call('ZADD', base .. 'due', now + delay, id)
  else enter(id, owner) end
end
return offer(owner)`,
  ),
  /**
   * the beginning of the keys of BullMQ's jobs, the time in ms in which one process looks, lease in ms, the runs that this
   * process carries out → the jobs that are missing there.
   */
  look: script(
    'look',
    `
for i = 5, #ARGV do call('ZADD', base .. 'active', 'XX', now + ARGV[4], ARGV[i]) end
if not call('SET', base .. 'looked', '', 'NX', 'PX', ARGV[3]) then return {} end
local owners = {}
for _, id in ipairs(call('ZRANGEBYSCORE', base .. 'due', '-inf', now, 'LIMIT', 0, 100)) do
  local owner = call('HGET', key('run', id), 'owner')
  enter(id, owner)
  owners[owner] = true
end
for _, id in ipairs(call('ZRANGEBYSCORE', base .. 'active', '-inf', now, 'LIMIT', 0, 100)) do
  local owner = call('HGET', key('run', id), 'owner')
  call('ZREM', base .. 'active', id)
  call('SREM', key('active', owner), id)
  call('HINCRBY', key('run', id), 'losses', 1)
  enter(id, owner)
  owners[owner] = true
end
for owner in pairs(owners) do offer(owner) end
local missing = {}
for _, id in ipairs(call('HVALS', base .. 'offered')) do
  local job = call('HGET', key('run', id), 'job')
  if call('EXISTS', ARGV[2] .. job) == 0 then table.insert(missing, job) end
end
return missing`,
  ),
}
