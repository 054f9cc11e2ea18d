-- The queue of the bots' workers. Every call does one thing as a whole: nothing is handed out twice or forgotten.
--
-- KEYS[1] is how all names begin, ARGV[1] what to do, the rest depends on it (see bot_queue_tasks.lua). The order is that of
-- fair_queue.py: by kind, within a kind by owner, within an owner by table, and whoever was served goes to the end.
--
-- workers             sorted set: worker -> until when it is believed to be there
-- processes           hash: worker -> how many processes it has, 0 once it takes nothing more
-- free                sorted set: worker/process -> since when it has nothing to do
-- queued:KIND         sorted set: job -> deadline, of all that waits
-- owners:KIND         sorted set: owner -> turn; waiting:KIND: owner -> how much of theirs waits
-- tables:KIND|OWNER   sorted set: table -> turn; line:KIND|OWNER|TABLE: list of jobs
-- work:KIND|OWNER     sorted set: job -> when it is given up, of all that is in work
-- since               hash: kind -> when something of it was handed out last, or began to wait
-- limits              sorted set: job -> when it is given up, of all that is in work
-- job:ID              hash with everything about a job; busy:WORKER: hash: process -> its job, and since when
-- inbox:WORKER        list of what a worker is to do; answers:SERVER: list of what a server has asked for
-- server:ID           is there while a server is; advised:GUEST: the server that thinks about a hint for them

local prefix, task = KEYS[1], ARGV[1]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)

local KINDS = {'live', 'hint', 'review'}
local PATIENCE = {live = 0, hint = 10000, review = 30000}
local LEASE = 3000 -- a worker that is not heard of for so long is gone
local GRACE = 3000 -- a job may take so much longer than its worker should have let it
local UNSEEN = 2000 -- a worker should know of its jobs after this time
local LIFE = 120000 -- what nobody has touched for so long vanishes by itself
local SWEEP = 100 -- who is gone and what is late is looked for so often
local TRIES = 3 -- a job that so many workers did not survive is given back
local HINT = 75000 -- no hint takes longer, with all its waiting
local MOST_NEWS = 1000 -- messages that may lie in an inbox beside jobs

local function key(name, ...)
  local whole = prefix .. name
  for i, part in ipairs({...}) do
    whole = whole .. (i == 1 and ':' or '|') .. part
  end
  return whole
end

local function live_on(name, longer)
  if not longer then
    redis.call('PEXPIRE', name, LIFE)
  elseif redis.call('PTTL', name) < longer then
    redis.call('PEXPIRE', name, longer)
  end
end

local function turn()
  local name = key('turns')
  local number = redis.call('INCR', name)
  live_on(name)
  return number
end

local function rank(name, member, score, longer)
  redis.call('ZADD', name, score, member)
  live_on(name, longer)
end

-- How many processes there are that take jobs.
local function capacity()
  local sum = 0
  for _, number in ipairs(redis.call('HVALS', key('processes'))) do
    sum = sum + number
  end
  return sum
end

local function job_of(id)
  local names = {'kind', 'owner', 'table', 'server', 'home', 'limit', 'deadline', 'since', 'taken', 'place', 'tries'}
  local found = redis.call('HMGET', key('job', id), unpack(names))
  if not found[1] then
    return nil
  end
  local job = {}
  for i, name in ipairs(names) do
    job[name] = found[i] or nil
  end
  return job
end

local function tell(id, job, how, text)
  local name = key('answers', job.server)
  local waited = math.max(0, (job.taken or now) - job.since)
  redis.call('RPUSH', name, id .. '\n' .. how .. '\n' .. waited .. '\n' .. (job.place or '') .. '\n' .. (text or ''))
  live_on(name, 60000)
end

local function wait(id, job, first)
  local number = turn()
  if first then
    number = -number
  end
  local line = key('line', job.kind, job.owner, job.table)
  redis.call(first and 'LPUSH' or 'RPUSH', line, id)
  live_on(line)
  for _, at in ipairs({{key('tables', job.kind, job.owner), job.table}, {key('owners', job.kind), job.owner}}) do
    if first or not redis.call('ZSCORE', at[1], at[2]) then
      redis.call('ZADD', at[1], number, at[2])
    end
    live_on(at[1])
  end
  local queued = key('queued', job.kind)
  if redis.call('ZCARD', queued) == 0 then
    redis.call('HSET', key('since'), job.kind, now)
  end
  live_on(key('since'))
  rank(queued, id, job.deadline)
  redis.call('ZINCRBY', key('waiting', job.kind), 1, job.owner)
  live_on(key('waiting', job.kind))
end

local function leave_line(id, job)
  local line = key('line', job.kind, job.owner, job.table)
  redis.call('ZREM', key('queued', job.kind), id)
  if redis.call('LREM', line, 1, id) == 0 then
    return false
  end
  if redis.call('EXISTS', line) == 0 then
    local tables = key('tables', job.kind, job.owner)
    redis.call('ZREM', tables, job.table)
    if redis.call('EXISTS', tables) == 0 then
      redis.call('ZREM', key('owners', job.kind), job.owner)
    end
  end
  if tonumber(redis.call('ZINCRBY', key('waiting', job.kind), -1, job.owner)) <= 0 then
    redis.call('ZREM', key('waiting', job.kind), job.owner)
  end
  return true
end

local function leave_work(id, job)
  redis.call('ZREM', key('limits'), id)
  redis.call('ZREM', key('work', job.kind, job.owner), id)
end

local function finish(id, job, how, text)
  if not job.taken then
    leave_line(id, job)
  end
  leave_work(id, job)
  redis.call('DEL', key('job', id))
  if how then
    tell(id, job, how, text)
  end
end

