/**
 * The counters' operations as Lua scripts, which Redis runs one at a time. Keys, for an owner:
 * `m:` a hash of the running minute {used, reserved, started, used:P and reserved:P of each priority P with a share, and
 * call:ID of each call that has its share and not ended, so that an end that is told twice, or of a call that began in a
 * minute that is over, counts once or not at all, and told:ID of each use that was told later}; `p:` a hash of running calls, id to expiry, so that a replica that died
 * does not hold its share for ever; a replica renews those of its calls that go on.
 */

const SHARED = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function running(key)
  local calls = 0
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    if tonumber(all[i + 1]) <= now then redis.call('HDEL', key, all[i]) else calls = calls + 1 end
  end
  return calls
end
local function hasRoom(kind, limit, amount, used, reserved)
  if limit <= 0 then return false end
  return (kind == 'tokens' and reserved <= 0 and used < limit) or used + amount <= limit
end
local function field(key, name) return tonumber(redis.call('HGET', key, name) or '0') end
`;

/**
 * ARGV: call id, lease, minute, then for each key kind, limit, amount, and of its priority's share 0 or 1 for one that it
 * has, the priority, its limit, and above what it holds.
 * KEYS: one for each claim.
 * Returns {1, remaining and resetIn of each...} or {0, index, remaining, resetIn, 1 where the share is full}.
 */
export const CLAIM_SCRIPT = `${SHARED}
local id, lease, minute = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local answer = {1}
local function claimOf(i)
  local at = 3 + (i - 1) * 7
  return ARGV[at + 1], tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
end
local function shareOf(i)
  local at = 6 + (i - 1) * 7
  return ARGV[at + 1] == '1', ARGV[at + 2], tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4])
end
local function refusal(i, remaining, byShare)
  return {0, i, tostring(math.max(0, remaining)), math.max(1, redis.call('PTTL', KEYS[i])), byShare}
end
for i = 1, #KEYS do
  local kind, limit, amount = claimOf(i)
  if kind == 'parallel' then
    if running(KEYS[i]) >= limit then return {0, i, '0', 1000, 0} end
  else
    local used, reserved = field(KEYS[i], 'used'), field(KEYS[i], 'reserved')
    if not hasRoom(kind, limit, amount, used, reserved) then return refusal(i, limit - used, 0) end
    local shared, priority, part, above = shareOf(i)
    if shared and used + amount > above then
      local usedOf, reservedOf = field(KEYS[i], 'used:' .. priority), field(KEYS[i], 'reserved:' .. priority)
      if not hasRoom(kind, part, amount, usedOf, reservedOf) then return refusal(i, part - usedOf, 1) end
    end
  end
end
for i = 1, #KEYS do
  local kind, limit, amount = claimOf(i)
  local counter = KEYS[i]
  local remaining, reset = 0, 0
  if kind == 'parallel' then
    redis.call('HSET', counter, id, now + lease)
    redis.call('PEXPIRE', counter, lease)
    remaining = limit - running(counter)
  else
    if redis.call('HSETNX', counter, 'started', now) == 1 then redis.call('PEXPIRE', counter, minute) end
    redis.call('HSET', counter, 'call:' .. id, 1)
    remaining = limit - tonumber(redis.call('HINCRBYFLOAT', counter, 'used', amount))
    if kind == 'tokens' then redis.call('HINCRBYFLOAT', counter, 'reserved', amount) end
    local shared, priority = shareOf(i)
    if shared then
      redis.call('HINCRBYFLOAT', counter, 'used:' .. priority, amount)
      if kind == 'tokens' then redis.call('HINCRBYFLOAT', counter, 'reserved:' .. priority, amount) end
    end
    reset = redis.call('PTTL', counter)
  end
  table.insert(answer, tostring(math.max(0, remaining)))
  table.insert(answer, reset)
end
return answer
`;

/**
 * ARGV: call id, then for each claim kind, amount, actual, 0 or 1 for a share of its priority, the priority.
 * KEYS: as above.
 */
export const FINISH_SCRIPT = `${SHARED}
local id = ARGV[1]
for i = 1, #KEYS do
  local at = 1 + (i - 1) * 5
  local kind, amount, actual = ARGV[at + 1], tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  local counter = KEYS[i]
  if kind == 'parallel' then
    redis.call('HDEL', counter, id)
  elseif redis.call('HDEL', counter, 'call:' .. id) == 1 then
    redis.call('HINCRBYFLOAT', counter, 'used', actual - amount)
    if kind == 'tokens' then redis.call('HINCRBYFLOAT', counter, 'reserved', -amount) end
    if ARGV[at + 4] == '1' then
      redis.call('HINCRBYFLOAT', counter, 'used:' .. ARGV[at + 5], actual - amount)
      if kind == 'tokens' then redis.call('HINCRBYFLOAT', counter, 'reserved:' .. ARGV[at + 5], -amount) end
    end
  end
end
return 1
`;

/**
 * ARGV: lease, then for each call its id.
 * KEYS: the running calls of one owner.
 */
export const RENEW_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease = tonumber(ARGV[1])
for at = 2, #ARGV do redis.call('HSET', KEYS[1], ARGV[at], now + lease) end
redis.call('PEXPIRE', KEYS[1], lease)
return 1
`;

/**
 * ARGV: id of the telling, what was used before the minute went on elsewhere, used and reserved since, milliseconds until it
 * is over, then for each priority with a share the priority, used, reserved.
 * KEYS: one minute. One that is not there any more, at a server that came back empty, is begun with what was used before.
 */
export const TELL_SCRIPT = `${SHARED}
local counter = KEYS[1]
if redis.call('HSETNX', counter, 'told:' .. ARGV[1], 1) == 0 then return 1 end
if redis.call('HSETNX', counter, 'started', now) == 1 then
  redis.call('PEXPIRE', counter, math.max(1, math.floor(tonumber(ARGV[5]))))
  redis.call('HINCRBYFLOAT', counter, 'used', ARGV[2])
end
redis.call('HINCRBYFLOAT', counter, 'used', ARGV[3])
redis.call('HINCRBYFLOAT', counter, 'reserved', ARGV[4])
for at = 6, #ARGV, 3 do
  redis.call('HINCRBYFLOAT', counter, 'used:' .. ARGV[at], ARGV[at + 1])
  redis.call('HINCRBYFLOAT', counter, 'reserved:' .. ARGV[at], ARGV[at + 2])
end
return 1
`;

/**
 * ARGV: call id, lease, then for each key its kind.
 * KEYS: one for each claim. A minute that is over has nothing that the call may give back.
 */
export const ADOPT_SCRIPT = `${SHARED}
local id, lease = ARGV[1], tonumber(ARGV[2])
for i = 1, #KEYS do
  if ARGV[2 + i] == 'parallel' then
    redis.call('HSET', KEYS[i], id, now + lease)
    redis.call('PEXPIRE', KEYS[i], lease)
  elseif redis.call('EXISTS', KEYS[i]) == 1 then
    redis.call('HSET', KEYS[i], 'call:' .. id, 1)
  end
end
return 1
`;
