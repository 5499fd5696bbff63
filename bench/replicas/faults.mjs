// Faults under load: callers start runs whose calls are numbered, while replicas are killed, Redis is restarted and
// connections are cut. At the end nothing is lost, nothing was done twice, and nobody has anything of another caller.

import { modernCaller, sessionCaller, textOf, Unanswered } from './callers.mjs'

const STEPS = 4
/** The time for what was begun, when the faults are over. */
const PATIENCE_MS = 120_000
const LOOK_MS = 250

/**
 * Load for so many seconds at least, and until each of the `faults` has happened, one after another: each has a name and
 * `act`. Resolves with what was counted; `wrong` is empty if all is well.
 */
export async function underFaults(deployment, { seconds, faults, everyMs }) {
  const { keys, url } = deployment
  const end = performance.now() + seconds * 1000
  const runs = []
  const told = { faults: {}, repeated: [], denied: 0 }
  const isOver = () => performance.now() > end && faults.every(({ name }) => told.faults[name] > 0)
  const person = answering(deployment, told)
  const callers = keys.map((key, who) => newCaller(url, key, who))
  const loads = callers.map((caller) => load(caller, { runs, isOver }))
  await Promise.all([...loads, breakThings(faults, { everyMs, isOver, told })])
  const lost = await settled(runs)
  await person.stop()
  const forgotten = callers
    .filter((caller) => caller.lost?.() > 0)
    .map(({ who }) => `lost: the session of caller-${who}`)
  return { runs, told, wrong: [...lost, ...forgotten, ...wrongCounts(runs, await deployment.counter.counts(), told)] }
}

/** One caller of each kind in turn: with a session, without one, and without one but with tasks. */
function newCaller(url, key, who) {
  const kind = ['session', 'alone', 'task'][who % 3]
  const wire = kind === 'session' ? sessionCaller(url, key) : modernCaller(url, key, { tasks: kind === 'task' })
  return { who, kind, ...wire }
}

async function load(caller, { runs, isOver }) {
  for (let number = 0; !isOver(); number++) {
    const run = { name: `caller-${caller.who}/${number}`, caller, sentAt: performance.now() }
    runs.push(run)
    await begin(run)
    if (run.id === undefined) continue
    // A run that a fault has struck is looked at again at the end.
    while (!isOver() && run.end === undefined && performance.now() - run.sentAt < 2000) await look(run)
    await mixUp(caller, runs)
  }
}

function programOf(name) {
  return [
    `for step in range(${STEPS}):`,
    '    try:',
    `        counter.count(run="${name}", step=step, delay_ms=20)`,
    '    except PermissionError:',
    '        pass',
    `print("${name} has ended")`,
  ].join('\n')
}

/** Starts a run. It is acknowledged with its id, or with its end. */
async function begin(run) {
  const { caller, name } = run
  const background = caller.kind === 'session' ? { background: true } : {}
  try {
    const answer = await caller.ask('tools/call', {
      name: 'executeToolCode',
      arguments: { code: programOf(name), ...background },
    })
    if (answer.taskId !== undefined) run.id = answer.taskId
    else if (caller.kind === 'session') run.id = /^run-\w+/.exec(textOf(answer))?.[0]
    else run.end = endOf(answer)
    if (run.id === undefined && run.end === undefined) run.refusal = textOf(answer)
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    run.trouble = error.message
  }
}

/** Looks how a run is. */
async function look(run) {
  const { caller, id } = run
  try {
    if (caller.kind === 'session') {
      const answer = await caller.ask('tools/call', { name: 'readToolFile', arguments: { fileName: `runs/${id}` } })
      const text = textOf(answer)
      if (text.includes(' has ended') || (answer.isError === true && !/no-such-run|store-unusable/.test(text)))
        run.end = endOf(answer)
      else run.last = text
    } else {
      const { status, result, error } = await caller.ask('tasks/get', { taskId: id })
      run.last = status
      if (status === 'completed') run.end = endOf(result)
      else if (status === 'failed' || status === 'cancelled') run.end = { text: error?.message ?? status, ok: false }
    }
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    run.last = error.message
  }
  if (run.end === undefined) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}

function endOf(answer) {
  return { text: textOf(answer), ok: answer.isError !== true }
}

