// `starbind work`, and `starbind serve --work`: real processes that carry out background runs.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { starbind, starbindHere, Workplace } from '../fixtures/command.js'
import { type RedisFixture, redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'

const place = new Workplace()
afterAll(() => place.remove())

describe.skipIf(redisServer === undefined)(`starbind work (${redisServer ?? whyNoRedis})`, () => {
  let redis: RedisFixture
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis[Symbol.asyncDispose]())

  it('carries out runs of other processes until it is stopped', async () => {
    place.write('starbind.json', { codeMode: { state: redis.url } })
    await using codeMode = await CodeMode.open({ state: redis.url, warm: false })
    const { runId, ended } = await codeMode.start('result = 6 * 7')
    const working = starbind(['work', '-n', '2'], {
      cwd: place.folder,
      // A second signal would end it at once.
      onStderr: (said, kill) => /: ok, after .*\n$/.test(said) && kill('SIGTERM'),
    })
    const [{ status, stdout, stderr }, { result }] = await Promise.all([working, ended])
    expect([status, stdout, result]).toEqual([0, '', 42])
    expect(stderr.replace(/^starbind \S+ /gm, '').replace(/[\d.]+ s$/m, '0.1 s')).toBe(
      [
        'carrying out background runs, 2 at once',
        `${runId} of local: begins here`,
        `${runId} of local: ok, after 0.1 s`,
        'taking no more runs; those underway have 10 seconds, then other workers go on',
        '',
      ].join('\n'),
    )
  })
})

describe('without Redis', () => {
  it.each([
    [['work'], 'host error [no-queue] a worker needs a queue of runs, and only runs that are kept in Redis have one\n'],
    [
      ['serve', '--work', '2'],
      'starbind: --work is for runs in Redis: set "state" to redis://… in the configuration\n',
    ],
  ])('%j says what is missing', async (args, said) => {
    place.write('starbind.json', { mcpServers: {} })
    const { status, stdout, stderr } = await starbindHere(args, { cwd: place.folder })
    expect([status, stdout, stderr.slice(0, said.length)]).toEqual([2, '', said])
  })
})
