// Replicas over one Redis: throughput and cost of a run, faults under load, and runs that wait for a person. Everything is
// real: redis-server, processes of `starbind serve`, a server over HTTP that counts its calls, and callers over HTTP
// through a balancer.
//
//   npm run bench replicas [-- --seconds 60]       after a build, with Debian's redis-server

import { availableParallelism } from 'node:os'
import { redisServer, whyNoRedis } from '../test/fixtures/redis-server.mjs'
import { megabytes, milliseconds, rounded } from './measure.mjs'
import { modernCaller, sessionCaller, textOf, Unanswered } from './replicas/callers.mjs'
import { openDeployment } from './replicas/deployment.mjs'
import { faultsOf, underFaults } from './replicas/faults.mjs'

export async function replicas({ quick = false, seconds = quick ? 3 : 60 } = {}) {
  const title = 'Replicas'
  if (redisServer === undefined)
    return { title, intro: [`Not measured: ${whyNoRedis}.`], tables: [], facts: {}, live: true }
  const throughput = await measureThroughput(quick ? 0.5 : 8, quick ? [1] : [1, 2, 3])
  const faults = await measureFaults({ seconds: Number(seconds), callers: quick ? 4 : 64, replicas: quick ? 2 : 3 })
  const waiting = await measureWaiting(quick ? { runs: 20, approved: 5 } : { runs: 10_000, approved: 1000 })
  return {
    title,
    intro: [
      'Processes of `starbind serve` over one redis-server (append-only file, `appendfsync always`), behind a balancer in ' +
        'the process of the callers. All of them share the cores of one machine, so the rows show what a run costs; ' +
        'more machines show more throughput.',
    ],
    tables: [
      throughputTable(throughput),
      faultsTable(faults),
      waitingTable(waiting),
      sheetTable(sheetOf(throughput.find(({ count }) => count === 1))),
    ],
    facts: {},
  }
}

// Throughput.

/** A row for one process without Redis, and one for each number of replicas. */
async function measureThroughput(seconds, counts) {
  const rows = []
  for (const count of [0, ...counts]) {
    const deployment = await openDeployment({ replicas: Math.max(1, count), callers: 16, withoutStore: count === 0 })
    try {
      rows.push({ count, ...(await shortRuns(deployment, seconds)) })
    } finally {
      await deployment.close()
    }
  }
  return rows
}

/** Short runs, each of which makes one call that may write. */
async function shortRuns(deployment, seconds) {
  await load(deployment, seconds / 2)
  const before = await used(deployment)
  const begun = performance.now()
  const runs = await load(deployment, seconds)
  const tookMs = performance.now() - begun
  const after = await used(deployment)
  const perRun = Object.fromEntries(Object.keys(after).map((name) => [name, (after[name] - before[name]) / runs]))
  return { runs, perSecond: (runs * 1000) / tookMs, perRun }
}

async function load({ keys, url }, seconds) {
  const end = performance.now() + seconds * 1000
  let runs = 0
  const work = async (key, who) => {
    const { ask } = modernCaller(url, key)
    for (let i = 0; performance.now() < end; i++) {
      const code = `counter.count(run="caller-${who}", step=${i})\nprint("done")`
      const answer = await ask('tools/call', { name: 'executeToolCode', arguments: { code } })
      if (answer.isError) throw new Error(textOf(answer))
      runs++
    }
  }
  await Promise.all(keys.map(work))
  return runs
}

/** What the parts of a deployment have used since they began. */
async function used({ replicas, redis }) {
  const starbind = replicas.reduce((sum, one) => sum + one.processorSeconds(), 0)
  if (redis === undefined) return { starbind, redis: 0, commands: 0, bytes: 0 }
  const facts = factsIn(await redis.command('INFO'))
  return {
    starbind,
    redis: facts.used_cpu_user + facts.used_cpu_sys,
    commands: facts.total_commands_processed,
    bytes: facts.total_net_input_bytes + facts.total_net_output_bytes,
  }
}

