-- What servers and workers ask for; the functions are those of bot_queue.lua, which this is the end of.

local tasks = {}

-- put ID KIND OWNER TABLE SERVER HOME LIMIT WAIT PER_OWNER ALTOGETHER TEXT
function tasks.put()
  local id, kind, owner = ARGV[2], ARGV[3], ARGV[4]
  local processes = capacity()
  if processes == 0 then
    return 'nobody'
  end
  local waiting = key('waiting', kind)
  if kind ~= 'live' then
    local mine = tonumber(redis.call('ZSCORE', waiting, owner) or 0)
    if mine >= tonumber(ARGV[10]) then
      return 'full'
    end
    if redis.call('ZCARD', key('queued', kind)) >= tonumber(ARGV[11]) then
      local most = redis.call('ZREVRANGE', waiting, 0, 0, 'WITHSCORES')
      if not most[1] or tonumber(most[2]) <= mine + 1 then
        return 'full'
      end
      local place = redis.call('ZREVRANGE', key('tables', kind, most[1]), 0, 0)[1]
      local last = place and redis.call('LINDEX', key('line', kind, most[1], place), -1)
      local job = last and job_of(last)
      if job then
        finish(last, job, 'full')
      end
    end
  end
  local name = key('job', id)
  local deadline = now + ARGV[9]
  redis.call('HSET', name, 'kind', kind, 'owner', owner, 'table', ARGV[5], 'server', ARGV[6], 'home', ARGV[7],
    'limit', ARGV[8], 'deadline', deadline, 'since', now, 'tries', 0, 'text', ARGV[12])
  live_on(name, ARGV[9] + LIFE)
  redis.call('SET', key('server', ARGV[6]), 1, 'PX', 5000)
  local job = {kind = kind, owner = owner, table = ARGV[5], deadline = deadline, limit = ARGV[8], home = ARGV[7],
    tries = 0, text = ARGV[12]}
  local place = redis.call('ZRANGE', key('free'), 0, 0)[1]
  if place and queued() == 0 and may_begin(kind, owner, processes) then
    hand_out(id, job, place)
  else
    wait(id, job)
    dispatch()
  end
  return 'ok'
end

-- cancel ID: what nobody has begun is not begun any more
function tasks.cancel()
  local job = job_of(ARGV[2])
  if job and not job.taken then
    finish(ARGV[2], job)
    return 1
  end
  return job and 0 or 1
end

-- done WORKER PROCESS FREE ID HOW TEXT: the first answer counts, whoever gives it
function tasks.done()
  local worker, process, id = ARGV[2], ARGV[3], ARGV[5]
  redis.call('HDEL', key('busy', worker), process)
  if ARGV[4] == '1' then
    set_free(worker, process)
  end
  local job = job_of(id)
  if job then
    job.place = worker .. '/' .. process
    finish(id, job, ARGV[6], ARGV[7])
  end
  dispatch()
  return job and 1 or 0
end

-- join WORKER PROCESSES FREE...
function tasks.join()
  local worker = ARGV[2]
  rank(key('workers'), worker, now + LEASE)
  redis.call('HSET', key('processes'), worker, ARGV[3])
  live_on(key('processes'))
  for i = 4, #ARGV do
    set_free(worker, ARGV[i])
  end
  dispatch()
  return 1
end

-- beat WORKER IDLE...: it is still there, and these processes have nothing to do
function tasks.beat()
  local worker = ARGV[2]
  if not redis.call('ZSCORE', key('workers'), worker) then
    return 0
  end
  rank(key('workers'), worker, now + LEASE)
  live_on(key('processes'))
  live_on(key('free'))
  live_on(key('busy', worker))
  for i = 3, #ARGV do
    local process = ARGV[i]
    local entry = redis.call('HGET', key('busy', worker), process)
    if not entry then
      set_free(worker, process)
    elseif now - string.match(entry, ' (%d+)$') > UNSEEN then -- it was lost on the way
      take_away(worker, process, entry)
      set_free(worker, process)
    end
  end
  dispatch()
  return 1
end

-- rest WORKER: it takes nothing more, and finishes what it has
function tasks.rest()
  local worker = ARGV[2]
  for process = 1, tonumber(redis.call('HGET', key('processes'), worker) or 0) do
    redis.call('ZREM', key('free'), worker .. '/' .. process)
  end
  redis.call('HSET', key('processes'), worker, 0)
  sweep()
  return 1
end

-- leave WORKER
function tasks.leave()
  forget_worker(ARGV[2])
  sweep()
  dispatch()
  return 1
end

-- watch SERVER JOBS...: how things are, and which of these jobs nobody knows
function tasks.watch()
  redis.call('SET', key('server', ARGV[2]), 1, 'PX', 5000)
  dispatch()
  local found = {redis.call('ZCARD', key('workers')), capacity()}
  for _, kind in ipairs(KINDS) do
    local length = redis.call('ZCARD', key('queued', kind))
    found[#found + 1] = length
    found[#found + 1] = length > 0 and now - tonumber(redis.call('HGET', key('since'), kind) or now) or 0
  end
  for i = 3, #ARGV do
    if redis.call('EXISTS', key('job', ARGV[i])) == 0 then
      found[#found + 1] = ARGV[i]
    end
  end
  return found
end

-- advise SERVER GUEST: a guest waits for one hint at a time, wherever they ask
function tasks.advise()
  local name = key('advised', ARGV[3])
  local other = redis.call('GET', name)
  if other and other ~= ARGV[2] and redis.call('EXISTS', key('server', other)) == 1 then
    return 0
  end
  redis.call('SET', name, ARGV[2], 'PX', HINT)
  redis.call('SET', key('server', ARGV[2]), 1, 'PX', 5000)
  return 1
end

-- advised SERVER GUEST
function tasks.advised()
  local name = key('advised', ARGV[3])
  if redis.call('GET', name) == ARGV[2] then
    redis.call('DEL', name)
  end
  return 1
end

-- news WORKER TEXT: something that a worker may like to know
function tasks.news()
  local inbox = key('inbox', ARGV[2])
  if redis.call('ZSCORE', key('workers'), ARGV[2]) and redis.call('LLEN', inbox) < MOST_NEWS then
    redis.call('RPUSH', inbox, 'news\n' .. ARGV[3])
    live_on(inbox)
  end
  return 1
end

-- quit SERVER
function tasks.quit()
  redis.call('DEL', key('server', ARGV[2]), key('answers', ARGV[2]))
  return 1
end

local swept = tonumber(redis.call('HGET', key('since'), 'sweep') or 0)
if now - swept >= SWEEP or task == 'watch' or task == 'beat' then
  sweep()
end
return tasks[task]()
