// What Redis does in one step with the records of files.
//
// `of:OWNER` is a hash of an owner's records, each a place and the file's properties in JSON; its field ' ' has the
// number of the last change. `places` has the place of each digest, `uses` the number of records of each place. `sizes`
// and `bytes` count what each owner has, and all; `ages` orders all files by time. `garbage` has the places whose
// contents are to be removed, each with the moment from which on that may happen.
// Invariant: a script that is carried out twice leaves what it left the first time.

import type { Script } from '../connection.js'

const COMMON = `
local base, channel = KEYS[1], KEYS[2]
local owner, now = ARGV[1], ARGV[2]
local function key(name) return base .. ':' .. name end
local function of(one) return key('of:' .. one) end
local function partsOf(record) return string.match(record, '^(%S+) (.*)$') end
local touched = {}
local function drop(one, name)
  local record = redis.call('HGET', of(one), name)
  if not record then return end
  local place, json = partsOf(record)
  local file = cjson.decode(json)
  redis.call('HDEL', of(one), name)
  redis.call('ZREM', key('ages'), cjson.encode({one, name}))
  redis.call('DECRBY', key('bytes'), file.bytes)
  if tonumber(redis.call('ZINCRBY', key('sizes'), -file.bytes, one)) <= 0 and redis.call('HLEN', of(one)) <= 1 then
    redis.call('ZREM', key('sizes'), one)
  end
  if redis.call('HINCRBY', key('uses'), place, -1) <= 0 then
    redis.call('HDEL', key('uses'), place)
    redis.call('HDEL', key('places'), file.sha256)
    redis.call('ZADD', key('garbage'), now, place)
  end
  touched[one] = true
end
local function tell()
  for one in pairs(touched) do
    local change = redis.call('INCR', key('changes'))
    redis.call('HDEL', of(one), ' ')
    if redis.call('EXISTS', of(one)) == 1 then redis.call('HSET', of(one), ' ', change) end
    redis.call('PUBLISH', channel, change .. ' ' .. one)
  end
end
local function listed(known)
  local due = redis.call('ZCOUNT', key('garbage'), '-inf', now)
  local change = redis.call('HGET', of(owner), ' ') or ''
  if change == known then return {due} end
  local reply = {due, change}
  local all = redis.call('HGETALL', of(owner))
  for i = 1, #all, 2 do
    if all[i] ~= ' ' then reply[#reply + 1] = all[i + 1] end
  end
  return reply
end
`

/** OWNER, now, the last known change. Replies with the number of places to clear, and if something changed, the records. */
export const LIST: Script = { name: 'starbindFilesList', keys: 2, lua: `${COMMON} return listed(ARGV[3])` }

/** OWNER, now, names… */
export const REMOVE: Script = {
  name: 'starbindFilesRemove',
  keys: 2,
  lua: `${COMMON}
    for i = 3, #ARGV do drop(owner, ARGV[i]) end
    tell()
    return listed('none')`,
}

/**
 * OWNER, now, the place of the content or '', its digest, name, size, time, properties, the oldest time, the bounds of
 * all bytes, of the owner's bytes and of its files, and names to remove. Replies like LIST, or with 'content' if a place
 * is needed, or with 'late' if the content has been removed as a remains.
 */
export const PUT: Script = {
  name: 'starbindFilesPut',
  keys: 2,
  lua: `${COMMON}
    local given, sha256, name, bytes, keptAt, json = unpack(ARGV, 3, 8)
    local since, most, mostOwn, mostFiles = unpack(ARGV, 9, 12)
    local place = redis.call('HGET', key('places'), sha256)
    if not place then
      if given == '' then return {'content'} end
      if redis.call('ZREM', key('garbage'), given) == 0 then return {'late'} end
      place = given
      redis.call('HSET', key('places'), sha256, place)
    elseif given ~= '' and given ~= place then
      redis.call('ZADD', key('garbage'), now, given)
    end
    redis.call('HINCRBY', key('uses'), place, 1)
    drop(owner, name)
    for i = 13, #ARGV do drop(owner, ARGV[i]) end
    redis.call('HSET', of(owner), name, place .. ' ' .. json)
    redis.call('ZADD', key('ages'), keptAt, cjson.encode({owner, name}))
    redis.call('ZINCRBY', key('sizes'), bytes, owner)
    redis.call('INCRBY', key('bytes'), bytes)
    touched[owner] = true
    for _, member in ipairs(redis.call('ZRANGEBYSCORE', key('ages'), '-inf', '(' .. since, 'LIMIT', 0, 100)) do
      drop(unpack(cjson.decode(member)))
    end
    local function dropOldest(one)
      local oldest, at
      local all = redis.call('HGETALL', of(one))
      for i = 1, #all, 2 do
        if all[i] ~= ' ' then
          local _, record = partsOf(all[i + 1])
          local time = cjson.decode(record).keptAt
          if not at or time < at then oldest, at = all[i], time end
        end
      end
      if oldest then drop(one, oldest) end
      return oldest
    end
    local function has(counted, bound) return tonumber(counted or 0) > tonumber(bound) end
    local function isOver()
      local files = redis.call('HLEN', of(owner)) - redis.call('HEXISTS', of(owner), ' ')
      return has(redis.call('ZSCORE', key('sizes'), owner), mostOwn) or has(files, mostFiles)
    end
    while isOver() and dropOldest(owner) do end
    while has(redis.call('GET', key('bytes')), most) do
      local largest = redis.call('ZREVRANGE', key('sizes'), 0, 0)[1]
      if not largest or not dropOldest(largest) then break end
    end
    tell()
    return listed('none')`,
}