/** A caller asks for the run of another, and must not find it. */
async function mixUp(caller, runs) {
  const other = runs.findLast(({ id, caller: { who } }) => id !== undefined && who !== caller.who)
  if (other === undefined) return
  try {
    const fileName = `runs/${other.id}`
    const answer = await caller.ask('tools/call', { name: 'readToolFile', arguments: { fileName } })
    if (answer.isError !== true || textOf(answer).includes(other.name)) other.seenBy = caller.who
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
  }
}

/** Answers for calls whose end nobody knows, as a person would: allows those that the server has not counted. */
function answering({ origin, person, counter }, told) {
  let isOver = false
  const page = async (path, init = {}) => {
    const headers = { authorization: `Bearer ${person}`, 'content-type': 'application/json' }
    const answer = await fetch(`${origin}/api/v1/${path}`, { ...init, headers }).catch(() => undefined)
    return answer?.ok ? answer.json().catch(() => undefined) : undefined
  }
  const work = async () => {
    while (!isOver) {
      const { approvals = [] } = (await page('approvals')) ?? {}
      const counts = approvals.length === 0 ? new Map() : await counter.counts()
      for (const { runId, calls } of approvals) {
        const { run, step } = calls[0]?.arguments ?? {}
        const isCounted = counts.has(`${run} ${step}`)
        const [what, body] = isCounted ? ['deny', { reason: 'it was counted' }] : ['allow', { scope: 'once' }]
        if ((await page(`approvals/${runId}/${what}`, { method: 'POST', body: JSON.stringify(body) })) !== undefined)
          if (isCounted) told.denied++
          else told.repeated.push(`${run} ${step}`)
      }
      await new Promise((resolve) => setTimeout(resolve, 2 * LOOK_MS))
    }
  }
  const working = work()
  return {
    stop: () => {
      isOver = true
      return working
    },
  }
}

async function breakThings(faults, { everyMs, isOver, told }) {
  for (let i = 0; !isOver(); i++) {
    await new Promise((resolve) => setTimeout(resolve, everyMs))
    const { name, act } = faults[i % faults.length]
    await act()
    told.faults[name] = (told.faults[name] ?? 0) + 1
  }
}

/** Waits until every acknowledged run has ended. Resolves with those that have not. */
async function settled(runs) {
  const until = performance.now() + PATIENCE_MS
  const open = () => runs.filter(({ id, end }) => id !== undefined && end === undefined)
  for (let left = open(); left.length > 0 && performance.now() < until; left = open())
    await Promise.all(left.map((run) => look(run)))
  return open().map(({ name, id, last }) => `lost: ${name} (${id}) has not ended: ${last}`)
}

function wrongCounts(runs, counts, { repeated }) {
  // A call that a person had repeated may have arrived twice.
  const mayBe = (key) => 1 + repeated.filter((one) => one === key).length
  const twice = [...counts]
    .filter(([key, count]) => count > mayBe(key))
    .map(([key, count]) => `twice: ${key} was called ${count} times`)
  const foreign = runs.filter(({ name, end }) => end?.ok && !end.text.startsWith(`${name} has ended`))
  const missing = runs
    .filter(({ end }) => end?.ok)
    .flatMap(({ name }) => Array.from({ length: STEPS }, (_, step) => `${name} ${step}`))
    .filter((key) => !counts.has(key))
  const seen = runs.filter(({ seenBy }) => seenBy !== undefined)
  return [
    ...twice,
    ...missing.map((key) => `missing: ${key} was never called`),
    ...foreign.map(({ name, end }) => `mixed up: ${name} got ${end.text.slice(0, 100)}`),
    ...seen.map(({ name, seenBy }) => `mixed up: caller-${seenBy} saw ${name}`),
  ]
}

/** The faults of a deployment: a killed replica, a restarted Redis, connections that are cut. */
export function faultsOf({ replicas, redis }) {
  let next = 0
  return {
    replica: {
      name: 'replicas killed',
      act: async () => {
        const replica = replicas[next++ % replicas.length]
        await replica.stop('SIGKILL')
        await replica.start()
      },
    },
    redis: {
      name: 'restarts of Redis',
      act: async () => {
        await redis.stop('SIGKILL')
        await redis.start()
      },
    },
    connections: { name: 'cuts of all connections', act: () => redis.command('CLIENT KILL TYPE normal') },
  }
}