function factsIn(text) {
  const lines = text.split('\r\n').map((line) => line.split(':'))
  return Object.fromEntries(
    lines.filter(([, value]) => value !== undefined).map(([name, value]) => [name, Number(value)]),
  )
}

function throughputTable(rows) {
  const one = rows.find(({ count }) => count === 1).perSecond
  return {
    caption: 'Short runs with one call that may write',
    columns: ['processes', 'runs a second', 'against one', 'starbind, a run', 'Redis, a run', 'commands', 'bytes'],
    rows: rows.map(({ count, perSecond, perRun }) => [
      count === 0 ? '1, without Redis' : String(count),
      rounded(perSecond),
      (perSecond / one).toFixed(2),
      milliseconds(perRun.starbind * 1000),
      count === 0 ? '' : milliseconds(perRun.redis * 1000),
      count === 0 ? '' : perRun.commands.toFixed(1),
      count === 0 ? '' : rounded(perRun.bytes),
    ]),
    note:
      `16 callers, one request each, on ${availableParallelism()} cores, which the callers, the balancer, the counting server ` +
      'and Redis use as well. A run costs processor time of starbind and of Redis, all threads included. Commands are ' +
      'those of Redis, also those in scripts; bytes are those of both directions.',
  }
}

// Faults.

async function measureFaults({ seconds, callers, replicas }) {
  const deployment = await openDeployment({ replicas, callers })
  try {
    const { replica, redis, connections } = faultsOf(deployment)
    const faults = [replica, connections, replica, redis]
    return await underFaults(deployment, { seconds, faults, everyMs: Math.min(3000, (seconds * 1000) / 5) })
  } finally {
    await deployment.close()
  }
}

function faultsTable({ runs, told, wrong }) {
  const count = (is) => rounded(runs.filter(is).length)
  for (const one of wrong.slice(0, 50)) console.error(one)
  const failures = runs.flatMap(({ end }) =>
    end?.ok === false ? (/\[([\w-]+)\]/.exec(end.text)?.[1] ?? end.text) : [],
  )
  return {
    caption: 'Faults under load',
    columns: ['what', 'number'],
    rows: [
      ...Object.entries(told.faults).map(([name, number]) => [name, String(number)]),
      ['runs that callers asked for', count(() => true)],
      ['acknowledged: with their end or with a name', count(({ id, end }) => id !== undefined || end !== undefined)],
      ['ended with their result', count(({ end }) => end?.ok === true)],
      ['ended with a failure', count(({ end }) => end?.ok === false)],
      ['refused', count(({ refusal }) => refusal !== undefined)],
      ['not acknowledged: the connection broke', count(({ trouble }) => trouble !== undefined)],
      ['calls of unknown end: repeated by a person, and not', `${told.repeated.length}, ${told.denied}`],
      ['lost, done twice, or mixed up', String(wrong.length)],
    ],
    note:
      'Each run makes four numbered calls that may write, at a server that counts them; callers have sessions, none, or tasks. ' +
      'Then every acknowledged run has ended, no call was made twice unless a person had it repeated, every run with a ' +
      'result has made all of its calls, ' +
      `and no caller got or saw anything of another.${failures.length > 0 ? ` Failures: ${[...new Set(failures)].join(', ')}.` : ''}`,
  }
}

// Runs that wait.

async function measureWaiting({ runs, approved }) {
  const deployment = await openDeployment({ replicas: 3, callers: 16, codeMode: { approve: ['counter/sign'] } })
  try {
    await load(deployment, 2)
    const before = deployment.replicas.map((one) => one.residentBytes())
    const ids = await paused(deployment, runs)
    const after = deployment.replicas.map((one) => one.residentBytes())
    const stored = factsIn(await deployment.redis.command('INFO memory')).used_memory
    const begun = performance.now()
    await approve(deployment, ids.slice(0, approved))
    await ended(deployment, ids.slice(0, approved))
    return { runs, approved, before, after, stored, tookMs: performance.now() - begun }
  } finally {
    await deployment.close()
  }
}

