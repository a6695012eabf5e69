/**
 * The counters' two operations as Lua scripts, which Redis runs one at a time. Keys, for an owner:
 * `m:` a hash of the running minute {used, reserved, started}; `b:` a hash of a budget window {spent} ;
 * `r:` a hash of running calls, id to "expiry:amount", for budgets and parallel calls, so that a replica that
 * died does not hold its share for ever.
 */

const SHARED = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function running(key)
  local calls, sum = 0, 0
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    local expiry, amount = string.match(all[i + 1], '^(%d+):(.+)$')
    if tonumber(expiry) <= now then redis.call('HDEL', key, all[i])
    else calls = calls + 1; sum = sum + tonumber(amount) end
  end
  return calls, sum
end
local function field(key, name) return tonumber(redis.call('HGET', key, name) or '0') end
`;

/**
 * ARGV: call id, lease, minute, then for each key kind, limit, amount, endsAt, spentBefore.
 * KEYS: two for each claim, the counter and the running calls.
 * Returns {1, started of each, remaining and resetIn of each...} or {0, index, remaining, resetIn, mayFree}.
 */
export const CLAIM_SCRIPT = `${SHARED}
local id, lease, minute = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local answer = {1}
local function claimOf(i)
  local at = 3 + (i - 1) * 5
  return ARGV[at + 1], tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4]), ARGV[at + 5]
end
local count = #KEYS / 2
for i = 1, count do
  local kind, limit, amount, endsAt, before = claimOf(i)
  local counter, calls = KEYS[i * 2 - 1], KEYS[i * 2]
  if kind == 'parallel' then
    if running(calls) >= limit then return {0, i, '0', 1000, 1} end
  elseif kind == 'budget' then
    if redis.call('HSETNX', counter, 'spent', before) == 1 and endsAt > 0 then
      redis.call('PEXPIREAT', counter, endsAt + minute)
    end
    -- A server that came back empty, or missed what was spent without it, learns it from the store.
    local spent = field(counter, 'spent')
    if tonumber(before) > spent then
      redis.call('HSET', counter, 'spent', before)
      spent = tonumber(before)
    end
    local _, reserved = running(calls)
    if not ((reserved == 0 or amount == 0) and spent < limit) and spent + reserved + amount > limit then
      local free = spent < limit and 1 or 0
      local reset = endsAt > 0 and endsAt - now or 0
      return {0, i, tostring(math.max(0, limit - spent)), reset, free}
    end
  else
    local used, reserved = field(counter, 'used'), field(counter, 'reserved')
    local alone = kind == 'tokens' and reserved <= 0 and used < limit
    if not alone and used + amount > limit then
      local free = used - reserved < limit and 1 or 0
      return {0, i, tostring(math.max(0, limit - used)), math.max(1, redis.call('PTTL', counter)), free}
    end
  end
end
for i = 1, count do
  local kind, limit, amount = claimOf(i)
  local counter, calls = KEYS[i * 2 - 1], KEYS[i * 2]
  local remaining, reset, started = 0, 0, '0'
  if kind == 'parallel' or kind == 'budget' then
    redis.call('HSET', calls, id, (now + lease) .. ':' .. (kind == 'budget' and ARGV[3 + (i - 1) * 5 + 3] or '1'))
    redis.call('PEXPIRE', calls, lease)
    local held, sum = running(calls)
    remaining = kind == 'parallel' and limit - held or limit - field(counter, 'spent') - sum
  else
    if redis.call('HSETNX', counter, 'started', now) == 1 then redis.call('PEXPIRE', counter, minute) end
    started = redis.call('HGET', counter, 'started')
    remaining = limit - tonumber(redis.call('HINCRBYFLOAT', counter, 'used', amount))
    if kind == 'tokens' then redis.call('HINCRBYFLOAT', counter, 'reserved', amount) end
    reset = redis.call('PTTL', counter)
  end
  table.insert(answer, started)
  table.insert(answer, tostring(math.max(0, remaining)))
  table.insert(answer, reset)
end
return answer
`;

/**
 * ARGV: call id, then for each claim kind, amount, started, actual.
 * KEYS: as above.
 */
export const FINISH_SCRIPT = `${SHARED}
local id = ARGV[1]
for i = 1, #KEYS / 2 do
  local at = 1 + (i - 1) * 4
  local kind, amount, started, actual = ARGV[at + 1], tonumber(ARGV[at + 2]), ARGV[at + 3], tonumber(ARGV[at + 4])
  local counter, calls = KEYS[i * 2 - 1], KEYS[i * 2]
  if kind == 'parallel' or kind == 'budget' then
    redis.call('HDEL', calls, id)
    if kind == 'budget' and actual > 0 and redis.call('EXISTS', counter) == 1 then
      redis.call('HINCRBYFLOAT', counter, 'spent', actual)
    end
  elseif redis.call('HGET', counter, 'started') == started then
    redis.call('HINCRBYFLOAT', counter, 'used', actual - amount)
    if kind == 'tokens' then redis.call('HINCRBYFLOAT', counter, 'reserved', -amount) end
  end
end
return 1
`;
