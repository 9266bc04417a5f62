-- Each key is a list of the moments at which a request was admitted, in microseconds of this server's clock, oldest first.
-- ARGV: "peek" or "take", and then for each key its budget, its window in microseconds, and "shadow" or "".
-- Returns the moment of the charges, and then for each key that was looked at: used, reset, wait, as in the type Count.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local take = ARGV[1] == 'take'
local answer = {now}
for i, key in ipairs(KEYS) do
  local budget, window = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local oldest = tonumber(redis.call('LINDEX', key, 0))
  while oldest and now - oldest >= window do
    redis.call('LPOP', key)
    oldest = tonumber(redis.call('LINDEX', key, 0))
  end
  local used, wait = 0, 0
  if oldest then
    used = redis.call('LLEN', key)
    if used >= budget then
      local leaving = oldest
      if used > budget then
        leaving = tonumber(redis.call('LINDEX', key, used - budget))
      end
      wait = math.min(leaving + window - now, window)
    end
    if oldest > now and redis.call('PTTL', key) > window / 1000 then
      -- The clock was set back. Nobody is to wait for it to catch up.
      redis.call('PEXPIRE', key, window / 1000)
    end
  end
  answer[3 * i - 1] = used
  answer[3 * i] = oldest and math.min(oldest + window - now, window) or 0
  answer[3 * i + 1] = wait
  if wait > 0 and ARGV[3 * i + 1] ~= 'shadow' then
    return answer
  end
end
if take then
  for i, key in ipairs(KEYS) do
    if answer[3 * i + 1] == 0 then
      local window = tonumber(ARGV[3 * i])
      answer[3 * i - 1] = redis.call('RPUSH', key, now)
      redis.call('PEXPIRE', key, window / 1000)
      if answer[3 * i] == 0 then
        answer[3 * i] = window
      end
    end
  end
end
return answer
