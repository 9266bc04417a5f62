-- A hash for each session: an instance's name to the moment, in milliseconds of this server's clock, until which it is believed, and what it says.
-- ARGV: the instance, for how many milliseconds it is to be believed, and what it says; nothing if it sees nobody.
-- Returns what the other instances say.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local instance, lasts, here = ARGV[1], tonumber(ARGV[2]), ARGV[3]
if here == '' then
  redis.call('HDEL', KEYS[1], instance)
else
  redis.call('HSET', KEYS[1], instance, string.format('%.0f %s', now + lasts, here))
  redis.call('PEXPIRE', KEYS[1], lasts)
end
local elsewhere = {}
local all = redis.call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if all[i] ~= instance then
    local space = string.find(all[i + 1], ' ', 1, true)
    if tonumber(string.sub(all[i + 1], 1, space - 1)) > now then
      elsewhere[#elsewhere + 1] = string.sub(all[i + 1], space + 1)
    else
      redis.call('HDEL', KEYS[1], all[i])
    end
  end
end
return elsewhere