/** Starts runs in the background that wait for a person. Resolves with their ids when all of them wait. */
async function paused(deployment, count) {
  const ids = []
  let number = 0
  const work = async (key) => {
    const { ask } = sessionCaller(deployment.url, key)
    while (number < count) {
      const code = `counter.sign(run="paused-${number++}", step=0)\nprint("signed")`
      const answer = await ask('tools/call', { name: 'executeToolCode', arguments: { code, background: true } })
      ids.push(/^run-\w+/.exec(textOf(answer))[0])
    }
  }
  await Promise.all(deployment.keys.map(work))
  await reached(deployment, ids, 'waiting')
  return ids
}

async function approve(deployment, ids) {
  const left = [...ids]
  const work = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop())
      await page(deployment, `approvals/${id}/allow`, { method: 'POST', body: '{"scope": "once"}' })
  }
  await Promise.all(Array.from({ length: 32 }, work))
}

async function ended(deployment, ids) {
  await reached(deployment, ids, 'ok')
  const counts = await deployment.counter.counts()
  const signed = [...counts].filter(([key]) => key.startsWith('paused-'))
  if (signed.length !== ids.length || signed.some(([, count]) => count !== 1))
    throw new Error('a run did not make its call once')
}

/** Waits until all of these runs are in a state. */
async function reached(deployment, ids, wanted) {
  const left = [...ids]
  const look = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      let { state } = await page(deployment, `runs/${id}`)
      while (state !== wanted) {
        if (state === 'failed') throw new Error(`${id} has failed`)
        await new Promise((resolve) => setTimeout(resolve, 50))
        state = (await page(deployment, `runs/${id}`)).state
      }
    }
  }
  await Promise.all(Array.from({ length: 8 }, look))
}

async function page({ origin, person }, path, init = {}) {
  const headers = { authorization: `Bearer ${person}`, 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/api/v1/${path}`, { ...init, headers })
  if (!answer.ok) throw new Unanswered(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

function waitingTable({ runs, approved, before, after, stored, tookMs }) {
  const each = (all) => all.map(megabytes).join(', ')
  return {
    caption: 'Runs that wait for a person',
    columns: ['what', ''],
    rows: [
      ['memory of the replicas before', each(before)],
      [`with ${runs.toLocaleString('en')} runs that wait`, each(after)],
      ['memory of Redis for them', megabytes(stored)],
      [`${approved.toLocaleString('en')} of them, approved at once, have ended after`, milliseconds(tookMs)],
    ],
    note: 'Resident memory of each process. Starting the runs leaves garbage in a process that has not been collected yet.',
  }
}

// The sheet.

/** The parts that one deployment may use to the full: one core of Redis and the network before it. */
const BUSY = 0.7
const NETWORK_BYTES = 125e6

/** What one Redis could carry with as many replicas as it takes, from the cost of a run. */
function sheetOf({ perRun }) {
  const byRedis = BUSY / perRun.redis
  const byNetwork = (BUSY * NETWORK_BYTES) / perRun.bytes
  const perSecond = Math.min(byRedis, byNetwork)
  return {
    perRun,
    perReplica: BUSY / perRun.starbind,
    byRedis,
    byNetwork,
    perSecond,
    replicas: Math.ceil(perSecond / (BUSY / perRun.starbind)),
    first: byRedis < byNetwork ? 'the core of Redis' : 'the network before Redis',
  }
}

function sheetTable({ perReplica, byRedis, byNetwork, replicas, first }) {
  return {
    caption: 'What one Redis could carry, on paper',
    columns: ['bound', 'short runs a second'],
    rows: [
      ['a core of a replica', rounded(perReplica)],
      ['the core of Redis', rounded(byRedis)],
      ['a network of 1 Gbit/s before Redis', rounded(byNetwork)],
    ],
    note:
      `Each at ${BUSY * 100} % of what it has, from the cost of a run with one process over Redis. The first bottleneck is ${first}, ` +
      `with about ${rounded(replicas)} cores of replicas. Real runs compute and wait for servers, so they need more replicas for the same Redis.`,
  }
}