-- Whoever had it is gone or knows nothing of it: somebody else may have it, before all others.
local function put_back(id, job)
  leave_work(id, job)
  if tonumber(job.tries) >= TRIES then
    finish(id, job, 'died')
    return
  end
  redis.call('HDEL', key('job', id), 'taken', 'place')
  wait(id, job, true)
end

local function set_free(worker, process)
  if tonumber(redis.call('HGET', key('processes'), worker) or 0) > 0 then
    redis.call('ZADD', key('free'), 'NX', now, worker .. '/' .. process)
    live_on(key('free'))
  end
end

-- A process does not have its job any more, unless somebody else has it by now.
local function take_away(worker, process, entry)
  local id = string.match(entry, '^(%S+) ')
  local job = job_of(id)
  redis.call('HDEL', key('busy', worker), process)
  if job and job.place == worker .. '/' .. process then
    put_back(id, job)
  end
end

local function forget_worker(worker)
  local number = tonumber(redis.call('HGET', key('processes'), worker) or 0)
  for process = 1, number do
    redis.call('ZREM', key('free'), worker .. '/' .. process)
  end
  redis.call('ZREM', key('workers'), worker)
  redis.call('HDEL', key('processes'), worker)
  local busy = redis.call('HGETALL', key('busy', worker))
  for i = 1, #busy, 2 do
    take_away(worker, busy[i], busy[i + 1])
  end
  redis.call('DEL', key('busy', worker), key('inbox', worker))
end

local function queued()
  local sum = 0
  for _, kind in ipairs(KINDS) do
    sum = sum + redis.call('ZCARD', key('queued', kind))
  end
  return sum
end

local function sweep()
  redis.call('HSET', key('since'), 'sweep', now)
  for _, worker in ipairs(redis.call('ZRANGEBYSCORE', key('workers'), '-inf', now)) do
    forget_worker(worker)
  end
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', key('limits'), '-inf', now)) do
    local job = job_of(id)
    redis.call('ZREM', key('limits'), id)
    if job and job.taken then
      put_back(id, job)
    end
  end
  local alone = capacity() == 0
  for _, kind in ipairs(KINDS) do
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', key('queued', kind), '-inf', alone and '+inf' or now)) do
      local job = job_of(id)
      if job then
        finish(id, job, alone and 'nobody' or 'late')
      else
        redis.call('ZREM', key('queued', kind), id)
      end
    end
  end
end

-- Hints of one owner take half of the processes at most, reviews one of them.
local function may_begin(kind, owner, processes)
  if kind == 'live' then
    return true
  end
  local work = key('work', kind, owner)
  redis.call('ZREMRANGEBYSCORE', work, '-inf', now)
  return redis.call('ZCARD', work) < (kind == 'hint' and math.max(1, math.floor(processes / 2)) or 1)
end

local function next_owner(kind, processes)
  for _, owner in ipairs(redis.call('ZRANGE', key('owners', kind), 0, kind == 'live' and 0 or processes)) do
    if may_begin(kind, owner, processes) then
      return owner
    end
  end
  return nil
end

local function take(processes)
  local kind, owner, overdue
  for _, each in ipairs(KINDS) do
    local found = next_owner(each, processes)
    if found and not kind then
      kind, owner = each, found
    elseif found and not overdue then
      overdue = now - tonumber(redis.call('HGET', key('since'), each) or now) >= PATIENCE[each]
      if overdue then
        kind, owner = each, found
      end
    end
  end
  if not kind then
    return nil
  end
  redis.call('HSET', key('since'), kind, now)
  local tables = key('tables', kind, owner)
  local place = redis.call('ZRANGE', tables, 0, 0)[1]
  local id = place and redis.call('LINDEX', key('line', kind, owner, place), 0)
  if not id then -- somebody has deleted something: this line is not one any more
    redis.call('ZREM', key('owners', kind), owner)
    redis.call('ZREM', key('waiting', kind), owner)
    redis.call('DEL', tables)
    return false
  end
  leave_line(id, {kind = kind, owner = owner, table = place})
  if redis.call('ZSCORE', key('owners', kind), owner) then
    redis.call('ZADD', key('owners', kind), turn(), owner)
    if redis.call('ZSCORE', tables, place) then
      redis.call('ZADD', tables, turn(), place)
    end
  end
  return id
end

local function hand_out(id, job, place)
  if job.home ~= '' and job.home ~= place and redis.call('ZSCORE', key('free'), job.home) then
    place = job.home
  end
  local worker, process = string.match(place, '^(.*)/(%d+)$')
  local until_when = now + job.limit + GRACE
  local waited = key('job', id)
  redis.call('ZREM', key('free'), place)
  redis.call('HSET', waited, 'taken', now, 'place', place, 'tries', job.tries + 1)
  local longer = job.limit + GRACE + LIFE
  live_on(waited, longer)
  rank(key('limits'), id, until_when, longer)
  rank(key('work', job.kind, job.owner), id, until_when, longer)
  redis.call('HSET', key('busy', worker), process, id .. ' ' .. now)
  live_on(key('busy', worker))
  local message = 'job\n' .. process .. '\n' .. id .. '\n' .. job.kind .. '\n' .. job.limit .. '\n'
  redis.call('RPUSH', key('inbox', worker), message .. (job.text or redis.call('HGET', waited, 'text')))
  live_on(key('inbox', worker))
end

local function dispatch()
  if queued() == 0 then
    return
  end
  local processes = capacity()
  while true do
    local place = redis.call('ZRANGE', key('free'), 0, 0)[1]
    if not place or processes == 0 then
      return
    end
    local id = take(processes)
    if id == nil then
      return
    end
    local job = id and job_of(id)
    if job then
      if redis.call('EXISTS', key('server', job.server)) == 0 then
        finish(id, job, 'late')
      else
        hand_out(id, job, place)
      end
    end
  end
end
